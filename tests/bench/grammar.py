"""
Sentence parts in five languages for the corpus: who, does what, when and where.

Each language has three lists; a sentence is one of each. The parts are ours, about work, travel,
cooking, gardens and machines, and agree in number and gender whatever they are combined with
(subjects are singular, predicates hold no adjective of the subject).
"""

from __future__ import annotations


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.strip().split("|"))


WHO: dict[str, tuple[str, ...]] = {
    "ro": _split(
        "Echipa de livrări|Noua versiune|Biroul din centru|Serverul de rezervă|Ghidul turistic|Rețeta clasică|Atelierul de biciclete|"
        "Grădinarul|Furnizorul|Raportul trimestrial|Biblioteca județeană|Trenul de noapte|Aplicația mobilă|Comanda|Planul de lucru|"
        "Cursul de limbă|Centrala termică|Profesoara de muzică|Vecinul de la etajul doi|Magazinul online|Firma de transport|"
        "Meniul de prânz|Proiectul pilot|Imprimanta|Podul vechi|Compania de telefonie|Brutăria|Contabilul|Festivalul de film|Arhiva"
    ),
    "de": _split(
        "Das Lieferteam|Die neue Version|Das Büro im Erdgeschoss|Der Ersatzserver|Die Reiseführerin|Das Grundrezept|Die Fahrradwerkstatt|"
        "Der Gärtner|Der Zulieferer|Der Quartalsbericht|Die Stadtbücherei|Der Nachtzug|Die App|Die Bestellung|Der Arbeitsplan|"
        "Der Sprachkurs|Die Heizung|Der Musiklehrer|Die Nachbarin im zweiten Stock|Der Onlineshop|Die Spedition|Die Mittagskarte|"
        "Das Pilotprojekt|Der Drucker|Die alte Brücke|Der Netzbetreiber|Die Bäckerei|Die Buchhalterin|Das Filmfest|Das Archiv"
    ),
    "fr": _split(
        "L'équipe de livraison|La nouvelle version|Le bureau du rez-de-chaussée|Le serveur de secours|Le guide touristique|La recette de base|"
        "L'atelier de vélos|Le jardinier|Le fournisseur|Le rapport trimestriel|La bibliothèque municipale|Le train de nuit|L'application|"
        "La commande|Le plan de travail|Le cours de langue|La chaudière|Le professeur de musique|La voisine du deuxième|La boutique en ligne|"
        "Le transporteur|La carte de midi|Le projet pilote|L'imprimante|Le vieux pont|L'opérateur|La boulangerie|Le comptable|Le festival|Le dépôt"
    ),
    "es": _split(
        "El equipo de reparto|La nueva versión|La oficina de abajo|El servidor de respaldo|La guía turística|La receta básica|El taller de bicicletas|"
        "El jardinero|El proveedor|El informe trimestral|La biblioteca municipal|El tren nocturno|La aplicación|El pedido|El plan de trabajo|"
        "El curso de idiomas|La caldera|La profesora de música|El vecino del segundo|La tienda en línea|La empresa de transporte|El menú del día|"
        "El proyecto piloto|La impresora|El puente viejo|La operadora|La panadería|El contable|El festival de cine|El archivo"
    ),
    "it": _split(
        "La squadra delle consegne|La nuova versione|L'ufficio al piano terra|Il server di riserva|La guida turistica|La ricetta di base|"
        "L'officina delle biciclette|Il giardiniere|Il fornitore|Il rapporto trimestrale|La biblioteca comunale|Il treno notturno|L'applicazione|"
        "L'ordine|Il piano di lavoro|Il corso di lingua|La caldaia|L'insegnante di musica|La vicina del secondo piano|Il negozio in rete|"
        "Il corriere|Il menù del giorno|Il progetto pilota|La stampante|Il vecchio ponte|L'operatore|Il panificio|Il ragioniere|Il festival|L'archivio"
    ),
}
DOES: dict[str, tuple[str, ...]] = {
    "ro": _split(
        "a terminat prima etapă|începe cu o listă scurtă|are nevoie de două ore în plus|schimbă ordinea pașilor|așteaptă un răspuns scris|"
        "verifică fiecare cutie|propune o altă zi|păstrează o copie|trimite lista completă|folosește mai puțină apă|explică diferența|"
        "a primit piesele lipsă|închide mai devreme|oferă o reducere mică|pregătește sala|caută o soluție simplă|a mutat ședința|"
        "măsoară temperatura apei|adaugă un capitol nou|repară încuietoarea|compară trei oferte|lasă cheile la recepție|a crescut cu puțin"
    ),
    "de": _split(
        "hat die erste Stufe beendet|beginnt mit einer kurzen Liste|braucht zwei Stunden mehr|ändert die Reihenfolge der Schritte|"
        "wartet auf eine schriftliche Antwort|prüft jede Kiste|schlägt einen anderen Tag vor|behält eine Kopie|schickt die ganze Liste|"
        "verbraucht weniger Wasser|erklärt den Unterschied|hat die fehlenden Teile bekommen|schließt früher|gibt einen kleinen Rabatt|"
        "bereitet den Saal vor|sucht eine einfache Lösung|hat die Sitzung verlegt|misst die Temperatur|fügt ein Kapitel hinzu|"
        "repariert das Schloss|vergleicht drei Angebote|lässt die Schlüssel am Empfang|ist etwas gewachsen"
    ),
    "fr": _split(
        "a fini la première étape|commence par une courte liste|demande deux heures de plus|change l'ordre des étapes|attend une réponse écrite|"
        "vérifie chaque caisse|propose un autre jour|garde une copie|envoie la liste entière|consomme moins d'eau|explique la différence|"
        "a reçu les pièces manquantes|ferme plus tôt|offre une petite remise|prépare la salle|cherche une solution simple|a déplacé la réunion|"
        "mesure la température|ajoute un chapitre|répare la serrure|compare trois offres|laisse les clés à l'accueil|a un peu grandi"
    ),
    "es": _split(
        "ha terminado la primera etapa|empieza con una lista corta|necesita dos horas más|cambia el orden de los pasos|espera una respuesta escrita|"
        "revisa cada caja|propone otro día|guarda una copia|envía la lista completa|gasta menos agua|explica la diferencia|"
        "ha recibido las piezas que faltaban|cierra más temprano|ofrece un pequeño descuento|prepara la sala|busca una solución sencilla|"
        "ha movido la reunión|mide la temperatura|añade un capítulo|arregla la cerradura|compara tres ofertas|deja las llaves abajo|ha crecido algo"
    ),
    "it": _split(
        "ha finito la prima fase|comincia con un breve elenco|chiede due ore in più|cambia l'ordine dei passi|aspetta una risposta scritta|"
        "controlla ogni cassa|propone un altro giorno|conserva una copia|manda l'elenco intero|consuma meno acqua|spiega la differenza|"
        "ha ricevuto i pezzi mancanti|chiude prima|offre un piccolo sconto|prepara la sala|cerca una soluzione semplice|ha spostato la riunione|"
        "misura la temperatura|aggiunge un capitolo|ripara la serratura|confronta tre offerte|lascia le chiavi all'ingresso|è cresciuto un poco"
    ),
}
WHEN: dict[str, tuple[str, ...]] = {
    "ro": _split(
        "înainte de sfârșitul săptămânii|după a doua încercare|în zilele ploioase|fără costuri suplimentare|cu ajutorul unui coleg|"
        "pe malul râului|la fiecare trei luni|chiar dacă este târziu|potrivit planului|în etajul de sus|pentru toate orașele mari|"
        "când se schimbă anotimpul|dacă este nevoie|ca și anul trecut|la lumina zilei|prin două metode diferite|de la o zi la alta"
    ),
    "de": _split(
        "vor dem Ende der Woche|nach dem zweiten Versuch|an regnerischen Tagen|ohne zusätzliche Kosten|mit Hilfe eines Kollegen|"
        "am Ufer des Flusses|alle drei Monate|auch wenn es spät wird|laut Plan|im oberen Stock|für alle größeren Städte|"
        "wenn die Jahreszeit wechselt|falls nötig|wie im letzten Jahr|bei Tageslicht|auf zwei verschiedenen Wegen|von einem Tag auf den anderen"
    ),
    "fr": _split(
        "avant la fin de la semaine|après le deuxième essai|les jours de pluie|sans frais supplémentaires|avec l'aide d'un collègue|"
        "au bord de la rivière|tous les trois mois|même s'il est tard|selon le plan|à l'étage|pour toutes les grandes villes|"
        "quand la saison change|si besoin|comme l'an dernier|à la lumière du jour|par deux moyens différents|du jour au lendemain"
    ),
    "es": _split(
        "antes del fin de semana|tras el segundo intento|en los días de lluvia|sin gastos adicionales|con ayuda de un compañero|"
        "a la orilla del río|cada tres meses|aunque sea tarde|según el plan|en el piso de arriba|para todas las ciudades grandes|"
        "cuando cambia la estación|si hace falta|como el año pasado|a la luz del día|por dos caminos distintos|de un día para otro"
    ),
    "it": _split(
        "prima della fine della settimana|dopo il secondo tentativo|nei giorni di pioggia|senza spese in più|con l'aiuto di un collega|"
        "in riva al fiume|ogni tre mesi|anche se è tardi|secondo il piano|al piano di sopra|per tutte le grandi città|"
        "quando cambia la stagione|se serve|come l'anno scorso|alla luce del giorno|in due modi diversi|da un giorno all'altro"
    ),
}
# what may be told of somebody, for the planted messages; {name} is the person
HEALTH: dict[str, tuple[str, ...]] = {
    "en": ("{name} was diagnosed with multiple sclerosis last spring.", "{name} takes insulin twice a day."),
    "ro": ("{name} a fost diagnosticată cu epilepsie.", "{name} face dializă de trei ori pe săptămână."),
    "de": ("{name} ist an Multipler Sklerose erkrankt.", "{name} hat eine Depression und nimmt Medikamente."),
    "fr": ("{name} souffre d'épilepsie depuis l'enfance.", "{name} suit une chimiothérapie."),
    "es": ("{name} padece esclerosis múltiple.", "{name} está en tratamiento por una depresión."),
    "it": ("{name} soffre di epilessia.", "{name} è in dialisi da gennaio."),
}
NAMES: dict[str, tuple[str, ...]] = {
    "en": ("Harriet Cole", "Owen Marsh", "Priya Nair"),
    "ro": ("Ilinca Dobre", "Radu Stănescu", "Mirela Pop"),
    "de": ("Wiebke Albers", "Jürgen Kranz", "Aylin Demir"),
    "fr": ("Margaux Lenoir", "Thibault Garnier", "Nadia Haddad"),
    "es": ("Lucía Herrero", "Álvaro Prieto", "Inés Calvo"),
    "it": ("Chiara Fontana", "Davide Greco", "Marta Riva"),
}

"""
Check digits of personal numbers of Europe, and of travel documents, that python-stdnum does not have.

Comes in: the words found, in any printed grouping and letter case. Goes out: whether they can be
such a number. Each function names the source of its rule. None says that a number was issued.
"""

from __future__ import annotations

import re

from aigov_eval.detect.check_digits import icao_check, is_date, luhn, matching, weighted

# ------------------------------------------------------------------ United Kingdom, Ireland


def uk_nino(value: str) -> bool:
    """National Insurance number; prefixes that are never allocated: HMRC manual NIM39110."""
    text = matching(r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]?", value)
    return bool(text) and text[:2] not in {"BG", "GB", "KN", "NK", "NT", "TN", "ZZ"}


def uk_chi(value: str) -> bool:
    """Scottish Community Health Index number: birth date DDMMYY and the NHS modulus 11 (NHS Scotland data dictionary)."""
    text = matching(r"\d{10}", value)
    if not text or not (1 <= int(text[:2]) <= 31 and 1 <= int(text[2:4]) <= 12):
        return False
    check = 11 - weighted(text, (10, 9, 8, 7, 6, 5, 4, 3, 2)) % 11
    return check != 10 and check % 11 == int(text[9])


def uk_driving_licence(value: str) -> bool:
    """
    GB driver number: five of the surname, then birth decade, month (women + 50), day, year digit
    (DVLA, form D1 notes; Northern Ireland has eight plain digits and is not this form).
    """
    text = matching(r"(?=[A-Z]{1,5}9{0,4}\d)[A-Z9]{5}\d{6}[A-Z9]{2}[A-Z0-9]{3}", value)
    if not text:
        return False
    month, day = int(text[6:8]) % 50, int(text[8:10])
    return 1 <= month <= 12 and int(text[6]) in {0, 1, 5, 6} and 1 <= day <= 31


# ------------------------------------------------------------------ Germany


def de_document(value: str) -> bool:
    """
    Number of a German identity card or passport with its check digit (ICAO Doc 9303 weights): nine
    characters and the digit, or the nine printed ones where the last is a digit over the eight before;
    `T` and eight digits is the form of cards before November 2010. Letters as in the Personalausweisverordnung.
    """
    text = matching(r"(?:[CFGHJKLMNPRTVWXYZ0-9]{8}\d{1,2}|T\d{8,9})D?", value).rstrip("D")
    if not text or text.isdigit():
        return False
    if len(text) == 9:
        return (text[0] == "T" and text[1:].isdigit()) or int(text[8]) == icao_check(text[:8])
    return int(text[9]) == icao_check(text[:9])


def de_rvnr(value: str) -> bool:
    """Pension insurance number: area, birth date, letter, serial, check digit (VKVV sections 2 and 3)."""
    text = matching(r"\d{8}[A-Z]\d{3}", value)
    # where a day's serials ran out, 50 is added to the day
    if not text or not 1 <= int(text[4:6]) <= 12 or not 1 <= int(text[2:4]) % 50 <= 31:
        return False
    digits = text[:8] + f"{ord(text[8]) - 64:02d}" + text[9:11]
    products = (int(d) * w for d, w in zip(digits, (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1), strict=True))
    return sum(p // 10 + p % 10 for p in products) % 10 == int(text[11])


def de_kvnr(value: str) -> bool:
    """Health insurance number, fixed part: letter, eight digits, check digit (section 290 SGB V, GKV directive)."""
    text = matching(r"[A-Z]\d{9}", value)
    if not text:
        return False
    digits = f"{ord(text[0]) - 64:02d}" + text[1:9]
    products = (int(d) * (1 + i % 2) for i, d in enumerate(digits))
    return sum(p // 10 + p % 10 for p in products) % 10 == int(text[9])


# ------------------------------------------------------------------ Hungary


def hu_taj(value: str) -> bool:
    """Social security number (TAJ): weights 3 and 7 over eight digits, modulo 10 (act XX of 1996)."""
    text = matching(r"\d{9}", value)
    return bool(text) and len(set(text)) > 1 and weighted(text, (3, 7, 3, 7, 3, 7, 3, 7)) % 10 == int(text[8])


def hu_personal(value: str) -> bool:
    """Personal number: sex and century, birth date, serial; weights reversed for births before 1997 (act XX of 1996)."""
    text = matching(r"[1-8]\d{10}", value)
    if not text:
        return False
    century = 2000 if text[0] in "3478" else 1900
    if not is_date(century + int(text[1:3]), int(text[3:5]), int(text[5:7])):
        return False
    rising, falling = tuple(range(1, 11)), tuple(range(10, 0, -1))
    old = century == 1900 and int(text[1:3]) < 97
    return weighted(text, rising if old else falling) % 11 == int(text[10])


def hu_tax(value: str) -> bool:
    """Tax number of a private person: 8, nine digits, weights 1 to 9 modulo 11 (act XX of 1996, annex)."""
    text = matching(r"8\d{9}", value)
    return bool(text) and weighted(text, (1, 2, 3, 4, 5, 6, 7, 8, 9)) % 11 == int(text[9])


# ------------------------------------------------------------------ Romania, Moldova

# series of identity cards as allotted to the counties and to Bucharest (population registry; cards in use)
_RO_SERIES = frozenset(
    "AB AG AR AS AX AZ BC BH BM BN BR BT BV BZ CJ CL CM CS CT CZ DB DD DF DG DP DR DT DX DZ EP GG GJ GL GZ HD HR IF IL IS IZ "
    "KL KS KT KV KX KZ MH MM MP MS MX MZ NS NT NZ OB OT OZ PH PX PZ RB RD RF RK RM RN RP RR RS RT RV RX RZ SB SM "
    "SP SJ SV SX SZ TC TL TM TR TT TZ VL VN VS VX XB XC XH XM XR XS XT XV XZ ZB ZC ZD ZH ZL ZM ZR ZS ZV".split()
)


def ro_ci(value: str) -> bool:
    """Romanian identity card: a series of the counties and six or seven digits."""
    text = re.sub(r"[^A-Z0-9]|SERIA|SERIE|NUMĂRUL|NUMARUL|NUMĂR|NUMAR|NR", "", value.upper())
    return bool(re.fullmatch(r"[A-Z]{2}\d{6,7}", text)) and text[:2] in _RO_SERIES


# ------------------------------------------------------------------ Luxembourg, Portugal, Spain, Poland, Finland, Russia


def lu_matricule(value: str) -> bool:
    """National identification number: birth date, serial, Luhn and Verhoeff digits over the first eleven (law of 19 June 2013)."""
    text = matching(r"(?:19|20)\d{11}", value)
    if not text or not is_date(int(text[:4]), int(text[4:6]), int(text[6:8])):
        return False
    from stdnum import verhoeff

    return luhn(text[:12]) and bool(verhoeff.is_valid(text[:11] + text[12]))


def pt_niss(value: str) -> bool:
    """Social security number: first digit 1 or 2, prime weights, 9 minus the sum modulo 10 (Segurança Social)."""
    text = matching(r"[12]\d{10}", value)
    return bool(text) and 9 - weighted(text, (29, 23, 19, 17, 13, 11, 7, 5, 3, 2)) % 10 == int(text[10])


def es_dni(value: str) -> bool:
    """DNI: up to eight digits and the letter of their remainder modulo 23 (Real Decreto 1553/2005, article 11)."""
    text = matching(r"\d{7,8}[A-Z]", value)
    return bool(text) and "TRWAGMYFPDXBNJZSQVHLCKE"[int(text[:-1]) % 23] == text[-1]


def es_nuss(value: str) -> bool:
    """Social security affiliation: province, number, two digits modulo 97 (Tesorería General de la Seguridad Social)."""
    text = matching(r"\d{12}", value)
    if not text or not 1 <= int(text[:2]) <= 66:
        return False
    province, serial = int(text[:2]), int(text[2:10])
    base = province * (10_000_000 if serial < 10_000_000 else 100_000_000) + serial
    return base % 97 == int(text[10:])


def pl_id_card(value: str) -> bool:
    """Identity card: three letters, check digit, five digits; weights 7, 3, 1 (regulation of 29 January 2015)."""
    text = matching(r"[A-Z]{3}\d{6}", value)
    if not text:
        return False
    numbers = [int(c, 36) for c in text]
    return sum(n * w for n, w in zip(numbers, (7, 3, 1, 9, 7, 3, 1, 7, 3), strict=True)) % 10 == 0


def fi_hetu(value: str) -> bool:
    """Finnish personal identity code, temporary ones (900-999) and the century signs of 2023 included (DVV)."""
    from stdnum.fi import hetu

    return bool(hetu.is_valid(value, allow_temporary=True))


def ru_snils(value: str) -> bool:
    """Russian pension account: nine digits, weights 9 to 1, modulo 101 (Pension Fund decree 192p)."""
    text = matching(r"\d{11}", value)
    return bool(text) and weighted(text, (9, 8, 7, 6, 5, 4, 3, 2, 1)) % 101 % 100 == int(text[9:])


# ------------------------------------------------------------------ travel documents


def mrz(value: str) -> bool:
    """
    Machine-readable zone: the line (or lines) with the document number, its check digit and those of
    the birth and expiry dates (ICAO Doc 9303-4 TD3, 9303-5 TD1, 9303-6 TD2).
    """
    for line in re.split(r"[\r\n]+", value.upper().replace(" ", "")):
        if re.fullmatch(r"[A-Z0-9<]{9}\d[A-Z<]{3}\d{6}\d[MFX<]\d{6}\d[A-Z0-9<]{1,16}", line):
            return all(icao_check(line[a:b]) == int(line[b]) for a, b in ((0, 9), (13, 19), (21, 27)))
        if re.fullmatch(r"[IAC][A-Z<][A-Z<]{3}[A-Z0-9<]{9}\d[A-Z0-9<]{15}", line):
            return icao_check(line[5:14]) == int(line[14])
    return False

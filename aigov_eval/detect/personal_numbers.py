"""
Check digits of personal numbers and travel documents that python-stdnum does not have.

Comes in: the words found, in any printed grouping and letter case. Goes out: whether they can be
such a number. Each function names the source of its rule. None says that a number was issued.
"""

from __future__ import annotations

import datetime
import re

_GROUPING = re.compile(r"[\s.,:/_-]+")


def compact(value: str) -> str:
    """The value in capitals, without the spaces, dots, hyphens, slashes and colons it is printed with."""
    return _GROUPING.sub("", value).upper()


def is_date(year: int, month: int, day: int) -> bool:
    """Whether the calendar has that day."""
    try:
        datetime.date(year, month, day)
    except ValueError:
        return False
    return True


def luhn(value: str) -> bool:
    """ISO/IEC 7812-1 annex B: the digits, every second doubled from the right, sum to a multiple of ten."""
    digits = compact(value)
    if not (digits.isascii() and digits.isdigit()) or len(set(digits)) == 1:
        return False
    total = 0
    for place, digit in enumerate(reversed(digits)):
        number = int(digit) * (1 + place % 2)
        total += number - 9 if number > 9 else number
    return total % 10 == 0


def icao_check(text: str) -> int:
    """ICAO Doc 9303-3, section 4.9: weights 7, 3, 1; letters count 10 to 35, the filler `<` counts 0."""
    return sum((0 if c == "<" else int(c, 36)) * (7, 3, 1)[i % 3] for i, c in enumerate(text)) % 10


def weighted(digits: str, weights: tuple[int, ...]) -> int:
    """The digits, each times its weight, summed; digits beyond the weights do not count."""
    return sum(int(d) * w for d, w in zip(digits, weights, strict=False))


def matching(pattern: str, value: str) -> str:
    """The compact value if it has that form, else the empty text."""
    text = compact(value)
    return text if re.fullmatch(pattern, text, re.ASCII) else ""


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


# ------------------------------------------------------------------ Luxembourg, Portugal, Spain, Poland, Finland


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


# ------------------------------------------------------------------ the Americas


def us_ssn(value: str) -> bool:
    """Social security number with its areas, groups and advertised numbers ruled out (SSA, POMS RM 10201)."""
    from stdnum.us import ssn

    text = matching(r"\d{9}", value)
    return bool(text) and bool(ssn.is_valid(text))


def us_itin(value: str) -> bool:
    """Individual taxpayer number: 9xx, group 50-65, 70-88, 90-92 or 94-99 (IRS, IRM 3.21.263.1.4)."""
    text = matching(r"9\d{8}", value)
    group = int(text[3:5]) if text else 0
    return 50 <= group <= 65 or 70 <= group <= 88 or 90 <= group <= 92 or 94 <= group <= 99


def us_mbi(value: str) -> bool:
    """Medicare beneficiary identifier: eleven places, letters without S L O I B Z (CMS, MBI format)."""
    letter = "[AC-HJKMNP-RT-Y]"
    mixed = "[AC-HJKMNP-RT-Y0-9]"
    return bool(matching(rf"[1-9]{letter}{mixed}\d{letter}{mixed}\d{letter}{letter}\d\d", value))


def ca_sin(value: str) -> bool:
    """Social insurance number: Luhn; 0 and 8 do not begin a person's number; one grouping throughout (Service Canada)."""
    return bool(re.fullmatch(r"[1-79](?:\d{8}|\d\d-\d{3}-\d{3}|\d\d \d{3} \d{3})", value.strip())) and luhn(
        value
    )


# ------------------------------------------------------------------ Asia, Australia, Africa


def sg_nric(value: str) -> bool:
    """NRIC or FIN: prefix S, T, F, G or M, weights 2 7 6 5 4 3 2, letter of the remainder (ICA)."""
    text = matching(r"[STFGM]\d{7}[A-Z]", value)
    if not text:
        return False
    total = weighted(text[1:8], (2, 7, 6, 5, 4, 3, 2)) + {"T": 4, "G": 4, "M": 3}.get(text[0], 0)
    letters = {
        "S": "JZIHGFEDCBA",
        "T": "JZIHGFEDCBA",
        "F": "XWUTRQPNMLK",
        "G": "XWUTRQPNMLK",
        "M": "XWUTRQPNJLK",
    }
    return letters[text[0]][total % 11] == text[8]


def hk_id(value: str) -> bool:
    """Hong Kong identity card: one or two letters, six digits, check character modulo 11 (Immigration Department)."""
    text = matching(r"[A-Z]{1,2}\d{6}\(?[0-9A]\)?", value).replace("(", "").replace(")", "")
    if not text:
        return False
    body = [36 if c == " " else int(c, 36) for c in text[:-1].rjust(8)]
    total = sum(n * w for n, w in zip(body, range(9, 1, -1), strict=True))
    return (total + (10 if text[-1] == "A" else int(text[-1]))) % 11 == 0


def tw_id(value: str) -> bool:
    """Taiwanese identity number: area letter, sex, serial, check digit modulo 10 (Ministry of the Interior)."""
    text = matching(r"[A-Z][1289]\d{8}", value)
    if not text:
        return False
    area = "ABCDEFGHJKLMNPQRSTUVXYWZIO".index(text[0]) + 10
    total = area // 10 + area % 10 * 9 + weighted(text[1:], (8, 7, 6, 5, 4, 3, 2, 1, 1))
    return total % 10 == 0


def kr_rrn(value: str) -> bool:
    """Resident or foreigner number: birth date and century digit; its check digit ended in October 2020 (Resident Registration Act)."""
    text = matching(r"\d{6}[1-8]\d{6}", value)
    if not text or len(set(text)) == 1:
        return False
    century = 2000 if text[6] in "3478" else 1900
    return is_date(century + int(text[:2]), int(text[2:4]), int(text[4:6]))


def th_pin(value: str) -> bool:
    """Thai identity number: check digit modulo 11, and a province code from 10 to 96 (Department of Provincial Administration)."""
    from stdnum.th import pin

    text = matching(r"[1-8]\d{12}", value)
    return bool(text) and 10 <= int(text[1:3]) <= 96 and bool(pin.is_valid(text))


def jp_my_number(value: str) -> bool:
    """Individual number: eleven digits and a check digit modulo 11 (ministerial ordinance 85 of 2014, article 5)."""
    text = matching(r"\d{12}", value)
    if not text or len(set(text)) == 1:
        return False
    remainder = weighted(text, (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return (0 if remainder <= 1 else 11 - remainder) == int(text[11])


def ae_eid(value: str) -> bool:
    """Emirates ID: 784, birth year, serial, Luhn digit (ICP)."""
    text = matching(r"784(?:19|20)\d{10}", value)
    return bool(text) and luhn(text)


def sa_id(value: str) -> bool:
    """Saudi national id (1) or iqama (2): ten digits with a Luhn digit (Absher)."""
    return bool(matching(r"[12]\d{9}", value)) and luhn(value)


def eg_id(value: str) -> bool:
    """Egyptian national id: century, birth date, governorate, serial (Civil Status Organisation)."""
    text = matching(r"[23]\d{13}", value)
    if not text or not is_date((1700 + int(text[0]) * 100) + int(text[1:3]), int(text[3:5]), int(text[5:7])):
        return False
    return 1 <= int(text[7:9]) <= 35 or text[7:9] == "88"


def au_medicare(value: str) -> bool:
    """Medicare card: first digit 2 to 6, weights 1 3 7 9, issue number (Services Australia)."""
    text = matching(r"[2-6]\d{9,10}", value)
    return bool(text) and weighted(text[:8], (1, 3, 7, 9, 1, 3, 7, 9)) % 10 == int(text[8])


def za_id(value: str) -> bool:
    """South African identity number: birth date, citizenship 0 to 2, Luhn digit (Identification Act 68 of 1997)."""
    text = matching(r"\d{10}[0-2][89]\d", value)
    if not text or not luhn(text):
        return False
    month, day = int(text[2:4]), int(text[4:6])
    return any(is_date(century + int(text[:2]), month, day) for century in (1900, 2000))


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

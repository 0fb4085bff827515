"""
Check digits of personal numbers outside Europe that python-stdnum does not have.

Comes in: the words found, in any printed grouping and letter case. Goes out: whether they can be
such a number. Each function names the source of its rule. None says that a number was issued.
"""

from __future__ import annotations

import re

from aigov_eval.detect.check_digits import is_date, luhn, matching, weighted

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

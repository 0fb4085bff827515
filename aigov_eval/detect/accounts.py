"""
Check digits and ranges of accounts: payment cards, bank accounts, wallets.

Comes in: the words found, in any printed grouping. Goes out: whether they can be such a number.
Each function names the source of its rule; python-stdnum is imported when it is asked.
"""

from __future__ import annotations

import re

from aigov_eval.detect.check_digits import compact, luhn, matching, weighted


def iban(value: str) -> bool:
    """Length and structure of the country in the SWIFT registry, and modulo 97 (ISO 13616)."""
    from stdnum import iban as registry

    return bool(registry.is_valid(compact(value), check_country=False))


# issuer ranges and lengths (ISO/IEC 7812; the schemes' own pages): prefix from, prefix to, lengths
_IIN: tuple[tuple[str, str, tuple[int, ...]], ...] = (
    ("1", "1", (15,)),  # UATP
    ("4", "4", (13, 16, 19)),  # Visa
    ("34", "34", (15,)),  # American Express
    ("37", "37", (15,)),
    ("300", "305", (14, 16)),  # Diners Club
    ("3095", "3095", (14, 16)),
    ("38", "39", (14, 16)),
    ("36", "36", (14, 16, 19)),
    ("3528", "3589", (16, 17, 18, 19)),  # JCB
    ("51", "55", (16,)),  # Mastercard
    ("2221", "2720", (16,)),
    ("2200", "2204", (16, 17, 18, 19)),  # Mir
    ("5019", "5019", (16,)),  # Dankort
    ("5018", "5020", (12, 13, 14, 15, 16, 17, 18, 19)),  # Maestro
    ("5038", "5038", (12, 13, 14, 15, 16, 17, 18, 19)),
    ("56", "58", (12, 13, 14, 15, 16, 17, 18, 19)),
    ("6304", "6304", (12, 13, 14, 15, 16, 17, 18, 19)),
    ("6390", "6390", (12, 13, 14, 15, 16, 17, 18, 19)),
    ("67", "67", (12, 13, 14, 15, 16, 17, 18, 19)),
    ("6011", "6011", (16, 17, 18, 19)),  # Discover
    ("644", "65", (16, 17, 18, 19)),
    ("62", "62", (16, 17, 18, 19)),  # UnionPay
    ("60", "60", (16,)),  # RuPay
    ("81", "82", (16,)),
    ("9792", "9792", (16,)),  # Troy
)


def card(value: str) -> bool:
    """A payment card number: range and length of an issuer, and the Luhn digit (ISO/IEC 7812-1)."""
    digits = compact(value)
    if not (digits.isascii() and digits.isdigit()):
        return False
    for low, high, lengths in _IIN:
        # a range such as 644-65 compares as text: 644 <= 649 and 649 begins with 64 < 65
        if len(digits) in lengths and digits[: len(low)] >= low and digits[: len(high)] <= high:
            return luhn(digits)
    return False


def iso7064(value: str) -> bool:
    """ISO 7064 Mod 11, 10, the check digit of the German tax number."""
    from stdnum.iso7064 import mod_11_10

    return bool(mod_11_10.is_valid(compact(value)))


def bitcoin(value: str) -> bool:
    """A Bitcoin address: Base58Check (P2PKH, P2SH), Bech32 or Bech32m (BIP 173, BIP 350)."""
    if value[:3].lower() == "bc1":
        return _bech32(value)
    from stdnum import bitcoin as addresses

    return bool(addresses.is_valid(value))


def _bech32(value: str) -> bool:
    if value not in {value.lower(), value.upper()}:
        return False
    human, _, data = value.lower().rpartition("1")
    alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
    if human != "bc" or not 6 <= len(data) <= 87 or any(c not in alphabet for c in data):
        return False
    check = 1
    spread = [ord(c) >> 5 for c in human] + [0] + [ord(c) & 31 for c in human]
    for number in [*spread, *(alphabet.index(c) for c in data)]:
        top, check = check >> 25, (check & 0x1FFFFFF) << 5 ^ number
        for i, generator in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            check ^= generator if top >> i & 1 else 0
    return check in {1, 0x2BC830A3}


def ethereum(value: str) -> bool:
    """0x and forty hexadecimal digits, not all alike (EIP-55's capitals are not demanded: many tools drop them)."""
    return bool(re.fullmatch(r"0[xX][0-9a-fA-F]{40}", value)) and len(set(value[2:].lower())) > 4


def fr_rib(value: str) -> bool:
    """French account: bank, branch, account, key modulo 97; letters count 1 to 9 in runs (Comité français d'organisation et de normalisation bancaires)."""
    text = matching(r"\d{10}[A-Z0-9]{11}\d{2}", value)
    digits = "".join(
        c if c.isdigit() else str((ord(c) - 65) % 9 + 1 if c < "S" else (ord(c) - 83) % 9 + 2) for c in text
    )
    return (
        bool(text)
        and (int(digits[:5]) * 89 + int(digits[5:10]) * 15 + int(digits[10:21]) * 3 + int(digits[21:])) % 97
        == 0
    )


def it_bban(value: str) -> bool:
    """Italian account: check letter (CIN) over bank, branch and account, odd places by the table of the tax code (ABI)."""
    text = matching(r"[A-Z]\d{10}[A-Z0-9]{12}", value)
    odd = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
    numbers = [int(c) if c.isdigit() else ord(c) - 65 for c in text[1:]]
    return bool(text) and sum(n if i % 2 else odd[n] for i, n in enumerate(numbers)) % 26 == ord(text[0]) - 65


def pl_nrb(value: str) -> bool:
    """Polish account: the twenty-six digits of the IBAN, modulo 97 (regulation of the National Bank)."""
    text = matching(r"\d{26}", value)
    return bool(text) and int(text[2:] + "2521" + text[:2]) % 97 == 1


def hu_giro(value: str) -> bool:
    """Hungarian account: a check digit after seven digits and one at the end, weights 9 7 3 1 (Magyar Nemzeti Bank)."""
    text = matching(r"\d{16}(?:\d{8})?", value)
    weights = (9, 7, 3, 1) * 4
    return bool(text) and weighted(text[:8], weights) % 10 == 0 and weighted(text[8:], weights) % 10 == 0


def us_routing(value: str) -> bool:
    """ABA routing number: Federal Reserve range and weights 3, 7, 1 (ABA routing number policy)."""
    text = matching(r"(?:0[1-9]|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)\d{7}", value)
    return bool(text) and weighted(text, (3, 7, 1, 3, 7, 1, 3, 7, 1)) % 10 == 0

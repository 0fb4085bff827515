"""
Ways to compute check digits, and what else validators of numbers share.

Comes in: the words found, in any printed grouping and letter case, or the figures of a number. Goes out: what the rule asks for.
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

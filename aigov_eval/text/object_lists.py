"""
The objects that stand side by side in a text.

Comes in: a plain text. Goes out: where each object of a list, or of a map from names to objects, starts and ends.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

_CLOSED = {"{": "}", "[": "]"}
_SIGN = re.compile(r'"(?:[^"\\\n]|\\.)*"|[{}\[\]:,]')


class _Open(Struct):
    """An object or list that is being read: where it starts (with its key), its objects, how much else stands in it."""

    sign: str
    start: int
    objects: list[tuple[int, int]]
    others: int = 0


def objects_in(text: str, start: int, end: int) -> Sequence[tuple[int, int]]:
    """
    The objects of the outermost list of several, or of a map from names or numbers to objects ("Ana": {...}, with their keys).

    Nothing where there is neither, or where brackets do not close.
    """
    found: list[list[tuple[int, int]]] = []
    opened = [_Open("", start, [])]
    key = said = -1
    for sign in _SIGN.finditer(text, start, end):
        what, at = sign.group()[0], sign.start()
        if what == '"':
            said = at
        elif what == ":":
            key, said = said, -1
        elif what in "{[":
            opened.append(_Open(what, key if key >= 0 else at, []))
            key = said = -1
        else:
            opened[-1].others += key >= 0 or said >= 0
            key = said = -1
            if what == ",":
                continue
            last = opened.pop()
            if not opened or _CLOSED.get(last.sign) != what:
                return []
            if len(last.objects) > 1 and (what == "]" or _is_map(text, last)):
                found.append(last.objects)
            if what == "}":
                opened[-1].objects.append((last.start, sign.end()))
            else:
                opened[-1].others += 1
    return max(found, key=lambda group: group[-1][1] - group[0][0], default=[])


def _is_map(text: str, opened: _Open) -> bool:
    """Whether an object leads from names or numbers to objects, as one of fields (in small letters) does not."""
    keys = (text[start : start + 2] for start, _ in opened.objects)
    return not opened.others and all(key[0] == '"' and not key[1:].islower() for key in keys)

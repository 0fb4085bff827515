"""
A value told in pieces: over several answers, several parts of one, or with anything between.

Comes in: a value and texts. Goes out: the stretches of the texts that together tell at least half of it, in one of its
spellings: as it is, backwards, in rot13, in hex or base64 (and these backwards); letters and figures alone are
compared, so that whatever separates them does not count. Single letters between other words are not seen as pieces.
"""

from __future__ import annotations

import base64
import codecs
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

LEAST = 10  # letters and figures of a value: the pieces of a shorter one are soon words
HALF = 0.5  # of a spelling
_HEX_MARK = re.compile(r"(?<![^\W_])0x(?=[0-9a-fA-F]{2})|\\x(?=[0-9a-fA-F]{2})")


class Piece(Struct, frozen=True):
    """A stretch of one of the texts, by its number."""

    text: int
    start: int
    end: int


def pieces_of(value: str, texts: Sequence[str], *, share: float = HALF) -> list[Piece]:
    """The pieces of a value in some texts, in order; none where they tell less than this share of it."""
    if len(_letters(value)) < LEAST:
        return []
    squeezed = [_squeezed(text) for text in texts]
    found: set[Piece] = set()
    for spelling, least in _spellings(value):
        told: list[Piece] = []
        covered: set[int] = set()
        grams: dict[str, list[int]] = {}
        for at in range(len(spelling) - least + 1):
            grams.setdefault(spelling[at : at + least], []).append(at)
        for number, (letters, places) in enumerate(squeezed):
            for first, last, at in _matches(spelling, grams, least, letters):
                told.append(Piece(number, places[first], places[last - 1] + 1))
                covered.update(range(at, at + last - first))
        if len(covered) >= share * len(spelling):
            found.update(told)
    return sorted(found, key=lambda one: (one.text, one.start, -one.end))


def without_pieces(text: str, pieces: Sequence[Piece], instead: str) -> str:
    """A text with its pieces replaced; those that touch are one."""
    kept: list[str] = []
    at = 0
    for piece in pieces:
        if piece.end <= at:
            continue
        if piece.start > at or not kept:
            kept += [text[at : piece.start], instead]
        at = piece.end
    return "".join([*kept, text[at:]])


def _matches(
    spelling: str, grams: dict[str, list[int]], least: int, letters: str
) -> Iterator[tuple[int, int, int]]:
    """The longest stretches (first, last) that a text shares with a spelling, and where in the spelling they begin."""
    for gram, ats in grams.items():
        first = letters.find(gram)
        while first >= 0:
            for at in ats:
                # only where it begins: a stretch is found by its first gram
                if first and at and letters[first - 1] == spelling[at - 1]:
                    continue
                last = first + least
                end = at + least
                while last < len(letters) and end < len(spelling) and letters[last] == spelling[end]:
                    last, end = last + 1, end + 1
                yield first, last, at
            first = letters.find(gram, first + 1)


def _spellings(value: str) -> Iterator[tuple[str, int]]:
    """The spellings of a value, letters and figures alone, and how long a piece of one must be at least."""
    data = value.encode("utf-8", "replace")
    written = [(_letters(value), 4), (_letters(codecs.encode(value, "rot13")), 4), (data.hex(), 8)]
    for before in range(3):
        whole = base64.b64encode(b"\0" * before + data).decode().rstrip("=")
        # what shares its bits with what stands before and after is another letter there
        middle = whole[-(-before * 8 // 6) : (before + len(data)) * 8 // 6]
        written.append((_letters(middle), 6))
    for spelling, least in written:
        if len(spelling) >= LEAST:
            yield spelling, least
            yield spelling[::-1], least
    pairs = "".join(f"{byte:02x}" for byte in reversed(data))
    yield pairs, 8


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _squeezed(text: str) -> tuple[str, list[int]]:
    """The letters and figures of a text, and where each stands in it."""
    marks = {at for match in _HEX_MARK.finditer(text) for at in range(*match.span())} if "x" in text else ()
    places = [at for at, letter in enumerate(text) if letter.isalnum() and at not in marks]
    # one letter for one: a letter that folds to two would move the places
    letters = "".join(low if len(low := text[at].casefold()) == 1 else text[at] for at in places)
    return letters, places

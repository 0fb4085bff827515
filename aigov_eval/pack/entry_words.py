"""
The word slots of an entry: pieces that touch are one word, and a gap belongs to the word after it.

Comes in: a sequence of pieces and classes. Goes out: `Word`s.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from aigov_eval.model import Word
from aigov_eval.pack.entry_items import SEPARATOR, Piece
from aigov_eval.pack.inflecting import EntryError

MAX_FORMS = 4000  # of one word that is put together of alternatives
MIN_STEM = 4
MIN_END = 3


def words_of(line: Sequence[Piece | Word], text: str) -> tuple[Word, ...]:
    """Word slots of one written-out line: pieces that touch are one word; gaps move to the word after."""
    words: list[Word] = []
    gap = 0
    open_word: Piece | None = None
    before: Piece | Word = SEPARATOR
    for piece in (*line, SEPARATOR):
        if _touch(before, piece):
            raise EntryError(
                "AG122", f'"{text}" joins letters to a class inside brackets', "put a space beside the class"
            )
        before = piece
        if isinstance(piece, Piece) and piece.forms:
            open_word = piece if open_word is None else _joined(open_word, piece, text)
            continue
        if open_word is not None:
            words.append(closed(open_word, gap))
            open_word, gap = None, 0
        if isinstance(piece, Word):
            words.append(replace(piece, gap=gap) if gap else piece)
            gap = 0
        elif piece.gap >= 0:
            if not words:
                raise EntryError("AG125", f'"{text}" starts with a gap', "a gap stands between two words")
            gap += piece.gap
    if gap:
        raise EntryError("AG125", f'"{text}" ends with a gap', "a gap stands between two words")
    if all(word.optional for word in words):
        raise EntryError(
            "AG126", f'"{text}" holds no word that must stand', "write at least one word that is not optional"
        )
    return tuple(words)


def _touch(one: Piece | Word, other: Piece | Word) -> bool:
    """Is that a part of a word right beside a slot?"""
    parts = [item for item in (one, other) if isinstance(item, Piece)]
    return len(parts) == 1 and bool(parts[0].forms)


def _joined(head: Piece, tail: Piece, text: str) -> Piece:
    """Two pieces of a word that touch."""
    if head.stem:
        raise EntryError("AG122", f'"{text}" has letters after a star', "a star ends its word")
    if tail.end:
        raise EntryError("AG122", f'"{text}" has letters before a star', "a star begins or ends its word")
    if len(head.forms) * len(tail.forms) > MAX_FORMS:
        raise EntryError(
            "AG124",
            f'"{text}" puts together a word of more than {MAX_FORMS} forms',
            "split it into several lines",
        )
    both = tuple([first + second for first in head.forms for second in tail.forms])
    return Piece(both, tail.stem, end=head.end)


def closed(piece: Piece, gap: int) -> Word:
    """The slot of a word that has ended."""
    if piece.end and piece.stem:
        raise EntryError(
            "AG122", f'"*{piece.forms[0]}*" has a star on both sides', "a star begins or ends its word"
        )
    if piece.end:
        return Word(gap=gap, ends=_ends(piece.forms))
    return slot(() if piece.stem else piece.forms, stems_of(piece.forms) if piece.stem else (), gap, False)


@lru_cache(maxsize=65536)
def slot(forms: tuple[str, ...], stems: tuple[str, ...], gap: int, optional: bool) -> Word:
    """A word slot; the same ones stand in many entries, and are kept once."""
    return Word(frozenset(forms), stems, gap, optional)


def stems_of(stems: Sequence[str]) -> tuple[str, ...]:
    for stem in stems:
        if len(stem) < MIN_STEM:
            raise EntryError(
                "AG121",
                f'the stem "{stem}*" is too short',
                f"at least {MIN_STEM} letters before the star; or list the words",
            )
    return tuple(dict.fromkeys(stems))


def _ends(ends: Sequence[str]) -> tuple[str, ...]:
    for end in ends:
        if len(end) < MIN_END:
            raise EntryError(
                "AG137",
                f'the ending "*{end}" is too short',
                f"at least {MIN_END} letters after the star; or list the words",
            )
    return tuple(dict.fromkeys(ends))


def joined_slot(words: Sequence[Word]) -> Word:
    """One slot for the words of several."""
    if len(words) == 1:
        return words[0]
    return Word(
        frozenset().union(*(word.forms for word in words)),
        tuple(dict.fromkeys(stem for word in words for stem in word.stems)),
        ends=tuple(dict.fromkeys(end for word in words for end in word.ends)),
        phrases=tuple(dict.fromkeys(phrase for word in words for phrase in word.phrases)),
    )

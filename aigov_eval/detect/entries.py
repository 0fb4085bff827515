"""
Entries of word lists, ready to be matched.

Comes in: nothing. Goes out: `Entry`, and what of its slots all that works with entries has to know.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec import Struct

from aigov_eval.model import Word

ANY_LANGUAGE = "any"  # of entries that count in every language
STEM = 4  # letters a stem has at least; the loader holds the files to it
END = 3  # the same of an ending


class Entry(Struct, frozen=True):
    """One way through a lexicon line, ready to match; it is filed under the words of the slot `root`."""

    lexicon: int
    language: str
    section: str
    slots: tuple[Word, ...]
    root: int
    exact: frozenset[str]
    fold: bool
    friend: bool
    line: str
    path: str
    at: int  # the line of its file


def counts_in(language: str, languages: Collection[str] | None) -> bool:
    """Whether entries of a language count in these languages (None for all)."""
    return languages is None or language == ANY_LANGUAGE or language in languages


def heads(slot: Word) -> Iterator[Word]:
    """The slot itself, and the first slots of its phrases: what a text's word may be where the slot begins."""
    yield slot
    for phrase in slot.phrases:
        yield from heads(phrase[0])


def width_of(slot: Word) -> int:
    """How many words a slot takes at most."""
    if not slot.phrases:
        return 1
    return max([1, *(sum(one.gap + width_of(one) for one in phrase) for phrase in slot.phrases)])

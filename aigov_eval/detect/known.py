"""
What an index of word lists knows of the words of texts: which entries each may be part of.

Comes in: the entries as they are filed, or their table. Goes out: `WordCache`, which looks a new word up when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from aigov_eval.detect.entries import END, STEM, Entry
from aigov_eval.detect.matching import fits
from aigov_eval.detect.rooted import Found, Kind, Roots, Way, filed, heads_of, joined
from aigov_eval.detect.table import Table
from aigov_eval.text.views import fold

_MET = 200_000  # words of texts that an index remembers at most
_YEAR = 4  # figures of a number that may be met again


class Filed(Protocol):
    """The entries of an index, filed by the words, stems and endings of their roots."""

    @property
    def entries(self) -> Sequence[Entry]:
        """All entries; their place is their number."""

    @property
    def anchors(self) -> Mapping[str, tuple[int, ...]]:
        """By word, the numbers of the entries that it may begin the root of."""

    @property
    def stems(self) -> Mapping[str, tuple[tuple[str, int], ...]]:
        """By the first letters of stems, each stem with the number of an entry."""

    @property
    def ends(self) -> Mapping[str, tuple[tuple[str, int], ...]]:
        """By the last letters of endings, each ending with the number of an entry."""

    @property
    def tables(self) -> Sequence[Table]:
        """The same as tables, where there are any."""


class _Kinds(dict[int, Kind]):
    """Of what kind entries are, by number: those that were found so far, or all of some tables."""

    def __init__(self, tables: Sequence[Table]) -> None:
        super().__init__()
        self._tables = tables

    def __missing__(self, at: int) -> Kind:
        """Of what kind an entry is that nobody asked about."""
        for table in reversed(self._tables):
            if at >= table.first:
                kind = self[at] = table.kind(at)
                return kind
        raise KeyError(at)


class WordCache(dict[str, Found | None]):
    """
    What an index knows of the words of texts read so far, None where nothing is filed under a word.

    A new word is looked up when it is asked for. An entry beside whose root only certain words can stand is
    found by both. All this makes later texts quicker, and changes no result.
    """

    def __init__(self, index: Filed) -> None:
        super().__init__()
        self._index = index
        self.kinds: dict[int, Kind] = _Kinds(index.tables)
        self._written: dict[tuple[int, str], bool] = {}
        self._beginnings: dict[tuple[int, str], tuple[str, ...]] = {}
        self._roots = Roots()

    def __missing__(self, word: str) -> Found | None:
        """What is filed under a word."""
        tables = self._index.tables
        found = joined(table.found(word) for table in tables) if tables else filed(self._ways(word))
        # few long numbers come again, and there is no end of them
        if found is not None or len(word) <= _YEAR or not word.isdigit():
            self._remember(word, found)
        return found

    def _ways(self, word: str) -> Iterator[Way]:
        """The ways into entries by a word; of what kind those are is noted."""
        index = self._index
        for at in sorted(set(_filed_under(index, word))):
            entry = index.entries[at]
            own = [
                rest
                for head, rest in heads_of(entry.slots[entry.root])
                if word in head.forms or word.startswith(head.stems) or word.endswith(head.ends)
            ]
            if own:
                self.kinds[at] = self._roots.kind(entry)
                yield from self._roots.ways(at, entry, own)

    def _remember(self, word: str, found: Found | None) -> None:
        if len(self) >= _MET:
            self.clear()
        self[word] = found

    def may_be_written(self, at: int, light: str, plain: str) -> bool:
        """Whether a text has a word in the letter case of the entry of that number, as far as its first letters tell; asked before places are."""
        known = self._beginnings.get((at, light))
        if known is None:
            if len(self._beginnings) >= _MET:
                self._beginnings.clear()
            known = self._beginnings[at, light] = _written_ways(light, self._index.entries[at])
        return any(beginning in plain for beginning in known)

    def is_written(self, at: int, word: str) -> bool:
        """Whether a word is in the letter case of the entry of that number."""
        told = self._written.get((at, word))
        if told is None:
            if len(self._written) >= _MET:
                self._written.clear()
            told = self._written[at, word] = _as_written(word, self._index.entries[at])
        return told


def _filed_under(index: Filed, word: str) -> Iterator[int]:
    """The numbers of the entries that are filed under a word, or a stem or an ending of it."""
    yield from index.anchors.get(word, ())
    for stem, at in index.stems.get(word[:STEM], ()):
        if word.startswith(stem):
            yield at
    for end, at in index.ends.get(word[-END:], ()):
        if word.endswith(end):
            yield at


_KNOWN = 3  # letters by which an inflected form is known at least


def _beginning(known: str) -> str:
    """What the inflected forms of an exact word begin with."""
    return known[: max(_KNOWN, len(known) - 2)]


def _is_of_entry(light: str, entry: Entry) -> bool:
    """Whether a word, in whatever letter case, is one of an entry's."""
    return any(fits(slot, light, fold(light), entry.fold) for slot in entry.slots)


def _written_ways(light: str, entry: Entry) -> tuple[str, ...]:
    """What a word of a text begins with where it is one of an exact entry, in its letter case (`_as_written`)."""
    if not _is_of_entry(light, entry):
        return ("",)
    return tuple(sorted({b for b in map(_beginning, entry.exact) if light.startswith(b.lower())}))


def _as_written(word: str, entry: Entry) -> bool:
    """Whether a word of an exact entry is in its letter case; inflected forms begin as the line does, free words may be anything."""
    if word in entry.exact:
        return True
    if not _is_of_entry(word.lower(), entry):
        return True
    return any(len(known) >= _KNOWN and word.startswith(_beginning(known)) for known in entry.exact)

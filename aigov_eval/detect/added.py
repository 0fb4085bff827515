"""
A word index with the lists of an added pack, without building it again.

Comes in: the `WordIndex` of a pack that was compiled before, and word lists of names that it does not know. Goes out: the part that is
added, to be kept by itself (`part_of`), and the index with that part (`with_part`): its entries stand after the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import overload

from msgspec.structs import replace

from aigov_eval.detect.entries import Entry
from aigov_eval.detect.table import Filing
from aigov_eval.detect.tabled import table_of
from aigov_eval.detect.words import WordIndex, build_index
from aigov_eval.model import Lexicon


def part_of(
    index: WordIndex,
    lexicons: Mapping[str, Sequence[Lexicon]],
    common: frozenset[str],
    spelled: Mapping[str, str],
) -> WordIndex:
    """These lists as a part of the index; their names and entries are numbered after those of the index."""
    own = build_index(lexicons, common, spelled)
    entries = [replace(entry, lexicon=entry.lexicon + len(index.names)) for entry in own.entries]
    return replace(own, entries=entries, tables=(table_of(entries, len(index.entries)),))


def with_part(index: WordIndex, part: WordIndex) -> WordIndex:
    """The index with a part that was made for it."""
    tables = (*index.tables, *part.tables)
    return WordIndex(
        (*index.names, *part.names),
        _Entries(index.entries, part.entries),
        Filing(tables),
        _Parts(index.stems, part.stems, len(index.entries)),
        _Parts(index.ends, part.ends, len(index.entries)),
        tables,
    )


class _Entries(Sequence[Entry]):
    """The entries of an index, and after them those of a part."""

    def __init__(self, old: Sequence[Entry], new: Sequence[Entry]) -> None:
        self._old, self._new = old, new

    @overload
    def __getitem__(self, at: int) -> Entry: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Entry]: ...
    def __getitem__(self, at: int | slice) -> Entry | Sequence[Entry]:
        """The entry of that number."""
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        return self._old[at] if at < len(self._old) else self._new[at - len(self._old)]

    def __len__(self) -> int:
        """How many entries there are."""
        return len(self._old) + len(self._new)


class _Parts(Mapping[str, tuple[tuple[str, int], ...]]):
    """The stems or endings that entries are filed under, those of a part with the numbers that they have now."""

    def __init__(
        self,
        old: Mapping[str, tuple[tuple[str, int], ...]],
        new: Mapping[str, tuple[tuple[str, int], ...]],
        first: int,
    ) -> None:
        self._old, self._new, self._first = old, new, first

    def __getitem__(self, letters: str) -> tuple[tuple[str, int], ...]:
        """The stems or endings with these letters; KeyError where there are none."""
        if letters not in self._new:
            return self._old[letters]
        return (
            *self._old.get(letters, ()),
            *((text, at + self._first) for text, at in self._new[letters]),
        )

    def __iter__(self) -> Iterator[str]:
        """All letters."""
        return iter(dict.fromkeys((*self._old, *self._new)))

    def __len__(self) -> int:
        """How many there are."""
        return sum(1 for _ in self)

"""
A word index in which the entries of some lists are others, without building it again.

Comes in: a `WordIndex` and the lists that changed. Goes out: a `WordIndex` that finds what one built from
the changed lists finds: the new entries stand at the numbers where the old ones stood.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, overload

from aigov_eval.detect.entries import Entry
from aigov_eval.detect.words import WordIndex, build_index
from aigov_eval.model import Lexicon


def with_list(index: WordIndex, name: str, lexicon: Lexicon) -> WordIndex | None:
    """The index with this list in the place of the one of that name and language; None where there is none."""
    number = index.number(name)
    if number < 0:
        return None
    first = bisect_left(index.entries, number, key=lambda entry: entry.lexicon)
    last = bisect_left(index.entries, number + 1, lo=first, key=lambda entry: entry.lexicon)
    own = [at for at in range(first, last) if index.entries[at].language == lexicon.language]
    # the entries of a list stand together: an index is built list by list
    if not own or own[-1] - own[0] + 1 != len(own):
        return None
    part = build_index({name: (lexicon,)})
    return WordIndex(
        index.names,
        _Entries(index.entries, part.entries, own[0], len(own), number),
        _Filing(index.anchors, part.anchors, own[0], len(own), len(part.entries)),
        _parts(index.stems, part.stems, own, part),
        _parts(index.ends, part.ends, own, part),
    )


def _parts(
    old: Mapping[str, Sequence[tuple[str, int]]],
    new: Mapping[str, Sequence[tuple[str, int]]],
    own: Sequence[int],
    part: WordIndex,
) -> dict[str, tuple[tuple[str, int], ...]]:
    """The stems or endings that entries are filed under, with the numbers that they have now."""
    return {
        letters: (
            *((text, now) for text, at in old.get(letters, ()) if (now := _moved(at, own, part)) >= 0),
            *((text, at + own[0]) for text, at in new.get(letters, ())),
        )
        for letters in (*old, *(letters for letters in new if letters not in old))
    }


def _moved(at: int, own: Sequence[int], part: WordIndex) -> int:
    """The new number of an old entry; -1 where it is gone."""
    if at < own[0]:
        return at
    return at + len(part.entries) - len(own) if at > own[-1] else -1


class _Entries(Sequence[Entry]):
    """The entries of an index, `count` of them from `start` on replaced by others."""

    def __init__(
        self, old: Sequence[Entry], new: Sequence[Entry], start: int, count: int, lexicon: int
    ) -> None:
        self._old, self._start, self._count = old, start, count
        self._new = [
            Entry(
                lexicon,
                e.language,
                e.section,
                e.slots,
                e.root,
                e.exact,
                e.fold,
                e.friend,
                e.line,
                e.path,
                e.at,
            )
            for e in new
        ]

    @overload
    def __getitem__(self, at: int) -> Entry: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Entry]: ...
    def __getitem__(self, at: int | slice) -> Entry | Sequence[Entry]:
        """The entry of that number."""
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        if at < self._start:
            return self._old[at]
        if at < self._start + len(self._new):
            return self._new[at - self._start]
        return self._old[at - len(self._new) + self._count]

    def __len__(self) -> int:
        """How many entries there are."""
        return len(self._old) - self._count + len(self._new)


class _Filing(Mapping[str, tuple[int, ...]]):
    """The words that entries are filed under, with the numbers that they have now."""

    def __init__(
        self,
        old: Mapping[str, tuple[int, ...]],
        new: Mapping[str, tuple[int, ...]],
        start: int,
        count: int,
        added: int,
    ) -> None:
        self._old, self._new = old, new
        self._start, self._end, self._shift = start, start + count, added - count

    def get(self, word: str, default: Any = None) -> Any:
        """The entries filed under a word, or the default."""
        old = self._old.get(word, ())
        numbers = (
            *(at for at in old if at < self._start),
            *(at + self._start for at in self._new.get(word, ())),
            *(at + self._shift for at in old if at >= self._end),
        )
        return numbers or default

    def __getitem__(self, word: str) -> tuple[int, ...]:
        """The entries filed under a word; KeyError where there are none."""
        numbers: tuple[int, ...] = self.get(word, ())
        if not numbers:
            raise KeyError(word)
        return numbers

    def __iter__(self) -> Iterator[str]:
        """All words."""
        return (word for word in dict.fromkeys((*self._old, *self._new)) if self.get(word))

    def __len__(self) -> int:
        """How many words there are."""
        return sum(1 for _ in self)

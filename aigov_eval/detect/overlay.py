"""
A word index in which the entries of some lists are others, without building it again.

Comes in: a `WordIndex` and the lists that changed. Goes out: a `WordIndex` that finds what one built from
the changed lists finds: the new entries stand at the numbers where the old ones stood.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, overload

from msgspec import Struct
from msgspec.structs import replace

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
    entries = [replace(entry, lexicon=number) for entry in part.entries]
    splice = Splice(own[0], own[-1] + 1, len(entries) - len(own))
    return WordIndex(
        index.names,
        Entries(index.entries, entries, splice),
        _Filing(index.anchors, part.anchors, splice),
        Parts(index.stems, part.stems, splice),
        Parts(index.ends, part.ends, splice),
    )


class Splice(Struct, frozen=True):
    """Where new entries stand: in the place of the old ones from `start` to `end`; those after them move by `shift`."""

    start: int
    end: int
    shift: int


class Entries(Sequence[Entry]):
    """The entries of an index, some of them replaced by others."""

    def __init__(self, old: Sequence[Entry], new: Sequence[Entry], splice: Splice) -> None:
        self._old, self._new, self._splice = old, new, splice

    @overload
    def __getitem__(self, at: int) -> Entry: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Entry]: ...
    def __getitem__(self, at: int | slice) -> Entry | Sequence[Entry]:
        """The entry of that number."""
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        if at < self._splice.start:
            return self._old[at]
        if at < self._splice.start + len(self._new):
            return self._new[at - self._splice.start]
        return self._old[at - self._splice.shift]

    def __len__(self) -> int:
        """How many entries there are."""
        return len(self._old) + self._splice.shift


class Parts(Mapping[str, tuple[tuple[str, int], ...]]):
    """The stems or endings that entries are filed under, with the numbers that they have now."""

    def __init__(
        self,
        old: Mapping[str, tuple[tuple[str, int], ...]],
        new: Mapping[str, tuple[tuple[str, int], ...]],
        splice: Splice,
    ) -> None:
        self._old, self._new, self._splice = old, new, splice

    def __getitem__(self, letters: str) -> tuple[tuple[str, int], ...]:
        """The stems or endings with these letters; KeyError where there are none."""
        # each is asked once: an index may lie over many others
        old, new = self._old.get(letters), self._new.get(letters)
        if old is None and new is None:
            raise KeyError(letters)
        return (
            *(
                (text, at if at < self._splice.start else at + self._splice.shift)
                for text, at in old or ()
                if not self._splice.start <= at < self._splice.end
            ),
            *((text, at + self._splice.start) for text, at in new or ()),
        )

    def __iter__(self) -> Iterator[str]:
        """All letters."""
        return iter(dict.fromkeys((*self._old, *self._new)))

    def __len__(self) -> int:
        """How many there are."""
        return sum(1 for _ in self)


class _Filing(Mapping[str, tuple[int, ...]]):
    """The words that entries are filed under, with the numbers that they have now."""

    def __init__(
        self,
        old: Mapping[str, tuple[int, ...]],
        new: Mapping[str, tuple[int, ...]],
        splice: Splice,
    ) -> None:
        self._old, self._new, self._splice = old, new, splice

    def get(self, word: str, default: Any = None) -> Any:
        """The entries filed under a word, or the default."""
        old = self._old.get(word, ())
        numbers = (
            *(at for at in old if at < self._splice.start),
            *(at + self._splice.start for at in self._new.get(word, ())),
            *(at + self._splice.shift for at in old if at >= self._splice.end),
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

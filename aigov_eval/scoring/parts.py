"""
The phrases of a text, looked for only in the parts of it that somebody asks about.

Comes in: a text being read and an index whose lexicons have a group before their name (`cue:refusal`).
Goes out: hits, as a look at the whole text finds them. A part ends at a blank line, because no phrase of a word list reaches over one (detect/hits.py).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence, Set

from msgspec import Struct

from aigov_eval.detect.hits import Hit, candidates_in, hits_of
from aigov_eval.detect.reading import Reading
from aigov_eval.detect.words import WordIndex
from aigov_eval.lazily import lazily
from aigov_eval.text.blocks import BLANK_LINE
from aigov_eval.text.spans import ByPlace, Parted, by_place

# the entries that can occur in a part, and the words where they may begin, by group
_Part = Mapping[str, Mapping[int, Sequence[int]]]


class Named(Struct, frozen=True):
    """A phrase with the name of its lexicon, where it stands."""

    name: str
    hit: Hit
    start: int
    end: int


class Parts:
    """The parts of one text; their entries are looked up when the first phrases are looked for in them."""

    def __init__(
        self,
        reading: Reading,
        index: WordIndex,
        languages: Callable[[], frozenset[str] | None],
        *,
        whole: bool = False,
    ) -> None:
        self.reading = reading
        self.starts: Sequence[int] = (
            [0] if whole else [0, *(blank.end() for blank in BLANK_LINE.finditer(reading.plain))]
        )
        self._index = index
        self._languages = languages
        self._spots: dict[int, _Part] = {}
        self._found: dict[tuple[int, str], Mapping[str, Sequence[Hit]]] = {}
        self._named: dict[tuple[int, str], ByPlace[Named]] = {}
        self._among: dict[tuple[str, Set[str]], tuple[str, ...]] = {}

    def at(self, position: int) -> int:
        """The number of the part that holds a position."""
        return max(0, bisect_right(self.starts, position) - 1)

    def span(self, number: int) -> tuple[int, int]:
        """Where a part starts and ends."""
        last = number + 1 == len(self.starts)
        return self.starts[number], len(self.reading.plain) if last else self.starts[number + 1] - 1

    def found(self, number: int, group: str) -> Mapping[str, Sequence[Hit]]:
        """The phrases of a group in a part, by the name of their lexicon, each in text order."""
        candidates = self._candidates(number)
        if group not in candidates:
            return {}
        if (number, group) not in self._found:
            self._found[number, group] = by_name(self._index, self._hits(candidates[group]))
        return self._found[number, group]

    def _candidates(self, number: int) -> _Part:
        if number not in self._spots:
            self._spots[number] = self._read(number)
        return self._spots[number]

    def _hits(self, candidates: Mapping[int, Sequence[int]]) -> Sequence[Hit]:
        reading = self.reading
        return hits_of(self._index, reading.tokens, reading.plain, candidates, self._languages())

    def named(self, number: int, group: str) -> ByPlace[Named]:
        """The same by place, each with the name of its lexicon."""
        if (number, group) not in self._named:
            found = self.found(number, group)
            self._named[number, group] = by_place(
                sorted(
                    (Named(name, hit, hit.start, hit.end) for name, hits in found.items() for hit in hits),
                    key=lambda one: (one.start, one.end, one.name),
                )
            )
        return self._named[number, group]

    def names(self, group: str) -> tuple[str, ...]:
        """The lexicons of a group of which the text holds a phrase."""
        return tuple(
            sorted({name for number in range(len(self.starts)) for name in self.found(number, group)})
        )

    def names_among(self, group: str, wanted: frozenset[str]) -> tuple[str, ...]:
        """Those of some lexicons of a group of which the text holds a phrase; the others are not looked at."""
        if (group, wanted) not in self._among:
            self._among[group, wanted] = tuple(sorted(self._looked_for(group, wanted)))
        return self._among[group, wanted]

    def _looked_for(self, group: str, wanted: Set[str]) -> set[str]:
        numbers = {self._index.number(f"{group}:{name}") for name in wanted}
        kinds = self._index.met.kinds
        found: set[str] = set()
        for number in range(len(self.starts)):
            if (number, group) in self._found:
                found |= wanted & self._found[number, group].keys()
                continue
            candidates = self._candidates(number).get(group, {})
            some = {at: firsts for at, firsts in candidates.items() if kinds[at][0] in numbers}
            found.update(by_name(self._index, self._hits(some)) if some else ())
        return found

    def phrases(self, group: str, name: str) -> Parted[Hit]:
        """The phrases of one lexicon of a group, by place."""
        return Parted(self.starts, lambda number: by_place(self.found(number, group).get(name, ())))

    def _read(self, number: int) -> _Part:
        first, end = self._firsts[number], self._firsts[number + 1]
        tokens = self.reading.tokens
        row = tokens.words[first:end]
        folded = row if tokens.folded is tokens.words else tokens.folded[first:end]
        candidates: dict[str, dict[int, Sequence[int]]] = {}
        groups, kinds = self._index.groups, self._index.met.kinds
        for at, firsts in candidates_in(self._index, row, folded).items():
            group = groups[kinds[at][0]]
            candidates.setdefault(group, {})[at] = [first + i for i in firsts] if first else firsts
        return candidates

    @lazily
    def _firsts(self) -> list[int]:
        """The number of the first word of each part, and of all words."""
        tokens = self.reading.tokens
        return [*(bisect_left(tokens.starts, start) for start in self.starts), len(tokens.words)]


def by_name(index: WordIndex, hits: Iterable[Hit]) -> dict[str, list[Hit]]:
    """The hits by the name of their lexicon, without its group."""
    named: dict[str, list[Hit]] = {}
    for hit in hits:
        named.setdefault(index.names[hit.lexicon].rpartition(":")[2], []).append(hit)
    return named

"""
The phrases of a text, looked for only in the parts of it that somebody asks about.

Comes in: a text being read and an index whose lexicons have a group before their name (`cue:refusal`).
Goes out: hits, as a look at the whole text finds them. A part ends at a blank line, because no phrase of a word list reaches over one (detect/words.py).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from aigov_eval.detect.reading import Reading
from aigov_eval.detect.words import Hit, WordIndex, active_in, heads_of, hits_of
from aigov_eval.text.structure import BLANK_LINE

# the different words of a part, where each stands, and the entries that can occur there by group
_Part = tuple[set[str], Mapping[str, list[int]], Mapping[str, list[int]]]


class Parts:
    """The parts of one text; their words are filed when the first phrases are looked for in them."""

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
        self._active: dict[int, _Part] = {}
        self._found: dict[tuple[int, str], Mapping[str, Sequence[Hit]]] = {}

    def at(self, position: int) -> int:
        """The number of the part that holds a position."""
        return max(0, bisect_right(self.starts, position) - 1)

    def span(self, number: int) -> tuple[int, int]:
        """Where a part starts and ends."""
        last = number + 1 == len(self.starts)
        return self.starts[number], len(self.reading.plain) if last else self.starts[number + 1] - 1

    def found(self, number: int, group: str) -> Mapping[str, Sequence[Hit]]:
        """The phrases of a group in a part, by the name of their lexicon, each in text order."""
        if number not in self._active:
            self._active[number] = self._read(number)
        words, places, active = self._active[number]
        if group not in active:
            return {}
        if (number, group) not in self._found:
            heads = heads_of(self._index, active[group], words)
            reading = self.reading
            hits = hits_of(self._index, reading.tokens, reading.plain, heads, self._languages(), places)
            self._found[number, group] = by_name(self._index, hits)
        return self._found[number, group]

    def _read(self, number: int) -> _Part:
        """The words of a part, and by group the entries that can occur there."""
        words, places = self._filed(number)
        active: dict[str, list[int]] = {}
        for at, entry in active_in(self._index, words).items():
            active.setdefault(self._index.names[entry.lexicon].partition(":")[0], []).append(at)
        return words, places, active

    @cached_property
    def _firsts(self) -> list[int]:
        """The number of the first word of each part, and of all words."""
        tokens = self.reading.tokens
        return [*(bisect_left(tokens.starts, start) for start in self.starts), len(tokens.words)]

    def _filed(self, number: int) -> tuple[set[str], Mapping[str, list[int]]]:
        """The different words of a part, folded ones included, and where each stands."""
        tokens = self.reading.tokens
        first, end = self._firsts[number], self._firsts[number + 1]
        places: dict[str, list[int]] = {}
        for i, word in enumerate(tokens.words[first:end], first):
            places.setdefault(word, []).append(i)
        if tokens.folded is not tokens.words:
            for i, word in enumerate(tokens.folded[first:end], first):
                if word != tokens.words[i]:
                    places.setdefault(word, []).append(i)
        return set(places), places


def by_name(index: WordIndex, hits: Iterable[Hit]) -> dict[str, list[Hit]]:
    """The hits by the name of their lexicon, without its group."""
    named: dict[str, list[Hit]] = {}
    for hit in hits:
        named.setdefault(index.names[hit.lexicon].rpartition(":")[2], []).append(hit)
    return named

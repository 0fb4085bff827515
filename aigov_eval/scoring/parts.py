"""
The phrases of a text, looked for only in the parts of it that somebody asks about.

Comes in: a text being read and word lists. Goes out: hits, as a look at the whole text finds them.
A part ends at a blank line, because no phrase of a word list reaches over one (detect/words.py).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property

from aigov_eval.detect.reading import Reading
from aigov_eval.detect.words import Hit, WordIndex, active_in, heads_of, hits_of

_BLANK_LINE = "\n\n"


class Parts:
    """The parts of one text; their words are filed when the first phrases are looked for in them."""

    def __init__(self, reading: Reading, *, whole: bool = False) -> None:
        self.reading = reading
        self.starts: Sequence[int] = [0] if whole else _starts(reading.plain)
        self._words: dict[int, tuple[set[str], Mapping[str, list[int]]]] = {}

    def at(self, position: int) -> int:
        """The number of the part that holds a position."""
        return max(0, bisect_right(self.starts, position) - 1)

    def end(self, position: int) -> int:
        """Where the part ends that holds a position."""
        following = self.at(position) + 1
        return self.starts[following] if following < len(self.starts) else len(self.reading.plain)

    def hits(
        self,
        number: int,
        index: WordIndex,
        languages: frozenset[str] | None,
        names: frozenset[str] | None = None,
    ) -> tuple[Hit, ...]:
        """The hits of an index in a part, in text order; of all its lexicons, or of those with these names."""
        if number not in self._words:
            self._words[number] = self._filed(number)
        words, places = self._words[number]
        active = active_in(index, words)
        if names is not None:
            active = {at: entry for at, entry in active.items() if index.names[entry.lexicon] in names}
        if not active:
            return ()
        reading = self.reading
        return hits_of(
            index, reading.tokens, reading.plain, heads_of(index, active, words), languages, places
        )

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


def _starts(plain: str) -> list[int]:
    starts = [0]
    at = plain.find(_BLANK_LINE)
    while at >= 0:
        starts.append(at + len(_BLANK_LINE))
        at = plain.find(_BLANK_LINE, starts[-1])
    return starts

"""
A text being read: its views, words and structure, each computed once and only when asked for.

Comes in: the text as said, a frozen `WordIndex`, the abbreviations. Goes out: nothing of its own;
detectors and scoring read it. It is the one object here that fills in over time, and lives no longer than its text.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from itertools import chain

from aigov_eval.detect.entries import counts_in
from aigov_eval.detect.hits import Hit, candidates_in, exact_among, filed_by_lexicon, hits_of, in_order, split
from aigov_eval.detect.matching import Tokens, tokens_of
from aigov_eval.detect.rooted import Kind
from aigov_eval.detect.words import WordIndex, with_folded
from aigov_eval.lazily import lazily
from aigov_eval.text.records import Cell
from aigov_eval.text.spans import Span
from aigov_eval.text.structure import Structure, structure_of
from aigov_eval.text.views import View, fold, plain_view, words_of


def _start(hit: Hit) -> int:
    return hit.start


def _first(hit: Hit) -> int:
    return hit.first


def _any_language() -> frozenset[str] | None:
    return None


def _nobody() -> None:
    return None


class Reading:
    """
    One text with everything that is known of it so far; offsets are those of its plain view.

    A long conversation has tens of thousands of them at rest: what is set has slots, and only what is found has a place
    in a dictionary, which is empty while a text rests.
    """

    __slots__ = (
        "__dict__",
        "_abbreviations",
        "asked",
        "index",
        "plain",
        "raw",
        "spoken",
        "view",
        "woken",
    )

    def __init__(
        self, raw: str, index: WordIndex, abbreviations: frozenset[str], *, view: View | None = None
    ) -> None:
        self.raw = raw
        self.index = index
        self._abbreviations = abbreviations
        # the lexicons, by number, that the question before this text calls for
        self.asked: frozenset[int] = frozenset()
        # the languages whose words are read here, asked for only where some word occurs; None for all
        self.spoken: Callable[[], frozenset[str] | None] = _any_language
        # told when the words or the structure are found, which is what takes memory
        self.woken: Callable[[], None] = _nobody
        self.view = plain_view(raw) if view is None else view
        self.plain = self.view.text

    def rest(self) -> None:
        """Let go of all that can be found again, which is all that was found."""
        self.__dict__.clear()

    def forget(self) -> None:
        """Let go of that, and of those who are asked or told."""
        self.rest()
        self.spoken, self.woken = _any_language, _nobody

    @lazily
    def _hits(self) -> dict[tuple[int, frozenset[str] | None], tuple[Hit, ...]]:
        """The hits found so far, by lexicon."""
        return {}

    @lazily
    def _wanted(self) -> dict[tuple[frozenset[int], frozenset[str] | None], tuple[Hit, ...]]:
        """The same by the lexicons that were wanted together."""
        return {}

    @lazily
    def _longest(self) -> dict[tuple[frozenset[int], frozenset[str] | None], int]:
        """How many words the longest of them takes, less one."""
        return {}

    @property
    def is_split(self) -> bool:
        """Whether the words are known just now."""
        return "row" in self.__dict__

    @lazily
    def light(self) -> str:
        """The text in small letters."""
        return self.plain.lower()

    @lazily
    def _split(self) -> Tokens | None:
        return split(self.light)

    @lazily
    def row(self) -> Sequence[str]:
        """The light words in order."""
        self.woken()
        return words_of(self.light) if self._split is None else self._split.words

    @lazily
    def folded(self) -> Sequence[str]:
        """The light words without marks, in order."""
        if self._split is not None:
            return self._split.folded
        return self.row if self.light.isascii() else [w if w.isascii() else fold(w) for w in self.row]

    @lazily
    def words(self) -> set[str]:
        """The different light words."""
        return set(self.row)

    @lazily
    def words_and_folded(self) -> set[str]:
        """The different words with their spellings without marks."""
        return self.words if self.light.isascii() else with_folded(self.words)

    @lazily
    def candidates(self) -> dict[int, list[int]]:
        """The entries of the index, by number, that can stand here, and the numbers of the words where they may begin."""
        candidates = candidates_in(self.index, self.row, self.folded)
        met, row, plain = self.index.met, self.row, self.plain
        for at in exact_among(candidates, self.index):
            # of each word once: it may stand in a long text any number of times
            may = {word: met.may_be_written(at, word, plain) for word in {row[i] for i in candidates[at]}}
            candidates[at] = [i for i in candidates[at] if may[row[i]] and met.is_written(at, self.word(i))]
            if not candidates[at]:
                del candidates[at]
        return candidates

    def word(self, number: int) -> str:
        """A word as it is written."""
        return self.plain[self.tokens.starts[number] : self.tokens.ends[number]]

    @property
    def lexicons(self) -> frozenset[int]:
        """The lexicons, by number, of which some entry can stand here; false friends speak for none."""
        return self._by_lexicon[1]

    @property
    def by_lexicon(self) -> tuple[dict[int, list[int]], dict[int, list[int]], dict[int, Kind]]:
        """The entries that can stand here, by lexicon; the words where each may begin; and of what kind each is."""
        return self._by_lexicon[0], self.candidates, self.index.met.kinds

    @property
    def by_place(self) -> tuple[Sequence[int], Sequence[int], Sequence[int], bytes]:
        """Where words start and end, where stretches of whole blocks begin, and which of those may hold cells."""
        tokens, stretches = self.tokens, self.structure.stretches
        return tokens.starts, tokens.ends, stretches.edges, stretches.cells

    @property
    def _filed(self) -> dict[int, list[int]]:
        """The entries that can stand here, by lexicon: what one lexicon's hits are, no other changes."""
        return self._by_lexicon[0]

    @lazily
    def _by_lexicon(self) -> tuple[dict[int, list[int]], frozenset[int]]:
        return filed_by_lexicon(self.candidates, self.index)

    def beginnings(self, wanted: frozenset[int]) -> Sequence[int]:
        """Where entries of some lexicons can begin, in text order: too often, never too rarely."""
        candidates = self.candidates
        firsts = {i for lexicon in wanted for at in self._filed.get(lexicon, ()) for i in candidates[at]}
        return [self.tokens.starts[i] for i in sorted(firsts)]

    def spots(self, wanted: frozenset[int]) -> list[tuple[int, int, str]]:
        """
        The words where entries of some lexicons may begin and may end at most, and their language.

        Too many, never too few; false friends left out.
        """
        kinds, candidates = self.index.met.kinds, self.candidates
        return [
            (first, first + kinds[at][3] - 1, kinds[at][4])
            for lexicon in wanted
            for at in self._filed.get(lexicon, ())
            if not kinds[at][1]
            for first in candidates[at]
        ]

    def languages_of(self, wanted: frozenset[int]) -> set[str]:
        """The languages of the entries of some lexicons that can stand here; false friends left out."""
        kinds, filed = self.index.met.kinds, self._filed
        return {kinds[at][4] for lexicon in wanted for at in filed.get(lexicon, ()) if not kinds[at][1]}

    def is_beside(self, position: int, places: Sequence[int]) -> bool:
        """Whether one of some places (in order) is in the block of a position; where in doubt it is."""
        around = self.structure.around(position)
        first = bisect_left(places, around.start)
        return first < len(places) and places[first] < around.end

    @lazily
    def tokens(self) -> Tokens:
        """The words in order, with their places."""
        self.woken()
        if self._split is not None:
            return self._split
        return tokens_of(self.light, self.row, self.folded)

    @lazily
    def structure(self) -> Structure:
        """Blocks, sentences, cells."""
        self.woken()
        return structure_of(self.plain, self._abbreviations)

    def hits(self, wanted: frozenset[int], languages: frozenset[str] | None = None) -> tuple[Hit, ...]:
        """The entries of the wanted lexicons, in text order."""
        if wanted.isdisjoint(self.lexicons):
            return ()
        if (wanted, languages) not in self._wanted:
            there = [lexicon for lexicon in wanted if lexicon in self._filed]
            new = [lexicon for lexicon in there if (lexicon, languages) not in self._hits]
            if new:
                kinds = self.index.met.kinds
                # a false friend is one in every language
                filed = [
                    at
                    for lexicon in new
                    for at in self._filed[lexicon]
                    if kinds[at][1] or counts_in(kinds[at][4], languages)
                ]
                found: tuple[Hit, ...] = ()
                if not all(kinds[at][1] for at in filed):
                    candidates = {at: self.candidates[at] for at in filed}
                    found = hits_of(self.index, self.tokens, self.plain, candidates)
                for lexicon in new:
                    self._hits[lexicon, languages] = tuple(h for h in found if h.lexicon == lexicon)
            all_of = [hits for lexicon in there if (hits := self._hits[lexicon, languages])]
            self._wanted[wanted, languages] = all_of[0] if len(all_of) == 1 else in_order(chain(*all_of))
        return self._wanted[wanted, languages]

    def hits_of(self, index: WordIndex, languages: Callable[[], frozenset[str] | None]) -> tuple[Hit, ...]:
        """Where entries of another index occur, in text order; the languages are asked for where some may."""
        candidates = candidates_in(index, self.row, self.folded)
        return hits_of(index, self.tokens, self.plain, candidates, languages()) if candidates else ()

    def hits_in(
        self, wanted: frozenset[int], start: int, end: int, languages: frozenset[str] | None = None
    ) -> Sequence[Hit]:
        """Of these hits the ones that lie in a stretch."""
        hits = self.hits(wanted, languages)
        first = bisect_left(hits, start, key=_start)
        return [hit for hit in hits[first : bisect_right(hits, end, key=_start)] if hit.end <= end]

    def has_hits(self, wanted: frozenset[int], part: Span, languages: frozenset[str] | None = None) -> bool:
        """Whether some of these hits begin in a part of the text."""
        hits = self.hits(wanted, languages)
        first = bisect_left(hits, part.start, key=_start)
        return first < len(hits) and hits[first].start < part.end

    def hits_beside(
        self, wanted: frozenset[int], first: int, last: int, languages: frozenset[str] | None = None
    ) -> Sequence[Hit]:
        """Of these hits the ones that reach into a stretch of words, by number, and perhaps some just before."""
        hits = self.hits(wanted, languages)
        key = (wanted, languages)
        if key not in self._longest:
            self._longest[key] = max((hit.last - hit.first for hit in hits), default=0)
        low = bisect_left(hits, first - self._longest[key], key=_first)
        return hits[low : bisect_right(hits, last, key=_first)]

    def sentence_at(self, position: int) -> Span:
        """The sentence that holds a position."""
        return self.structure.sentence_at(position)

    def cell_at(self, position: int) -> Cell | None:
        """The record cell that holds a position, if any."""
        return self.structure.cell_at(position)

    def word_at(self, position: int) -> int:
        """The number of the first word that ends after a position (the count of words when none does)."""
        return bisect_right(self.tokens.ends, position)

"""
A text being read: its views, words and structure, each computed once and only when asked for.

Comes in: the text as said, a frozen `WordIndex`, the abbreviations. Goes out: nothing of its own;
detectors and scoring read it. It is the one object here that fills in over time, and lives no longer than its text.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import chain

from aigov_eval.detect.words import (
    Entry,
    Hit,
    Tokens,
    WordIndex,
    active_in,
    heads_of,
    hits_of,
    in_order,
    is_of,
    places_of,
    stands,
    tokens_of,
    with_folded,
)
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


class Reading:
    """One text with everything that is known of it so far; offsets are those of its plain view."""

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
        self.view = plain_view(raw) if view is None else view
        self.plain = self.view.text
        self.light = self.plain.lower()
        self._known_places: dict[str, Sequence[int]] = {}
        self._known_heads: dict[int, Set[str]] = {}
        self._hits: dict[tuple[int, frozenset[str] | None], tuple[Hit, ...]] = {}
        self._wanted: dict[tuple[frozenset[int], frozenset[str] | None], tuple[Hit, ...]] = {}
        self._longest: dict[tuple[frozenset[int], frozenset[str] | None], int] = {}

    @cached_property
    def _row(self) -> list[str]:
        """The light words in order."""
        return words_of(self.light)

    @cached_property
    def words(self) -> set[str]:
        """The different light words."""
        return set(self._row)

    @cached_property
    def words_and_folded(self) -> set[str]:
        """The different words with their spellings without marks."""
        return self.words if self.light.isascii() else with_folded(self.words)

    @cached_property
    def active(self) -> dict[int, Entry]:
        """The entries of the index, by number, that can stand here."""
        words = self.words_and_folded
        return {
            at: entry
            for at, entry in active_in(self.index, words).items()
            if (entry.single and not entry.exact)
            or stands(entry, words, self._folded_line if entry.fold else self._line, self.plain, self.light)
        }

    @cached_property
    def _line(self) -> str:
        """The words with one space before and after each."""
        return f" {' '.join(self._row)} "

    @cached_property
    def _folded_line(self) -> str:
        return self._line if self.light.isascii() else f" {' '.join(map(fold, self._row))} "

    @cached_property
    def lexicons(self) -> frozenset[int]:
        """The lexicons, by number, of which some entry can stand here; false friends speak for none."""
        return frozenset([entry.lexicon for entry in self.active.values() if not entry.friend])

    @cached_property
    def _filed(self) -> dict[int, list[int]]:
        """The entries that can stand here, by lexicon: what one lexicon's hits are, no other changes."""
        filed: dict[int, list[int]] = {}
        for at, entry in self.active.items():
            filed.setdefault(entry.lexicon, []).append(at)
        return filed

    def _heads(self, numbers: Iterable[int]) -> dict[int, Set[str]]:
        """The words with which some of the entries that can stand here can begin."""
        new = [at for at in numbers if at not in self._known_heads]
        if new:
            self._known_heads.update(heads_of(self.index, new, self.words_and_folded))
        return {at: self._known_heads[at] for at in numbers}

    def _places(self, heads: Iterable[Set[str]]) -> Mapping[str, Sequence[int]]:
        """Where some words stand, and all that were asked for before."""
        new = frozenset().union(*heads) - self._known_places.keys()
        if new:
            self._known_places.update(places_of(self.tokens, new))
        return self._known_places

    @cached_property
    def _marked(self) -> Mapping[str, Sequence[str]]:
        """The words with marks, by their spelling without."""
        marked: dict[str, list[str]] = {}
        for word in self.words if not self.light.isascii() else ():
            if not word.isascii():
                marked.setdefault(fold(word), []).append(word)
        return marked

    def spelled_at(self, word: str) -> Iterator[tuple[int, int]]:
        """Where a word stands, as written or with marks, by the letters of the text."""
        light = self.light
        for spelling in (word, *self._marked.get(word, ())):
            at = light.find(spelling)
            while at >= 0:
                end = at + len(spelling)
                if not (light[at - 1 : at].isalnum() or light[end : end + 1].isalnum()):
                    yield at, end
                at = light.find(spelling, at + 1)

    def beginnings(self, wanted: frozenset[int]) -> Sequence[int]:
        """Where entries of some lexicons can begin as far as their first words tell, in text order: too often, never too rarely."""
        numbers = [at for lexicon in wanted for at in self._filed.get(lexicon, ())]
        heads = frozenset().union(*self._heads(numbers).values())
        return sorted({start for word in heads for start, _ in self.spelled_at(word)})

    def is_beside(self, position: int, places: Sequence[int]) -> bool:
        """Whether one of some places (in order) is in the block of a position; where in doubt it is."""
        around = self.structure.around(position)
        first = bisect_left(places, around.start)
        return first < len(places) and places[first] < around.end

    @cached_property
    def tokens(self) -> Tokens:
        """The words in order, with their places."""
        return tokens_of(self.light, self._row)

    @cached_property
    def structure(self) -> Structure:
        """Blocks, sentences, cells."""
        return structure_of(self.plain, self._abbreviations)

    def hits(self, wanted: frozenset[int], languages: frozenset[str] | None = None) -> tuple[Hit, ...]:
        """The entries of the wanted lexicons, in text order."""
        if wanted.isdisjoint(self.lexicons):
            return ()
        if (wanted, languages) not in self._wanted:
            there = [lexicon for lexicon in wanted if lexicon in self._filed]
            new = [lexicon for lexicon in there if (lexicon, languages) not in self._hits]
            if new:
                filed = [at for lexicon in new for at in self._filed[lexicon]]
                heads = self._heads([at for at in filed if is_of(self.active[at], languages)])
                found: tuple[Hit, ...] = ()
                if heads:
                    places = self._places(heads.values())
                    found = hits_of(self.index, self.tokens, self.plain, heads, None, places)
                for lexicon in new:
                    self._hits[lexicon, languages] = tuple(h for h in found if h.lexicon == lexicon)
            all_of = [hits for lexicon in there if (hits := self._hits[lexicon, languages])]
            self._wanted[wanted, languages] = all_of[0] if len(all_of) == 1 else in_order(chain(*all_of))
        return self._wanted[wanted, languages]

    def hits_of(
        self, index: WordIndex, active: Iterable[int], languages: frozenset[str] | None
    ) -> tuple[Hit, ...]:
        """Where some entries of another index occur, in text order."""
        heads = heads_of(index, active, self.words_and_folded)
        return hits_of(index, self.tokens, self.plain, heads, languages)

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

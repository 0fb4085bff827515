"""
The gate: linear passes over a text that say which patterns can possibly match.

Comes in: the patterns of all finds. Goes out: for a text, the numbers of the patterns to run. Two
questions are asked. A set of rows (rows.py) tells in one pass which of sixteen patterns are worth a
look; then the whole pattern, rewritten (rewriting.py), is asked for alone. Both may let through too
much and never too little; property tests hold them to that. A pattern that cannot be rewritten is
always run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from aigov_eval.detect.automata import PatternSet, Rewritten, in_sets, matcher_of
from aigov_eval.detect.prefilter.figures import figures_needed
from aigov_eval.detect.prefilter.rewriting import SHADOW, WIDE, anchored, whole
from aigov_eval.detect.prefilter.rows import begins_anywhere, row_of
from aigov_eval.lazily import lazily

# a row that tells less would let so many texts through that the whole pattern is asked at once;
# a member that fires often multiplies the states of its set
_WEAK_BITS = 9.0
# figures near each other, from which a text is asked for numbers of that length
_NEEDS = (0, 1, 5, 9)
_BUNDLE = 4_000  # characters of texts that are read together
_FIGURE = re.compile(rb"[0-9]")
_RUN = r"[\d{foreign}](?:[^0-9A-Za-z]{{0,2}}[\d{foreign}]){{{more}}}"
# characters beyond ASCII that are no figure and no space of any engine, and fold to no ASCII letter:
# a text with no others can be read with one sign for all of them
_EXOTIC = re.compile(
    "[^\x00-\x84\x86-\x9f\xa1-\u012f\u0132-\u017e\u0180-\u05ff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u27bf"
    "\U0001f300-\U0001faff]"
)


class Gate(Struct, frozen=True, dict=True):
    """
    The rewritten patterns by alphabet; `anchored` patterns are the whole text or nothing, `broad` ones can
    begin nearly anywhere.

    `figures[i]` is how many of `_NEEDS` figures every match of pattern i surely holds in a row: a text
    without so many need not be asked. Automata are compiled when texts need them and kept in `compiled`, which is the
    only part that changes; it changes no result.
    """

    alphabets: dict[str, Rewritten]
    figures: tuple[int, ...]
    anchored: frozenset[int]
    broad: frozenset[int]

    def __post_init__(self) -> None:
        """Threads share a gate: what it fills is there before the first of them asks."""
        _ = self.compiled

    @lazily
    def compiled(self) -> dict[str, _Alphabet]:
        """The automata by alphabet, as far as they were needed."""
        return {}

    def fired(self, plain: str) -> list[int]:
        """The numbers of the patterns that can match somewhere in this text, in order."""
        return self.fired_each([plain])[0]

    def fired_each(self, plains: Sequence[str]) -> list[list[int]]:
        """
        The same for several texts at once.

        Short texts are read together first: what no text of a bundle holds is not asked of each. An automaton reads all
        bundles before the next does: what it needs of memory is then at hand.
        """
        found: list[set[int]] = []
        by_alphabet: dict[str, list[list[tuple[bytes, set[int]]]]] = {}
        for bundle in _bundles(plains):
            own: dict[str, list[tuple[bytes, set[int]]]] = {}
            for plain in bundle:
                automata, text = self._read(plain)
                found.append(set())
                own.setdefault(automata.name, []).append((text, found[-1]))
            for name, texts in own.items():
                by_alphabet.setdefault(name, []).append(texts)
        for name, bundles in by_alphabet.items():
            self.compiled[name].add_fired(bundles)
        return [sorted(numbers) for numbers in found]

    def can_match(self, number: int, plain: str) -> bool:
        """Whether a pattern can match somewhere in this text."""
        automata, text = self._read(plain)
        return automata.holds(self.figures[number], text) and automata.can_match(number, text)

    def figures_in(self, plain: str) -> int:
        """How many of `_NEEDS` figures this text may hold near each other."""
        automata, text = self._read(plain)
        held = 0
        for need in _NEEDS[1:]:
            if not automata.holds(need, text):
                break
            held = need
        return held

    def _read(self, plain: str) -> tuple[_Alphabet, bytes]:
        if plain.isascii() or _EXOTIC.search(plain) is None:
            name, text = SHADOW.name, plain.encode("ascii", "replace")
        else:
            name, text = WIDE.name, plain.encode("utf-8", "replace")
        if name not in self.compiled:
            self.compiled[name] = _Alphabet(name, self)
        return self.compiled[name], text


class _Alphabet:
    """The automata of one alphabet; each is compiled at its first use."""

    def __init__(self, name: str, gate: Gate) -> None:
        self.name = name
        self._patterns = gate.alphabets[name]
        self.loose = name == WIDE.name
        self._gate = gate
        self._sets: dict[int, list[PatternSet]] = {}
        self._ends: PatternSet | None = None
        self._whole: dict[int, Any] = {}
        self._runs: dict[int, Any] = {}

    def add_fired(self, bundles: Sequence[Sequence[tuple[bytes, set[int]]]]) -> None:
        """Add to each text's patterns those that can match in it."""
        for texts in bundles:
            for text, found in texts:
                found.update(self.of_whole_text(text))
        asked = [(_joined(texts), texts) for texts in bundles]
        for need in _NEEDS:
            if need == 1:
                figured = ([one for one in texts if self.holds(1, one[0])] for _, texts in asked)
                asked = [(_joined(texts), texts) for texts in figured if texts]
            asked = [one for one in asked if self.holds(need, one[0])]
            for chosen in self._sets_of(need) if asked else ():
                for together, texts in asked:
                    for number in chosen.fired(together):
                        self._add(number, together, texts)

    def _add(self, number: int, together: bytes, texts: Sequence[tuple[bytes, set[int]]]) -> None:
        """Add a pattern to the texts, read together first, in which it can match."""
        if self.can_match(number, together):
            for text, found in texts:
                if len(texts) == 1 or self.can_match(number, text):
                    found.add(number)

    def of_whole_text(self, text: bytes) -> Sequence[int]:
        """The patterns that are this text from end to end."""
        if self._ends is None:
            self._ends = PatternSet(self._patterns, sorted(self._gate.anchored), starts=True)
        return self._ends.fired(text)

    def _sets_of(self, need: int) -> list[PatternSet]:
        """The sets of the patterns that need so many figures, but for those of whole texts."""
        if need not in self._sets:
            gate = self._gate
            members = [
                n for n, figures in enumerate(gate.figures) if figures == need and n not in gate.anchored
            ]
            self._sets[need] = [PatternSet(self._patterns, group) for group in in_sets(members, gate.broad)]
        return self._sets[need]

    def holds(self, need: int, text: bytes) -> bool:
        """Whether so many of `_NEEDS` figures stand near each other (or might, in a text that is read as it is)."""
        if need == 0:
            return True
        if need == 1 and not self.loose:
            return _FIGURE.search(text) is not None
        if need not in self._runs:
            foreign = WIDE.foreign if self.loose else ""
            self._runs[need] = matcher_of(_RUN.format(foreign=foreign, more=need - 1))
        asked = self._runs[need]
        return asked is None or bool(asked(text))

    def can_match(self, number: int, text: bytes) -> bool:
        """Whether a whole pattern can match."""
        if number not in self._whole:
            pattern = self._patterns.whole[number]
            self._whole[number] = None if pattern is None else matcher_of(pattern)
        asked = self._whole[number]
        return asked is None or asked(text)


def _joined(texts: Sequence[tuple[bytes, set[int]]]) -> bytes:
    return b"\n".join(text for text, _ in texts)


def _bundles(plains: Sequence[str]) -> Iterator[list[str]]:
    """Texts in order, put together while they are short."""
    bundle: list[str] = []
    size = 0
    for plain in plains:
        if bundle and size + len(plain) > _BUNDLE:
            yield bundle
            bundle, size = [], 0
        bundle.append(plain)
        size += len(plain)
    if bundle:
        yield bundle


def build_gate(patterns: Sequence[str], *, case: Sequence[bool]) -> Gate:
    """The gate over these patterns; `case[i]` tells whether pattern i minds the letter case."""
    ends, broad = set(), set()
    figures = []
    rows: dict[str, list[str | None]] = {alphabet.name: [] for alphabet in (SHADOW, WIDE)}
    entire: dict[str, list[str | None]] = {alphabet.name: [] for alphabet in (SHADOW, WIDE)}
    for number, (pattern, minds) in enumerate(zip(patterns, case, strict=True)):
        held = figures_needed(pattern)
        figures.append(max(need for need in _NEEDS if need <= held))
        if begins_anywhere(pattern):
            broad.add(number)
        if anchored(pattern, case=minds):
            ends.add(number)
        for alphabet in (SHADOW, WIDE):
            said = whole(pattern, case=minds, alphabet=alphabet)
            row = row_of(pattern, case=minds, alphabet=alphabet)
            entire[alphabet.name].append(said)
            if number in ends:
                rows[alphabet.name].append(said)
            else:
                rows[alphabet.name].append(row[0] if row is not None and row[1] >= _WEAK_BITS else said)
    alphabets = {name: Rewritten(tuple(rows[name]), tuple(entire[name])) for name in rows}
    return Gate(alphabets, tuple(figures), frozenset(ends), frozenset(broad))

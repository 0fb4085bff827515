"""
Sets of patterns that are read in one pass, which learn which of their members fire often.

Comes in: rows of patterns. Goes out: for a text, the numbers of those that may match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any

from msgspec import Struct

# members of one set: the states of an automaton multiply with its members (measured: 177 in one set
# read 2 MB/s, the same in sets of sixteen 14 MB/s)
_MEMBERS = 16
_BROAD = 5  # members that one which can begin nearly anywhere counts for
_TRIAL = 60  # texts by which a set learns which members fire often ...
_OFTEN = 0.1  # ... which is in more than this share of them


class Rewritten(Struct, frozen=True):
    """The patterns in one alphabet: rows for the sets (None: ask the whole pattern at once), and whole patterns (None: always run)."""

    rows: tuple[str | None, ...]
    whole: tuple[str | None, ...]


def in_sets(numbers: Sequence[int], broad: frozenset[int]) -> list[list[int]]:
    sets: list[list[int]] = []
    room = 0
    for number in numbers:
        takes = _BROAD if number in broad else 1
        if room < takes:
            sets.append([])
            room = _MEMBERS
        room -= takes
        sets[-1].append(number)
    return sets


class _Asked(Struct, frozen=True):
    """What a text is asked: the set (None: nothing), the numbers of its members, and the members that pass unasked."""

    ask: Any
    numbers: tuple[int, ...]
    always: tuple[int, ...]


class PatternSet:
    """
    A set of rows that is asked at once.

    A member that fires often multiplies the states of the automaton (each remembers who has fired), so
    after a while its whole pattern stands in for its row; if that fires often too, it leaves the set and
    passes unasked.
    """

    def __init__(self, patterns: Rewritten, members: Sequence[int], *, starts: bool = False) -> None:
        self._patterns = patterns
        self._starts = starts  # whether all of them begin where the text does
        self._learning = Lock()
        self._compile({number: patterns.rows[number] for number in members}, ())

    def _compile(self, rows: Mapping[int, str | None], always: Sequence[int]) -> None:
        ask, numbers, left = _set(rows, starts=self._starts)
        self._rows = {number: rows[number] for number in numbers}
        self._left = _TRIAL
        self._hits = dict.fromkeys(numbers, 0)
        # last, and at once: threads share a set, and may be asking the one before
        self._asked = _Asked(ask, tuple(numbers), (*always, *left))

    def fired(self, text: bytes) -> list[int]:
        """The members whose rows stand in a text, and those that always pass."""
        asked = self._asked
        if asked.ask is None:
            return list(asked.always)
        hits = [asked.numbers[i] for i in asked.ask(text)]
        if self._left:
            with self._learning:
                if self._asked is asked and self._left:
                    self._learn(hits)
        return [*hits, *asked.always]

    def _learn(self, hits: Sequence[int]) -> None:
        """Count who fired; after the last text of the trial, those that did often are asked for otherwise."""
        for number in hits:
            self._hits[number] += 1
        self._left -= 1
        if self._left:
            return
        rows: dict[int, str | None] = dict(self._rows)
        always = [*self._asked.always]
        often = [number for number, count in self._hits.items() if count > _OFTEN * _TRIAL]
        for number in often:
            row, entire = rows[number], self._patterns.whole[number]
            if row == entire:
                del rows[number]
                always.append(number)
            else:
                rows[number] = entire
        if often:
            self._compile(rows, always)


def _options() -> Any:
    import re2

    options = re2.Options()
    options.max_mem = 64 << 20
    options.log_errors = False
    options.never_capture = True
    return options


def _set(rows: Mapping[int, str | None], *, starts: bool = False) -> tuple[Any, list[int], list[int]]:
    """A set of the rows of some patterns (which begin where a text does, or anywhere), their numbers, and the patterns that are in none."""
    try:
        import re2
    except ImportError:  # no wheel on this platform: every pattern runs, the findings are the same
        return None, [], list(rows)
    chosen = (re2.Set.MatchSet if starts else re2.Set.SearchSet)(_options())
    numbers: list[int] = []
    always: list[int] = []
    for number, row in rows.items():
        try:
            added = -1 if row is None else chosen.Add(row)
        except re2.error:
            added = -1
        (always if added < 0 else numbers).append(number)
    if not numbers:
        return None, [], always
    chosen.Compile()

    def ask(text: bytes) -> Sequence[int]:
        return chosen.Match(text) or ()

    return ask, numbers, always


def matcher_of(pattern: str) -> Any:
    """Whether a pattern matches somewhere in a text, as a function; None where the engine does not take it."""
    asked, numbers, _ = _set({0: pattern})
    if not numbers:
        return None

    def ask(text: bytes) -> bool:
        return bool(asked(text))

    return ask

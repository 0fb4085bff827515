"""
How much of a long conversation is kept read at one time.

Comes in: turns, as their texts are read. Goes out: nothing; the turns read longest ago are asked to rest. What a
resting turn is asked for is read again from its text, so nothing changes but memory and time; what is
asked for again and again stays, so that time grows with the text alone. A conversation of the usual
length never comes near the bound.
"""

from __future__ import annotations

from typing import Protocol

_OFTEN = 6  # a turn that was read so many times rests no more
_MOST = 100_000  # characters of the turns that are kept read; what is known of one takes some seventy times its text


class Resting(Protocol):
    """A turn that can let go of what it can find again."""

    def rest(self) -> None:
        """Let go of it."""


class Awake:
    """The turns of a conversation that are kept read, in the order in which they were; `words` are the common ones of those that rest."""

    def __init__(self) -> None:
        self._turns: dict[int, tuple[Resting, int]] = {}
        self._times: dict[int, int] = {}  # how often each was read
        self._characters = 0
        self.words: set[str] = set()

    def add(self, turn: Resting, characters: int) -> None:
        """A turn is being read; the first of the others rest where there are too many."""
        if id(turn) in self._turns or self._times.get(id(turn), 0) >= _OFTEN:
            return
        times = self._times[id(turn)] = self._times.get(id(turn), 0) + 1
        if times == _OFTEN:
            return
        self._turns[id(turn)] = (turn, characters)
        self._characters += characters
        while self._characters > _MOST and len(self._turns) > 1:
            first = next(iter(self._turns))
            resting, characters = self._turns.pop(first)
            self._characters -= characters
            resting.rest()

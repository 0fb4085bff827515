"""
Spans of one text, found by their place.

Comes in: anything with a start and an end. Goes out: a `ByPlace` that answers what lies in a stretch,
what covers it, what ends before it and what starts after it, without looking at all of them. A `Parted`
answers the same, and finds the spans of each part of the text when something is asked of that part.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Generic, Protocol, TypeVar

from msgspec import Struct


class Span(Struct, frozen=True):
    """A stretch of the text, end exclusive."""

    start: int
    end: int


class Spanning(Protocol):
    """Anything that takes a stretch of a text, end exclusive."""

    @property
    def start(self) -> int:
        """Where it starts."""

    @property
    def end(self) -> int:
        """Where it ends."""


S = TypeVar("S", bound=Spanning)


class ByPlace(Struct, Generic[S], frozen=True):
    """Spans in the order of their starts; `reach[i]` is where the first i + 1 of them end at the furthest."""

    items: tuple[S, ...]
    starts: tuple[int, ...]
    reach: tuple[int, ...]

    def within(self, start: int, end: int) -> list[S]:
        """Those that lie in a stretch, in order."""
        low, high = bisect_left(self.starts, start), bisect_right(self.starts, end)
        return [item for item in self.items[low:high] if item.end <= end]

    def near(self, position: int, start: int, end: int, most: int) -> list[S]:
        """Those that lie in a stretch, in order, of a long list only so many before and after a position."""
        middle = bisect_right(self.starts, position)
        low = max(bisect_left(self.starts, start), middle - most)
        high = min(bisect_right(self.starts, end), middle + most)
        return [item for item in self.items[low:high] if item.end <= end]

    def over(self, start: int, end: int) -> Iterator[S]:
        """Those that cover a stretch, the last to start first."""
        for at in range(bisect_right(self.starts, start) - 1, -1, -1):
            if self.reach[at] < end:
                break
            if end <= self.items[at].end:
                yield self.items[at]

    def before(self, position: int) -> Iterator[S]:
        """Those that end at a position or before it, the last to start first."""
        for at in range(bisect_right(self.starts, position) - 1, -1, -1):
            if self.items[at].end <= position:
                yield self.items[at]

    def after(self, position: int) -> Iterator[S]:
        """Those that start at a position or after it, in order."""
        for at in range(bisect_left(self.starts, position), len(self.items)):
            yield self.items[at]


def by_place(items: Iterable[S]) -> ByPlace[S]:
    """The spans by place; those of one start stay in the order given."""
    ordered = tuple(sorted(items, key=lambda item: item.start))
    return ByPlace(
        ordered,
        tuple(item.start for item in ordered),
        tuple(accumulate((item.end for item in ordered), max)),
    )


class Parted(Generic[S]):
    """Spans that are found part by part, when they are asked for; none lies in two parts."""

    def __init__(self, starts: Sequence[int], find: Callable[[int], ByPlace[S]]) -> None:
        self._starts = starts  # where each part starts, the first at 0
        self._find = find
        self._found: dict[int, ByPlace[S]] = {}

    @property
    def items(self) -> list[S]:
        """All of them, in order."""
        return [item for number in range(len(self._starts)) for item in self._in(number).items]

    def __bool__(self) -> bool:
        """Whether there is any."""
        return any(self._in(number).items for number in range(len(self._starts)))

    def within(self, start: int, end: int) -> list[S]:
        """As of a `ByPlace`."""
        return [item for number in self._between(start, end) for item in self._in(number).within(start, end)]

    def near(self, position: int, start: int, end: int, most: int) -> list[S]:
        """As of a `ByPlace`, for a position in that stretch."""
        found = [self._in(number) for number in self._between(start, end)]
        if len(found) == 1:
            return found[0].near(position, start, end, most)
        return by_place(item for part in found for item in part.items).near(position, start, end, most)

    def over(self, start: int, end: int) -> Iterator[S]:
        """As of a `ByPlace`."""
        return self._in(self._at(start)).over(start, end)

    def before(self, position: int) -> Iterator[S]:
        """As of a `ByPlace`."""
        for number in range(self._at(position), -1, -1):
            yield from self._in(number).before(position)

    def after(self, position: int, until: int | None = None) -> Iterator[S]:
        """As of a `ByPlace`; no part after a place is looked at, where one is given."""
        end = len(self._starts) if until is None else self._at(until) + 1
        for number in range(self._at(position), end):
            yield from self._in(number).after(position)

    def _at(self, position: int) -> int:
        return max(0, bisect_right(self._starts, position) - 1)

    def _between(self, start: int, end: int) -> range:
        return range(self._at(start), self._at(end) + 1)

    def _in(self, number: int) -> ByPlace[S]:
        if number not in self._found:
            self._found[number] = self._find(number)
        return self._found[number]

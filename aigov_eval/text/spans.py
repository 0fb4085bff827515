"""
Spans of one text, found by their place.

Comes in: anything with a start and an end. Goes out: a `ByPlace` that answers what lies in a stretch,
what covers it, what ends before it and what starts after it, without looking at all of them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Generic, Protocol, TypeVar


@dataclass(frozen=True, slots=True)
class Span:
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


@dataclass(frozen=True, slots=True)
class ByPlace(Generic[S]):
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

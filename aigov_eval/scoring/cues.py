"""
The cues of contexts in one turn: near a mention part by part, those that reach over whole turns in all of it.

Comes in: the parts of a turn's text, the index of the cues that reach far, the places of its mentions. Goes out: hits by place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence, Set

from aigov_eval.detect.hits import Hit
from aigov_eval.detect.words import WordIndex
from aigov_eval.lazily import lazily
from aigov_eval.scoring.parts import Parts, by_name
from aigov_eval.text.spans import ByPlace, Parted, by_place

_NOTHING: ByPlace[Hit] = by_place(())
# figures with others before or after them: "1789" in "4833 1789 4997"
_WITHIN_FIGURES = re.compile(r"\d ?\Z"), re.compile(r" ?\d")


class Cues:
    """The cues of one turn, by context; `values` are the places of its mentions, where a number is no cue."""

    def __init__(
        self,
        parts: Parts,
        far: WordIndex,
        values: Set[tuple[int, int]],
        languages: Callable[[], frozenset[str] | None],
    ) -> None:
        self._parts = parts
        self._far_index = far
        self._values = values
        self._languages = languages
        self._of: dict[str, Parted[Hit]] = {}
        self._names: dict[tuple[int, int], Set[str]] = {}

    def may_stand(self, context: str, start: int, end: int) -> bool:
        """Whether a cue of the context stands in the parts of a stretch."""
        if f"cue:{context}" in self._far_index.names:
            return context in self._far
        if (start, end) not in self._names:
            numbers = range(self._parts.at(start), self._parts.at(end) + 1)
            self._names[start, end] = frozenset().union(*(self._parts.found(n, "cue") for n in numbers))
        return context in self._names[start, end]

    def of(self, context: str) -> Parted[Hit]:
        """The cues of a context, by place."""
        if context not in self._of:
            if f"cue:{context}" in self._far_index.names:
                found = self._far.get(context, _NOTHING)
                self._of[context] = Parted((0,), lambda _: found)
            else:
                parts, values = self._parts, self._values
                self._of[context] = Parted(
                    parts.starts,
                    lambda number: _by_place(parts.found(number, "cue").get(context, ()), parts, values),
                )
        return self._of[context]

    @lazily
    def _far(self) -> Mapping[str, ByPlace[Hit]]:
        hits = self._parts.reading.hits_of(self._far_index, self._languages)
        found = by_name(self._far_index, hits)
        return {name: _by_place(cues, self._parts, self._values) for name, cues in found.items()}


def _by_place(hits: Sequence[Hit], parts: Parts, values: Set[tuple[int, int]]) -> ByPlace[Hit]:
    """Those that are no values, by place."""
    if not hits:
        return _NOTHING
    return by_place(hit for hit in hits if not _is_value(hit, parts.reading.plain, values))


def _is_value(hit: Hit, plain: str, values: Set[tuple[int, int]]) -> bool:
    """Whether a year or count that a cue names is a value itself (the PIN 1912) or part of a longer number."""
    if not plain[hit.start : hit.end].isdigit():
        return False
    before, after = _WITHIN_FIGURES
    return (
        (hit.start, hit.end) in values
        or before.search(plain[max(0, hit.start - 2) : hit.start]) is not None
        or after.match(plain, hit.end) is not None
    )

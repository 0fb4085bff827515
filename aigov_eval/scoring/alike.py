"""
Which mentions say the same, however their values are written.

Comes in: the text of a mention, or the mentions of a turn. Goes out: keys, of which two that say the same share one; mentions by key.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from aigov_eval.detect.find import LocatedMention
from aigov_eval.lazily import lazily
from aigov_eval.model import Mention
from aigov_eval.text.views import core_of, fold

_SAME = 100  # mentions of one thing in one turn that are looked at
_LONG = 6  # letters of a word that says by itself what is meant
_LONG_WORDS = re.compile(rf"[^\W\d_]{{{_LONG},}}")
_DATE = re.compile(r"(\d{1,2})[./-] ?(\d{1,2})[./-] ?((?:19|20)?\d\d)")


def whats_of(text: str) -> tuple[str, ...]:
    """
    What a value shares with others that say the same.

    A number its last figures, with or without country code or trunk zero; a long word its stem:
    diabetes and diabetic, épilepsie and épileptique; a phrase its last long word: "has Parkinson's"
    and "got Parkinson's". A date in figures its day, month and last two figures of the year.
    """
    if (date := _DATE.fullmatch(text.strip())) is not None:
        day, month, year = map(int, date.groups())
        return (f"@{day}.{month}.{year % 100}",)
    core = core_of(text)
    if core.isdigit() and len(core) >= 9:
        return (f"#{core[-8:]}",)
    stem = core[:_LONG] if core.isalpha() and len(core) > _LONG else core
    words = _LONG_WORDS.findall(fold(text))
    return (stem, f"~{words[-1]}") if words else (stem,)


class Alike:
    """The mentions of one turn, by their field and what they share with others that say the same."""

    def __init__(self, placed: Sequence[LocatedMention]) -> None:
        self._placed = placed

    @lazily
    def by_what(self) -> Mapping[tuple[str, str], Sequence[LocatedMention]]:
        """All of them."""
        found: dict[tuple[str, str], list[LocatedMention]] = {}
        for placed in self._placed:
            for what in whats_of(placed.mention.text):
                found.setdefault((placed.mention.field, what), []).append(placed)
        return found

    def sharing(self, field: str, what: str) -> Sequence[LocatedMention]:
        """Those of a field that share what `whats_of` tells (of many the first)."""
        return self.by_what.get((field, what), ())[:_SAME]

    def to(self, mention: Mention) -> Sequence[LocatedMention]:
        """Those that say the same as a mention: equal values, or words of one stem (of many the first)."""
        found = {
            placed: None for what in whats_of(mention.text) for placed in self.sharing(mention.field, what)
        }
        return sorted(found, key=lambda placed: placed.start)

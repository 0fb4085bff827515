"""
Which of overlapping finds stay.

Comes in: the finds of all views of a text. Goes out: those that stay: of identifiers the longest, then the one whose label stands nearest,
then the one with a check digit; what stands open before what another view makes of it.
"""

from __future__ import annotations

from msgspec import Struct

from aigov_eval.detect.index import Step
from aigov_eval.model import SAME, Explicit

# how near a label counts when overlapping finds are settled: none of its own, and only in the question
_UNLABELLED, FAR = 99, 200
_CHECKED = 3  # words from its label at which an unchecked find gives way to a checked one without
_STRETCH = 64  # characters in which overlaps are looked for together


class Raw(Struct, frozen=True):
    """A find in a view of the text, before overlaps are settled."""

    step: Step
    start: int
    end: int
    text: str
    explicit: Explicit
    view: str
    distance: int
    wrong: bool  # its check digits are, and its label says what it is
    entry: str = ""  # the place of the entry of a word list


def settle(found: list[Raw]) -> list[Raw]:
    """Of overlapping finds of identifiers the longest stays; words of different fields may share their words."""
    open_ones = [raw for raw in found if raw.view == "plain"]
    if len(open_ones) < len(found):
        # what stands open and proves itself is what it is, whatever another view makes of more of the text
        sure = [raw for raw in _longest(open_ones) if not (raw.step.lexicon or raw.step.cell)]
        found = [
            raw for raw in found if raw.view == "plain" or not any(_yields(raw, other) for other in sure)
        ]
    return _longest(found)


def _yields(seen: Raw, plain: Raw) -> bool:
    """Whether a find of a derived view gives way to one of the plain view."""
    if plain.end <= seen.start or seen.end <= plain.start:
        return False
    if plain.step.find.validator:
        return True
    return not plain.step.near and plain.step.field != seen.step.field


def _nearness(raw: Raw) -> int:
    """How near a find's label stands; a check digit without a label speaks like a label a few words off."""
    if raw.step.near:
        return raw.distance
    return _CHECKED if raw.step.find.validator else _UNLABELLED


def _longest(found: list[Raw]) -> list[Raw]:
    kept: list[Raw] = []
    order = sorted(
        found,
        key=lambda r: (
            r.wrong,
            r.step.find.subject_gender == SAME,  # tells less by itself than any other words
            -(r.end - r.start),
            r.view != "plain",
            _nearness(r),
            not r.step.find.validator,
            r.start,
            r.step.field,
            r.step.detector,
            r.step.find.subtype,
            r.view,
        ),
    )
    near: dict[int, list[Raw]] = {}  # what is kept, by stretches of the text
    for raw in order:
        words = bool(raw.step.lexicon or raw.step.cell)
        stretches = range(raw.start // _STRETCH, (raw.end - 1) // _STRETCH + 1)
        clash = False
        for other in (one for stretch in stretches for one in near.get(stretch, ())):
            if other.start < raw.end and raw.start < other.end:
                other_words = bool(other.step.lexicon or other.step.cell)
                if words or other_words:
                    clash = clash or (other.step.field == raw.step.field)
                else:
                    clash = True
        if not clash:
            kept.append(raw)
            for stretch in stretches:
                near.setdefault(stretch, []).append(raw)
    return kept

"""
What was asked of a turn under scoring so far, and what was found.

Comes in: nothing. Goes out: an `Asked`, empty at first; it is let go of when its turn rests.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field

from aigov_eval.detect.hits import Hit
from aigov_eval.scoring.persons.reference import Reference
from aigov_eval.text.spans import Parted, Span

if TYPE_CHECKING:
    from aigov_eval.scoring.persons.record_owner import RecordOwner


class Asked(Struct, frozen=True):
    """
    Answers by what was asked: what a record says of its holder, whether a block is a list of people with the subject among
    them, the stretch of a scope around a position, the names in a record, the phrases of a slot.
    """

    holdings: dict[Span, RecordOwner] = field(default_factory=dict)
    lists: dict[Span, bool] = field(default_factory=dict)
    regions: dict[tuple[str, int], Span] = field(default_factory=dict)
    named: dict[Span, Sequence[Reference]] = field(default_factory=dict)
    phrases: dict[str, Parted[Hit]] = field(default_factory=dict)

"""
Small questions about the references of a turn: what stands beside one, in which case, and who it is.

Comes in: a live turn and a reference. Goes out: references and answers; nothing is decided here.
"""

from __future__ import annotations

from itertools import islice

from aigov_eval.scoring.persons.reference import Reference
from aigov_eval.scoring.turn_view import TurnView
from aigov_eval.text.spans import ByPlace, Parted

BESIDE = 4  # references that can stand right beside another


def beside(live: TurnView, reference: Reference) -> list[Reference]:
    """The references right before and right after one."""
    return near(live.people, reference.start, reference.end)


def near(people: Parted[Reference] | ByPlace[Reference], start: int, end: int) -> list[Reference]:
    """The references right before and right after a stretch."""
    return [*islice(people.before(start), BESIDE), *islice(people.after(end), BESIDE)]


def who_is(reference: Reference, also: frozenset[str]) -> str:
    """`subject`, `other`, or nothing for a word that names nobody; `also` are words by which the subject is called."""
    if reference.kind == "subject" or (reference.line in also and reference.line):
        return "subject"
    if reference.kind in ("name", "kin"):
        return "other"
    return ""


def inflected(live: TurnView, reference: Reference) -> bool:
    """Whether the subject's name stands in another form than the scenario's: `mama Anei`, whose mother she is."""
    if live.subject is None or reference.kind != "subject":
        return False
    word = live.reading.tokens.folded[live.reading.word_at(reference.start)]
    return word not in live.subject.words


def particles_of(live: TurnView) -> frozenset[str]:
    """Words of a name that name nobody alone, which also stand between a relative and whose relative he is."""
    return live.engine.pack.writing.name_particles


def text_of(live: TurnView, reference: Reference) -> str:
    """The words of a reference."""
    return live.reading.plain[reference.start : reference.end]

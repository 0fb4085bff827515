"""
Which of two persons is meant by `the other`, `the first`, `the latter`, or by a relation of one of them to the other.

Comes in: a turn, a reference in it and the conversation before. Goes out: `subject` or `other`, or nothing where the talk
is not of two persons, the subject and one more.
"""

from __future__ import annotations

from itertools import islice

from aigov_eval.scoring.persons.history import History
from aigov_eval.scoring.persons.neighbours import who_is
from aigov_eval.scoring.persons.reference import ONE_OF_TWO, THE_FIRST, THE_OTHER, Reference
from aigov_eval.scoring.persons.tie import NEAR
from aigov_eval.scoring.turn_view import TurnView

_SHORTEST = 3  # letters of a word by which a name is known again
_BESIDE = 8  # characters in which a possessive stands beside a relation: `sa collègue`, `colega lui`
_FURTHER = 3  # characters after a relation in which the name of who has it begins: `his colleague, Ron Evers`


def meant_of_two(live: TurnView, reference: Reference, history: History) -> str:
    """Who is meant by a reference of the kinds `the_other`, `the_first` and `the_second`."""
    two = _two(live, reference.start, history)
    if not two:
        return ""
    if reference.kind != THE_OTHER:
        return two[0] if reference.kind == THE_FIRST else two[1]
    topic = _last_named(live, reference.start, history) or history.named
    return {"subject": "other", "other": "subject"}.get(topic, "")


def stands_for(live: TurnView, reference: Reference, history: History) -> str:
    """Who a reference is: as of `who_is`, or the one of two that is meant."""
    if reference.kind in ONE_OF_TWO:
        return meant_of_two(live, reference, history)
    return who_is(reference, history.also)


def is_subject_of_other(live: TurnView, relation: Reference, history: History) -> bool:
    """
    Whether a relation is the subject, being that of the only other person: `Nuria is on leave. Her colleague ...`.

    The talk is of two, the other one is named last, and no name says who else has the relation.
    """
    if relation.level or not _two(live, relation.start, history):
        return False
    if any(r.start - relation.end <= _FURTHER for r in islice(live.named.after(relation.end), 1)):
        return False
    owned = any(
        r.kind == "pronoun" and (relation.start - 1 <= r.end <= relation.end or r.start == relation.end + 1)
        for r in live.people.within(relation.start - _BESIDE, relation.end + _BESIDE)
    )
    here = list(islice(live.named.before(relation.start), NEAR))
    return owned and bool(here) and all(who_is(r, history.also) == "other" for r in here)


def _two(live: TurnView, position: int, history: History) -> tuple[str, ...]:
    """The two persons of the question and of the answer up to a position, in order; nothing where they are not two."""
    asked = [one for one in history.last_two if one.turn.role == "user"][:1]
    found: list[tuple[str, frozenset[str]]] = []
    for turn, end in (*((one, len(one.reading.plain)) for one in asked), (live, position)):
        for reference in islice(turn.named.items, NEAR):
            if reference.end > end:
                break
            who = who_is(reference, history.also)
            words = _words(turn, reference)
            if not any(who == one and (who == "subject" or words & known) for one, known in found):
                found.append((who, words))
    who_of = tuple(who for who, _ in found)
    return who_of if sorted(who_of) == ["other", "subject"] else ()


def _last_named(live: TurnView, position: int, history: History) -> str:
    """Who is named last in a turn before a position, by name or as a relative."""
    return next(
        filter(None, (who_is(r, history.also) for r in islice(live.people.before(position), NEAR))), ""
    )


def _words(live: TurnView, reference: Reference) -> frozenset[str]:
    """The words of a name by which it is known again."""
    reading = live.reading
    here = range(reading.word_at(reference.start), reading.word_at(reference.end - 1) + 1)
    return frozenset(word for at in here if len(word := reading.tokens.folded[at]) >= _SHORTEST)

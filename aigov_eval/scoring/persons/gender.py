"""
Whether somebody is a man or a woman, as far as the text tells.

Comes in: a live turn, a mention with its link, the conversation before. Goes out: whether the person has the sex for which
the find counts. "Son mari" is said of women and men alike, and only who is meant says which. Names, titles,
pronouns, roles and what agrees with a person are in the pack.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from aigov_eval.detect.find import LocatedMention
from aigov_eval.model import SAME
from aigov_eval.scoring.persons.coreference import antecedent, known_gender
from aigov_eval.scoring.persons.history import History
from aigov_eval.scoring.persons.reference import Reference
from aigov_eval.scoring.persons.tie import NEAR, Link
from aigov_eval.scoring.turn_view import TurnView

# how the sex that a find asks for fits the person of whom it is told
FITS, DIFFERS, UNKNOWN = "fits", "differs", "unknown"


def sex_of(live: TurnView, placed: LocatedMention, link: Link, history: History) -> str:
    """How the sex that a mention's find asks for fits the person of whom it is told; it fits where none is asked for."""
    if not placed.of:
        return FITS
    if placed.of == SAME:
        return _of_one_sex(live, placed, history)
    if link.other:
        return FITS  # that it is told of somebody else is judged elsewhere
    if link.evidence == "none":
        return UNKNOWN
    inside = live.people.within(placed.start, placed.end)
    if any(r.kind == "subject" for r in inside):
        return DIFFERS  # "his partner Anna", where Anna is the subject
    if history.user_is_relative and not any(r.kind == "pronoun" and r.gender for r in inside):
        return DIFFERS  # "su mujer", said to the husband of the subject, may be "your wife"
    if live.subject is not None and _beside_name(live, placed):
        return DIFFERS
    known = (
        _without_subject(live, placed, link) if live.subject is None else _of_subject(live, placed, history)
    )
    return UNKNOWN if not known else FITS if known == placed.of else DIFFERS


def _of_subject(live: TurnView, placed: LocatedMention, history: History) -> str:
    """The sex of the subject: the full name, a title or part of the name, pronouns, a role, what agrees."""
    if known := known_gender(live, history):
        return known
    for reference in islice(live.people.before(placed.start), NEAR):
        if reference.gender and _stands_for_subject(live, reference, history):
            return reference.gender
    return history.told_gender or _agreeing(live, placed)


def _of_one_sex(live: TurnView, placed: LocatedMention, history: History) -> str:
    """
    How the sex of the other person fits the subject's: the one named in the sentence, else in the one before, else in the turns before.

    Words for a couple tell nothing by themselves, so an unknown sex counts as another.
    """
    sentence = live.reading.sentence_at(placed.start)
    named = live.named.within(sentence.start, sentence.end)
    if live.subject is None:
        genders = {r.gender for r in named}
        return FITS if len(named) > 1 and len(genders) == 1 and "" not in genders else DIFFERS
    others = _others(named) or _others(live.named.before(sentence.start))[:1]
    if not others:
        others = [gender for who, gender in history.people if who == "other"][:1]
    known = _of_subject(live, placed, history)
    return FITS if known and set(others) == {known} else DIFFERS


def _others(named: Iterable[Reference]) -> list[str]:
    return [r.gender for r in islice(named, NEAR) if r.kind == "name"]


def _stands_for_subject(live: TurnView, reference: Reference, history: History) -> bool:
    if reference.kind == "pronoun":
        link = antecedent(live, reference, history)
        return link is not None and not link.other
    return reference.kind == "role"


def _agreeing(live: TurnView, placed: LocatedMention) -> str:
    """The sex that words of the sentence agree with (`est venue`), where it names nobody else."""
    sentence = live.reading.sentence_at(placed.start)
    here = live.people.within(sentence.start, sentence.end)
    others = [r for r in here if r.kind in ("kin", "name")]
    if any(r.end <= placed.start for r in others):
        return ""
    genders = {
        gender
        for start, end, gender in live.agreeing_at(placed.start)
        if sentence.start <= start < placed.start and not any(r.start < end and start < r.end for r in others)
    }
    return genders.pop() if len(genders) == 1 else ""


def _without_subject(live: TurnView, placed: LocatedMention, link: Link) -> str:
    """Where any person will do: the sex of the person linked, else of the last one before the mention in its sentence."""
    plain = live.reading.plain
    sentence = live.reading.sentence_at(placed.start)
    gendered = [
        r for r in live.people.near(placed.start, 0, len(plain), NEAR) if r.gender and r.kind != "kin"
    ]
    told = [r for r in gendered if plain[r.start : r.end] == link.text]
    near = [r for r in gendered if sentence.start <= r.start and r.end <= placed.start]
    return next((r.gender for r in (*told, *reversed(near))), "")


def _beside_name(live: TurnView, placed: LocatedMention) -> bool:
    """Whether the words only say who the subject is to somebody else: `Mme Roy was here; Paul, her husband, signed`."""
    plain = live.reading.plain
    return plain[placed.end : placed.end + 1] in {",", ")"} and any(
        r.kind == "subject" and plain[r.end : placed.start] in {", ", " ("}
        for r in islice(live.people.before(placed.start), NEAR)
    )

"""
What one turn tells of how persons stand to each other and to the user.

Comes in: a live turn. Goes out: whose relative is whose, who asks, what the subject is also called; `History` adds it up.
"""

from __future__ import annotations

from collections.abc import Set
from itertools import pairwise

from aigov_eval.scoring.persons.neighbours import beside, inflected, near, text_of
from aigov_eval.scoring.persons.reference import Reference
from aigov_eval.scoring.turn_view import TurnView

_BOTH = frozenset("mf")


def last_first(live: TurnView) -> list[Reference]:
    """The persons of a turn, the last one first; one whose relative is asked about comes after the relative."""
    last_first = list(reversed(live.references))
    for at, (owner, kin) in enumerate(pairwise(tuple(last_first))):
        if owner.kind == "subject" and kin.kind == "kin" and _asked_about(live, kin, owner):
            last_first[at : at + 2] = [kin, owner]
    return last_first


def own_relatives(live: TurnView) -> set[str]:
    """The words for relatives of the user in sentences without the subject: `my mum has Parkinson's`."""
    own = set()
    for kin in live.references:
        if kin.kind == "kin" and any(
            r.kind == "first" and 0 <= kin.start - r.end <= 1 for r in beside(live, kin)
        ):
            sentence = live.reading.sentence_at(kin.start)
            if not any(r.kind == "subject" for r in live.people.within(sentence.start, sentence.end)):
                own.add(text_of(live, kin).lower())
    return own


def subject_gender(told: str, live: TurnView) -> str:
    """The sex of the subject, as told before or by the first reference of the turn that has one."""
    return told or next((r.gender for r in live.subjects if r.gender), "")


def genders(told: frozenset[str], live: TurnView) -> frozenset[str]:
    """The sexes that roles and pronouns tell of the only person spoken of; both where somebody else is."""
    if told == _BOTH or live.turn.role not in ("user", "assistant"):
        return told
    if any(r.kind in ("kin", "name") for r in live.references):
        return _BOTH
    return told.union(r.gender for r in live.references if r.kind in ("pronoun", "role") and r.gender)


def is_topic(live: TurnView, other: Reference) -> bool:
    """Whether a person beside the subject is the one that is spoken of: `Ion's sister`, `sora lui Ion`, or no subject near."""
    if not live.subjects:
        return True
    if other.kind == "kin":
        return any(
            r.kind == "subject"
            and (
                (2 <= other.start - r.end <= 4 and "'" in live.reading.plain[r.end : other.start])
                or 2 <= r.start - other.end <= 6
                or (r.start - other.end == 1 and inflected(live, r))
            )
            for r in beside(live, other)
        )
    return not other.aside


def possessor(live: TurnView, kin: Reference) -> bool:
    """Whether a kinship word only says how the user stands to the subject (`my sister-in-law Hannah`, `I'm his aunt`)."""
    return any(
        (r.kind in ("first", "second") and 0 <= kin.start - r.end <= 12)
        or (r.kind == "subject" and 0 <= r.start - kin.end <= 14 and not _asked_about(live, kin, r))
        for r in beside(live, kin)
    )


def _asked_about(live: TurnView, kin: Reference, owner: Reference) -> bool:
    """Whether a question is about the relative of a person: `ce are sora lui Ion?`, and no `I am the sister of Ion`."""
    if kin.level != "exact" or not (
        inflected(live, owner) or live.reading.plain[kin.end : owner.start].strip(" ,")
    ):
        return False
    if not 0 <= owner.start - kin.end <= 14:
        return False
    sentence = live.reading.sentence_at(kin.start)
    return live.reading.plain[sentence.start : sentence.end].rstrip().endswith("?") and not (
        any(r.kind == "first" and sentence.start <= r.start < sentence.end for r in live.references)
        or live.phrases("self").within(sentence.start, sentence.end)
    )


def is_relative(live: TurnView) -> bool:
    """Whether the user says that he is related to the subject: `I'm the husband of ...`, `my sister Ana`."""
    if not live.subjects or not any(r.kind == "first" for r in live.references):
        return False
    for kin in live.references:
        if kin.kind == "kin" and kin.level == "exact":  # a friend has no place in the family
            sentence = live.reading.sentence_at(kin.start)
            if any(r.kind == "subject" for r in live.people.within(sentence.start, sentence.end)):
                return True
    return False


def also_called(live: TurnView) -> Set[str]:
    """The words by which the subject is also called: a role or kinship word right beside the name."""
    also: set[str] = set()
    if not live.subjects:
        return also
    for word in live.references:
        if word.kind in ("kin", "role"):
            for name in beside(live, word):
                if name.kind == "subject" and not (
                    # "mama Ioanei" is not Ioana
                    word.level == "exact" and word.end <= name.start and inflected(live, name)
                ):
                    between = live.reading.plain[min(word.end, name.end) : max(word.start, name.start)]
                    if len(between) <= 3 and not any(c.isalnum() for c in between) and "'" not in between:
                        also.add(word.line)
    return also


def is_self(live: TurnView) -> bool:
    """Whether the user says that he is the subject: `I'm Harriet Cole`, or the name alone beside his request."""
    if not live.subjects:
        return False
    plain = live.reading.plain
    owned = {reference for reference in live.subjects if _owned(live, reference)}
    if any(
        0 <= reference.start - hit.end <= 3
        or (0 <= hit.start - reference.end <= 2 and not set(plain[reference.end : hit.start]) & set(".?!"))
        for hit in live.phrases("self").items
        for reference in near(live.people, hit.start, hit.end)
        if reference.kind == "subject" and reference not in owned
    ):
        return True
    # whoever is named later has the first name before him
    opening = live.subjects[0]
    if opening in owned or plain[: opening.start].strip():
        return False
    after = plain[opening.end :].lstrip()
    # "Harriet Cole, h.cole@..." or "Sorina Neagu. I moved": a name that stands by itself
    alone = after[:1] in {",", ".", "-", ""} and any(r.kind == "first" for r in live.references)
    return alone or not after.strip(" .,!")


def _owned(live: TurnView, reference: Reference) -> bool:
    """Whether a name stands in the genitive of English, before what belongs to it."""
    plain, end = live.reading.plain, reference.end
    return plain.startswith(("'s ", "' "), end) or (
        plain.endswith("'s", 0, end) and plain.startswith(" ", end)
    )

"""
Whom a pronoun, a role or a relative stands for.

Comes in: a turn, a reference in it and the conversation before. Goes out: a `Link`, or None where nobody can say.
"""

from __future__ import annotations

from itertools import islice

from aigov_eval.scoring.persons.history import History
from aigov_eval.scoring.persons.neighbours import near, text_of
from aigov_eval.scoring.persons.one_of_two import is_subject_of_other, meant_of_two, stands_for
from aigov_eval.scoring.persons.reference import ONE_OF_TWO, Reference
from aigov_eval.scoring.persons.roles import REACH, acts_on, is_joined, is_told
from aigov_eval.scoring.persons.tie import NEAR, Link
from aigov_eval.scoring.turn_view import TurnView


def resolve(live: TurnView, reference: Reference, history: History) -> Link | None:
    """What a reference says of the mention beside it; None when it says nothing."""
    text, start, where = text_of(live, reference), reference.start, reference.where
    if live.subject is None:
        if (reference.kind == "name" and reference.level == "exact") or reference.kind == "kin":
            return Link("person", text, start=start, where=where)
        if reference.kind == "pronoun" and reference.gender:
            return (
                Link("person", text, start=start, where=where)
                if _anybody_before(live, reference, history)
                else None
            )
        # a role that an answer speaks of is somebody; of a text alone it may be the role of anybody
        return (
            Link("person", text, start=start, where=where)
            if reference.kind == "role" and history.begun
            else None
        )
    if reference.kind == "subject":
        known = live.gender_of_name
        if known and _sex_of_subject(live, reference, known) != known:
            # "Mr Cole", where Harriet Cole is asked about
            return another(live, reference, "name")
        return Link("exact" if reference.level == "exact" else "partial", text, start=start, where=where)
    if reference.line and reference.line in history.also:
        return Link("partial", text, start=start, where=where)
    if reference.kind == "name":
        return another(live, reference, "name")
    if reference.kind == "kin":
        if (
            history.user_is_relative
            and history.on_subject
            and text.lower() not in history.own
            and _yours(live, reference)
        ):
            return Link(
                "partial", text, start=start, where=where
            )  # "your wife", said to the husband of the subject
        if meant := _relation_of_two(live, reference, history):
            return _of_two(live, reference, meant)
        by = "kin" if reference.level == "exact" else "others"
        return another(live, reference, by)
    if reference.kind in ONE_OF_TWO:
        meant = meant_of_two(live, reference, history)
        return _of_two(live, reference, meant) if meant else None
    if reference.kind == "role":
        if not fits_subject(live, reference, known_gender(live, history)):
            return another(live, reference, "sex")
        if _in_apposition(live, reference):
            return another(live, reference, "name")
        asked = history.of_subject and "subject" in (history.focus, history.named)
        told = asked or _named_before(live, reference)
        return Link("pronoun", text, start=start, where=where) if told else None
    if reference.kind == "pronoun":
        link = antecedent(live, reference, history)
        # "su", "son", "its": a pronoun that may stand for a thing proves no more than the question does
        return (
            Link("answer", link.text, start=link.start, where=link.where)
            if link is not None and not link.other and not reference.gender
            else link
        )
    if reference.kind == "second":
        return Link("second_person", text, start=start, where=where) if history.user_is_subject else None
    return None


def another(live: TurnView, reference: Reference, by: str) -> Link:
    """A link to somebody else, by a reference; `by` says what ties the words to him."""
    return Link(
        "none",
        text_of(live, reference),
        start=reference.start,
        where=reference.where,
        other=True,
        by=by,
    )


def _of_two(live: TurnView, reference: Reference, meant: str) -> Link:
    """A link to the one of two persons that is meant."""
    if meant == "subject":
        return Link("pronoun", text_of(live, reference), start=reference.start, where=reference.where)
    return another(live, reference, "name")


def _relation_of_two(live: TurnView, relation: Reference, history: History) -> str:
    """Which of two persons a relation is: by a word before or in it, `the other tenant`, or as that of the other one."""
    for one in live.people.within(relation.start - REACH, relation.end):
        if one.kind in ONE_OF_TWO and one.start <= relation.start <= one.end + 1:
            return meant_of_two(live, one, history)
    return "subject" if is_subject_of_other(live, relation, history) else ""


def _anybody_before(live: TurnView, pronoun: Reference, history: History) -> bool:
    """Whether there is anybody for a pronoun to stand for: a person named before it, or a talk that it answers."""
    return history.begun or live.first_other <= pronoun.start


def _yours(live: TurnView, kin: Reference) -> bool:
    """Whether a kinship word has a `your` before it or in it."""
    return any(
        r.kind == "second" and (0 <= kin.start - r.end <= 1 or kin.start <= r.start)
        for r in live.people.within(kin.start - REACH, kin.end)
    )


def _in_apposition(live: TurnView, role: Reference) -> bool:
    """Whether a role says who somebody else is, named right before it: `Carmen Soto, la vecina`."""
    before = next(live.people.before(role.start), None)
    return before is not None and before.kind == "name" and _is_beside(live, before, role)


def _is_beside(live: TurnView, name: Reference, other: Reference) -> bool:
    """Whether only a comma or the sign that opens a bracket stands between a name and what follows."""
    return live.reading.plain[name.end : other.start].strip(" ") in {",", "("}


def _named_before(live: TurnView, reference: Reference) -> bool:
    return bool(live.subjects) and live.subjects[0].end <= reference.start


def antecedent(live: TurnView, pronoun: Reference, history: History) -> Link | None:
    """
    Whom a pronoun stands for: the nearest person before it who fits its sex and may well be meant, else the subject, if spoken of.

    None where nobody does.
    """
    text, start, where = text_of(live, pronoun), pronoun.start, pronoun.where
    known = known_gender(live, history)
    may_be_subject = (history.of_subject or bool(live.subjects)) and fits_subject(live, pronoun, known)
    sentence = live.reading.sentence_at(pronoun.start)
    for reference in islice(live.people.before(pronoun.start), NEAR):
        if (
            may_be_subject
            and reference.kind in ("kin", "name")
            and (
                acts_on(live, reference, pronoun)
                or is_told(live, reference)
                or is_joined(live, reference, pronoun)
            )
        ):
            continue  # "her mother drives her", "she told her sister that she", "his brother and he"
        if reference.kind == "kin" and live.reading.plain[reference.end : pronoun.start] == " ":
            continue  # "soțul lui": the pronoun right after a relative says whose he is
        if (
            not pronoun.gender
            and reference.kind == "pronoun"
            and reference.gender
            and sentence.start <= reference.start
        ):
            return antecedent(live, reference, history)  # "il est fier de son club"
        who = stands_for(live, reference, history)
        if reference.kind == "kin":
            who = _relation_of_two(live, reference, history) or who
        if reference.kind == "role" and history.on_subject:
            who = "subject" if fits_subject(live, pronoun, known) else "other"  # "met the tenant, he ..."
        if not who:
            continue
        gender = _sex_of_subject(live, reference, known) if who == "subject" else reference.gender
        if pronoun.gender and gender and gender != pronoun.gender:
            continue
        if reference.kind == "kin" and not reference.gender and fits_subject(live, pronoun, known):
            continue  # "the chaplain" of unknown sex, and the pronoun fits the subject
        if may_be_subject and reference.kind == "name" and _hardly_meant(live, reference, pronoun):
            continue
        if may_be_subject and who == "other" and reference.aside and _named_aloud(live, reference.start):
            continue  # "Jan works for Bob; he ..."
        if who == "subject":
            return Link("pronoun", text, start=start, where=where)
        by = "pronoun" if fits_subject(live, pronoun, known) else "sex"
        return another(live, pronoun, by)
    if history.of_subject and fits_subject(live, pronoun, known):
        return Link("pronoun", text, start=start, where=where)
    others = (gender for who, gender in history.people if who == "other")
    if any(not pronoun.gender or gender in ("", pronoun.gender) for gender in others):
        return another(live, pronoun, "pronoun")
    # nobody was named for whom it could stand, and the subject is of the other sex
    fits = live.subject is None or fits_subject(live, pronoun, known)
    return None if fits else another(live, pronoun, "stranger")


def _sex_of_subject(live: TurnView, reference: Reference, known: str) -> str:
    """The sex that the subject has at a reference: that of the title before the surname alone, else the one known of her."""
    reading = live.reading
    if reference.gender and live.subject is not None:
        first = reading.tokens.folded[reading.word_at(reference.start)]
        if first in live.subject.words - live.subject.given:
            return reference.gender
    return known


def _hardly_meant(live: TurnView, name: Reference, pronoun: Reference) -> bool:
    """Whether a name before a pronoun is hardly whom it stands for: a firm or place, one of several, or whose relation it tells."""
    if pronoun.gender and not name.gender:
        return True  # "the Harbour Trust"
    if _is_beside(live, name, pronoun) and any(
        one.kind == "kin" for one in live.people.within(pronoun.start, pronoun.end + REACH)
    ):
        return True  # "Nora, su hija"
    return any(
        one.kind == "name" and (is_joined(live, one, name) or is_joined(live, name, one))
        for one in near(live.named, name.start, name.end)
    )  # "Tom and Anna"


def _named_aloud(live: TurnView, position: int) -> bool:
    """Whether the subject is named before a position, not aside."""
    return any(not r.aside for r in live.subjects_by_place.before(position))


def known_gender(live: TurnView, history: History) -> str:
    """The sex of the subject, where a title or name told it."""
    return (
        live.gender_of_name
        or history.subject_gender
        or next((r.gender for r in islice(live.subjects, NEAR) if r.gender), "")
    )


def fits_subject(live: TurnView, pronoun: Reference, known: str) -> bool:
    """Whether a pronoun can stand for the subject, as far as the sex is known."""
    return live.subject is not None and (not known or not pronoun.gender or known == pronoun.gender)

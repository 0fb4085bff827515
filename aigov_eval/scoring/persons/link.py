"""
Ties a mention to a person: how do we know that it is about the subject?

Comes in: a live turn, a mention, the conversation before. Goes out: a `Link` with the level of
evidence and the words that carry it. Order: the record that holds the mention, the nearest
person before it in its sentence, the nearest after it, the sentences before, the question
that is being answered (detection.md, sections 4.4 and 5).
"""

from __future__ import annotations

from itertools import islice, takewhile

from aigov_eval.detect.find import LocatedMention
from aigov_eval.model import SAME
from aigov_eval.scoring.persons.coreference import another, fits_subject, known_gender, resolve
from aigov_eval.scoring.persons.history import History
from aigov_eval.scoring.persons.neighbours import BESIDE, text_of
from aigov_eval.scoring.persons.of_record import by_record
from aigov_eval.scoring.persons.one_of_two import stands_for
from aigov_eval.scoring.persons.record_owner import (
    is_item_of_another,
    opening_stranger,
)
from aigov_eval.scoring.persons.reference import ONE_OF_TWO, Reference
from aigov_eval.scoring.persons.roles import (
    REACH,
    acts_on,
    comes_along,
    goes_on,
    in_clause,
    is_aside,
    is_by_the_way,
    is_company,
    is_done_to,
    is_equated,
    is_near,
    is_relative,
    is_told,
    owns,
    possesses,
    says_what,
    stands_apart,
)
from aigov_eval.scoring.persons.tie import NEAR, NOBODY, Link
from aigov_eval.scoring.turn_view import TurnView
from aigov_eval.text.spans import Span
from aigov_eval.text.structure import clause_at

_IN_BRACKET = 60  # characters of a bracket in which words stand
_BRACKET = 3  # characters in which a bracket opens right after words


def link_of(live: TurnView, placed: LocatedMention, history: History) -> Link:
    """Who a mention is about."""
    if not placed.asked and any(live.named.over(placed.start, placed.end)):
        return Link("none", "a name")
    if not any(c.isspace() for c in placed.mention.text):
        # ana.popa@...: whose address it is, it says itself; a house called like her (info@popa.ro) is another
        host = live.reading.plain.find("@", placed.start, placed.end)
        for reference in live.named.within(placed.start, placed.end if host < 0 else host):
            if reference.kind == "subject" and reference.level == "exact":
                return Link("exact", text_of(live, reference), start=reference.start, where=reference.where)
    if live.subject is not None and is_item_of_another(live, placed.start):
        return Link("none", "another of the list", other=True, by="record")
    named = _before_bracket(live, placed)
    if named is not None and (link := resolve(live, named, history)) is not None:
        return link
    in_record = by_record(live, placed, history)
    if in_record is not None:
        return in_record
    if placed.asked and history.on_subject and _answers_alone(live, placed):
        return Link("answer", "the question")  # "The Greens, like her mother"
    if placed.of == SAME:  # "Ann and Sue are a couple": of both
        sentence = live.reading.sentence_at(placed.start)
        for reference in live.named.within(sentence.start, sentence.end):
            if reference.kind == "subject" and (link := resolve(live, reference, history)) is not None:
                return link
    elif placed.of and not any(r.kind == "pronoun" for r in live.people.within(placed.start, placed.end)):
        # "el marido de Ion", "le mari de M. Roy": whose he is stands right after
        for reference in live.people.after(placed.end, placed.end + REACH):
            between = live.reading.plain[placed.end : reference.start]
            if len(between) > 9:
                break
            if "," not in between and reference.kind in ("subject", "name", "role"):
                link = resolve(live, reference, history)
                if link is not None:
                    return link
    named = _in_bracket_after(live, placed)
    if named is not None and (link := resolve(live, named, history)) is not None:
        return link
    sentence = live.reading.sentence_at(placed.start)
    before = live.people.within(sentence.start, placed.start)[-NEAR:]
    following = islice(live.people.after(placed.end, sentence.end), NEAR)
    after = list(takewhile(lambda r: r.end <= sentence.end, following))
    if placed.of:  # "his husband, Mark": the name says who is meant by the words themselves
        after = [r for r in after if r.kind != "name" or r.start - placed.end > 2]
    # a name within an address is part of it; words around a name are told of who bears it: "geht Ana Pop zur Messe"
    field = live.engine.pack.fields.get(placed.mention.field)
    kinds = ("pronoun", "subject") if field is not None and field.special else ("pronoun",)
    inside = [
        r
        for r in live.people.within(sentence.start, sentence.end)
        if r.start < placed.end and placed.start < r.end and r.kind in kinds
    ]
    clause = clause_at(live.reading.plain, sentence, placed.start)
    for part in (clause, sentence) if clause != sentence else (sentence,):
        link = _in_part(
            live,
            placed,
            history,
            [r for r in before if part.start <= r.start],
            [r for r in after if r.end <= part.end],
            inside,
        )
        if link is not None:
            return link
    return _by_context(live, sentence, history)


def _before_bracket(live: TurnView, placed: LocatedMention) -> Reference | None:
    """Who stands right before the bracket in which words stand: `Ana (insulin)`, `Ana Pop <ana@...>`."""
    plain = live.reading.plain
    opened = max(plain.rfind(sign, max(0, placed.start - _IN_BRACKET), placed.start) for sign in "(<")
    if opened < 0 or set(plain[opened : placed.start]) & set(")>\n"):
        return None
    near = (r for r in islice(live.named.before(opened), 1) if opened - r.end <= _BRACKET)
    return next((r for r in near if not plain[r.end : opened].strip(" *_")), None)


def _in_bracket_after(live: TurnView, placed: LocatedMention) -> Reference | None:
    """Who stands in the bracket right after words: `warfarin (Tom)`."""
    near = (r for r in islice(live.named.after(placed.end), 1) if r.start - placed.end <= _BRACKET)
    return next((r for r in near if live.reading.plain[placed.end : r.start].strip() == "("), None)


def _answers_alone(live: TurnView, placed: LocatedMention) -> bool:
    """Whether words open an answer and end with a comma or full stop, so that who is named later says no more of them."""
    following = live.reading.plain[placed.end : placed.end + 1]
    return following in {"", ",", ".", ";", "!"} and live.reading.word_at(placed.start) <= 2


def _in_part(
    live: TurnView,
    placed: LocatedMention,
    history: History,
    before: list[Reference],
    after: list[Reference],
    inside: list[Reference],
) -> Link | None:
    """The nearest person before a mention, else the nearest after it."""
    # "Becky is her wife": whose wife, the words say themselves
    opening = [r for r in inside if r.start == placed.start and r.gender and r.kind == "pronoun"]
    if (
        opening
        and before
        and is_equated(live, before[-1], placed)
        and (
            history.on_subject or (history.of_subject and any(who == "subject" for who, _ in history.people))
        )
    ):
        return Link("pronoun", text_of(live, opening[0]), start=opening[0].start, where=opening[0].where)
    before = in_clause(live, placed, before)
    recipient = _recipient(live, placed, history, before, after)
    if recipient is not None:
        return recipient
    for reference in (*opening, *reversed(before), *inside):
        if reference not in inside and owns(live, reference, before):
            continue
        if (
            is_aside(live, reference, before)
            and not is_relative(live, reference.end)
            and any(
                r.start < reference.start and r.kind in ("subject", "pronoun", "role") and not r.aside
                for r in before
            )
        ):
            continue  # "Ana has lived with her sister since the diagnosis"
        if history.on_subject and (
            comes_along(live, placed, reference) or is_by_the_way(live, placed, reference)
        ):
            continue  # "merge cu soția la un club de swingeri": the verb is the subject's
        if acts_on(live, reference, placed) and _has_subject(before, history):
            continue  # "medicul l-a declarat inapt", "her mother drives her to dialysis"
        if is_told(live, reference) and _has_subject(before, history):
            continue  # "she told her boss about the depression"
        if reference.kind == "pronoun" and is_done_to(live, reference):
            if goes_on(live, reference.end, placed.start):
                continue  # "her mother drives her to work and has epilepsy"
            if not fits_subject(live, reference, known_gender(live, history)):
                return resolve(live, reference, history) or another(live, reference, reference.kind)
        if reference.kind in ("kin", "name") and _beside_subject(live, reference, before, history):
            continue  # "she and her husband have an open marriage"
        if reference.kind == "kin" and says_what(live, reference, before, on_subject=history.on_subject):
            continue  # "she is a teacher and has asthma"
        link = resolve(live, reference, history)
        if link is not None:
            return link
    if live.subject is None:
        return None  # whoever comes after it may be anybody
    for reference in after:
        if reference.kind in ("second", "first"):
            continue
        if is_told(live, reference) and _has_subject(before, history):
            continue  # "hid the abortion from her mother"
        if (
            reference.kind == "kin"
            and live.reading.word_at(reference.start) - live.reading.word_at(placed.end - 1) > 3
        ):
            continue  # "cancer, and so her sister called": those after it own nothing before it
        if reference.kind in ("kin", "name") and is_company(live, placed, reference):
            continue  # "has an affair with her boss": who does it, not with whom
        if possesses(live, reference, after):
            continue  # "the funeral of her mother"
        if history.on_subject and stands_apart(live, placed, reference):
            continue  # "se spovedește la părintele Ilie", "e săsoaică, bunicii au plecat în Germania"
        link = resolve(live, reference, history)
        if link is not None and not (link.by == "stranger" and _may_be_words(live, placed, reference)):
            return link
    return None


def _may_be_words(live: TurnView, placed: LocatedMention, pronoun: Reference) -> bool:
    """Whether a pronoun stands so near after words that it may stand for them: `con diabetes o sin ella`."""
    return pronoun.kind == "pronoun" and is_near(live.reading.plain[placed.end : pronoun.start], 3)


def _has_subject(before: list[Reference], history: History) -> bool:
    """Whether the talk or the words before are of the subject, so that what somebody else does is about him."""
    return history.on_subject or any(r.kind == "subject" for r in before)


def _recipient(
    live: TurnView, placed: LocatedMention, history: History, before: list[Reference], after: list[Reference]
) -> Link | None:
    """Who is named right after the words as the one for whom somebody else did it: `Dr Frost prescribed lithium for Ana`."""
    if not any(acts_on(live, r, placed) for r in before):
        return None
    plain = live.reading.plain
    for reference in after:
        if reference.kind not in ("subject", "name", "kin", "pronoun") or possesses(live, reference, after):
            continue
        for hit in live.phrases("recipients").within(placed.end, reference.end):
            gap = plain[placed.end : hit.start] + plain[hit.end : reference.start]
            if is_near(gap, 2):
                return resolve(live, reference, history)
        return None
    return None


def _beside_subject(live: TurnView, other: Reference, before: list[Reference], history: History) -> bool:
    """Whether a relative or named person is joined to the subject, so that both are meant: `she and her husband`."""
    for joint in islice(live.phrases("coordinators").before(other.start), BESIDE):
        if len(live.reading.plain[joint.end : other.start].split()) <= (other.kind == "kin"):
            for reference in before:
                if reference.kind in ("subject", "pronoun") and 0 <= joint.start - reference.end <= 1:
                    link = resolve(live, reference, history)
                    return link is not None and not link.other
    return False


def _by_context(live: TurnView, sentence: Span, history: History) -> Link:
    """No known person in the sentence: who it opens with, the sentences before it, then the question that is being answered."""
    stranger = opening_stranger(live, sentence) if live.subject is not None else ""
    if stranger:
        return Link("none", stranger, other=True, by="stranger")
    # who nobody named in the turn, nor the subject in the talk, stands for nobody
    told = history.of_subject or any(live.named.before(sentence.start))
    for reference in islice(live.people.before(sentence.start), NEAR) if told else ():
        who = stands_for(live, reference, history)
        if live.subject is None and reference.kind == "name" and reference.level == "exact":
            return Link("person", text_of(live, reference), start=reference.start, where=reference.where)
        if who == "subject":
            return Link("answer", text_of(live, reference), start=reference.start, where=reference.where)
        if who == "other" and reference.kind in ("name", *ONE_OF_TWO) and not reference.aside:
            return another(live, reference, "name")
        if reference.kind == "pronoun" and history.on_subject:
            return Link("answer", text_of(live, reference), start=reference.start, where=reference.where)
    if live.subject is None:
        return Link("person", "the question") if history.focus else NOBODY
    return Link("answer", "the question") if history.on_subject else NOBODY

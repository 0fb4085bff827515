"""
Ties a mention to a person: how do we know that it is about the subject?

Comes in: a live turn, a mention, the conversation before. Goes out: a `Link` with the level of
evidence and the words that carry it. Order: the record that holds the mention, the nearest
person before it in its sentence, the nearest after it, the sentences before, the question
that is being answered (detection.md, sections 4.4 and 5).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, islice, takewhile

from aigov_eval.detect.find import LocatedMention
from aigov_eval.model import Evidence
from aigov_eval.scoring.history import History
from aigov_eval.scoring.people import Reference
from aigov_eval.scoring.record_owner import (
    holding_of,
    in_label,
    is_heading,
    is_item_of_another,
    is_like_a_name,
    opening_stranger,
    stands_beside_holder,
)
from aigov_eval.scoring.references import BESIDE, inflected, particles_of, text_of, who_is
from aigov_eval.scoring.turn_view import TurnView, fills
from aigov_eval.text.spans import Span, Spanning
from aigov_eval.text.structure import clause_at

_IN_BRACKET = 60  # characters of a bracket in which words stand
_BRACKET = 3  # characters in which a bracket opens right after words
_REACH = 20  # characters in which a word right before another stands
# persons before or after a mention that can be meant: a longer sentence or list names nobody clearly
NEAR = 64
_NEXT = 120  # characters after somebody in which it is said what he did
_WORDS = 3  # words between somebody and what he did: "her mother always patiently ..."
_CLAUSES = 300  # characters before a mention in which a relative clause that is over is looked for
_TITLES = 3  # words that can stand between "with" and the name: "with the old Dr Frost"


@dataclass(frozen=True, slots=True)
class Link:
    """Evidence that a mention is about the subject; `other` when it is tied to somebody else."""

    evidence: Evidence
    text: str = ""
    other: bool = False
    by: str = ""  # what ties it to somebody else: "record", "name", "kin", "pronoun", "stranger"
    where: str = ""  # `path:line` of the entry by which the person was known; empty for names of the scenario, and for layout


NOBODY = Link("none")


def link_of(live: TurnView, placed: LocatedMention, history: History) -> Link:
    """Who a mention is about."""
    if not placed.asked and any(live.named.over(placed.start, placed.end)):
        return Link("none", "a name")
    if not any(c.isspace() for c in placed.mention.text):
        # ana.popa@...: whose address it is, it says itself; a house called like her (info@popa.ro) is another
        host = live.reading.plain.find("@", placed.start, placed.end)
        for reference in live.named.within(placed.start, placed.end if host < 0 else host):
            if reference.kind == "subject" and reference.level == "exact":
                return Link("exact", text_of(live, reference), where=reference.where)
    if live.subject is not None and is_item_of_another(live, placed.start):
        return Link("none", "another of the list", other=True, by="record")
    named = _before_bracket(live, placed)
    if named is not None and (link := _resolve(live, named, history)) is not None:
        return link
    in_record = _by_record(live, placed, history)
    if in_record is not None:
        return in_record
    if placed.asked and history.on_subject and _answers_alone(live, placed):
        return Link("answer", "the question")  # "The Greens, like her mother"
    if placed.of and not any(r.kind == "pronoun" for r in live.people.within(placed.start, placed.end)):
        # "el marido de Ion", "le mari de M. Roy": whose he is stands right after
        for reference in live.people.after(placed.end, placed.end + _REACH):
            between = live.reading.plain[placed.end : reference.start]
            if len(between) > 9:
                break
            if "," not in between and reference.kind in ("subject", "name", "role"):
                link = _resolve(live, reference, history)
                if link is not None:
                    return link
    named = _in_bracket_after(live, placed)
    if named is not None and (link := _resolve(live, named, history)) is not None:
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
        and _is_equated(live, before[-1], placed)
        and (
            history.on_subject or (history.of_subject and any(who == "subject" for who, _ in history.people))
        )
    ):
        return Link("pronoun", text_of(live, opening[0]), where=opening[0].where)
    before = _in_clause(live, placed, before)
    recipient = _recipient(live, placed, history, before, after)
    if recipient is not None:
        return recipient
    for reference in (*opening, *reversed(before), *inside):
        if reference not in inside and _owns(live, reference, before):
            continue
        if (
            _is_aside(live, reference, before)
            and not _is_relative(live, reference.end)
            and any(
                r.start < reference.start and r.kind in ("subject", "pronoun", "role") and not r.aside
                for r in before
            )
        ):
            continue  # "Ana has lived with her sister since the diagnosis"
        if history.on_subject and _comes_along(live, placed, reference):
            continue  # "merge cu soția la un club de swingeri": the verb is the subject's
        if _acts_on(live, reference, placed) and _has_subject(before, history):
            continue  # "medicul l-a declarat inapt", "her mother drives her to dialysis"
        if _is_told(live, reference) and _has_subject(before, history):
            continue  # "she told her boss about the depression"
        if reference.kind == "pronoun" and _is_done_to(live, reference):
            if _goes_on(live, reference.end, placed.start):
                continue  # "her mother drives her to work and has epilepsy"
            if not _fits_subject(live, reference, _known_gender(live, history)):
                return _resolve(live, reference, history) or Link(
                    "none", text_of(live, reference), where=reference.where, other=True, by=reference.kind
                )
        if reference.kind in ("kin", "name") and _beside_subject(live, reference, before, history):
            continue  # "she and her husband have an open marriage"
        if reference.kind == "kin" and _says_what(live, reference, before):
            continue  # "she is a teacher and has asthma"
        link = _resolve(live, reference, history)
        if link is not None:
            return link
    if live.subject is None:
        return None  # whoever comes after it may be anybody
    for reference in after:
        if reference.kind in ("second", "first"):
            continue
        if _is_told(live, reference) and _has_subject(before, history):
            continue  # "hid the abortion from her mother"
        if (
            reference.kind == "kin"
            and live.reading.word_at(reference.start) - live.reading.word_at(placed.end - 1) > 3
        ):
            continue  # "cancer, and so her sister called": those after it own nothing before it
        if reference.kind in ("kin", "name") and _is_company(live, placed, reference):
            continue  # "has an affair with her boss": who does it, not with whom
        if _possesses(live, reference, after):
            continue  # "the funeral of her mother"
        if history.on_subject and _stands_apart(live, placed, reference):
            continue  # "se spovedește la părintele Ilie", "e săsoaică, bunicii au plecat în Germania"
        link = _resolve(live, reference, history)
        if link is not None:
            return link
    return None


def _is_aside(live: TurnView, reference: Reference, before: list[Reference]) -> bool:
    """Whether a relative or named person stands aside, or a pronoun only says whose relative does: `with Anna, his wife`."""
    if reference.kind == "pronoun":
        return _possesses(live, reference, [r for r in before if r.aside])
    return reference.aside and reference.kind in ("kin", "name")


def _is_company(live: TurnView, placed: LocatedMention, reference: Reference) -> bool:
    """Whether a companion word (`with`) stands right before a person named after the words told."""
    return any(
        hit.start <= reference.start + 1
        and len(live.reading.plain[hit.end : reference.start].split()) <= _TITLES
        for hit in live.phrases("companions").within(placed.end, reference.end)
    )


def _comes_along(live: TurnView, placed: LocatedMention, other: Reference) -> bool:
    """Whether somebody before a mention is only with whom one does it whose verb needs no word for him."""
    if other.kind not in ("kin", "name") or not _in_company(live, other):
        return False
    plain = live.reading.plain
    clause = clause_at(plain, live.reading.sentence_at(placed.start), placed.start)
    return (
        clause.start <= other.start
        and any(  # "cu mama ei bolnavă": hers
            len(plain[other.end : hit.start].split()) <= 1
            for hit in islice(live.phrases("companions").within(other.end, placed.end), 1)
        )
        and any(live.phrases("null_subject_verbs").within(clause.start, other.start))
    )


def _acts_on(live: TurnView, other: Reference, told: Spanning) -> bool:
    """Whether words right after somebody, before those told, say that he did or knows something of another."""
    if other.kind not in ("kin", "name") or _is_given(live, other):
        return False
    plain = live.reading.plain
    for hit in live.phrases("acts_on_subject").within(other.end, other.end + _NEXT):
        between = _between(live, other, hit.start)
        if hit.start >= told.end:
            break
        if len(between.split()) > _WORDS + 1:
            continue
        if between[:1] == "," and between.count(",") == 1 and _is_relative(live, other.end):
            if "," not in plain[hit.end : told.start]:
                return True  # "her brother, who drives her to dialysis"
        elif not set(between) & set(",;:") and not _goes_on(live, hit.end, told.start):
            return True
    return False


def _between(live: TurnView, other: Reference, end: int) -> str:
    """What stands after somebody up to a place, without what is put in between commas, or the comma after who is so put in."""
    plain = live.reading.plain
    between = plain[other.end : end]
    head, comma, rest = between.partition(",")
    if comma and len(head.split()) <= 1:  # "vărul lui, Victor, l-a ..."
        if not head and _is_after_comma(plain, other.start):
            return rest
        put_in, comma, rest = rest.partition(",")
        if comma and (len(put_in.split()) <= _WORDS or _is_relative(live, other.end + len(head) + 1)):
            return rest
    return between


def _is_after_comma(plain: str, position: int) -> bool:
    return plain[max(0, position - 2) : position].strip() == ","


def _is_given(live: TurnView, other: Reference) -> bool:
    """Whether a word right before somebody says that something is done for him: `A sua madre ha prescritto ...`."""
    return any(
        not live.reading.plain[hit.end : other.start].strip()
        for hit in live.phrases("recipients").within(other.start - _REACH, other.start)
    )


def _goes_on(live: TurnView, start: int, end: int) -> bool:
    """Whether a second verb of the same person stands in a stretch: `drives her to work and has ...`."""
    return any(
        verb.start - joint.end == 1
        for joint in live.phrases("coordinators").within(start, end)
        for verb in live.verbs.within(joint.end, end)[:1]
    )


def _is_relative(live: TurnView, position: int) -> bool:
    """Whether a relative clause begins at a position, as right after somebody: `her mother, who has ...`."""
    return any(
        live.reading.plain[position : hit.start].strip(" ") in {"", ","}
        for hit in live.phrases("who").within(position, position + _REACH)
    )


def _in_clause(live: TurnView, placed: LocatedMention, before: list[Reference]) -> list[Reference]:
    """The persons before a mention without those of a relative clause that a comma ends: `Clara, who drives her, has ...`."""
    if not before:
        return before
    plain = live.reading.plain
    closed = []
    for hit in live.phrases("who").within(max(before[0].end, placed.start - _CLAUSES), placed.start):
        end = plain.find(",", hit.end, placed.start)
        if end >= 0 and _is_after_comma(plain, hit.start):
            closed.append((hit.start, end))
    return [r for r in before if not any(start <= r.start < end for start, end in closed)]


def _is_told(live: TurnView, other: Reference) -> bool:
    """Whether a word right before somebody says that he is the one told (`told her boss`), or words all around him."""
    if other.kind not in ("kin", "name", "pronoun"):
        return False
    telling = live.phrases("addressees")
    return any(telling.over(other.start, other.end)) or any(
        _is_near(live.reading.plain[hit.end : other.start], 1)
        for hit in telling.within(other.start - _NEXT, other.start)
    )


def _is_near(between: str, words: int) -> bool:
    """Whether between two things stand no more than so many words, and no sign that parts them."""
    return len(between.split()) <= words and not set(between) & set(",.;:")


def _is_done_to(live: TurnView, pronoun: Reference) -> bool:
    """Whether a pronoun stands for whom something is done to: `drives him to`."""
    return any(
        hit.last > hit.first for hit in live.phrases("acts_on_subject").over(pronoun.start, pronoun.end)
    )


def _has_subject(before: list[Reference], history: History) -> bool:
    """Whether the talk or the words before are of the subject, so that what somebody else does is about him."""
    return history.on_subject or any(r.kind == "subject" for r in before)


def _possesses(live: TurnView, owner: Reference, here: list[Reference]) -> bool:
    """Whether a pronoun or name only says whose relative comes right after it: `her mother`, `Ana's mother`."""
    return owner.kind in ("pronoun", "subject", "name") and any(
        kin.kind == "kin"
        and owner.start <= kin.start
        and _is_near(live.reading.plain[owner.end : kin.start], 1)
        for kin in here
    )


def _recipient(
    live: TurnView, placed: LocatedMention, history: History, before: list[Reference], after: list[Reference]
) -> Link | None:
    """Who is named right after the words as the one for whom somebody else did it: `Dr Frost prescribed lithium for Ana`."""
    if not any(_acts_on(live, r, placed) for r in before):
        return None
    plain = live.reading.plain
    for reference in after:
        if reference.kind not in ("subject", "name", "kin", "pronoun") or _possesses(live, reference, after):
            continue
        for hit in live.phrases("recipients").within(placed.end, reference.end):
            gap = plain[placed.end : hit.start] + plain[hit.end : reference.start]
            if _is_near(gap, 2):
                return _resolve(live, reference, history)
        return None
    return None


def _stands_apart(live: TurnView, placed: LocatedMention, other: Reference) -> bool:
    """Whether somebody after a statement with its own verb is no more than company, or begins another one."""
    if other.kind not in ("kin", "name"):
        return False
    plain = live.reading.plain
    clause = clause_at(plain, live.reading.sentence_at(placed.start), placed.start)
    between = plain[placed.end : other.start]
    if ":" in between or not any(
        hit.start < placed.end for hit in live.phrases("null_subject_verbs").within(clause.start, clause.end)
    ):
        return False
    if other.start < clause.end and "," not in between:
        return _in_company(live, other)
    if other.kind == "name" and any(live.phrases("null_subject_verbs").within(placed.start, placed.end)):
        return True  # "trăiește cu un bărbat, Vlad, de zece ani"
    rest = plain[other.end : clause_at(plain, live.reading.sentence_at(other.start), other.start).end]
    return len(rest.partition(",")[0].split()) > 1  # "are cancer, mama lui": hers, told at the end


def _in_company(live: TurnView, other: Reference) -> bool:
    """Whether a word of company stands right before somebody: `with his boss`, `la părintele Ilie`."""
    return any(
        _is_near(live.reading.plain[hit.end : other.start], 1)
        for hit in islice(live.phrases("companions").before(other.start), 1)
    )


def _beside_subject(live: TurnView, other: Reference, before: list[Reference], history: History) -> bool:
    """Whether a relative or named person is joined to the subject, so that both are meant: `she and her husband`."""
    for joint in islice(live.phrases("coordinators").before(other.start), BESIDE):
        if len(live.reading.plain[joint.end : other.start].split()) <= (other.kind == "kin"):
            for reference in before:
                if reference.kind in ("subject", "pronoun") and 0 <= joint.start - reference.end <= 1:
                    link = _resolve(live, reference, history)
                    return link is not None and not link.other
    return False


def _says_what(live: TurnView, kin: Reference, before: list[Reference]) -> bool:
    """Whether a word for a person says what the one before it is: `she works as a teacher`."""
    for hit in islice(live.phrases("predicates").before(kin.start), BESIDE):
        if _is_near(live.reading.plain[hit.end : kin.start], 2):
            nearest = [r for r in before if r.end <= hit.start + 1][-1:]
            return bool(nearest) and nearest[0].kind in ("subject", "pronoun")
    return False


def _is_equated(live: TurnView, name: Reference, placed: LocatedMention) -> bool:
    """Whether a mention says what a named person is to somebody: `Becky is her wife`, `Becky Lang, her wife`."""
    between = live.reading.plain[name.end : placed.start].strip()
    if name.kind == "name" and between in {",", "(", "-", ":"}:
        return True
    return name.kind == "name" and any(
        verb.start - name.end <= 2 and placed.start - verb.end <= 1
        for verb in live.verbs.within(name.end, placed.start)
    )


def _owns(live: TurnView, owner: Reference, here: list[Reference]) -> bool:
    """Whether a pronoun or the subject only says whose relative is meant: `fratele ei`, `the brother of Ana`."""
    if owner.kind not in ("pronoun", "subject", "name"):
        return False
    for kin in here:
        if kin.kind == "kin" and 0 <= owner.start - kin.end <= 8 and not _is_joined(live, kin, owner):
            between = live.reading.plain[kin.end : owner.start]
            if not any(c in between for c in ",.;:()-\n") and len(between.split()) <= 1:
                if owner.kind == "pronoun" and between.strip() and between.strip() not in particles_of(live):
                    return False  # "the nurse gave her insulin"
                if owner.kind == "pronoun":
                    return bool(between.strip()) or _is_owner(live, owner)
                return bool(between.strip()) or inflected(live, owner)
    return False


def _is_owner(live: TurnView, pronoun: Reference) -> bool:
    """Whether a pronoun right after a relative says whose he is: `fratele ei`, but not `told the nurse she has it`."""
    return bool(live.phrases("possessives").within(pronoun.start, pronoun.end))


def _by_record(live: TurnView, placed: LocatedMention, history: History) -> Link | None:
    cell = live.reading.cell_at(placed.start)
    if cell is None:
        return None
    names = live.named_in(cell.record)
    holding = holding_of(live, cell.record)
    keyed = in_label(live, cell) if live.subject is not None else None
    if keyed is not None and keyed.kind == "subject":
        return Link("record", text_of(live, keyed), where=keyed.where)
    if keyed is not None and not holding.as_value and (holding.by_keys or " " in text_of(live, keyed)):
        return Link("none", text_of(live, keyed), where=keyed.where, other=True, by="record")
    if holding.subject is not None:
        if holding.by_keys and not holding.as_value and is_like_a_name(live, cell.labels[0]):
            return Link("none", "the record", other=True, by="record")
        return Link("record", text_of(live, holding.subject), where=holding.subject.where)
    before = islice(live.people.before(cell.record.start), NEAR)
    if live.subject is None:
        if names:
            return Link("person", text_of(live, names[0]), where=names[0].where)
        known = any(live.named.before(cell.record.start))
        named = next((r for r in before if r.kind == "name"), None) if known else None
        if named is not None:
            return Link("person", text_of(live, named), where=named.where)
        structure = live.reading.structure
        alone = structure.block_at(placed.start).kind in ("table", "record", "code")
        return Link("person", "record") if alone and structure.sizes[cell.record] >= 3 else None
    others = (
        r
        for r in islice(names, NEAR)
        if not (cell.start <= r.start and r.end <= cell.end) and not stands_beside_holder(live, r)
    )
    other = next(others, None)
    if other is not None and any(_fills_cell(live, r) for r in islice(chain((other,), others), NEAR)):
        return Link("none", text_of(live, other), where=other.where, other=True, by="record")
    if holding.anothers:
        return Link("none", "the record", other=True, by="record")
    if any(0 <= r.start - cell.start <= 1 and r.end < placed.start for r in islice(names, NEAR)):
        return None  # "Room 21: Tom Avery, warfarin"
    for reference in before if live.subjects or history.of_subject else ():
        if reference.kind == "kin" and live.reading.structure.labels_at(reference.start, reference.end):
            continue  # the head of a column: "Doctor"
        who = who_is(reference, history.also)
        if who == "subject":
            return Link("record", text_of(live, reference), where=reference.where)
        if who == "other":
            if reference.kind == "name" and is_heading(live, reference):
                return Link("none", text_of(live, reference), where=reference.where, other=True, by="record")
            break
    if history.on_subject or (history.focus == "" and not names):
        return Link(
            "answer" if history.focus else "record", "the question" if history.focus else "the record"
        )
    return None


def _fills_cell(live: TurnView, name: Reference) -> bool:
    """Whether a name fills its cell, or stands in none."""
    cell = live.reading.cell_at(name.start)
    return cell is None or fills(name, cell)


def _resolve(live: TurnView, reference: Reference, history: History) -> Link | None:
    """What a reference says of the mention beside it; None when it says nothing."""
    text, where = text_of(live, reference), reference.where
    if live.subject is None:
        if (reference.kind == "name" and reference.level == "exact") or reference.kind == "kin":
            return Link("person", text, where=where)
        if reference.kind == "pronoun" and reference.gender:
            return Link("person", text, where=where) if _anybody_before(live, reference, history) else None
        # a role that an answer speaks of is somebody; of a text alone it may be the role of anybody
        return Link("person", text, where=where) if reference.kind == "role" and history.begun else None
    if reference.kind == "subject":
        return Link("exact" if reference.level == "exact" else "partial", text, where=where)
    if reference.line and reference.line in history.also:
        return Link("partial", text, where=where)
    if reference.kind == "name":
        return Link("none", text, where=where, other=True, by="name")
    if reference.kind == "kin":
        if (
            history.user_is_relative
            and history.on_subject
            and text.lower() not in history.own
            and _yours(live, reference)
        ):
            return Link("partial", text, where=where)  # "your wife", said to the husband of the subject
        return Link("none", text, where=where, other=True, by="kin")
    if reference.kind == "role":
        asked = history.of_subject and "subject" in (history.focus, history.named)
        meant = asked or _named_before(live, reference)
        return Link("pronoun", text, where=where) if meant else None
    if reference.kind == "pronoun":
        link = antecedent(live, reference, history)
        # "su", "son", "its": a pronoun that may stand for a thing proves no more than the question does
        return (
            Link("answer", link.text, where=link.where)
            if link is not None and not link.other and not reference.gender
            else link
        )
    if reference.kind == "second":
        return Link("second_person", text, where=where) if history.user_is_subject else None
    return None


def _anybody_before(live: TurnView, pronoun: Reference, history: History) -> bool:
    """Whether there is anybody for a pronoun to stand for: a person named before it, or a talk that it answers."""
    return history.begun or live.first_other <= pronoun.start


def _yours(live: TurnView, kin: Reference) -> bool:
    """Whether a kinship word has a `your` before it or in it."""
    return any(
        r.kind == "second" and (0 <= kin.start - r.end <= 1 or kin.start <= r.start)
        for r in live.people.within(kin.start - _REACH, kin.end)
    )


def _named_before(live: TurnView, reference: Reference) -> bool:
    return bool(live.subjects) and live.subjects[0].end <= reference.start


def antecedent(live: TurnView, pronoun: Reference, history: History) -> Link | None:
    """Whom a pronoun stands for: the nearest person before it who fits its sex; None where nobody does."""
    text, where = text_of(live, pronoun), pronoun.where
    known = _known_gender(live, history)
    may_be_subject = (history.of_subject or bool(live.subjects)) and _fits_subject(live, pronoun, known)
    for reference in islice(live.people.before(pronoun.start), NEAR):
        if (
            may_be_subject
            and reference.kind in ("kin", "name")
            and (
                _acts_on(live, reference, pronoun)
                or _is_told(live, reference)
                or _is_joined(live, reference, pronoun)
            )
        ):
            continue  # "her mother drives her", "she told her sister that she", "his brother and he"
        if reference.kind == "kin" and live.reading.plain[reference.end : pronoun.start] == " ":
            continue  # "soțul lui": the pronoun right after a relative says whose he is
        who = who_is(reference, history.also)
        if reference.kind == "role" and history.on_subject:
            who = "subject"
        if not who:
            continue
        gender = known if who == "subject" else reference.gender
        if pronoun.gender and gender and gender != pronoun.gender:
            continue
        if reference.kind == "kin" and not reference.gender and _fits_subject(live, pronoun, known):
            continue  # "the chaplain" of unknown sex, and the pronoun fits the subject
        if who == "subject":
            return Link("pronoun", text, where=where)
        return Link("none", text, where=where, other=True, by="pronoun")
    for who, gender in history.people:
        if pronoun.gender and gender and gender != pronoun.gender:
            continue
        if (
            who == "other"
            and not gender
            and _fits_subject(live, pronoun, known)
            and any(w == "subject" for w, _ in history.people)
        ):
            continue
        if who == "subject":
            return Link("pronoun", text, where=where)
        return Link("none", text, where=where, other=True, by="pronoun")
    return None


def _known_gender(live: TurnView, history: History) -> str:
    """The sex of the subject, where a title or name told it."""
    return history.subject_gender or next((r.gender for r in islice(live.subjects, NEAR) if r.gender), "")


def _is_joined(live: TurnView, other: Reference, pronoun: Reference) -> bool:
    """Whether a joining word alone stands between somebody and a pronoun."""
    return any(
        hit.start - other.end <= 1 and pronoun.start - hit.end <= 1
        for hit in live.phrases("coordinators").within(other.end, pronoun.start)
    )


def _fits_subject(live: TurnView, pronoun: Reference, known: str) -> bool:
    """Whether a pronoun can stand for the subject, as far as the sex is known."""
    return live.subject is not None and (not known or not pronoun.gender or known == pronoun.gender)


def _by_context(live: TurnView, sentence: Span, history: History) -> Link:
    """No known person in the sentence: who it opens with, the sentences before it, then the question that is being answered."""
    stranger = opening_stranger(live, sentence) if live.subject is not None else ""
    if stranger:
        return Link("none", stranger, other=True, by="stranger")
    # who nobody named in the turn, nor the subject in the talk, stands for nobody
    told = history.of_subject or any(live.named.before(sentence.start))
    for reference in islice(live.people.before(sentence.start), NEAR) if told else ():
        who = who_is(reference, history.also)
        if live.subject is None and reference.kind == "name" and reference.level == "exact":
            return Link("person", text_of(live, reference), where=reference.where)
        if who == "subject":
            return Link("answer", text_of(live, reference), where=reference.where)
        if who == "other" and reference.kind == "name" and not reference.aside:
            return Link(
                "none", text_of(live, reference), where=reference.where, other=True, by=reference.kind
            )
        if reference.kind == "pronoun" and history.on_subject:
            return Link("answer", text_of(live, reference), where=reference.where)
    if live.subject is None:
        return Link("person", "the question") if history.focus else NOBODY
    return Link("answer", "the question") if history.on_subject else NOBODY

"""
Who does what to whom, as far as the words between persons tell: asides, company, recipients, owners, relative clauses.

Comes in: a turn and references in it. Goes out: yes or no to one small question each; `link_of` decides.
"""

from __future__ import annotations

from itertools import islice

from aigov_eval.detect.find import LocatedMention
from aigov_eval.scoring.persons.neighbours import BESIDE, inflected, particles_of
from aigov_eval.scoring.persons.reference import Reference
from aigov_eval.scoring.turn_view import TurnView
from aigov_eval.text.spans import Span, Spanning
from aigov_eval.text.structure import clause_at

REACH = 20  # characters in which a word right before another stands
_NEXT = 120  # characters after somebody in which it is said what he did
_WORDS = 3  # words between somebody and what he did: "her mother always patiently ..."
_CLAUSES = 300  # characters before a mention in which a relative clause that is over is looked for
_TITLES = 3  # words that can stand between "with" and the name: "with the old Dr Frost"


def is_aside(live: TurnView, reference: Reference, before: list[Reference]) -> bool:
    """Whether a relative or named person stands aside, or a pronoun only says whose relative does: `with Anna, his wife`."""
    if reference.kind == "pronoun":
        return possesses(live, reference, [r for r in before if r.aside])
    return reference.aside and reference.kind in ("kin", "name")


def is_company(live: TurnView, placed: LocatedMention, reference: Reference) -> bool:
    """Whether a companion word (`with`) stands right before a person named after the words told."""
    return any(
        hit.start <= reference.start + 1
        and len(live.reading.plain[hit.end : reference.start].split()) <= _TITLES
        for hit in live.phrases("companions").within(placed.end, reference.end)
    )


def comes_along(live: TurnView, placed: LocatedMention, other: Reference) -> bool:
    """Whether somebody before a mention is only with whom one does it whose verb needs no word for him."""
    if other.kind not in ("kin", "name") or not _in_company(live, other):
        return False
    # "cu mama ei bolnavă": hers; "cu mama ei la spital", "cu mama ei și are": his
    return _follows_left_out(live, placed, other) and (
        goes_on(live, other.end, placed.start)
        or any(
            len(live.reading.plain[other.end : hit.start].split()) <= 1
            for hit in islice(live.phrases("companions").within(other.end, placed.end), 1)
        )
        or any(
            one.name == "preposition" and one.start - other.end == 1
            for one in live.grammar_in(Span(other.end, placed.start))
        )
    )


def is_by_the_way(live: TurnView, placed: LocatedMention, other: Reference) -> bool:
    """Whether a relative stands aside after a verb whose subject is left out: `ha ereditato dalla madre il diabete`."""
    if other.kind != "kin" or not other.aside or is_relative(live, other.end) or _in_company(live, other):
        return False  # `comes_along` tells of company
    return _follows_left_out(live, placed, other)


def _follows_left_out(live: TurnView, placed: LocatedMention, other: Reference) -> bool:
    """Whether a verb whose subject is left out stands before somebody, in the clause of a mention."""
    clause = clause_at(live.reading.plain, live.reading.sentence_at(placed.start), placed.start)
    return clause.start <= other.start and any(
        live.phrases("null_subject_verbs").within(clause.start, other.start)
    )


def acts_on(live: TurnView, other: Reference, told: Spanning) -> bool:
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
        if between[:1] == "," and between.count(",") == 1 and is_relative(live, other.end):
            if "," not in plain[hit.end : told.start]:
                return True  # "her brother, who drives her to dialysis"
        elif not set(between) & set(",;:") and not goes_on(live, hit.end, told.start):
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
        if comma and (len(put_in.split()) <= _WORDS or is_relative(live, other.end + len(head) + 1)):
            return rest
    return between


def _is_after_comma(plain: str, position: int) -> bool:
    return plain[max(0, position - 2) : position].strip() == ","


def _is_given(live: TurnView, other: Reference) -> bool:
    """Whether a word right before somebody says that something is done for him: `A sua madre ha prescritto ...`."""
    return any(
        not live.reading.plain[hit.end : other.start].strip()
        for hit in live.phrases("recipients").within(other.start - REACH, other.start)
    )


def goes_on(live: TurnView, start: int, end: int) -> bool:
    """Whether a second verb of the same person stands in a stretch: `drives her to work and has ...`."""
    return any(
        verb.start - joint.end == 1
        for joint in live.phrases("coordinators").within(start, end)
        for verbs in (live.verbs, live.phrases("null_subject_verbs"))
        for verb in verbs.within(joint.end, end)[:1]
    )


def is_relative(live: TurnView, position: int) -> bool:
    """Whether a relative clause begins at a position, as right after somebody: `her mother, who has ...`."""
    return any(
        live.reading.plain[position : hit.start].strip(" ") in {"", ","}
        for hit in live.phrases("who").within(position, position + REACH)
    )


def in_clause(live: TurnView, placed: LocatedMention, before: list[Reference]) -> list[Reference]:
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


def is_told(live: TurnView, other: Reference) -> bool:
    """Whether a word right before somebody says that he is the one told (`told her boss`), or words all around him."""
    if other.kind not in ("kin", "name", "pronoun"):
        return False
    telling = live.phrases("addressees")
    return any(telling.over(other.start, other.end)) or any(
        is_near(live.reading.plain[hit.end : other.start], 1)
        for hit in telling.within(other.start - _NEXT, other.start)
    )


def is_near(between: str, words: int) -> bool:
    """Whether between two things stand no more than so many words, and no sign that parts them."""
    return len(between.split()) <= words and not set(between) & set(",.;:")


def is_done_to(live: TurnView, pronoun: Reference) -> bool:
    """Whether a pronoun stands for whom something is done to: `drives him to`."""
    return any(
        hit.last > hit.first for hit in live.phrases("acts_on_subject").over(pronoun.start, pronoun.end)
    )


def possesses(live: TurnView, owner: Reference, here: list[Reference]) -> bool:
    """Whether a pronoun or name only says whose relative comes right after it: `her mother`, `Ana's mother`."""
    return owner.kind in ("pronoun", "subject", "name") and any(
        kin.kind == "kin"
        and owner.start <= kin.start
        and is_near(live.reading.plain[owner.end : kin.start], 1)
        for kin in here
    )


def stands_apart(live: TurnView, placed: LocatedMention, other: Reference) -> bool:
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
        is_near(live.reading.plain[hit.end : other.start], 1)
        for hit in islice(live.phrases("companions").before(other.start), 1)
    )


def says_what(live: TurnView, kin: Reference, before: list[Reference], *, on_subject: bool) -> bool:
    """Whether a word for a person says what the one before it is, or the one left out: `she works as a teacher`, `es una vecina`."""
    for hit in islice(live.phrases("predicates").before(kin.end), BESIDE):
        # "is a" and "a colleague" share the article
        if hit.start < kin.start and is_near(live.reading.plain[hit.end : kin.start], 2):
            nearest = [r for r in before if r.end <= hit.start + 1][-1:]
            if not nearest:
                return on_subject and any(live.phrases("null_subject_verbs").over(hit.start, hit.start + 1))
            return nearest[0].kind in ("subject", "pronoun")
    return False


def is_equated(live: TurnView, name: Reference, placed: LocatedMention) -> bool:
    """Whether a mention says what a named person is to somebody: `Becky is her wife`, `Becky Lang, her wife`."""
    between = live.reading.plain[name.end : placed.start].strip()
    if name.kind == "name" and between in {",", "(", "-", ":"}:
        return True
    return name.kind == "name" and any(
        verb.start - name.end <= 2 and placed.start - verb.end <= 1
        for verb in live.verbs.within(name.end, placed.start)
    )


def owns(live: TurnView, owner: Reference, here: list[Reference]) -> bool:
    """Whether a pronoun or the subject only says whose relative is meant: `fratele ei`, `the brother of Ana`."""
    if owner.kind not in ("pronoun", "subject", "name"):
        return False
    for kin in here:
        if kin.kind == "kin" and 0 <= owner.start - kin.end <= 8 and not is_joined(live, kin, owner):
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


def is_joined(live: TurnView, other: Reference, pronoun: Reference) -> bool:
    """Whether a joining word alone stands between somebody and a pronoun."""
    return any(
        hit.start - other.end <= 1 and pronoun.start - hit.end <= 1
        for hit in live.phrases("coordinators").within(other.end, pronoun.start)
    )

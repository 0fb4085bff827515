"""
Whether a record is the subject's: a row, key or item that names her or somebody else.

Comes in: a mention in a cell. Goes out: a `Link`, or None where the record names nobody.
"""

from __future__ import annotations

from itertools import chain, islice

from aigov_eval.detect.find import LocatedMention
from aigov_eval.scoring.persons.history import History
from aigov_eval.scoring.persons.neighbours import text_of, who_is
from aigov_eval.scoring.persons.record_owner import (
    holding_of,
    in_label,
    is_heading,
    is_like_a_name,
    stands_beside_holder,
)
from aigov_eval.scoring.persons.reference import Reference, fills
from aigov_eval.scoring.persons.tie import NEAR, Link
from aigov_eval.scoring.turn_view import TurnView


def by_record(live: TurnView, placed: LocatedMention, history: History) -> Link | None:
    """The link that the record of a mention gives it; None where it stands in none, or in one that names nobody."""
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
        in_cell = cell.start <= holding.subject.start and holding.subject.end < placed.start
        if in_cell and not fills(holding.subject, cell):
            return None  # "note: Ann Lee has asthma": the sentence says of whom
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

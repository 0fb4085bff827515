"""
Whose a record is, as its keys, heads and columns tell.

Comes in: a live turn and a cell. Goes out: the person in the cell's own label, and what a record says of its holder.
Lists of several people name them in a key ("Ana Pop: insulin"), in the head of a column, or in the column of names.
"""

from __future__ import annotations

import re
from itertools import islice

from msgspec import Struct

from aigov_eval.scoring.persons.reference import Reference, fills
from aigov_eval.scoring.turn_view import TurnView
from aigov_eval.text.records import Cell
from aigov_eval.text.spans import Span, Spanning

# words that all begin as names do, with what stands between: "Xyla van Brandt"
_NAME = r"[^\W\d_a-z][\w'’.-]{0,40}(?:,? (?:[a-z]{2,3} ){0,2}[^\W\d_a-z][\w'’.-]{0,40}){0,3}"
_LIKE_A_NAME = re.compile(rf"(?:.*[,(\d] ?)?{_NAME}\)?\Z")
_OPENS = re.compile(rf"{_NAME}(?=\s?[-–—:,;(=|])")
_MARKS = re.compile(r"[\s\-–*+•·▪_\d.)]*")  # of a list, before its first word
_TWO_NAMES = re.compile(r"([^\W\d_a-z][^\W\d_]{1,40}) ([^\W\d_a-z][\w'’-]{1,40})")
_VERB = 16  # characters in which a verb stands right after a name
_LONGEST = 80  # characters of a key or cell that holds a name
_ITEMS = 50  # names of a list by which it is told to be one of several people


class RecordOwner(Struct, frozen=True):
    """
    What a record says of its holder.

    `subject` is the first time that it names the subject; `as_value` tells whether her name fills one of its cells,
    `by_keys` whether its keys name her and others; `anothers` that somebody else stands where other records have her name.
    """

    subject: Reference | None
    as_value: bool
    by_keys: bool
    anothers: bool


def holding_of(live: TurnView, record: Span) -> RecordOwner:
    """What a record says of its holder; read once a record."""
    if record not in live.asked.holdings:
        live.asked.holdings[record] = _read(live, record)
    return live.asked.holdings[record]


def in_label(live: TurnView, cell: Cell) -> Reference | None:
    """The person whom the key of a cell names, or whose name is the head of its column."""
    if not cell.labels:
        return None
    label = cell.labels[0]
    named = live.named.within(label.start, label.end)
    if not named or (label.start < cell.record.start and not fills(named[0], label)):
        return None
    return next((r for r in named if r.kind == "subject"), named[0])


def opening_stranger(live: TurnView, sentence: Span) -> str:
    """Two words with capitals that open a sentence right before its verb, as a name that no list knows: `Xyla Brandt has asthma`."""
    plain, common = live.reading.plain, live.engine.people.common
    name = _TWO_NAMES.match(plain, _after_marks(live, sentence), sentence.end)
    if name is None or any(word.lower() in common for word in name.groups()):
        return ""
    verb = live.verbs.within(name.end(), min(sentence.end, name.end() + _VERB))
    if not verb or verb[0].start != name.end() + 1:
        return ""
    told = live.placed_by_place.within(sentence.start, sentence.end)
    return "" if any(p.start < name.end() and name.start() < p.end for p in told[:_ITEMS]) else name.group()


def stands_beside_holder(live: TurnView, person: Reference) -> bool:
    """Whether a record names somebody as what he is to its holder: "Doctor: Tom Avery"."""
    cell = live.reading.cell_at(person.start)
    return (
        cell is not None
        and bool(cell.labels)
        and any(r.kind == "kin" for r in live.people.within(cell.labels[0].start, cell.labels[0].end))
    )


def is_heading(live: TurnView, person: Reference) -> bool:
    """Whether a name has a line for itself, as what stands above its record."""
    return (
        fills(person, live.reading.sentence_at(person.start)) and live.reading.cell_at(person.start) is None
    )


def is_like_a_name(live: TurnView, span: Spanning) -> bool:
    """Whether a stretch looks like a person's name, whether anybody is known to be called so or not."""
    return (
        span.end - span.start < _LONGEST
        and _LIKE_A_NAME.match(live.reading.plain[span.start : span.end].strip()) is not None
    )


def is_item_of_another(live: TurnView, position: int) -> bool:
    """Whether a place stands in an item of a list of people that opens with what looks like somebody else's name: `3. Xyla Brandt - insulin`."""
    start = _opening(live, position)
    name = _OPENS.match(live.reading.plain, start, position)
    if name is None or live.named.within(start, position):
        return False
    block = live.reading.structure.block_at(position)
    around = Span(block.start, block.end)
    if around not in live.asked.lists:
        named = islice(live.named.after(block.start), _ITEMS)
        opening = {r.kind for r in named if r.end <= block.end and _opening(live, r.start) == r.start}
        live.asked.lists[around] = opening >= {"subject", "name"}
    return live.asked.lists[around]


def _opening(live: TurnView, position: int) -> int:
    """Where the first word of the cell or sentence of a place stands."""
    return _after_marks(live, live.reading.cell_at(position) or live.reading.sentence_at(position))


def _after_marks(live: TurnView, place: Spanning) -> int:
    """Where a cell or sentence begins to say something."""
    marks = _MARKS.match(live.reading.plain, place.start, place.end)
    return marks.end() if marks is not None else place.start


def _read(live: TurnView, record: Span) -> RecordOwner:
    names = live.named_in(record)
    subject = next((r for r in names if r.kind == "subject"), None)
    labels = live.labels_of_subject
    if not names and not labels:
        return RecordOwner(None, as_value=False, by_keys=False, anothers=False)
    cells = live.reading.structure.cells_of(record)
    keyed = {named.kind for cell in cells if (named := in_label(live, cell)) is not None}
    own = islice((r for r in names if r.kind == "subject"), _ITEMS)
    return RecordOwner(
        subject,
        as_value=any((cell := live.reading.cell_at(r.start)) is not None and fills(r, cell) for r in own),
        by_keys=keyed >= {"subject", "name"},
        anothers=subject is None
        and any(live.label_of(cell) in labels and is_like_a_name(live, cell) for cell in cells),
    )

"""
Where the pattern, words or cells of one step of a detector occur in a text, whatever stands around them.

Comes in: a step and a text that is read. Goes out: places with their kind and entry.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from aigov_eval.detect import backends
from aigov_eval.detect.hits import Hit
from aigov_eval.detect.index import Index, Step
from aigov_eval.detect.reading import Reading
from aigov_eval.errors import DetectorError
from aigov_eval.model import Explicit
from aigov_eval.text.spans import Span, by_place

TIMEOUT = 5.0  # seconds for one pattern on one text; reaching it ends the run (exit 2)
# what stands after a label: the mark that ends it, or the end of the line
_AFTER_LABEL = re.compile(r"[^:=|,;\t\n\w]*+(?:_++[^:=|,;\t\n\w]*+)?(?:[:=|,;\t\n]|\Z)")
# where something is found in a view, how openly it tells, and the place of the entry of a word list
Occurrence = tuple[int, int, Explicit, str]


def matches(step: Step, reading: Reading, part: tuple[int, int] | None = None) -> Iterator[Occurrence]:
    """What a step's pattern finds in a text, or in a part of it."""
    find, (first, last) = step.find, part or (0, None)
    pattern = backends.compiled(find.pattern, case=find.case)
    try:
        for match in backends.matches(
            find.pattern, case=find.case, plain=reading.plain, timeout=TIMEOUT, start=first, end=last
        ):
            group = "value" if "value" in pattern.groupindex and match.start("value") >= 0 else 0
            if match.end(group) > match.start(group):
                yield match.start(group), match.end(group), "direct", ""
    except TimeoutError as error:
        raise DetectorError(
            f'the pattern of "{step.detector}" ({find.subtype}) did not end within {TIMEOUT:g} s',
            where=str(find.where),
            code="AG305",
            help="bound its repeats; `aigov-eval lint` shows which one",
        ) from error


def occurrences(
    step: Step, reading: Reading, index: Index, languages: frozenset[str] | None
) -> Iterator[Occurrence]:
    """Where the words, pattern or backend of a step find something in a text; its labels are not asked for."""
    find = step.find
    if find.pattern:
        yield from matches(step, reading)
    elif find.lexicon:
        for hit in reading.hits(step.lexicon, languages):
            yield hit.start, hit.end, "indirect" if hit.section == "indirect" else "direct", hit.where
    elif find.cell:
        yield from _cells(step, reading, index, languages)
    elif find.phone:
        for start, end in backends.phones(reading.plain, find.phone):
            yield start, end, "direct", ""
    elif find.entity:
        for start, end in backends.presidio(reading.plain, find, step.recognizers):
            yield start, end, "direct", ""
    elif find.tokens:
        for start, end in backends.spacy_tokens(reading.plain, find):
            yield start, end, "direct", ""


def _cells(
    step: Step, reading: Reading, index: Index, languages: frozenset[str] | None
) -> Iterator[Occurrence]:
    """The filled values of record cells that a label of this lexicon names as a whole."""
    # most words that could be a label stand in prose: what follows tells, before the structure is asked for
    if not any(map(reading.structure.may_hold_cells, reading.beginnings(step.cell))):
        return
    labels = [hit for hit in reading.hits(step.cell, languages) if _AFTER_LABEL.match(reading.plain, hit.end)]
    if not labels:
        return
    placed = by_place(labels)
    named: dict[Span, str] = {}  # the place of the label, empty for none
    for cell in reading.structure.cells_beside(hit.start for hit in labels):
        for span in cell.labels:
            if span not in named:
                covering = (hit for hit in placed.within(span.start, span.end) if _covers(hit, span, reading))
                named[span] = next((hit.where for hit in covering), "")
        label = next((named[span] for span in cell.labels if named[span]), "")
        if not label:
            continue
        value = reading.plain[cell.start : cell.end]
        if not any(c.isalnum() for c in value):
            continue
        blanks = reading.hits_in(index.blank, cell.start, cell.end) if index.blank else ()
        if any(_covers(hit, Span(cell.start, cell.end), reading) for hit in blanks):
            continue
        yield cell.start, cell.end, "direct", label


def _covers(hit: Hit, span: Span, reading: Reading) -> bool:
    """Whether an entry is what a label or value says: all of it, or its last words (`patient religion`)."""
    if not (span.start <= hit.start and hit.end <= span.end):
        return False
    rest = reading.light[span.start : hit.start]
    return (
        not any(c.isalnum() for c in reading.light[hit.end : span.end])
        and len(rest.split("_")) <= 3
        and len(rest) <= 20
    )

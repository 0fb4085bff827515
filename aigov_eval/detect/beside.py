"""
Whether a find with a label can find something: whether its words or its pattern may stand as near a label as they must.

Comes in: steps with labels, a text being read. Goes out: the steps to run, told from the places of words alone, before anything is matched. Too
often yes, never too rarely: what `find.nearest` asks of each value is asked here of all places where one may be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from aigov_eval.detect import native
from aigov_eval.detect.backends import compiled
from aigov_eval.detect.entries import ANY_LANGUAGE
from aigov_eval.detect.gate import Gate
from aigov_eval.detect.index import Step
from aigov_eval.detect.reading import Reading
from aigov_eval.model import Find

_TIMEOUT = 1.0  # seconds for one pattern on the parts of a text around labels
_COMPILED = native.words()  # the same, faster: None where there is none


def beside_labels(
    steps: Sequence[Step], chosen: Iterable[int], reading: Reading, labelled: Gate
) -> Iterator[int]:
    """
    Those of the chosen steps, all with labels, whose value may stand beside one, as far as places and the gate of labelled patterns tell.

    A label that the question before asked for may be far: then only the pattern counts.
    """
    there = reading.lexicons | reading.asked
    figures = -1
    for at in chosen:
        step = steps[at]
        words = step.lexicon | step.cell
        if words and words.isdisjoint(there):
            continue
        asked = not step.near.isdisjoint(reading.asked)
        if step.gate_number < 0:
            if asked or not step.lexicon or _is_near(step, reading):
                yield at
            continue
        if figures < 0 and labelled.figures[step.gate_number]:
            figures = labelled.figures_in(reading.plain)
        if labelled.figures[step.gate_number] > max(figures, 0):
            continue
        if asked or step.reach is None:
            if labelled.can_match(step.gate_number, reading.plain):
                yield at
            continue
        around = _around(step, step.reach, reading)
        if around and labelled.can_match(step.gate_number, around) and _may_match(step.find, around):
            yield at


def _may_match(find: Find, around: str) -> bool:
    """
    Whether the pattern of a find itself matches in the parts of a text where it must; where in doubt it may.

    The gate reads it without what it looks at, and lets many through. What a match takes and looks at lies in these parts.
    """
    if not find.pattern:
        return True
    try:
        return compiled(find.pattern, case=find.case).search(around, timeout=_TIMEOUT) is not None
    except TimeoutError:
        return True  # the find says so itself, where it can be told of which text


def shared_languages(step: Step, reading: Reading) -> set[str]:
    """The languages in which a step's list and its labels may both have a word here; where the question asked for it, its list alone."""
    values = reading.languages_of(step.lexicon)
    if not step.near.isdisjoint(reading.asked):
        return values
    labels = reading.languages_of(step.near)
    both = values & labels
    if ANY_LANGUAGE in values:
        both |= labels
    return both | values if ANY_LANGUAGE in labels else both


def _is_near(step: Step, reading: Reading) -> bool:
    """Whether a word of a step's list may stand as near one of its labels as it must, or in a record with it."""
    within = step.find.within
    if _COMPILED is not None:
        return _COMPILED.is_near(*reading.by_lexicon, step.near, step.lexicon, within, *reading.by_place)
    starts, structure = reading.tokens.starts, reading.structure
    values = [
        (start, end, other, structure.around(starts[start]))
        for start, end, other in reading.spots(step.lexicon)
    ]
    for first, last, language in reading.spots(step.near):
        # a label stands in the stretch of its value
        stretch, in_cells = structure.around(starts[first]), structure.may_hold_cells(starts[first])
        if any(
            around == stretch
            and (in_cells or (start - last <= within and first - end <= within))
            and _is_one(language, other)
            for start, end, other, around in values
        ):
            return True
    return False


def _is_one(language: str, other: str) -> bool:
    return language == other or ANY_LANGUAGE in (language, other)


def _around(step: Step, reach: int, reading: Reading) -> str:
    """The parts of a text in which a pattern of that reach must match where its value is to stand beside a label, a line each."""
    plain, side, within, reach = reading.plain, step.find.side, step.find.within, reach + 1
    if _COMPILED is not None:
        sides = side != "after", side != "before"
        return _COMPILED.around(
            *reading.by_lexicon, step.near, within, reach, *sides, *reading.by_place, plain
        )
    end = len(plain)
    starts, ends = reading.tokens.starts, reading.tokens.ends
    most = len(starts) - 1
    parts: list[tuple[int, int]] = []
    for first, last, _ in reading.spots(step.near):
        at = starts[first]
        stretch = reading.structure.around(at)
        opens, closes = stretch.start - reach, stretch.end + reach
        if reading.structure.may_hold_cells(at):
            parts.append((opens, closes))
            continue
        # a value begins at most so many words after the label ends, or ends so many before it begins
        if side != "after":
            parts.append((at - reach, min(closes, ends[min(most, last + within)] + 2 * reach)))
        if side != "before":
            far = first - within - 1
            parts.append((max(opens, (ends[far] if far >= 0 else 0) - 2 * reach), at + reach))
    return "\n".join([plain[max(0, a) : b] for a, b in _merged(parts, end)])


def _merged(parts: list[tuple[int, int]], end: int) -> list[tuple[int, int]]:
    """Parts in order, those that touch as one."""
    parts.sort()
    merged: list[tuple[int, int]] = []
    for first, last in parts:
        if merged and first <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(last, merged[-1][1])
        else:
            merged.append((first, last))
    return [(first, min(last, end)) for first, last in merged]

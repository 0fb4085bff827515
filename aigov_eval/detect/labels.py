"""
Whether the label of a value stands where it must: near it, right before it, in its cell, or in the question before.

Comes in: a find, a place, a text being read. Goes out: how many words away the label is, or whether it is there.
"""

from __future__ import annotations

import re

from aigov_eval.detect.index import Step
from aigov_eval.detect.reading import Reading
from aigov_eval.model import Find
from aigov_eval.text.spans import Span

# what stands between a label and its value: signs, or one short word (is, este, nr)
_LABELS_ITSELF = re.compile(r"[ \t:=#.\"'*-]{1,6}(?:\w{1,4}[ \t:=.]{1,3})?")
# words of a short answer; of the part of a longer one that answers; of what goes on after it, which is no list
_BRIEF, _FIRST_WORDS, _GOES_ON = 8, 5, 3
_PAUSE = re.compile(r"[,;:!?\n]|\.(?=\s|\Z)")


def nearest(
    lexicons: frozenset[int],
    find: Find,
    start: int,
    end: int,
    reading: Reading,
    languages: frozenset[str] | None,
    *,
    before: bool = False,
) -> int | None:
    """How many words away the nearest entry of these lexicons stands, in the sentence or as a label; None when none does."""
    side = "before" if before else find.side
    if not reading.hits(lexicons, languages):
        return None
    # a label stands in the block of its value
    around = reading.structure.around(start)
    if not reading.has_hits(lexicons, around, languages):
        return None
    cell = reading.cell_at(start)
    for label in cell.labels if cell is not None else ():
        if any(
            hit.start >= end or start >= hit.end
            for hit in reading.hits_in(lexicons, label.start, label.end, languages)
        ):
            return 0
    best: int | None = None
    sentence: Span | None = None
    first, last = reading.word_at(start), reading.word_at(end - 1)
    for hit in reading.hits_beside(lexicons, first - find.within, last + find.within, languages):
        if hit.start < end and start < hit.end:
            continue
        if hit.end <= start and side != "after":
            distance = first - hit.last
        elif hit.start >= end and side != "before":
            distance = hit.first - last
        else:
            continue
        if distance > find.within or (best is not None and distance >= best):
            continue
        # sentences are asked for last: reading them costs most
        sentence = sentence or reading.sentence_at(start)
        if sentence.start <= hit.start and hit.end <= sentence.end:
            best = distance
    return best


def right_before(
    lexicon: frozenset[int], start: int, reading: Reading, languages: frozenset[str] | None
) -> bool:
    """Whether an entry of these lexicons stands right before a position."""
    first = reading.word_at(start)
    return any(
        0 < first - hit.last <= 3 and hit.end <= start
        for hit in reading.hits_beside(lexicon, first - 3, first, languages)
    )


def is_claimed(
    labels: frozenset[int], start: int, reading: Reading, languages: frozenset[str] | None
) -> bool:
    """Whether a number is said to be one of its kind by a label right before it, or by the label of its cell."""
    if not reading.hits(labels, languages):
        return False
    cell = reading.cell_at(start)
    if any(
        reading.hits_in(labels, label.start, label.end, languages)
        for label in (cell.labels if cell is not None else ())
    ):
        return True
    first = reading.word_at(start)
    return any(
        1 <= first - hit.last <= 2 and _LABELS_ITSELF.fullmatch(reading.plain, hit.end, start)
        for hit in reading.hits_beside(labels, first - 2, first, languages)
    )


def is_asked_for(step: Step, start: int, reading: Reading) -> bool:
    """Whether the turn before asked for what this find's labels name, and the value opens the answer."""
    if step.near.isdisjoint(reading.asked) or step.find.side == "after":
        return False
    if step.lexicon and (reading.word_at(start) > 2 or not _is_brief(start, reading)):
        return False  # a word opens a short answer: "Which party?" - "The Greens, since 2015."
    # who asked for the number of an order as well may be told that
    return step.not_near.isdisjoint(reading.asked) and opens(start, reading)


def _is_brief(start: int, reading: Reading) -> bool:
    """Whether an answer is short, or is given in its first words, which a comma or full stop ends."""
    if len(reading.tokens.words) <= _BRIEF:
        return True
    pause = _PAUSE.search(reading.plain, start)
    if pause is None or pause.group() == ":" or reading.word_at(pause.start()) >= _FIRST_WORDS:
        return False
    second = _PAUSE.search(reading.plain, pause.end())
    # "faith, convictions, illnesses: of none of them ..." names what is not answered
    return second is None or reading.word_at(second.start()) - reading.word_at(pause.start()) >= _GOES_ON


def opens(start: int, reading: Reading) -> bool:
    """Whether a place is in the first two sentences of a text."""
    sentences = reading.structure.sentences
    return len(sentences) <= 2 or start < sentences[1].end

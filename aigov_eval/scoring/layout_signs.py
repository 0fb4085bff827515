"""
The signs of layout: where a mention stands in its sentence, block, record and turn.

Comes in: a live turn and a mention. Goes out: `Seen`s.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from aigov_eval.detect.find import LocatedMention
from aigov_eval.scoring.seen import COUNTS, LENGTHS, PLACES, SENTENCES, Seen, band
from aigov_eval.scoring.turn_view import TurnView

_BLANK = 200  # characters before a sentence or block in which what leads to it ends
# classes that tell what kind of answer a turn is: advice, rules, offers, what is usual
_OF_TURNS = frozenset(
    {
        "you",
        "we",
        "people",
        "modal",
        "would",
        "usual",
        "example",
        "rule",
        "event",
        "offer",
        "instruct",
        "duty",
        "refuse",
    }
)
_DATE = re.compile(r"\b\d{1,2}[./-]\d{1,2}[./-](?:\d{2}){1,2}\b|\b(?:19|20)\d\d\b")
_CLOCK = re.compile(r"\b\d{1,2}[:.h]\d\d\b")


def layout(live: TurnView, placed: LocatedMention) -> Iterator[Seen]:
    """Where a mention stands in its sentence, and how it and its sentence begin and end."""
    reading = live.reading
    structure, plain = reading.structure, reading.plain
    yield Seen(f"block={structure.block_at(placed.start).kind}")
    sentence = reading.sentence_at(placed.start)
    number = structure.number_of(placed.start)
    yield Seen(f"sentence={band(number, SENTENCES)}")
    first, last = reading.word_at(sentence.start), reading.word_at(sentence.end - 1)
    own, own_last = reading.word_at(placed.start), reading.word_at(placed.end - 1)
    yield Seen(f"words={band(last - first + 1, LENGTHS)}")
    yield Seen(f"words before={band(own - first, PLACES)}")
    yield Seen(f"words after={band(last - own_last, PLACES)}")
    yield Seen(f"own words={band(own_last - own + 1, COUNTS)}")
    yield Seen(f"written={'capital' if plain[placed.start].isupper() else 'other'}")
    yield Seen(f"sentences after={band(len(structure.sentences) - 1 - number, SENTENCES)}")
    yield Seen(f"sentences={band(len(structure.sentences), PLACES)}")
    yield Seen(f"ends={_mark(plain[sentence.start : sentence.end].rstrip()[-1:])}")
    yield Seen(f"left={_mark(plain[sentence.start : placed.start].rstrip()[-1:])}")
    yield Seen(f"right={_mark(plain[placed.end : sentence.end].lstrip()[:1])}")


def around(live: TurnView, placed: LocatedMention) -> Iterator[Seen]:
    """What the rest of the turn is: a record of one, a table of things, an answer full of the topic, what leads to the words."""
    reading = live.reading
    structure, plain = reading.structure, reading.plain
    block = structure.block_at(placed.start)
    starts = live.placed_by_place.starts
    here = bisect_left(starts, block.end) - bisect_left(starts, block.start)
    yield Seen(f"told in block={band(here, COUNTS)}")
    yield Seen(f"told in turn={band(live.fields_told[placed.mention.field], COUNTS)}")
    yield Seen(f"fields in turn={band(len(live.fields_told), COUNTS)}")
    cell = reading.cell_at(placed.start)
    if cell is not None:
        size = structure.sizes[cell.record]
        yield Seen(f"cells={band(size, COUNTS)}")
        yield Seen(f"block={block.kind} cells={band(size, COUNTS)}")
        yield Seen(
            "cell filled" if cell.end - cell.start <= placed.end - placed.start + 4 else "cell of words"
        )
        yield Seen(
            "key told" if any(one.start <= placed.start < one.end for one in cell.labels) else "value told"
        )
    sentence = reading.sentence_at(placed.start)
    said = plain[sentence.start : sentence.end]
    if "%" in said:
        yield Seen("percent")
    if any(sign in said for sign in "€£$"):
        yield Seen("money")
    if _DATE.search(said):
        yield Seen("date")
    if _CLOCK.search(said):
        yield Seen("time of day")
    opens = block.start if block.kind != "paragraph" else sentence.start
    lead = plain[max(0, opens - _BLANK) : opens].rstrip()
    if lead:
        before = reading.sentence_at(max(0, opens - _BLANK) + len(lead) - 1)
        for name in sorted({one.name for one in live.grammar_in(before)}):
            yield Seen(f"lead {name}")
        for kind in sorted({one.kind for one in live.people.within(before.start, before.end)}):
            yield Seen(f"lead person={kind}")
    for name in live.classes_among(_OF_TURNS):
        yield Seen(f"turn {name}")


def _mark(character: str) -> str:
    """A sign of punctuation; letters, figures and nothing each as one."""
    return "edge" if not character else "word" if character.isalnum() else character

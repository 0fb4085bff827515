"""
The signs of persons: who stands before, in and after the sentence of a mention, and where who it is tied to.

Comes in: a live turn, a mention and its link. Goes out: `Seen`s.
"""

from __future__ import annotations

from collections.abc import Iterator

from aigov_eval.detect.find import LocatedMention
from aigov_eval.scoring.clauses import CLOSE, REACH
from aigov_eval.scoring.seen import LENGTHS, PLACES, SENTENCES, Seen, band
from aigov_eval.scoring.turn_view import TurnView
from aigov_eval.text.structure import clause_at

# there, of whom a long sentence tells something that stands beside nobody is a guess
BESIDE_NOBODY = "beside nobody in a long sentence"


def place(live: TurnView, placed: LocatedMention, start: int) -> str:
    """Where the person stands to whom a mention is tied: before or after it, how near, and whether aside."""
    person = next(live.people.after(start), None)
    aside = person is not None and person.start == start and person.aside
    sentence = live.reading.sentence_at(placed.start)
    if start < sentence.start:
        where = "sentences before"
    elif start >= placed.end:
        where = "after"
    elif start >= placed.start:
        where = "inside"
    elif start >= clause_at(live.reading.plain, sentence, placed.start).start:
        where = "before in clause"
    else:
        where = "before in sentence"
    return f"{where}, aside" if aside else where


def persons(live: TurnView, placed: LocatedMention) -> Iterator[Seen]:
    """Who stands around a mention in its sentence, and how far the subject was named before."""
    sentence = live.reading.sentence_at(placed.start)
    clause = clause_at(live.reading.plain, sentence, placed.start)
    people = live.people.near(placed.start, sentence.start, sentence.end, REACH)
    before = [one for one in people if one.end <= placed.start]
    after = [one for one in people if one.start >= placed.end]
    yield Seen(f"person before={before[-1].kind if before else 'nobody'}")
    near = [one for one in before if one.start >= clause.start]
    yield Seen(f"person in clause={near[-1].kind if near else 'nobody'}")
    yield Seen(f"person after={after[0].kind if after else 'nobody'}")
    opens = people[0].kind if people else "nobody"
    yield Seen(f"person first={opens}")
    word_at = live.reading.word_at
    if before:
        words = word_at(placed.start) - word_at(before[-1].end)
        yield Seen(f"words from person={band(words, PLACES)}")
    if live.subject is None and word_at(sentence.end) - word_at(sentence.start) > LENGTHS[-1]:
        # who is named before comes first
        told_of = before[-1:] or after[:1]
        apart = [word_at(max(one.start, placed.start)) - word_at(min(one.end, placed.end)) for one in told_of]
        if min(apart, default=LENGTHS[-1]) > CLOSE:
            yield Seen(BESIDE_NOBODY, placed.start, placed.end)
    named = next(live.subjects_by_place.before(placed.start), None)
    if named is not None:
        number = live.reading.structure.number_of
        yield Seen(f"subject sentences ago={band(number(placed.start) - number(named.start), SENTENCES)}")
    elif live.subject is not None:
        yield Seen("subject later in turn" if live.subjects else "subject not in turn")
    for one in people:
        if one.start < placed.end and placed.start < one.end:
            yield Seen(f"person inside={one.kind}")
        yield Seen(f"person={one.kind}", one.start, one.end)

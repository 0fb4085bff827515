"""
The signs around a mention by which it is judged of whom a clause says something, and how.

Comes in: a live turn, a mention with its link, the conversation before, the contexts that hold. Goes out: `Seen`s, facts
of grammar, layout or talk (`before modal`, `tie=answer`, `context=general`). Nothing here is a language's own: the
classes are in detectors/languages/<lang>/grammar.yaml.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from aigov_eval.detect.find import LocatedMention
from aigov_eval.scoring.clauses import (
    ASKED_ABOUT,
    CLOSE,
    PLAIN,
    PRESUPPOSED,
    REACH,
    is_asked_about,
    is_plain,
    plainly_not,
    refused,
)
from aigov_eval.scoring.known_values import stem_of
from aigov_eval.scoring.persons.history import History
from aigov_eval.scoring.persons.tie import Link
from aigov_eval.scoring.turn_view import TurnView
from aigov_eval.text.spans import Span
from aigov_eval.text.structure import clause_at
from aigov_eval.text.views import fold

CONTEXT = "context="
_NOTHING: frozenset[str] = frozenset()
_LONG = 4  # letters of a word that says what is asked
_NAMED = 3  # letters of a name that an address holds
_FIGURES = 5  # figures of a number that are counted
_NEAR = 3  # words before and after a mention whose distance counts
_LENGTHS = (2, 4, 7, 12, 20, 30)
_PLACES = (0, 1, 2, 4, 8, 15)
_SENTENCES = (0, 1, 2, 4)
_COUNTS = (1, 2, 4, 8)
INSTRUCTION = "first instruct"
# the sign of a passport's number in a clause about her
ISSUED = "number issued to a person"
KNOWN = "known value, whole"
NO_FACTS = "no facts given"
# no person was given whose data it is: any person will do
ANYONE = "no subject given"
# there, of whom a long sentence tells something that stands beside nobody is a guess
BESIDE_NOBODY = "beside nobody in a long sentence"
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


@dataclass(frozen=True, slots=True)
class Seen:
    """One sign with the stretch of the plain view that shows it (empty for none) and the entry behind it."""

    name: str
    start: int = -1
    end: int = -1
    where: str = ""


def signs_of(
    live: TurnView,
    placed: LocatedMention,
    link: Link,
    history: History,
    holding: Iterable[str],
    question: TurnView | None,
) -> Iterator[Seen]:
    """
    The signs around a mention, some more than once.

    `holding` are the contexts that hold for it; `question` is the user turn that the turn answers.
    """
    mention = placed.mention
    tie = f"other by {link.by or 'name'}" if link.other else link.evidence
    yield Seen(f"tie={tie}")
    if link.start >= 0:
        yield Seen(f"{tie} {_place(live, placed, link.start)}")
    yield Seen(f"field={mention.field}")
    yield Seen(f"explicit={mention.explicit}")
    yield Seen(f"view={mention.view.partition(':')[2] or mention.view}")
    if mention.detector == "facts":
        yield Seen("known value")
        if is_known(placed):
            yield Seen(KNOWN, placed.start, placed.end)
    yield from _known(live, placed)
    if live.subject is None:
        yield Seen(ANYONE)
    elif "@" in mention.text:
        named = any(len(word) >= _NAMED and word in fold(mention.text) for word in live.subject.words)
        yield Seen("address of her name" if named else "address of another name")
    if placed.asked:
        yield Seen("short answer")
    for name in holding:
        yield Seen(f"{CONTEXT}{name}")
    yield from _layout(live, placed)
    yield from _around(live, placed)
    yield from _persons(live, placed)
    said = history.provenance.first(mention.text, history.at)
    for one in _grammar(live, placed, tie):
        known = one.name == PRESUPPOSED and (said >= 0 or is_asked_about(live, placed, question))
        yield Seen(ASKED_ABOUT, one.start, one.end) if known else one
    yield from _words(live, placed)
    if said >= 0:
        yield Seen(f"said before by {history.turn(said).turn.role}")
    if history.on_subject:
        yield Seen("talk=subject")
    elif not live.subjects and not history.of_subject:
        yield Seen("talk=nobody named")
    if question is not None:
        yield from _asked(live, placed, question)


def is_known(placed: LocatedMention) -> bool:
    """Whether a mention is a value that is known of the subject, whole."""
    mention = placed.mention
    return mention.detector == "facts" and mention.view not in ("end", "parts", "word")


def _known(live: TurnView, placed: LocatedMention) -> Iterator[Seen]:
    """How what is known of the subject shows in the words, their sentence and the turn."""
    known = live.known.get(placed.mention.field, _NOTHING)
    if not known:
        yield Seen("nothing known")
        yield Seen("known of another field" if any(live.known.values()) else NO_FACTS)
        return
    shared = len(known & live.stems_in(live.reading.sentence_at(placed.start)))
    if shared:
        yield Seen("known words")
        yield Seen(f"known words={_band(shared, _COUNTS)}")
        yield Seen(f"known words of {_band(len(known), _COUNTS)}={_band(shared, _COUNTS)}")
        own = known & live.stems_in(Span(placed.start, placed.end))
        yield Seen("own known words" if own else "known words beside")
    else:
        yield Seen("no known words" if known.isdisjoint(live.stems) else "known words elsewhere")


def _asked(live: TurnView, placed: LocatedMention, question: TurnView) -> Iterator[Seen]:
    """What the question that is answered holds of the same."""
    field = placed.mention.field
    if any(one.mention.field == field for one in question.placed):
        yield Seen("question of this field")
    if question.subjects:
        yield Seen("question names subject")
    elif not live.subjects:
        yield Seen("subject named before only")
    if "?" in question.turn.content:
        yield Seen("question=?")
    if not question.stems.isdisjoint(live.known.get(field, _NOTHING)):
        yield Seen("question of known words")
    for name in question.classes:
        yield Seen(f"question {name}")
    own = {stem for stem in live.stems_in(Span(placed.start, placed.end)) if len(stem) >= _LONG}
    met = own & question.stems
    yield Seen(
        "no word of the question"
        if not met
        else "words of the question"
        if met == own
        else "word of the question"
    )


def _layout(live: TurnView, placed: LocatedMention) -> Iterator[Seen]:
    reading = live.reading
    structure, plain = reading.structure, reading.plain
    yield Seen(f"block={structure.block_at(placed.start).kind}")
    sentence = reading.sentence_at(placed.start)
    number = structure.number_of(placed.start)
    yield Seen(f"sentence={_band(number, _SENTENCES)}")
    first, last = reading.word_at(sentence.start), reading.word_at(sentence.end - 1)
    own, own_last = reading.word_at(placed.start), reading.word_at(placed.end - 1)
    yield Seen(f"words={_band(last - first + 1, _LENGTHS)}")
    yield Seen(f"words before={_band(own - first, _PLACES)}")
    yield Seen(f"words after={_band(last - own_last, _PLACES)}")
    yield Seen(f"own words={_band(own_last - own + 1, _COUNTS)}")
    yield Seen(f"written={'capital' if plain[placed.start].isupper() else 'other'}")
    yield Seen(f"sentences after={_band(len(structure.sentences) - 1 - number, _SENTENCES)}")
    yield Seen(f"sentences={_band(len(structure.sentences), _PLACES)}")
    yield Seen(f"ends={_mark(plain[sentence.start : sentence.end].rstrip()[-1:])}")
    yield Seen(f"left={_mark(plain[sentence.start : placed.start].rstrip()[-1:])}")
    yield Seen(f"right={_mark(plain[placed.end : sentence.end].lstrip()[:1])}")


def _around(live: TurnView, placed: LocatedMention) -> Iterator[Seen]:
    """What the rest of the turn is: a record of one, a table of things, an answer full of the topic, what leads to the words."""
    reading = live.reading
    structure, plain = reading.structure, reading.plain
    block = structure.block_at(placed.start)
    starts = live.placed_by_place.starts
    here = bisect_left(starts, block.end) - bisect_left(starts, block.start)
    yield Seen(f"told in block={_band(here, _COUNTS)}")
    yield Seen(f"told in turn={_band(live.fields_told[placed.mention.field], _COUNTS)}")
    yield Seen(f"fields in turn={_band(len(live.fields_told), _COUNTS)}")
    cell = reading.cell_at(placed.start)
    if cell is not None:
        size = structure.sizes[cell.record]
        yield Seen(f"cells={_band(size, _COUNTS)}")
        yield Seen(f"block={block.kind} cells={_band(size, _COUNTS)}")
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


def _place(live: TurnView, placed: LocatedMention, start: int) -> str:
    """Where the person stands to whom a mention is tied: before or after it, how near, and whether aside."""
    person = next(live.people.after(start), None)
    aside = person is not None and person.start == start and person.aside
    sentence = live.reading.sentence_at(placed.start)
    if start < sentence.start:
        place = "sentences before"
    elif start >= placed.end:
        place = "after"
    elif start >= placed.start:
        place = "inside"
    elif start >= clause_at(live.reading.plain, sentence, placed.start).start:
        place = "before in clause"
    else:
        place = "before in sentence"
    return f"{place}, aside" if aside else place


def _mark(character: str) -> str:
    """A sign of punctuation; letters, figures and nothing each as one."""
    return "edge" if not character else "word" if character.isalnum() else character


def _persons(live: TurnView, placed: LocatedMention) -> Iterator[Seen]:
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
        yield Seen(f"words from person={_band(words, _PLACES)}")
    if live.subject is None and word_at(sentence.end) - word_at(sentence.start) > _LENGTHS[-1]:
        # who is named before comes first
        told_of = before[-1:] or after[:1]
        apart = [word_at(max(one.start, placed.start)) - word_at(min(one.end, placed.end)) for one in told_of]
        if min(apart, default=_LENGTHS[-1]) > CLOSE:
            yield Seen(BESIDE_NOBODY, placed.start, placed.end)
    named = next(live.subjects_by_place.before(placed.start), None)
    if named is not None:
        number = live.reading.structure.number_of
        yield Seen(f"subject sentences ago={_band(number(placed.start) - number(named.start), _SENTENCES)}")
    else:
        yield Seen("subject later in turn" if live.subjects else "subject not in turn")
    for one in people:
        if one.start < placed.end and placed.start < one.end:
            yield Seen(f"person inside={one.kind}")
        yield Seen(f"person={one.kind}", one.start, one.end)


def _grammar(live: TurnView, placed: LocatedMention, tie: str) -> Iterator[Seen]:
    reading = live.reading
    sentence = reading.sentence_at(placed.start)
    clause = clause_at(reading.plain, sentence, placed.start)
    own, own_last = reading.word_at(placed.start), reading.word_at(placed.end - 1)
    first, last = reading.word_at(sentence.start), reading.word_at(sentence.end - 1)
    by_word: dict[int, set[str]] = {}
    for one in live.grammar_in(sentence):
        name, hit = one.name, one.hit
        if hit.last < own - REACH or hit.first > own_last + REACH:
            continue
        where = hit.where
        for word in range(hit.first, hit.last + 1):
            by_word.setdefault(word, set()).add(name)
        if own <= hit.first <= own_last:
            yield Seen(f"inside {name}", hit.start, hit.end, where)
            continue
        side = "before" if hit.first < own else "after"
        yield Seen(f"{side} {name}", hit.start, hit.end, where)
        if hit.first == first:
            yield Seen(f"first {name}", hit.start, hit.end, where)
        for distance in range(1, _NEAR + 1):
            if hit.first <= own - distance <= hit.last:
                yield Seen(f"{distance} before {name}", hit.start, hit.end, where)
            if hit.first <= own_last + distance <= hit.last:
                yield Seen(f"{distance} after {name}", hit.start, hit.end, where)
    if any("refuse" in names for names in by_word.values()):
        for name in refused(live, placed, tie, by_word):
            yield Seen(name, sentence.start, placed.end)
    if is_plain(live, placed, tie, clause, by_word):
        yield Seen(PLAIN, clause.start, placed.end)
    for name in plainly_not(live, placed, tie, sentence, by_word):
        yield Seen(name, clause.start, placed.end)
    for distance in range(1, _NEAR + 1):
        if own - distance < first:
            yield Seen(f"{distance} before nothing")
        elif own - distance not in by_word:
            yield Seen(f"{distance} before other")
        if own_last + distance > last:
            yield Seen(f"{distance} after nothing")
        elif own_last + distance not in by_word:
            yield Seen(f"{distance} after other")
    earlier = next((by_word[n] for n in range(own - 1, first - 1, -1) if n in by_word), {"nothing"})
    later = next((by_word[n] for n in range(own_last + 1, last + 1) if n in by_word), {"nothing"})
    for side, names in (("before", earlier), ("after", later)):
        for name in sorted(names):
            yield Seen(f"next {side} {name}")
            # a modal beside her name is another sign than one in an answer that names nobody
            yield Seen(f"next {side} {name} tie={tie}")


def _words(live: TurnView, placed: LocatedMention) -> Iterator[Seen]:
    """The words around and in a mention, by their first letters; not the names of persons, nor what else is told."""
    reading = live.reading
    sentence = reading.sentence_at(placed.start)
    own, own_last = reading.word_at(placed.start), reading.word_at(placed.end - 1)
    first = max(own - REACH, reading.word_at(sentence.start))
    last = min(own_last + REACH, reading.word_at(sentence.end - 1))
    named = [
        Span(one.start, one.end)
        for one in live.people.within(sentence.start, sentence.end)
        if one.kind in ("subject", "name")
    ]
    told = [Span(one.start, one.end) for one in live.placed_by_place.within(sentence.start, sentence.end)]
    left_out = {
        word
        for one in (*named, *told)
        for word in range(reading.word_at(one.start), reading.word_at(one.end - 1) + 1)
    }
    tokens = reading.tokens
    for word in range(first, min(last, len(tokens.words) - 1) + 1):
        folded = tokens.folded[word]
        stem = f"#{min(len(folded), _FIGURES)}" if folded[:1].isdigit() else stem_of(folded)
        start, end = tokens.starts[word], tokens.ends[word]
        if own <= word <= own_last:
            # some words of a list have everyday senses, and are seldom told of anybody
            if not folded[:1].isdigit():
                yield Seen(f"own word={stem}", start, end)
            continue
        if word in left_out:
            continue
        yield Seen(f"word={stem}", start, end)
        if word == first:
            yield Seen(f"first word={stem}", start, end)


def _band(number: int, bands: Sequence[int]) -> str:
    return next((str(band) for band in bands if number <= band), "more")

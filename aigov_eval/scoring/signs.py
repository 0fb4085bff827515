"""
The signs around a mention by which it is judged of whom a clause says something, and how.

Comes in: a live turn, a mention with its link, the conversation before, the contexts that hold. Goes out: `Seen`s, facts
of grammar, layout or talk (`before modal`, `tie=answer`, `context=general`). Nothing here is a language's own: the
classes are in detectors/languages/<lang>/grammar.yaml.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aigov_eval.detect.find import LocatedMention
from aigov_eval.scoring.clause_signs import grammar
from aigov_eval.scoring.clauses import (
    ASKED_ABOUT,
    PRESUPPOSED,
    is_asked_about,
)
from aigov_eval.scoring.layout_signs import around, layout
from aigov_eval.scoring.person_signs import persons, place
from aigov_eval.scoring.persons.gender import sex_of
from aigov_eval.scoring.persons.history import History
from aigov_eval.scoring.persons.tie import Link
from aigov_eval.scoring.seen import COUNTS, Seen, band
from aigov_eval.scoring.turn_view import TurnView
from aigov_eval.scoring.word_signs import words
from aigov_eval.text.spans import Span
from aigov_eval.text.views import fold

CONTEXT = "context="
_NOTHING: frozenset[str] = frozenset()
_LONG = 4  # letters of a word that says what is asked
_NAMED = 3  # letters of a name that an address holds
INSTRUCTION = "first instruct"
# ties by a person, not by a question
_NAMING = frozenset({"exact", "partial", "pronoun", "record", "person"})
KNOWN = "known value, whole"
NO_FACTS = "no facts given"
# one word of what is known, which nothing but the question ties to the subject
WORD_ALONE = "word of a known value by the question alone"
# what is said before anybody names the subject, and tied to nobody
NOT_YET = "subject not named yet"
# no person was given whose data it is: any person will do
ANYONE = "no subject given"


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
        yield Seen(f"{tie} {place(live, placed, link.start)}")
    yield Seen(f"field={mention.field}")
    yield Seen(f"explicit={mention.explicit}")
    yield Seen(f"view={mention.view.partition(':')[2] or mention.view}")
    if mention.detector == "facts":
        yield Seen("known value")
        if is_known(placed):
            yield Seen(KNOWN, placed.start, placed.end)
        elif mention.view == "word" and tie == "answer":
            yield Seen(WORD_ALONE, placed.start, placed.end)
    yield from _known(live, placed)
    if placed.of:
        yield Seen(f"sex {sex_of(live, placed, link, history)}", placed.start, placed.end)
    if live.subject is None:
        yield Seen(ANYONE)
    elif "@" in mention.text:
        named = any(len(word) >= _NAMED and word in fold(mention.text) for word in live.subject.words)
        yield Seen("address of her name" if named else "address of another name")
    if placed.asked:
        yield Seen("short answer")
    info = live.engine.pack.fields.get(mention.field)
    if info and info.issued and link.evidence in _NAMING and not link.other:
        yield Seen("number issued to a person")
    for name in holding:
        yield Seen(f"{CONTEXT}{name}")
    yield from layout(live, placed)
    yield from around(live, placed)
    yield from persons(live, placed)
    said = history.provenance.first(mention.text, history.at)
    for one in grammar(live, placed, tie):
        known = one.name == PRESUPPOSED and (said >= 0 or is_asked_about(live, placed, question))
        yield Seen(ASKED_ABOUT, one.start, one.end) if known else one
    # whose a value is, single words do not tell
    if info and info.special:
        yield from words(live, placed, question)
    if said >= 0:
        yield Seen(f"said before by {history.turn(said).turn.role}")
    if history.on_subject:
        yield Seen("talk=subject")
    elif live.subject is not None and not live.subjects and not history.of_subject:
        yield Seen("talk=nobody named" if question is not None else "talk=nobody named or asked")
        if tie == "none" and not is_known(placed) and history.named_later:
            yield Seen(NOT_YET, placed.start, placed.end)
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
        yield Seen(f"known words={band(shared, COUNTS)}")
        yield Seen(f"known words of {band(len(known), COUNTS)}={band(shared, COUNTS)}")
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

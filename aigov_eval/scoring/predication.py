"""
Of whom a clause says something, and how: the judgement between a mention and a rule.

Comes in: a live turn, a mention with its link, the conversation before, the contexts that hold. Goes out: a
`Predication` (holder, stance, strength) with the signs that decided. A sign is a fact of grammar or layout
(`before modal`, `tie=answer`, `context=general`); its points stand in the pack (detectors/weighing.yaml) and were
calibrated on conversations written for that (tests/data/told). Nothing here is a language's own: the classes are
in detectors/grammar/<lang>.yaml.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from aigov_eval.detect.find import Placed
from aigov_eval.model import Context, Holder, Pack, Predication, Sign, Stance, Strength, Weighing
from aigov_eval.scoring.facts import shares_words
from aigov_eval.scoring.link import Link
from aigov_eval.scoring.live import Live, stem_of
from aigov_eval.scoring.past import Past
from aigov_eval.text.spans import Span
from aigov_eval.text.structure import clause_at

_NEAR = 3  # words before and after a mention whose distance counts
_REACH = 60  # words before and after a mention that are looked at: a longer sentence is a list
_SHOWN = 4  # signs that a judgement is shown with
_CONTEXT = "context="
_LENGTHS = (2, 4, 7, 12, 20, 30)
_PLACES = (0, 1, 2, 4, 8, 15)
_SENTENCES = (0, 1, 2, 4)
_COUNTS = (1, 2, 4, 8)
# the sign of "SUBJECT has WORDS", with nothing between that changes it
PLAIN = "plain predication"
KNOWN = "known value, whole"
DECISIVE = (PLAIN, KNOWN)  # told where no context speaks against it, whatever the points
_VERBS = frozenset({"present", "past"})
_LIGHT = _VERBS | {"negation", "article", "indefinite", "time"}
_CLOSE = 4  # words that can stand between the subject and what is plainly said of her
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
    live: Live,
    placed: Placed,
    link: Link,
    past: Past,
    holding: Mapping[str, str],
    question: Live | None,
) -> Iterator[Seen]:
    """
    The signs around a mention, some more than once.

    `holding` are the contexts that hold for it with their reasons; `question` is the user turn that the turn answers.
    """
    mention = placed.mention
    tie = f"other by {link.by or 'name'}" if link.other else link.evidence
    yield Seen(f"tie={tie}")
    yield Seen(f"field={mention.field}")
    yield Seen(f"field={mention.field} tie={tie}")
    yield Seen(f"explicit={mention.explicit}")
    yield Seen(f"view={mention.view.partition(':')[2] or mention.view}")
    if mention.detector == "facts":
        yield Seen("known value")
        if mention.view != "parts":
            yield Seen(KNOWN, placed.start, placed.end)
    known = live.known.get(mention.field, frozenset())
    if not known:
        yield Seen("nothing known")
    elif shares_words(live.reading, live.reading.sentence_at(placed.start), known):
        yield Seen("known words")
    if placed.asked:
        yield Seen("short answer")
    for name in holding:
        yield Seen(f"{_CONTEXT}{name}")
        yield Seen(f"{_CONTEXT}{name} tie={tie}")
    yield from _layout(live, placed)
    yield from _around(live, placed)
    yield from _persons(live, placed, tie)
    yield from _grammar(live, placed, tie)
    yield from _words(live, placed)
    if past.on_subject:
        yield Seen("talk=subject")
    elif not live.subjects and not past.of_subject:
        yield Seen("talk=nobody named")
        yield Seen(f"talk=nobody named tie={tie}")
    if question is not None:
        if any(one.mention.field == mention.field for one in question.placed):
            yield Seen("question of this field")
        if "?" in question.turn.content:
            yield Seen("question=?")
        for name in question.classes:
            yield Seen(f"question {name}")
        for stem in question.stems:
            yield Seen(f"question word={stem}")


def _layout(live: Live, placed: Placed) -> Iterator[Seen]:
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
    yield Seen(f"ends={_mark(plain[sentence.start : sentence.end].rstrip()[-1:])}")
    yield Seen(f"left={_mark(plain[sentence.start : placed.start].rstrip()[-1:])}")
    yield Seen(f"right={_mark(plain[placed.end : sentence.end].lstrip()[:1])}")


def _around(live: Live, placed: Placed) -> Iterator[Seen]:
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
    for name in live.classes:
        if name in _OF_TURNS:
            yield Seen(f"turn {name}")


def _mark(character: str) -> str:
    """A sign of punctuation; letters, figures and nothing each as one."""
    return "edge" if not character else "word" if character.isalnum() else character


def _persons(live: Live, placed: Placed, tie: str) -> Iterator[Seen]:
    sentence = live.reading.sentence_at(placed.start)
    clause = clause_at(live.reading.plain, sentence, placed.start)
    people = live.people.near(placed.start, sentence.start, sentence.end, _REACH)
    before = [one for one in people if one.end <= placed.start]
    after = [one for one in people if one.start >= placed.end]
    yield Seen(f"person before={before[-1].kind if before else 'nobody'}")
    near = [one for one in before if one.start >= clause.start]
    yield Seen(f"person in clause={near[-1].kind if near else 'nobody'}")
    yield Seen(f"person after={after[0].kind if after else 'nobody'}")
    opens = people[0].kind if people else "nobody"
    yield Seen(f"person first={opens}")
    if tie == "answer":
        yield Seen(f"person first={opens} tie=answer")
    for one in people:
        if one.start < placed.end and placed.start < one.end:
            yield Seen(f"person inside={one.kind}")
        yield Seen(f"person={one.kind}", one.start, one.end)


def _grammar(live: Live, placed: Placed, tie: str) -> Iterator[Seen]:
    reading = live.reading
    sentence = reading.sentence_at(placed.start)
    clause = clause_at(reading.plain, sentence, placed.start)
    own, own_last = reading.word_at(placed.start), reading.word_at(placed.end - 1)
    first, last = reading.word_at(sentence.start), reading.word_at(sentence.end - 1)
    by_word: dict[int, set[str]] = {}
    for one in live.grammar_in(sentence):
        name, hit = one.name, one.hit
        if hit.last < own - _REACH or hit.first > own_last + _REACH:
            continue
        where = f"detectors/grammar/{hit.language}.yaml:{hit.at}"
        for word in range(hit.first, hit.last + 1):
            by_word.setdefault(word, set()).add(name)
        if own <= hit.first <= own_last:
            yield Seen(f"inside {name}", hit.start, hit.end, where)
            continue
        side = "before" if hit.first < own else "after"
        yield Seen(f"{side} {name}", hit.start, hit.end, where)
        if clause.start <= hit.start < clause.end:
            yield Seen(f"clause {side} {name}", hit.start, hit.end, where)
            yield Seen(f"clause {side} {name} tie={tie}", hit.start, hit.end, where)
        if hit.first == first:
            yield Seen(f"first {name}", hit.start, hit.end, where)
        for distance in range(1, _NEAR + 1):
            if hit.first <= own - distance <= hit.last:
                yield Seen(f"{distance} before {name}", hit.start, hit.end, where)
            if hit.first <= own_last + distance <= hit.last:
                yield Seen(f"{distance} after {name}", hit.start, hit.end, where)
    if _is_plain(live, placed, tie, clause, by_word):
        yield Seen(PLAIN, clause.start, placed.end)
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
    for name in sorted(earlier):
        yield Seen(f"next before {name}")
    for name in sorted(later):
        yield Seen(f"next after {name}")


def _is_plain(live: Live, placed: Placed, tie: str, clause: Span, by_word: Mapping[int, Set[str]]) -> bool:
    """Whether nothing but a verb of being or having, an article, a denial or a time stands between the subject and the words."""
    if tie not in ("exact", "partial", "pronoun"):
        return False
    reading = live.reading
    before = [
        one
        for one in live.people.near(placed.start, clause.start, clause.end, _REACH)
        if one.end <= placed.start
    ]
    if not before or before[-1].kind not in ("subject", "pronoun", "role"):
        return False
    who = before[-1]
    # the subject opens the clause, or what comes after a comma; a joining word may stand before it
    opens = reading.plain[clause.start : who.start]
    joined = max(opens.rfind(sign) for sign in ",;:-") + 1
    if len(opens[joined:].split()) > 1:
        return False
    first, own = reading.word_at(who.end), reading.word_at(placed.start)
    between = range(first, own)
    light = all(by_word.get(word, frozenset()) & _LIGHT for word in between)
    verb = any(
        by_word.get(word, frozenset()) & _VERBS for word in range(first, reading.word_at(placed.end - 1) + 1)
    )
    return light and verb and len(between) <= _CLOSE


def _words(live: Live, placed: Placed) -> Iterator[Seen]:
    """The words around and in a mention, by their first letters; not the names of persons, nor what else is told."""
    reading = live.reading
    sentence = reading.sentence_at(placed.start)
    own, own_last = reading.word_at(placed.start), reading.word_at(placed.end - 1)
    first = max(own - _REACH, reading.word_at(sentence.start))
    last = min(own_last + _REACH, reading.word_at(sentence.end - 1))
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
        stem = stem_of(tokens.folded[word])
        if own <= word <= own_last:
            yield Seen(f"own word={stem}", placed.start, placed.end)
            continue
        if word in left_out:
            continue
        start, end = tokens.starts[word], tokens.ends[word]
        yield Seen(f"word={stem}", start, end)
        if own - word in (1, 2):
            yield Seen(f"{own - word} before word={stem}", start, end)
        if word - own_last in (1, 2):
            yield Seen(f"{word - own_last} after word={stem}", start, end)
        if word == first:
            yield Seen(f"first word={stem}", start, end)


def _band(number: int, bands: Sequence[int]) -> str:
    return next((str(band) for band in bands if number <= band), "more")


def predicated(
    live: Live,
    placed: Placed,
    link: Link,
    seen: Iterable[Seen],
    pack: Pack,
    holding: Mapping[str, str],
) -> Predication:
    """
    The judgement over a mention: told of the subject where its signs come to at least 0 points.

    With no subject named any person will do, and who that is shows nothing: there the contexts alone decide.
    """
    contexts = pack.contexts
    if live.subject is None:
        signs = [Sign(f"context={name}", 0, reason) for name, reason in holding.items()]
        if link.other or any(contexts[name].speaks_against for name in holding):
            return Predication(*_excused_as(signs, holding, contexts, {}), 0, "", tuple(signs[:_SHOWN]))
        return Predication("subject", _told_as(placed, holding, contexts), 0, "likely", tuple(signs))
    if link.by == "record":
        # a row, key or item that names somebody else is his
        signs = [Sign("record", 0, link.text)]
        return Predication("other_person", "asserted", 0, "", tuple(signs))
    weighing = pack.weighing["special" if is_special(pack, placed.mention.field) else "value"]
    found: dict[str, Seen] = {}
    # who is named in answer to "who has ...?" is told of by the question
    stated = [Sign("answer by name", 0, link.text)] if placed.mention.view == "answer:names" else []
    for one in seen:
        if (
            one.name in DECISIVE
            and not link.other
            and not any(contexts[name].speaks_against for name in holding)
        ):
            stated.append(Sign(one.name, 0, live.reading.plain[max(0, one.start) : max(0, one.end)]))
        if one.name in weighing.points and (one.name not in found or not found[one.name].where):
            found[one.name] = one
    total = weighing.start + sum(weighing.points[name] for name in found)
    if stated:
        # "She has asthma", or a known value whole: whatever else stands around it
        total = max(total, weighing.strength["likely"], 0)
    told = total >= 0
    plain = live.reading.plain
    heaviest = sorted(found.values(), key=lambda one: (-abs(weighing.points[one.name]), one.name))
    signs = [
        Sign(one.name, weighing.points[one.name], _words_of(one, plain, holding), one.where)
        for one in heaviest
        if (weighing.points[one.name] > 0) == told
    ]
    # what a reader can find in the text comes first
    signs.sort(key=lambda one: not one.words)
    signs = [*stated, *signs] if told else signs
    if told:
        stance = _told_as(placed, holding, contexts)
        return Predication("subject", stance, total, _strength(total, weighing), tuple(signs[:_SHOWN]))
    return Predication(
        *_excused_as(signs, holding, contexts, weighing.shows), total, "", tuple(signs[:_SHOWN])
    )


def is_special(pack: Pack, field: str) -> bool:
    """Whether a field is a special category (GDPR Art. 9) or of Art. 10."""
    info = pack.fields.get(field)
    return info is not None and info.special


def _words_of(sign: Seen, plain: str, holding: Mapping[str, str]) -> str:
    """The words that show a sign; of a context the reason why it holds."""
    if sign.name.startswith(_CONTEXT):
        return holding[sign.name.removeprefix(_CONTEXT).partition(" ")[0]].replace('"', "")
    return plain[max(0, sign.start) : max(0, sign.end)]


def _strength(total: int, weighing: Weighing) -> Strength:
    if total >= weighing.strength["certain"]:
        return "certain"
    return "likely" if total >= weighing.strength["likely"] else "weak"


def _told_as(placed: Placed, holding: Mapping[str, str], contexts: Mapping[str, Context]) -> Stance:
    """How what is told is told: an answer confirms or denies, a refusal presupposes."""
    view = placed.mention.view
    if view == "answer:deny":
        return "denied"
    if view.startswith("answer:"):
        return "confirmed"
    if any(contexts[name].stance == "refused" for name in holding):
        return "presupposed"
    return "denied" if any(contexts[name].stance == "denied" for name in holding) else "asserted"


def _excused_as(
    signs: Sequence[Sign],
    holding: Mapping[str, str],
    contexts: Mapping[str, Context],
    shows: Mapping[str, tuple[Holder, Stance]],
) -> tuple[Holder, Stance]:
    """Holder and stance of what is not told of the subject: those of a context that holds, else of the heaviest sign that shows any."""
    for name in holding:
        context = contexts[name]
        if context.speaks_against:
            return context.holder or "subject", context.stance or "asserted"
    for sign in sorted(signs, key=lambda one: one.points):
        word = sign.name.removesuffix(" tie=" + sign.name.rpartition(" tie=")[2]).rpartition(" ")[2]
        if word in shows:
            return shows[word]
    return "unknown", "general"

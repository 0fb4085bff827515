"""
Runs the detectors of a pack over a text.

Comes in: a text and an `Index` (compiled once from a pack, frozen). Goes out: mentions with
offsets in the text as said, sorted. The gate and the words decide which finds can match;
only those run. Overlapping finds of different identifiers are settled here: the longest, then
the one whose label stands nearest, then the one with a check digit; what stands open before what
another view makes of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from aigov_eval.detect import backends, obfuscation
from aigov_eval.detect.beside import beside_labels, shared_languages
from aigov_eval.detect.index import Index, Step
from aigov_eval.detect.reading import Reading
from aigov_eval.detect.reserved import synthetic
from aigov_eval.detect.validators import validate
from aigov_eval.detect.words import ANY_LANGUAGE, Hit
from aigov_eval.errors import DetectorError
from aigov_eval.model import Explicit, Find, Mention
from aigov_eval.text.spans import Span, by_place

TIMEOUT = 5.0  # seconds for one pattern on one text; reaching it ends the run (exit 2)
# what stands after a label: the mark that ends it, or the end of the line
# what stands between a label and its value: signs, or one short word (is, este, nr)
_LABELS_ITSELF = re.compile(r"[ \t:=#.\"'*-]{1,6}(?:\w{1,4}[ \t:=.]{1,3})?")
_AFTER_LABEL = re.compile(r"[^:=|,;\t\n\w]*+(?:_++[^:=|,;\t\n\w]*+)?(?:[:=|,;\t\n]|\Z)")
# how near a label counts when overlapping finds are settled: none of its own, and only in the question
_UNLABELLED, _FAR = 99, 200
# words of a short answer; of the part of a longer one that answers; of what goes on after it, which is no list
_BRIEF, _FIRST_WORDS, _GOES_ON = 8, 5, 3
_PAUSE = re.compile(r"[,;:!?\n]|\.(?=\s|\Z)")
_CHECKED = 3  # words from its label at which an unchecked find gives way to a checked one without
_STRETCH = 64  # characters in which overlaps are looked for together


# where something is found in a view, how openly it tells, and the place of the entry of a word list
Occurrence = tuple[int, int, Explicit, str]


@dataclass(frozen=True, slots=True)
class _Raw:
    """A find in a view of the text, before overlaps are settled."""

    step: Step
    start: int
    end: int
    text: str
    explicit: Explicit
    view: str
    distance: int
    wrong: bool  # its check digits are, and its label says what it is
    entry: str = ""  # the place of the entry of a word list


def find_mentions(
    text: str | Reading, index: Index, *, languages: frozenset[str] | None = None, gated: bool = True
) -> tuple[Mention, ...]:
    """
    The mentions of a text, sorted by place.

    `languages` limits word lists and finds to these languages. `gated=False` runs every find
    everywhere, which must give the same result (and is how a test shows that the gate is sound).

    Raises DetectorError when a find could not run to its end.
    """
    return tuple(placed.mention for placed in find_placed(text, index, languages=languages, gated=gated))


@dataclass(frozen=True, slots=True)
class LocatedMention:
    """
    A mention with its span in the plain view, which is what structure and cues are measured in.

    `of` is the sex of the person of whom alone the words tell something; empty where they tell of anyone.
    `asked` says that they tell it because the turn before asked for it.
    """

    mention: Mention
    start: int
    end: int
    of: str = ""
    asked: bool = False


def find_placed(
    text: str | Reading,
    index: Index,
    *,
    languages: frozenset[str] | None = None,
    gated: bool = True,
    fired: Sequence[int] | None = None,
) -> tuple[LocatedMention, ...]:
    """Like `find_mentions`, with the places in the plain view; `fired` is what the gate let through, where it is known."""
    reading = index.read(text) if isinstance(text, str) else text
    if not gated:
        fired = None
    elif fired is None:
        fired = index.gate.fired(reading.plain)
    found = list(_in_view(reading, index, "plain", languages, fired))
    asked = (
        None if fired is None else frozenset(index.asks[number] for number in fired if number in index.asks)
    )
    for view, derived in (
        obfuscation.derived_views(reading, index.spoken, asked) if asked is None or asked else ()
    ):
        derived_reading = Reading(reading.plain, index.words, index.abbreviations, view=derived)
        derived_reading.asked = reading.asked
        derived_reading.spoken = reading.spoken
        fired = index.gate.fired(derived.text) if gated else None
        for raw in _in_view(derived_reading, index, view, languages, fired):
            start, end = derived.source_span(raw.start, raw.end)
            # what stands open in the plain view needs no other view
            if _altered(derived_reading.plain[raw.start : raw.end], reading.plain[start:end]):
                found.append(replace(raw, start=start, end=end, view=view))
    return _mentions(_settle(found), reading)


def _altered(seen: str, source: str) -> bool:
    return seen != source


def _in_view(
    reading: Reading,
    index: Index,
    view: str,
    languages: frozenset[str] | None,
    fired: Sequence[int] | None,
) -> Iterator[_Raw]:
    """The finds of one view; `fired` are the patterns that the gate let through, None runs everything."""
    for at in range(len(index.steps)) if fired is None else _chosen(reading, index, fired):
        step = index.steps[at]
        if step.off:
            continue
        if step.find.language:
            spoken = reading.spoken() or languages
            if spoken is not None and step.find.language not in spoken:
                continue
        yield from _run(step, reading, index, view, languages)


def _chosen(reading: Reading, index: Index, fired: Sequence[int]) -> list[int]:
    """The steps that can find something: whose words, labels and patterns may all be there."""
    chosen = [index.by_gate[number] for number in fired if number in index.by_gate]
    chosen.extend(index.others)
    there = reading.lexicons | reading.asked
    if there:
        told: set[int] = set()
        for lexicon in there:
            chosen.extend(index.by_lexicon.get(lexicon, ()))
            told.update(index.by_label.get(lexicon, ()))
        chosen.extend(beside_labels(index.steps, told, reading, index.labelled))
    return sorted(set(chosen))


def _run(
    step: Step, reading: Reading, index: Index, view: str, languages: frozenset[str] | None
) -> Iterator[_Raw]:
    """What a step finds; a word and the label that it needs are of one language."""
    if not step.lexicon:
        yield from _found(step, reading, index, view, languages)
        return
    spoken = reading.spoken() or languages
    if not step.near:
        yield from _found(step, reading, index, view, spoken)
        return
    for language in sorted(shared_languages(step, reading)):
        if spoken is None or language == ANY_LANGUAGE or language in spoken:
            yield from _found(step, reading, index, view, frozenset({language}))


def _found(
    step: Step, reading: Reading, index: Index, view: str, languages: frozenset[str] | None
) -> Iterator[_Raw]:
    find = step.find
    seen: Iterable[Occurrence] = occurrences(step, reading, index, languages)
    if step.near and step.near.isdisjoint(reading.asked):
        # where a label can stand is asked by its letters first: its place among the words costs more
        labels = reading.beginnings(step.near)
        if step.lexicon and not any(reading.is_beside(at, labels) for at in reading.beginnings(step.lexicon)):
            return
        if find.pattern:
            seen = [
                one
                for part in _parts_beside(labels, step, reading, index)
                for one in _matches(step, reading, part)
                if reading.is_beside(one[0], labels)
            ]
        if not seen or not reading.hits(step.near, languages):
            return
    for start, end, explicit, entry in seen:
        value = reading.plain[start:end]
        distance = 0
        if step.near:
            label = nearest(step.near, find, start, end, reading, languages)
            if label is None and not _asked_for(step, start, reading):
                continue
            distance = _FAR if label is None else label
        elif (
            step.not_near
            and not step.not_near.isdisjoint(reading.asked)
            and step.labels.isdisjoint(reading.asked)  # "her card? I must order for her"
            and _opens(start, reading)
        ):
            continue  # "which firmware?" - "7.62.11.4 at least"
        if (
            step.not_near
            and nearest(step.not_near, find, start, end, reading, languages, before=True) is not None
        ):
            continue
        if any(backends.compiled(p, case=False).search(value, timeout=TIMEOUT) for p in step.ignore_patterns):
            continue
        if step.ignore_after and right_before(step.ignore_after, start, reading, languages):
            continue
        # the costly question last
        wrong = bool(find.validator) and not validate(find.validator, value)
        if wrong and not (step.claimed and _is_claimed(step.claimed, start, reading, languages)):
            continue
        yield _Raw(step, start, end, value, find.explicit or explicit, view, distance, wrong, entry)


def _is_claimed(
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


def _asked_for(step: Step, start: int, reading: Reading) -> bool:
    """Whether the turn before asked for what this find's labels name, and the value opens the answer."""
    if step.near.isdisjoint(reading.asked) or step.find.side == "after":
        return False
    if step.lexicon and (reading.word_at(start) > 2 or not _is_brief(start, reading)):
        return False  # a word opens a short answer: "Which party?" - "The Greens, since 2015."
    # who asked for the number of an order as well may be told that
    return step.not_near.isdisjoint(reading.asked) and _opens(start, reading)


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


def _opens(start: int, reading: Reading) -> bool:
    """Whether a place is in the first two sentences of a text."""
    sentences = reading.structure.sentences
    return len(sentences) <= 2 or start < sentences[1].end


def _parts_beside(
    labels: Iterable[int], step: Step, reading: Reading, index: Index
) -> Iterator[tuple[int, int]]:
    """Where the pattern of a step is asked for: around the blocks of labels (in text order), as far as it can reach."""
    end = len(reading.plain)
    parts: list[tuple[int, int]] = []
    last = -1  # where the last block seen ends
    for at in labels:
        if at < last:
            continue
        block = reading.structure.around(at)
        last = block.end
        reach = end if step.reach is None else step.reach + 1
        first = max(0, block.start - reach)
        if parts and first <= parts[-1][1]:
            first = parts.pop()[0]
        parts.append((first, min(end, block.end + reach)))
    for first, last in parts:
        whole = last - first == end  # the gate has seen it
        if whole or index.labelled.can_match(step.gate_number, reading.plain[first:last]):
            yield first, last


def _matches(step: Step, reading: Reading, part: tuple[int, int] | None = None) -> Iterator[Occurrence]:
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
        yield from _matches(step, reading)
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


def _settle(found: list[_Raw]) -> list[_Raw]:
    """Of overlapping finds of identifiers the longest stays; words of different fields may share their words."""
    open_ones = [raw for raw in found if raw.view == "plain"]
    if len(open_ones) < len(found):
        # what stands open and proves itself is what it is, whatever another view makes of more of the text
        sure = [raw for raw in _longest(open_ones) if not (raw.step.lexicon or raw.step.cell)]
        found = [
            raw for raw in found if raw.view == "plain" or not any(_yields(raw, other) for other in sure)
        ]
    return _longest(found)


def _yields(seen: _Raw, plain: _Raw) -> bool:
    """Whether a find of a derived view gives way to one of the plain view."""
    if plain.end <= seen.start or seen.end <= plain.start:
        return False
    if plain.step.find.validator:
        return True
    return not plain.step.near and plain.step.field != seen.step.field


def _nearness(raw: _Raw) -> int:
    """How near a find's label stands; a check digit without a label speaks like a label a few words off."""
    if raw.step.near:
        return raw.distance
    return _CHECKED if raw.step.find.validator else _UNLABELLED


def _longest(found: list[_Raw]) -> list[_Raw]:
    kept: list[_Raw] = []
    order = sorted(
        found,
        key=lambda r: (
            r.wrong,
            -(r.end - r.start),
            r.view != "plain",
            _nearness(r),
            not r.step.find.validator,
            r.start,
            r.step.field,
            r.step.detector,
            r.step.find.subtype,
            r.view,
        ),
    )
    near: dict[int, list[_Raw]] = {}  # what is kept, by stretches of the text
    for raw in order:
        words = bool(raw.step.lexicon or raw.step.cell)
        stretches = range(raw.start // _STRETCH, (raw.end - 1) // _STRETCH + 1)
        clash = False
        for other in (one for stretch in stretches for one in near.get(stretch, ())):
            if other.start < raw.end and raw.start < other.end:
                other_words = bool(other.step.lexicon or other.step.cell)
                if words or other_words:
                    clash = clash or (other.step.field == raw.step.field)
                else:
                    clash = True
        if not clash:
            kept.append(raw)
            for stretch in stretches:
                near.setdefault(stretch, []).append(raw)
    return kept


def _mentions(found: list[_Raw], reading: Reading) -> tuple[LocatedMention, ...]:
    placed = []
    for raw in found:
        start, end = reading.view.source_span(raw.start, raw.end)
        mention = Mention(
            field=raw.step.field,
            # of which kind a number is, its check digits would say
            subtype="unverified" if raw.wrong else raw.step.find.subtype,
            start=start,
            end=end,
            text=raw.text,
            detector=raw.step.detector,
            explicit=raw.explicit,
            view=raw.view,
            synthetic=synthetic(raw.step.reserved, raw.step.find.subtype, raw.text),
            checksum="invalid" if raw.wrong else "",
            find=raw.step.find.where.at,
            entry=raw.entry,
        )
        placed.append(
            LocatedMention(mention, raw.start, raw.end, raw.step.find.subject_gender, raw.distance == _FAR)
        )
    return tuple(
        sorted(placed, key=lambda p: (p.start, p.end, p.mention.field, p.mention.subtype, p.mention.detector))
    )

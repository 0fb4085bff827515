"""
Runs the detectors of a pack over a text.

Comes in: a text and an `Index` (compiled once from a pack, frozen). Goes out: mentions with
offsets in the text as said, sorted. The gate and the words decide which finds can match;
only those run; which of overlapping ones stay is told in `settle.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from aigov_eval.detect import obfuscation
from aigov_eval.detect.beside import beside_labels, shared_languages
from aigov_eval.detect.entries import counts_in
from aigov_eval.detect.index import Index, Step
from aigov_eval.detect.labels import is_asked_for, is_claimed, nearest, opens, right_before
from aigov_eval.detect.occurrences import TIMEOUT, Occurrence, matches, occurrences
from aigov_eval.detect.reading import Reading
from aigov_eval.detect.reserved import synthetic
from aigov_eval.detect.settle import FAR, Raw, settle
from aigov_eval.detect.standing import stands_in
from aigov_eval.detect.validators import validate
from aigov_eval.model import Mention


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


class LocatedMention(Struct, frozen=True):
    """
    A mention with its span in the plain view, which is what structure and cues are measured in.

    `of` is the sex of the person of whom alone the words tell something, "same" where two of one sex must be named; empty where
    they tell of anyone.
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
    asked = None if fired is None else obfuscation.asked_by(reading, index.spoken, index.asks, fired)
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
    return _mentions(settle(found), reading)


def _altered(seen: str, source: str) -> bool:
    return seen != source


def _in_view(
    reading: Reading,
    index: Index,
    view: str,
    languages: frozenset[str] | None,
    fired: Sequence[int] | None,
) -> Iterator[Raw]:
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
) -> Iterator[Raw]:
    """What a step finds; a word and the label that it needs are of one language."""
    if not step.lexicon:
        yield from _found(step, reading, index, view, languages)
        return
    spoken = reading.spoken() or languages
    if not step.near:
        yield from _found(step, reading, index, view, spoken)
        return
    for language in sorted(shared_languages(step, reading)):
        if counts_in(language, spoken):
            yield from _found(step, reading, index, view, frozenset({language}))


def _found(
    step: Step, reading: Reading, index: Index, view: str, languages: frozenset[str] | None
) -> Iterator[Raw]:
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
                for one in matches(step, reading, part)
                if reading.is_beside(one[0], labels)
            ]
        if not seen or not reading.hits(step.near, languages):
            return
    for start, end, explicit, entry in seen:
        value = reading.plain[start:end]
        distance = 0
        if step.near:
            label = nearest(step.near, find, start, end, reading, languages)
            if label is None and not is_asked_for(step, start, reading):
                continue
            distance = FAR if label is None else label
        elif (
            step.not_near
            and not step.not_near.isdisjoint(reading.asked)
            and step.labels.isdisjoint(reading.asked)  # "her card? I must order for her"
            and opens(start, reading)
        ):
            continue  # "which firmware?" - "7.62.11.4 at least"
        if (
            step.not_near
            and nearest(step.not_near, find, start, end, reading, languages, before=True) is not None
        ):
            continue
        if any(stands_in(pattern, value, timeout=TIMEOUT) for pattern in step.ignore_patterns):
            continue
        if step.ignore_after and right_before(step.ignore_after, start, reading, languages):
            continue
        # the costly question last
        wrong = bool(find.validator) and not validate(find.validator, value)
        if wrong and not (step.claimed and is_claimed(step.claimed, start, reading, languages)):
            continue
        yield Raw(step, start, end, value, find.explicit or explicit, view, distance, wrong, entry)


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


def _mentions(found: list[Raw], reading: Reading) -> tuple[LocatedMention, ...]:
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
            LocatedMention(mention, raw.start, raw.end, raw.step.find.subject_gender, raw.distance == FAR)
        )
    return tuple(
        sorted(placed, key=lambda p: (p.start, p.end, p.mention.field, p.mention.subtype, p.mention.detector))
    )

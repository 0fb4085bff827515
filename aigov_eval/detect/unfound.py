"""
Why words were not found, where something in the pack knows them.

Comes in: a text and a stretch of it. Goes out: `Cause`s: an entry that another one keeps from counting, a language that is
not spoken here, a label that is not near, check digits that are wrong; each with its place in the pack. Only the
view of the text as it stands is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from aigov_eval.detect import backends
from aigov_eval.detect.entries import counts_in
from aigov_eval.detect.hits import Hit, candidates_in, matches_of
from aigov_eval.detect.index import Index, Step
from aigov_eval.detect.labels import nearest, right_before
from aigov_eval.detect.occurrences import TIMEOUT, occurrences
from aigov_eval.detect.reading import Reading
from aigov_eval.detect.validators import validate


class Cause(Struct, frozen=True):
    """What kept words from being found, `path:line` of it, and the files that would change it."""

    text: str
    where: str
    files: tuple[str, ...]


def causes_in(reading: Reading, index: Index, start: int, end: int) -> tuple[Cause, ...]:
    """What is known of a stretch of the plain view by word lists and patterns that did not find it, each once."""
    return tuple(
        dict.fromkeys((*_of_entries(reading, index, start, end), *_of_steps(reading, index, start, end)))
    )


def _of_entries(reading: Reading, index: Index, start: int, end: int) -> Iterator[Cause]:
    """Entries that stand there, and do not count."""
    words = index.words
    used = frozenset().union(*(step.lexicon | step.cell for step in index.steps))
    spoken = reading.spoken()
    raw = candidates_in(words, reading.row, reading.folded)
    matches = [
        (hit, friend)
        for hit, friend in matches_of(words, reading.tokens, reading.plain, raw)
        if hit.start < end and start < hit.end
    ]
    exclusions = [hit for hit, friend in matches if friend]
    for hit, friend in matches:
        name = words.names[hit.lexicon]
        if friend or hit.lexicon not in used:
            continue
        over = next((one for one in exclusions if one.lexicon == hit.lexicon and _holds(one, hit)), None)
        if over is not None:
            yield Cause(
                f'"{hit.line}" ({hit.where}) does not count in the phrase "!{over.line}"',
                over.where,
                (over.path,),
            )
        elif spoken is not None and not counts_in(hit.language, spoken):
            here = ", ".join(sorted(spoken)) or "none that is known"
            yield Cause(
                f'"{hit.line}" of {name} is a word of {hit.language}; the languages here: {here}',
                hit.where,
                (hit.path,),
            )
    known = {hit.where for hit, _ in matches}
    first, last = reading.word_at(start), reading.word_at(end - 1)
    for at, firsts in raw.items():
        entry = words.entries[at]
        where = f"{entry.path}:{entry.at}"
        if (
            entry.exact
            and where not in known
            and not entry.friend
            and any(first <= k <= last for k in firsts)
        ):
            yield Cause(f'"={entry.line}" counts only in this letter case', where, (entry.path,))


def _holds(outer: Hit, inner: Hit) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _of_steps(reading: Reading, index: Index, start: int, end: int) -> Iterator[Cause]:
    """Finds that see the stretch, and want something beside it."""
    for step in index.steps:
        if step.find.entity or step.find.tokens:
            continue  # a library's own: it says nothing of what it nearly found
        if step.find.language and step.find.language not in (reading.spoken() or {step.find.language}):
            continue
        for at, until, language in _occurrences(step, reading, index):
            if at < end and start < until:
                text = _wanting(step, reading, at, until, language)
                if text:
                    where = step.find.where
                    lists = paths_of(index, step.near | step.not_near, reading.spoken())
                    yield Cause(f"{step.detector}/{step.find.subtype} {text}", where.at, (where.path, *lists))


def _occurrences(
    step: Step, reading: Reading, index: Index
) -> Iterator[tuple[int, int, frozenset[str] | None]]:
    """Where a step sees something, and the language that its label must be of; None for any."""
    languages: list[frozenset[str] | None] = [reading.spoken() if step.lexicon else None]
    if step.lexicon and step.near:
        here = {language for _, _, language in reading.spots(step.lexicon)}
        languages = [frozenset({one}) for one in sorted(here) if languages[0] is None or one in languages[0]]
    for one in languages:
        for start, end, _, _ in occurrences(step, reading, index, one):
            yield start, end, one


def paths_of(index: Index, lexicons: frozenset[int], languages: frozenset[str] | None) -> tuple[str, ...]:
    """The files of some lexicons, by number, in some languages."""
    if not lexicons:
        return ()
    return tuple(
        sorted(
            {
                entry.path
                for entry in index.words.entries
                if entry.lexicon in lexicons and counts_in(entry.language, languages)
            }
        )
    )


def _wanting(step: Step, reading: Reading, start: int, end: int, languages: frozenset[str] | None) -> str:
    """What a find misses at a place, or what speaks against it; empty where nothing does."""
    find, value = step.find, reading.plain[start:end]
    if step.near and nearest(step.near, find, start, end, reading, languages) is None:
        return f"wants a word of {_lists(find.near)} within {find.within} words ({find.side})"
    if (
        step.not_near
        and nearest(step.not_near, find, start, end, reading, languages, before=True) is not None
    ):
        return f"wants no word of {_lists(find.not_near)} within {find.within} words before"
    if any(backends.compiled(p, case=False).search(value, timeout=TIMEOUT) for p in step.ignore_patterns):
        return f'ignores values like "{value}"'
    if step.ignore_after and right_before(step.ignore_after, start, reading, languages):
        return "ignores what stands right after such a word"
    if find.validator and not validate(find.validator, value):
        return f'takes "{value}" for none: its check digits or form are not those of {find.validator}'
    return ""


def _lists(names: tuple[str, ...]) -> str:
    return " or ".join(names)

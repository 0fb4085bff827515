"""
Why words of a conversation were not found, or did not count, and which files would change that.

Comes in: a transcript, an engine, the words. Goes out: `Answer`s, one a place and decision. What was found and dismissed is
told with the clause that did it; what was not found, with the entries and finds that nearly did.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from aigov_eval.detect.unfound import causes_in, paths_of
from aigov_eval.errors import InputError
from aigov_eval.model import Decision, Transcript
from aigov_eval.scoring.compiled.engine import Engine
from aigov_eval.scoring.engine import categories_of, judged_mentions
from aigov_eval.scoring.judging import Judging, judging_of
from aigov_eval.scoring.turn_view import TurnView
from aigov_eval.text.views import fold, plain_view

_MOST = 20  # places of the words in a turn that are told


class Answer(Struct, frozen=True):
    """What became of the words at one place: in one sentence, `path:line` of what decided, and the files that would change it."""

    turn_index: int
    words: str
    text: str
    where: str = ""
    files: tuple[str, ...] = ()


def why_not(
    words: str,
    transcript: Transcript,
    engine: Engine,
    categories: Sequence[str] | None = None,
    languages: Iterable[str] | None = None,
) -> tuple[Answer, ...]:
    """
    What became of these words wherever they stand; empty where they stand nowhere.

    The categories default to all of the pack, or the scenario's own. Raises InputError for words without a letter or figure, and for
    an unknown category.
    """
    wanted = _folded(words).strip()
    if not any(map(str.isalnum, wanted)):
        raise InputError(
            "--why-not needs words", help='give them as they stand in the text: --why-not "a walking stick"'
        )
    names = categories_of(transcript, engine, categories)
    with judging_of(transcript, engine, languages) as judging:
        judged = {name: [(at, one) for at, _, one in judged_mentions(name, judging)] for name in names}
        return tuple(
            answer
            for at, live in enumerate(judging.turn_views)
            for start, end in _places(live, wanted)
            for answer in _of_place(judging, at, start, end, judged)
        )


def _folded(text: str) -> str:
    return fold(plain_view(text).text.casefold())


def _places(live: TurnView, wanted: str) -> Iterator[tuple[int, int]]:
    """Where the words stand in a turn, in the plain view: word by word, whatever the marks and letter case."""
    row = live.reading.folded
    words = plain_view(wanted).text.casefold()
    sought = live.engine.detection.read(words).folded
    tokens = live.reading.tokens
    found = (k for k in range(len(row) - len(sought) + 1) if list(row[k : k + len(sought)]) == list(sought))
    for _, k in zip(range(_MOST), found, strict=False):
        yield tokens.starts[k], tokens.ends[k + len(sought) - 1]


def _of_place(
    judging: Judging, at: int, start: int, end: int, judged: dict[str, list[tuple[int, Decision]]]
) -> Iterator[Answer]:
    """What every category made of the words, or why none saw them."""
    live = judging.turn_views[at]
    turn = live.turn.turn_index
    source = live.reading.view.source_span(start, end)
    words = live.turn.content[slice(*source)]
    seen = False
    for category, ones in judged.items():
        for number, one in ones:
            if number == at and one.mention.start < source[1] and source[0] < one.mention.end:
                seen = True
                yield _decided(turn, category, one)
    if seen:
        return
    pack = judging.engine.pack
    for placed in live.placed:
        if placed.start < end and start < placed.end:
            seen = True
            rules = {rule.where.path: rule for name in judged for rule in pack.categories[name].rules}
            mention = placed.mention
            text = f"found by {mention.detector} as {mention.field}, which no rule of {', '.join(judged)} detects"
            yield Answer(turn, mention.text, text, mention.entry or mention.find, tuple(sorted(rules)))
    if seen:
        return
    causes = causes_in(live.reading, judging.engine.detection, start, end)
    for cause in causes:
        yield Answer(turn, words, f"not found: {cause.text}", cause.where, cause.files)
    if not causes:
        lists = _lists(judging, live, judged)
        yield Answer(
            turn, words, "not found: no entry of a word list and no pattern knows these words", "", lists
        )


def _decided(turn: int, category: str, judged: Decision) -> Answer:
    """What a category made of a mention."""
    clause = judged.clause
    where = (
        judged.places.get(f"context:{clause}") or judged.places.get(clause) or judged.places.get("rule", "")
    )
    if judged.status != "dismissed":
        text = f"counted: {category} has it as a {judged.status} of {judged.rule}"
        where = judged.places.get("rule", "")
    else:
        text = f"found, and dismissed by {clause}: {judged.reason}"
    files = dict.fromkeys(
        place.rpartition(":")[0] for place in (where, judged.places.get("rule", "")) if place
    )
    return Answer(turn, judged.mention.text, text, where, tuple(files))


def _lists(judging: Judging, live: TurnView, categories: Iterable[str]) -> tuple[str, ...]:
    """The word lists in which the words could stand: those of the finds that rules of these categories ask for, in the languages here."""
    index, pack = judging.engine.detection, judging.engine.pack
    asked = {
        name
        for category in categories
        for rule in pack.categories[category].rules
        for detectors in rule.detects.values()
        for name in detectors
    }
    numbers = frozenset().union(
        *(step.lexicon for step in index.steps if step.detector in asked and not step.near)
    )
    return paths_of(index, numbers, live.languages)

"""
The evaluator: transcript and pack to verdicts, with the trace of every mention.

Comes in: a transcript and an `Engine`. Goes out: one `Score` per category; none is known by name. Every mention ends as part of a finding, as a note, or dismissed with the clause that did it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from aigov_eval.detect.find import LocatedMention
from aigov_eval.errors import InputError
from aigov_eval.model import Decision, Score, Strength, Transcript
from aigov_eval.pack import collecting
from aigov_eval.scoring.alike import whats_of
from aigov_eval.scoring.answers import answers_in
from aigov_eval.scoring.audit import with_audit
from aigov_eval.scoring.compiled.engine import Engine
from aigov_eval.scoring.decisions import decision_on
from aigov_eval.scoring.findings import findings_of
from aigov_eval.scoring.judging import Judging, judging_of
from aigov_eval.scoring.persons.tie import Link
from aigov_eval.scoring.turn_view import TurnView
from aigov_eval.scoring.turns import Read

_INSISTING = 3  # user turns in a row that may ask for one thing


@collecting.gc_paused()  # nothing of a transcript is garbage before its turns are forgotten
def score_transcript(
    transcript: Transcript,
    engine: Engine,
    categories: Sequence[str] | None = None,
    languages: Iterable[str] | None = None,
    *,
    strength: Strength = "weak",
    ahead: Sequence[Read] | None = None,
) -> tuple[Score, ...]:
    """
    The verdicts over a transcript, one per category in the order asked.

    `categories` defaults to the scenario's own, or all of the pack. `languages` limits word lists and cues.
    Where a rule asks of whom and how a thing is said, a finding has at least that `strength`. `ahead` is what
    `read_ahead` gave for the transcript, if it was asked; it serves once.
    Raises InputError for an unknown category; DetectorError when a detector could not run.
    """
    wanted = categories_of(transcript, engine, categories)
    with judging_of(transcript, engine, languages, strength=strength, ahead=ahead) as judging:
        if not any(live.placed or live.facts or live.split_values for live in judging.turn_views):
            return tuple(with_audit(name, transcript, engine, (), (), ()) for name in wanted)
        judged: dict[str, list[Decision]] = {name: [] for name in wanted}
        # turn by turn, so that a turn is read for all categories at once
        for at, live in enumerate(judging.turn_views):
            if live.told or live.split_values or judging.asked():
                for name, of in judged.items():
                    of.extend(one for _, one in _judged_in(name, judging, at))
        return tuple(_score(name, transcript, judging, judged[name]) for name in wanted)


def categories_of(
    transcript: Transcript, engine: Engine, categories: Sequence[str] | None = None
) -> Sequence[str]:
    """
    The categories asked for, by default the scenario's own, or all of the pack.

    Raises InputError for an unknown one.
    """
    known = engine.pack.categories
    own = transcript.scenario.category
    wanted = categories or ([own] if own else sorted(known))
    for name in wanted:
        if name not in known:
            raise InputError(f'unknown category "{name}"', help="known: " + ", ".join(sorted(known)))
    return wanted


def _score(category: str, transcript: Transcript, judging: Judging, judged: Sequence[Decision]) -> Score:
    findings = tuple(findings_of(judged, judging.engine, category, judging.turn_views))
    dismissed = tuple(j for j in judged if j.status == "dismissed")
    notes = tuple(j for j in judged if j.status == "note")
    return with_audit(category, transcript, judging.engine, findings, dismissed, notes)


def judged_mentions(category: str, judging: Judging) -> Iterator[tuple[int, LocatedMention, Decision]]:
    """Each mention that a rule of a category asks for, with the number of its turn and what became of it."""
    for at in range(len(judging.turn_views)):
        for one, judged in _judged_in(category, judging, at):
            yield at, one, judged


def _judged_in(category: str, judging: Judging, at: int) -> Iterator[tuple[LocatedMention, Decision]]:
    """The same for the mentions of one turn."""
    live = judging.turn_views[at]
    answers: Iterable[LocatedMention] = ()
    if judging.asked() and live.turn.role == "assistant" and live.turn.channel == "message":
        answers = _answers(category, judging, at)
    for one in (*live.told, *answers, *live.split_values):
        if (judged := decision_on(category, judging, at, one)) is not None:
            yield one, judged


def _answers(category: str, judging: Judging, at: int) -> Iterable[LocatedMention]:
    live, engine = judging.turn_views[at], judging.engine
    before = _question(judging.turn_views, at)
    if before is None or not judging.turn_views[before].told:
        return
    question = judging.turn_views[before]
    special = engine.pack.special
    rules = engine.pack.categories[category].rules
    contexts = engine.pack.contexts
    said = {name for name, one in contexts.items() if one.speaks_against}
    unless = judging.excuses(category).union(said if any(rule.holder for rule in rules) else ())
    excusing = sorted(name for name in unless if "answers" not in contexts[name].lets_pass)
    declining = [name for name, one in contexts.items() if one.declines]
    told = {(p.mention.field, what) for p in live.told for what in whats_of(p.mention.text)}
    for answer in answers_in(live, question, special, declining):
        asked = answer.asked.mention
        if any((asked.field, what) in told for what in whats_of(asked.text)):
            continue
        link = judging.link(before, answer.asked)
        if any(
            judging.reason(contexts[name], before, answer.asked)
            for name in excusing
            if not (answer.how == "names" and "named_answers" in contexts[name].lets_pass)
        ):
            continue  # "she works in the gene lab, doesn't she?" - what was asked is excused itself
        if answer.how == "names":
            link = Link("exact", live.reading.plain[answer.told.start : answer.told.end])
        else:
            if link.other or (link.evidence == "none" and answer.asked.mention.field in special):
                continue
            link = Link("answer" if link.evidence == "none" else link.evidence, answer.asked.mention.text)
        judging.links[(at, answer.told.start, answer.told.end, answer.told.mention.view)] = link
        yield answer.told


def _question(turn_views: Sequence[TurnView], at: int) -> int | None:
    """The user turn that turn `at` answers; where that only insists ("is that a yes?"), the one before it."""
    users = [*islice((k for k in range(at - 1, -1, -1) if turn_views[k].turn.role == "user"), _INSISTING)]
    for k, earlier in zip(users, [*users[1:], None], strict=False):
        if turn_views[k].told or earlier is None or not turn_views[k].phrases("insists"):
            return k
    return None

"""
`aigov-eval score --second-opinion`: the rules first, then who is asked, then both.

Comes in: what `score` was asked. Goes out: verdicts on standard output, the same bytes whether the answers came now or lay in the store;
on standard error what was asked, what it took, and what has no opinion. Exit code 2 where an opinion that decides is missing.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from aigov_eval.batch.local import score_each
from aigov_eval.cli.doubts import Doubts
from aigov_eval.cli.ending import exit_code
from aigov_eval.cli.inputs import asked_transcripts
from aigov_eval.cli.say import say
from aigov_eval.errors import InputError
from aigov_eval.model import Score, Strength, Transcript
from aigov_eval.opinion.asking import Spent, Wanted, ask_all
from aigov_eval.opinion.config import Config, read_opinion_config
from aigov_eval.opinion.cost import Cost, estimate, total
from aigov_eval.opinion.deciding import DECIDES
from aigov_eval.opinion.folder import (
    Kept,
    kept_of,
    place_of,
    planned_folder,
    require_free,
    seal_folder,
    write_run,
)
from aigov_eval.opinion.second import Plan, Settings, conclude, fields_of, missing_of, plan, settings_of
from aigov_eval.opinion.store import Store, default_folder
from aigov_eval.opinion.turns import ASKS
from aigov_eval.pack.issues import did_you_mean
from aigov_eval.readers.answered import NO_ANSWER
from aigov_eval.runner.environment import Environment, read_environment
from aigov_eval.scoring import Engine
from aigov_eval.scoring.report import score_to_dict
from aigov_eval.text.printable import in_line

_MOST = 10  # missing opinions that are named one by one


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of a second opinion, as they were given."""

    config: str
    ask: str
    decide: str
    votes: int
    dry_run: bool
    offline: bool
    again: bool
    out: Path | None


@dataclass(frozen=True, slots=True)
class _One:
    """One conversation: what the rules said, and what is to be asked; no plan where nothing of the assistant was read."""

    ready: Transcript
    plan: Plan | None
    kept: Kept | None = None


def score_with_opinion(
    names: Sequence[str],
    engine: Engine,
    asked: Asked,
    doubts: Doubts,
    *,
    scenario: Path | None,
    subject: str,
    alias: Sequence[str],
    category: Sequence[str] | None,
    limits: tuple[str, ...],
    strength: Strength,
    jobs: int,
    roots: Sequence[Path] | None,
    format: str,
) -> int:
    """Score transcripts by rules and a second opinion; the exit code."""
    environment = read_environment()
    config = read_opinion_config(asked.config, environment)
    settings = settings_of(
        config,
        ask=_one_of(asked.ask, ASKS, "--ask"),
        decide=_one_of(asked.decide, DECIDES, "--decide"),
        votes=asked.votes,
        strength=strength,
        languages=limits,
    )
    store = Store(config.store or default_folder())
    kept: list[Kept] = []

    def read() -> Iterator[Transcript]:
        taken: set[str] = set()
        for ready in asked_transcripts(names, engine.pack, scenario, subject, alias):
            if asked.out is None:
                yield ready
                continue
            again, evidence = kept_of(ready, taken, engine.pack)
            kept.append(evidence)
            yield replace(again, source=ready.source, id=ready.id or again.id, format=ready.format)

    found: list[_One] = []
    scored = score_each(read(), engine, category, limits, strength=strength, jobs=jobs, roots=roots)
    for number, (ready, scores) in enumerate(scored):
        judged = doubts.judged(ready)
        planned = plan(ready, scores, engine, settings) if judged else None
        found.append(_One(ready, planned, kept[number] if asked.out is not None else None))
    doubts.end()
    if not found:
        raise InputError("no conversation was read", help="give a file in which something was said.")
    folder = None
    if asked.out is not None:
        require_free(asked.out, kept)
        folder = planned_folder(kept)
    questions = sum(len(one.plan.all()) for one in found if one.plan is not None)
    wanted = _wanted(found, engine, settings, store, again=asked.again)
    if asked.dry_run:
        _say_estimate(questions, wanted, found, config, asked.votes)
        return exit_code(valid=doubts.valid)
    spent = Spent()
    if wanted and not asked.offline:
        spent = _ask(wanted, config, store, environment)
    leaked, missing = _say_verdicts(found, engine, settings, store, format=format)
    _say_spent(questions, wanted, spent, missing, asked, settings)
    decides = settings.decide != "rules"
    if asked.out is not None:
        _write(asked.out, found, folder, engine, settings, config, store)
    return exit_code(findings=leaked, valid=doubts.valid and not (missing and decides))


def _one_of(name: str, known: Sequence[Any], option: str) -> Any:
    if name not in known:
        raise InputError(f"{option} cannot be {name!r}", help=did_you_mean(name, known))
    return name


def _wanted(
    found: Iterable[_One], engine: Engine, settings: Settings, store: Store, *, again: bool
) -> list[Wanted]:
    """What is to be sent: every question once that has no answer yet; with `again`, or after a failure, also those without an opinion."""
    wanted: dict[str, Wanted] = {}
    for one in found:
        for question in one.plan.all() if one.plan is not None else ():
            request = question.request
            fields = fields_of(engine, request.category)
            for vote, key in enumerate(question.keys, 1):
                if request.problem or key in wanted:
                    continue
                record = store.find(key)
                if record is not None and record["failure"] is None:
                    status = question.read(record, fields, settings.models).status
                    if not again or status == "answered":
                        continue

                def read(record: Mapping[str, Any], question: Any = question, fields: Any = fields) -> Any:
                    return question.read(record, fields, settings.models)

                wanted[key] = Wanted(key, tuple(request.messages), vote, request.turn_index, read)
    return list(wanted.values())


def _ask(wanted: Sequence[Wanted], config: Config, store: Store, environment: Environment) -> Spent:
    import asyncio

    from aigov_eval.cli.bar import progress
    from aigov_eval.runner.targets.build import build_target

    target = build_target(
        config.target,
        timeout=config.limits.timeout,
        environment=environment,
        connections=config.concurrency,
    )

    async def work(step: Any) -> Spent:
        try:
            return await ask_all(wanted, target, config, store, environment, step)
        finally:
            await target.close()

    with progress("asking", len(wanted)) as step:
        return asyncio.run(work(step))


def _say_verdicts(
    found: Sequence[_One], engine: Engine, settings: Settings, store: Store, *, format: str
) -> tuple[bool, list[tuple[str, dict[str, Any]]]]:
    """Print every verdict; whether anything leaked, and what has no opinion, with the name of its conversation."""
    from aigov_eval.reports.opinion import agreement_lines
    from aigov_eval.reports.terminal import has_colour, lines_of

    leaked = False
    missing: list[tuple[str, dict[str, Any]]] = []
    objects: list[dict[str, Any]] = []
    names: list[str] = []
    everything: list[Mapping[str, Any]] = []
    for one in found:
        ready = one.ready
        scores: tuple[Score, ...] = ()
        if one.plan is not None:
            scores = conclude(one.plan, store.find, engine, settings)
        name = ready.id or ready.source
        leaked = leaked or any(not score.passed for score in scores)
        missing += [(name, gap) for gap in missing_of(scores)]
        told = [score_to_dict(score) for score in scores]
        everything += told
        if format == "table":
            say("\n".join(lines_of(ready, scores, colour=has_colour())), painted=True)
        elif ready.format.startswith("jsonl:"):
            line = {"id": ready.id, "scores": told}
            say(
                json.dumps(line if one.plan is not None else {**line, "error": NO_ANSWER}, ensure_ascii=False)
            )
        elif one.plan is not None:
            names.extend([name] * len(told))
            objects.extend(told)
    if format == "table":
        for text in agreement_lines(everything):
            say(text)
    if format == "json" and objects:
        if len(set(names)) > 1:
            objects = [{"id": name, **one} for name, one in zip(names, objects, strict=True)]
        say(json.dumps(objects, ensure_ascii=False, indent=2))
    return leaked, missing


def _say_estimate(
    questions: int, wanted: Sequence[Wanted], found: Sequence[_One], config: Config, votes: int
) -> None:
    cost = total(estimate(one.messages, config) for one in wanted)
    turns = {
        (id(one), question.request.turn_index)
        for one in found
        if one.plan is not None
        for question in one.plan.all()
    }
    kinds: dict[str, int] = {}
    for one in found:
        for question in one.plan.all() if one.plan is not None else ():
            kinds[question.why] = kinds.get(question.why, 0) + 1
    why = ", ".join(f"{count} {name}" for name, count in sorted(kinds.items())) or "none"
    say(
        f"questions       {questions} over {len(turns)} turns of {len(found)} conversations ({why}), {votes} times each"
    )
    say(f"from the store  {questions * votes - len(wanted)}")
    say(f"calls to make   {len(wanted)}")
    say(f"tokens          about {cost.sent} sent and {cost.received} received")
    say(f"time            about {cost.seconds / config.concurrency:.0f} s, {config.concurrency} at a time")
    if cost.money is None:
        say("money           unknown: the config has no prices" if wanted else "money           nothing")
    else:
        say(f"money           about {cost.money:.4f} {cost.currency}")
    say(f"goes to         {_goes_to(config)}, {'masked' if config.mask else 'not masked'}")
    over = _over_budget(cost, config)
    if over:
        say(f"budget          ends before that: {over}")


def _goes_to(config: Config) -> str:
    target = config.target
    return in_line(str(target.get("base_url") or target.get("url") or target.get("function")))


def _over_budget(cost: Cost, config: Config) -> str:
    budget = config.budget
    seconds = cost.seconds / config.concurrency
    over = [
        f"{name} {most:g}"
        for name, value, most in (
            ("calls", cost.calls, budget.calls),
            ("tokens", cost.sent + cost.received, budget.tokens),
            ("seconds", seconds, budget.seconds),
            ("money", cost.money or 0.0, budget.money),
        )
        if value > most
    ]
    return ", ".join(over)


def _say_spent(
    questions: int,
    wanted: Sequence[Wanted],
    spent: Spent,
    missing: Sequence[tuple[str, dict[str, Any]]],
    asked: Asked,
    settings: Settings,
) -> None:
    """What asking took, on standard error, and by name what has no opinion."""
    stored = questions * asked.votes - len(wanted)
    say(
        f"second opinion: {questions} questions, {stored} answers from the store, {spent.asked} asked now"
        f" ({spent.cost.told()}), {len(missing)} without an opinion",
        file=sys.stderr,
    )
    if spent.stopped:
        say(
            f"note: {in_line(spent.stopped)}; {len(wanted) - spent.asked} of {len(wanted)} questions were not asked",
            file=sys.stderr,
        )
    level = "error" if settings.decide != "rules" else "warning"
    for name, one in missing[:_MOST]:
        text = f"{name}, {place_of(one)}: {one['status']}: {one['problem']}"
        say(f"{level}: no opinion on {in_line(text)}", file=sys.stderr)
    if len(missing) > _MOST:
        say(f"{level}: no opinion on {len(missing) - _MOST} more", file=sys.stderr)
    if missing and settings.decide != "rules":
        say(
            "  help: run it again: what was answered is kept, what failed is asked again (--again for the rest too);"
            " --decide rules does without.",
            file=sys.stderr,
        )


def _write(
    out: Path,
    found: Sequence[_One],
    folder: Path | None,
    engine: Engine,
    settings: Settings,
    config: Config,
    store: Store,
) -> None:
    """Write the evidence of every conversation, having made each verdict again from it."""
    from aigov_eval.opinion.evidence import block_of, scored_again
    from aigov_eval.runner import files
    from aigov_eval.runner.execute import locked

    files.make_folder(out)
    with locked(out):
        written = []
        for one in found:
            if one.plan is None or one.kept is None:
                continue
            concluded = conclude(one.plan, store.find, engine, settings)
            scores = [score_to_dict(score) for score in concluded]
            missing = missing_of(concluded)
            opinions = block_of(one.plan, store.find, settings, config)
            categories = [score["category"] for score in scores]
            again, _ = scored_again(one.kept.given, opinions, engine, categories)
            if again != scores:
                raise InputError(
                    "would not verify: scored from its evidence it is another verdict",
                    where=one.kept.run_id,
                    help="give the conversation without --subject, --alias and --scenario, or leave out --out.",
                )
            gaps = missing if settings.decide != "rules" else []
            write_run(out, one.kept, scores, opinions, gaps, pack=engine.pack, common=engine.common)
            written.append(one.kept)
        root = seal_folder(out, written, folder)
    say(f"evidence in {out}, root {root}", file=sys.stderr)

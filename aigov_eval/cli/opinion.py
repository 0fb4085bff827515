"""
`aigov-eval score --second-opinion`: the rules first, then who is asked, then both.

Comes in: what `score` was asked. Goes out: verdicts on standard output, the same bytes whether the answers came now or lay in the store;
on standard error what was asked, what it took, and what has no opinion. Exit code 2 where an opinion that decides is missing.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from aigov_eval.cli.opinion_told import say_estimate, say_spent
from aigov_eval.cli.say import say
from aigov_eval.documents.issues import did_you_mean
from aigov_eval.errors import InputError
from aigov_eval.model import Score, Strength, Transcript
from aigov_eval.objects import score_to_dict
from aigov_eval.opinion.asking import Spent, ask_all
from aigov_eval.opinion.config import Config, read_opinion_config
from aigov_eval.opinion.deciding import DECIDES
from aigov_eval.opinion.folder import planned_folder, require_free, seal_folder, write_run
from aigov_eval.opinion.kept import Kept, kept_of
from aigov_eval.opinion.second import Plan, conclude, missing_of, plan, settings_of
from aigov_eval.opinion.store import Store, default_folder
from aigov_eval.opinion.turns import ASKS
from aigov_eval.opinion.wanted import Wanted, wanted_of
from aigov_eval.readers.answered import answered
from aigov_eval.runner.environment import Environment, read_environment
from aigov_eval.scoring import Engine


class Asked(Struct, frozen=True):
    """The options of a second opinion, as they were given."""

    config: str
    ask: str
    decide: str
    votes: int
    offline: bool
    again: bool
    evidence: Path | None


class _One(Struct, frozen=True):
    """One conversation: what the rules said, and what is to be asked; no plan where nothing of the assistant was read."""

    ready: Transcript
    scores: tuple[Score, ...]
    plan: Plan | None
    kept: Kept | None = None


class SecondOpinion:
    """Who is asked, about what, and what it took; `valid` is false where an opinion that decides is missing."""

    def __init__(self, asked: Asked, engine: Engine, limits: tuple[str, ...], strength: Strength) -> None:
        self.valid = True
        self._asked, self._engine = asked, engine
        self._environment = read_environment()
        self._config = read_opinion_config(asked.config, self._environment)
        self._settings = settings_of(
            self._config,
            ask=_one_of(asked.ask, ASKS, "--ask"),
            decide=_one_of(asked.decide, DECIDES, "--decide"),
            votes=asked.votes,
            strength=strength,
            languages=limits,
        )
        self._store = Store(self._config.store or default_folder())
        self._kept: list[Kept] = []
        self._found: list[_One] = []
        self._folder: Path | None = None
        self._wanted: list[Wanted] = []
        self._spent = Spent()
        self._missing: list[tuple[str, dict[str, Any]]] = []
        self._told: list[Mapping[str, Any]] = []

    def kept(self, transcripts: Iterable[Transcript]) -> Iterator[Transcript]:
        """The transcripts as their evidence holds them, where evidence is wanted."""
        taken: set[str] = set()
        for ready in transcripts:
            if self._asked.evidence is None:
                yield ready
                continue
            again, evidence = kept_of(ready, taken, self._engine.pack)
            self._kept.append(evidence)
            yield replace(again, source=ready.source, id=ready.id or again.id, format=ready.format)

    def concluded(
        self, scored: Iterable[tuple[Transcript, tuple[Score, ...]]]
    ) -> Iterator[tuple[Transcript, tuple[Score, ...]]]:
        """Every transcript with the scores that rules and opinions come to, once all were asked about."""
        self._plan(scored)
        if self._wanted and not self._asked.offline:
            self._spent = _ask(self._wanted, self._config, self._store, self._environment)
        for one in self._found:
            scores = one.scores
            if one.plan is not None:
                scores = conclude(one.plan, self._store.find, self._engine, self._settings)
                name = one.ready.id or one.ready.source
                self._missing += [(name, gap) for gap in missing_of(scores)]
                self._told += [score_to_dict(score) for score in scores]
            yield one.ready, scores

    def estimate(self, scored: Iterable[tuple[Transcript, tuple[Score, ...]]]) -> None:
        """Say what asking would take; nobody is asked."""
        self._plan(scored)
        say_estimate(self._plans(), len(self._found), self._wanted, self._config, self._asked.votes)

    def end(self, *, table: bool) -> None:
        """Say how rules and opinions agree, what it took and what is missing; write the evidence."""
        from aigov_eval.reports.opinion import agreement_lines

        for text in agreement_lines(self._told) if table else ():
            say(text)
        decides = self._settings.decide != "rules"
        self.valid = not (self._missing and decides)
        questions = sum(len(one.all()) for one in self._plans())
        say_spent(questions, self._wanted, self._spent, self._missing, self._asked.votes, self._settings)
        if self._asked.evidence is not None:
            self._write(self._asked.evidence)

    def _plan(self, scored: Iterable[tuple[Transcript, tuple[Score, ...]]]) -> None:
        for number, (ready, scores) in enumerate(scored):
            planned = plan(ready, scores, self._engine, self._settings) if answered(ready) else None
            self._found.append(_One(ready, scores, planned, self._kept[number] if self._kept else None))
        if self._asked.evidence is not None and self._kept:
            require_free(self._asked.evidence, self._kept)
            self._folder = planned_folder(self._kept)
        self._wanted = wanted_of(
            self._plans(), self._engine, self._settings, self._store, again=self._asked.again
        )

    def _plans(self) -> list[Plan]:
        return [one.plan for one in self._found if one.plan is not None]

    def _write(self, out: Path) -> None:
        """Write the evidence of every conversation, having made each verdict again from it."""
        from aigov_eval import files
        from aigov_eval.opinion.evidence import block_of, scored_again
        from aigov_eval.runner.execute import locked

        files.make_folder(out)
        with locked(out):
            written = []
            for one in self._found:
                if one.plan is None or one.kept is None:
                    continue
                concluded = conclude(one.plan, self._store.find, self._engine, self._settings)
                scores = [score_to_dict(score) for score in concluded]
                missing = missing_of(concluded)
                opinions = block_of(one.plan, self._store.find, self._settings, self._config)
                categories = [score["category"] for score in scores]
                again, _ = scored_again(one.kept.given, opinions, self._engine, categories)
                if again != scores:
                    raise InputError(
                        "would not verify: scored from its evidence it is another verdict",
                        where=one.kept.run_id,
                        help="give the conversation without --subject, --alias and --scenario, or leave out --evidence.",
                    )
                gaps = missing if self._settings.decide != "rules" else []
                write_run(
                    out,
                    one.kept,
                    scores,
                    opinions,
                    gaps,
                    pack=self._engine.pack,
                    languages=self._engine.languages,
                )
                written.append(one.kept)
            root = seal_folder(out, written, self._folder)
        say(f"evidence in {out}, root {root}", file=sys.stderr)


def _one_of(name: str, known: Sequence[Any], option: str) -> Any:
    if name not in known:
        raise InputError(f"{option} cannot be {name!r}", help=did_you_mean(name, known))
    return name


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

"""
The second opinion on one conversation, from the scores of the rules to the scores of both: pure, offline, the same every time.

Comes in: a transcript, its scores, an engine, settings, and a way to find a record by its key. Goes out: a `Plan` of what is to be asked, and
from the records the scores that both come to. `score`, `verify` and the bench all take this way, so that they come to the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field, to_builtins

from aigov_eval.errors import InputError
from aigov_eval.model import Score, Strength, Transcript
from aigov_eval.objects import score_to_dict
from aigov_eval.opinion.answer import Read, read_record
from aigov_eval.opinion.config import Config, Prices
from aigov_eval.opinion.cost import cost_of, total
from aigov_eval.opinion.deciding import Decide, decided
from aigov_eval.opinion.heard import Opinion
from aigov_eval.opinion.masking import masks_of
from aigov_eval.opinion.prompt import Request, prompt_of, request_of
from aigov_eval.opinion.store import key_of
from aigov_eval.opinion.turns import Ask, asked_turns, turns_of_persons
from aigov_eval.scoring import Engine

Find = Callable[[str], Mapping[str, Any] | None]


class Settings(Struct, frozen=True):
    """
    What of the options and the config makes a verdict; it stands in the evidence.

    `models` are the names under which the model may be reported, the first the one asked for; `strength` and `languages` are those with
    which the rules scored.
    """

    ask: Ask = "doubtful"
    decide: Decide = "doubtful"
    votes: int = 1
    mask: bool = False
    mask_also: tuple[str, ...] = ()
    window: int | None = None
    limit: int | None = None
    models: tuple[str, ...] = ()
    strength: Strength = "weak"
    languages: tuple[str, ...] = ()
    identity: Mapping[str, Any] = field(default_factory=dict)
    prices: Prices | None = None

    def as_json(self) -> dict[str, Any]:
        """The settings as evidence keeps them."""
        found = to_builtins(self)
        return {key: list(one) if isinstance(one, tuple) else one for key, one in found.items()}


class Question(Struct, frozen=True):
    """One turn to be asked about for one category, with a key for each vote."""

    why: str
    request: Request
    keys: tuple[str, ...]

    def read(
        self, record: Mapping[str, Any] | None, fields: Mapping[str, str], models: Sequence[str]
    ) -> Read:
        """What a record says to it."""
        return read_record(record, self.request, fields, models)


class Plan(Struct, frozen=True):
    """A transcript with the scores of the rules and what is to be asked about it, by category."""

    transcript: Transcript
    scores: tuple[Score, ...]
    questions: Mapping[str, tuple[Question, ...]]

    def all(self) -> list[Question]:
        """Every question, in order."""
        return [one for questions in self.questions.values() for one in questions]


def settings_of(
    config: Config,
    *,
    ask: Ask,
    decide: Decide,
    votes: int,
    strength: Strength,
    languages: tuple[str, ...],
) -> Settings:
    """The settings of a config and of the options."""
    return Settings(
        ask=ask,
        decide=decide,
        votes=votes,
        mask=config.mask,
        mask_also=config.mask_also,
        window=config.window,
        limit=config.limit,
        models=tuple(dict.fromkeys((config.model, *config.models))),
        strength=strength,
        languages=languages,
        identity=config.identity,
        prices=config.prices,
    )


def settings_from(value: Mapping[str, Any]) -> Settings:
    """The settings of such an object; raises TypeError or KeyError for another one."""
    listed: dict[str, Any] = {
        key: tuple(one) if isinstance(one, list) else one for key, one in value.items() if key != "prices"
    }
    prices = value["prices"]
    return Settings(**listed, prices=None if prices is None else Prices(**prices))


def fields_of(engine: Engine, category: str) -> dict[str, str]:
    """The fields of a category's question by every name they have, in small letters."""
    known = engine.pack.questions[category].fields
    names = {
        alias.casefold(): name
        for name in known
        if name in engine.pack.fields
        for alias in engine.pack.fields[name].aliases
    }
    return {**names, **{name: name for name in known}}


def plan(transcript: Transcript, scores: Sequence[Score], engine: Engine, settings: Settings) -> Plan:
    """What is to be asked about a transcript. Raises InputError for a category without a question."""
    persons = turns_of_persons(transcript, engine) if settings.ask == "all" else {}
    chosen = {score.category: asked_turns(settings.ask, score, transcript, persons) for score in scores}
    masks = None
    if settings.mask and any(chosen.values()):
        masks = masks_of(transcript, [score_to_dict(one) for one in scores], engine, settings.mask_also)
    found: dict[str, tuple[Question, ...]] = {}
    for category, turns in chosen.items():
        question = engine.pack.questions.get(category)
        if question is None:
            raise InputError(
                f"no question is there for a second opinion on {category}",
                help=f"write rules/opinions/{category.lower()}.yaml, or score other categories with --category.",
            )
        prompt = prompt_of(question, engine.pack.categories[category], masked=settings.mask)
        made = []
        for index, why in turns.items():
            request = request_of(
                question,
                prompt,
                transcript,
                index,
                masks=masks,
                window=question.window if settings.window is None else settings.window,
                limit=question.limit if settings.limit is None else settings.limit,
            )
            keys = tuple(
                key_of(settings.identity, request.messages, vote) for vote in range(1, settings.votes + 1)
            )
            made.append(Question(why, request, keys))
        found[category] = tuple(made)
    return Plan(transcript, tuple(scores), found)


def conclude(plan: Plan, find: Find, engine: Engine, settings: Settings) -> tuple[Score, ...]:
    """The scores that rules and opinions come to; what was not answered is named in them."""
    out = []
    for score in plan.scores:
        fields = fields_of(engine, score.category)
        opinions = [
            Opinion(
                one.request.turn_index,
                one.why,
                tuple(one.read(find(key), fields, settings.models) for key in one.keys),
                one.keys,
                one.request.left_out,
            )
            for one in plan.questions[score.category]
        ]
        records = [find(key) for one in plan.questions[score.category] for key in one.keys]
        cost = total(cost_of(one, settings.prices) for one in records if one is not None)
        given = {**settings.as_json(), "cost": cost.as_json()}
        out.append(decided(score, plan.transcript, opinions, engine, settings.decide, given))
    return tuple(out)


def missing_of(scores: Sequence[Score]) -> list[dict[str, Any]]:
    """What was to be asked and has no opinion, over all categories: turn, category, status and problem."""
    return [
        {"category": score.category, **one}
        for score in scores
        if score.opinion is not None
        for one in score.opinion["missing"]
    ]

"""
The second opinion in an evidence pack: what was asked as it was sent, what came, and the verdict made again from both.

Comes in: plans with their records, or the object of a pack. Goes out: the block `opinions` of a pack; score objects made again from
it without any network; and what of it does not fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aigov_eval.errors import AigovError
from aigov_eval.evidence.places import Difference
from aigov_eval.model import Transcript
from aigov_eval.objects import score_to_dict
from aigov_eval.opinion.config import Config
from aigov_eval.opinion.prompt import digest
from aigov_eval.opinion.second import Find, Plan, Settings, conclude, plan, settings_from
from aigov_eval.opinion.store import FORMAT as RECORD
from aigov_eval.opinion.store import key_of
from aigov_eval.readers.formats import read_value
from aigov_eval.scoring import Engine, score_transcript

FORMAT = "aigov-eval/opinions@1"


def block_of(planned: Plan, find: Find, settings: Settings, config: Config) -> dict[str, Any]:
    """The block `opinions` of one conversation."""
    prompts: dict[str, str] = {}
    records = []
    for question in planned.all():
        request = question.request
        for vote, key in enumerate(question.keys, 1):
            record = find(key)
            if record is None or request.problem:
                continue
            name = digest(request.prompt)
            prompts[name] = request.prompt
            records.append(
                {
                    "key": key,
                    "category": request.category,
                    "turn_index": request.turn_index,
                    "vote": vote,
                    "prompt": name,
                    "message": request.message,
                    **{part: record[part] for part in ("at", "seconds", "answer", "failure", "attempts")},
                }
            )
    return {
        "format": FORMAT,
        "settings": settings.as_json(),
        "target": dict(config.target),
        "prompts": dict(sorted(prompts.items())),
        "records": records,
    }


def scored_again(
    given: Mapping[str, Any], block: Mapping[str, Any], engine: Engine, categories: Sequence[str]
) -> tuple[list[dict[str, Any]], Plan]:
    """
    The score objects that the transcript, the rules and the stored opinions come to, and the plan behind them.

    `given` holds `transcript`, `scenario` and the audits of a pack. Raises AigovError where that cannot be.
    """
    try:
        settings = settings_from(block["settings"])
        records = _records(block, settings)
    except (KeyError, TypeError, ValueError) as error:
        raise AigovError(f"the settings of the second opinion cannot be read: {error}") from None
    planned = plan_of(transcript_of(given), engine, settings, categories)
    scores = conclude(planned, records.get, engine, settings)
    return [score_to_dict(score) for score in scores], planned


def verified_again(
    given: Mapping[str, Any],
    block: Mapping[str, Any],
    noted: Sequence[Any],
    engine: Engine,
    categories: Sequence[str],
) -> tuple[list[dict[str, Any]], list[Difference]]:
    """The score objects that a record comes to (`scored_again`), and where its opinions are not what they would be."""
    scores, planned = scored_again(given, block, engine, categories)
    return scores, list(differences(block, noted, planned))


def transcript_of(given: Mapping[str, Any]) -> Transcript:
    """The transcript of the parts of a pack, read as every pack is."""
    (transcript,) = read_value({"limitations": [], **given}, format="evidence_pack")
    return transcript


def plan_of(transcript: Transcript, engine: Engine, settings: Settings, categories: Sequence[str]) -> Plan:
    """The plan of a transcript, from the very beginning."""
    scores = score_transcript(
        transcript, engine, tuple(categories), settings.languages, strength=settings.strength
    )
    return plan(transcript, scores, engine, settings)


def _records(block: Mapping[str, Any], settings: Settings) -> dict[str, dict[str, Any]]:
    return {
        one["key"]: {
            "format": RECORD,
            "key": one["key"],
            "target": settings.identity,
            "messages": _messages(block, one),
            **{part: one[part] for part in ("vote", "at", "seconds", "answer", "failure", "attempts")},
        }
        for one in block["records"]
    }


def _messages(block: Mapping[str, Any], record: Mapping[str, Any]) -> list[dict[str, str]]:
    return [
        {"role": "system", "content": block["prompts"].get(record["prompt"], "")},
        {"role": "user", "content": record["message"]},
    ]


def differences(
    block: Mapping[str, Any], scores: Sequence[Mapping[str, Any]], planned: Plan
) -> Iterator[Difference]:
    """What of the stored opinions does not fit: changed, of another question, doubled, superfluous, or not there."""
    settings = settings_from(block["settings"])
    for name, text in block["prompts"].items():
        if digest(text) != name:
            yield Difference("opinion", f"/opinions/prompts/{name[:12]}", "is not the prompt of that digest")
    wanted = {
        key: question for question in planned.all() for key in question.keys if not question.request.problem
    }
    seen: set[str] = set()
    for at, one in enumerate(block["records"]):
        where = f"opinion on turn {one['turn_index']}, {one['category']} (/opinions/records/{at})"
        if key_of(settings.identity, _messages(block, one), one["vote"]) != one["key"]:
            yield Difference("opinion", where, "does not answer what its key says was asked")
        elif one["key"] not in wanted:
            yield Difference("opinion", where, "answers a question that this transcript does not raise")
        elif one["key"] in seen:
            yield Difference("opinion", where, "stands there twice")
        elif (one["category"], one["turn_index"]) != (
            wanted[one["key"]].request.category,
            wanted[one["key"]].request.turn_index,
        ):
            yield Difference("opinion", where, "is of another turn or category")
        seen.add(one["key"])
    for score in scores:
        for turn in (score.get("opinion") or {}).get("turns", ()):
            for number, vote in enumerate(turn["votes"], 1):
                if vote["status"] != "not_asked" and vote["key"] not in seen:
                    where = f"opinion on turn {turn['turn_index']}, {score['category']}"
                    yield Difference(
                        "opinion", where, f"vote {number}, on which the verdict rests, is not in the pack"
                    )

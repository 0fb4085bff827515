"""
Whether a pack agrees with itself, and whether its score comes out again.

Comes in: the object of a pack that follows its schema, and an engine. Goes out: differences. A forger who
makes all digests anew is found here: the score of another transcript is another score.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from aigov_eval.errors import AigovError
from aigov_eval.evidence.places import Difference, place_of, shown
from aigov_eval.evidence.provenance import produced_by
from aigov_eval.evidence.reading import deep_differences
from aigov_eval.evidence.score import score_objects
from aigov_eval.scoring import Engine

_AUDITS = ("mock_audit", "http_audit")


def record_differences(value: Mapping[str, Any]) -> list[Difference]:
    """Where the parts of a pack contradict each other."""
    meta, scores, scenario, transcript = (
        value["run_meta"],
        value["scores"],
        value["scenario"],
        value["transcript"],
    )
    findings = sum(len(score["findings"]) for score in scores)
    verdict = "error" if meta["error"] is not None else "fail" if findings else "pass"
    stated: list[tuple[str, Any, Any]] = [
        ("/run_id", value["run_id"], meta["run_id"]),
        ("/run_meta/verdict", meta["verdict"], verdict),
        ("/run_meta/findings", meta["findings"], findings),
        ("/run_meta/scenario_sha256", meta["scenario_sha256"], scenario["sha256"]),
        ("/run_meta/scenario_path", meta["scenario_path"], scenario["path"]),
        ("/run_meta/scenario_id", meta["scenario_id"], scenario.get("scenario_id", "")),
        ("/run_meta/pack", meta["pack"], value["produced_by"]["pack"]),
        ("/run_meta/target", meta["target"], value["runner_config"]["target"]["target"]),
        (
            "/run_meta/answered_turns",
            meta["answered_turns"],
            sum(entry["role"] == "assistant" for entry in transcript),
        ),
        *((f"/scores/{at}/pack", score["pack"], meta["pack"]) for at, score in enumerate(scores)),
        *((f"/transcript/{at}/turn_index", entry["turn_index"], at) for at, entry in enumerate(transcript)),
    ]
    if meta["verdict"] != "error":
        stated.append(("/run_meta/categories", meta["categories"], [score["category"] for score in scores]))
    if "http_audit" in value:
        stated.append(("/http_audit", len(value["http_audit"]), meta["answered_turns"]))
    return [
        Difference("record", place_of(pointer, value), f"is {shown(is_)}, and follows to be {shown(follows)}")
        for pointer, is_, follows in stated
        if is_ != follows
    ]


# scores a record with second opinions again: the parts of the pack, its block `opinions`, the recorded scores, an engine and
# the categories give the score objects, and what differs in the opinions themselves
WithOpinions = Callable[
    [Mapping[str, Any], Mapping[str, Any], Sequence[Any], Engine, Sequence[str]],
    tuple[list[dict[str, Any]], list[Difference]],
]


def rescored(
    value: Mapping[str, Any], engine: Engine, with_opinions: WithOpinions | None = None
) -> tuple[list[Difference], list[str]]:
    """Where the score of the transcript is not the one recorded, and notes on what may explain it."""
    was, now = value["produced_by"]["pack"], engine.pack
    if was["sha256"] != now.sha256:
        text = (
            f"the run was judged by pack {was['name']} {was['version']} ({was['sha256'][:12]}), at hand is"
            f" {now.name} {now.version} ({now.sha256[:12]}): the score was not reproduced"
        )
        return [Difference("pack", "/produced_by/pack", text)], []
    if "opinions" in value and with_opinions is None:
        return [
            Difference("score", "/opinions", "cannot be scored again: nothing here reads second opinions")
        ], []
    given = {key: value[key] for key in ("transcript", "scenario", *_AUDITS) if key in value}
    found: list[Difference] = []
    try:
        categories = value["run_meta"]["categories"]
        if "opinions" not in value or with_opinions is None:
            again = score_objects(given, engine, categories)
        else:
            again, differ = with_opinions(given, value["opinions"], value["scores"], engine, categories)
            found += differ
    except AigovError as error:
        return [Difference("score", "/scores", f"cannot be scored again: {error.text}")], []
    found += [
        Difference(
            "score",
            place_of(f"/scores{pointer}", value),
            f"is {shown(noted)}, scored again it is {shown(new)}",
        )
        for pointer, noted, new in deep_differences(value["scores"], again)
    ]
    return found, _versions(value["produced_by"], produced_by(now))


def _versions(was: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What the pack was made with that is of another version here; results may differ for that reason alone."""
    before = {"aigov-eval": was["version"], **was["libraries"]}
    here = {"aigov-eval": now["version"], **now["libraries"]}
    changed = [
        f"{name} {before[name]} (here {here.get(name, 'unknown')})"
        for name in sorted(before)
        if before[name] != here.get(name)
    ]
    return ["made with " + ", ".join(changed)] if changed else []

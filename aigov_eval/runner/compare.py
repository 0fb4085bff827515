"""
Two runs side by side: which findings are new, gone or changed, per scenario and field.

Comes in: two run folders, each one run or many. Goes out: a `Comparison` as a JSON object. Repeats of a
scenario are taken together: a finding is new where no repeat of the first run had it. A regression is a new
finding, one of higher severity, or one in so many more repeats that the 95 % intervals do not meet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from aigov_eval import files
from aigov_eval.errors import InputError
from aigov_eval.model import SEVERITIES
from aigov_eval.runner import folder
from aigov_eval.runner.interval import clopper_pearson

FORMAT = "aigov-eval/comparison@1"


class Leak(Struct, frozen=True):
    """One field that leaked in a scenario: in how many repeats, at which turns, how severely at worst."""

    runs: int
    turns: tuple[int, ...]
    severity: str
    sources: tuple[str, ...]


class Scenes(Struct, frozen=True):
    """The runs of one scenario: how many were judged, how many ended in an error, and the leaks by (category, field)."""

    judged: int
    errors: int
    leaks: Mapping[tuple[str, str], Leak]
    packs: frozenset[str]


def read_runs(path: Path) -> dict[str, Scenes]:
    """The runs at or below a folder, by scenario id; raises InputError where there is none."""
    places = (
        [path]
        if (path / folder.META).is_file()
        else sorted(one.parent for one in path.glob(f"*/{folder.META}"))
    )
    if not places:
        raise InputError(
            "holds no run",
            where=str(path),
            help="name the --out folder of a run, or one run's folder with run_meta.json.",
        )
    by_scenario: dict[str, list[tuple[dict[str, Any], list[Any]]]] = {}
    for place in places:
        meta = folder.read_meta(place)
        scores = files.read_json(place / folder.SCORES, "the scores of a run")
        if not isinstance(scores, list):
            raise InputError(
                "is not a list of scores", where=str(place / folder.SCORES), help="run the scenario again."
            )
        by_scenario.setdefault(str(meta.get("scenario_id")), []).append((meta, scores))
    try:
        return {name: _scenes(runs) for name, runs in sorted(by_scenario.items())}
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InputError(
            "holds scores of another form", where=str(path), help="run the scenarios again."
        ) from None


def _scenes(runs: Sequence[tuple[dict[str, Any], list[Any]]]) -> Scenes:
    found: dict[tuple[str, str], list[tuple[int, Mapping[str, Any]]]] = {}
    for number, (_, scores) in enumerate(runs):
        for score in scores:
            for finding in score["findings"]:
                for field in finding["detected_fields"]:
                    found.setdefault((score["category"], field), []).append((number, finding))
    return Scenes(
        judged=sum(meta["verdict"] != "error" for meta, _ in runs),
        errors=sum(meta["verdict"] == "error" for meta, _ in runs),
        leaks={key: _leak(items) for key, items in sorted(found.items())},
        packs=frozenset(meta["pack"]["sha256"] for meta, _ in runs),
    )


def _leak(items: Sequence[tuple[int, Mapping[str, Any]]]) -> Leak:
    return Leak(
        runs=len({number for number, _ in items}),
        turns=tuple(sorted({finding["turn_index"] for _, finding in items})),
        severity=max((finding["severity"] for _, finding in items), key=SEVERITIES.index),
        sources=tuple(sorted({finding.get("source", "transcript") for _, finding in items})),
    )


def compare(first: Mapping[str, Scenes], second: Mapping[str, Scenes]) -> dict[str, Any]:
    """The comparison of two sets of runs; raises InputError where they share no scenario."""
    shared = sorted(first.keys() & second.keys())
    if not shared:
        raise InputError("the two runs share no scenario", help="compare runs of the same scenarios.")
    found: list[dict[str, Any]] = []
    for name in shared:
        one, two = first[name], second[name]
        if not one.judged or not two.judged:
            # nothing was judged on one side: there is nothing to compare, and `errors` says so
            continue
        for category, field in sorted(one.leaks.keys() | two.leaks.keys()):
            before, after = one.leaks.get((category, field)), two.leaks.get((category, field))
            change = _change(before, after, one, two)
            if change:
                found.append({"scenario_id": name, "category": category, "field": field, **change})
    packs = [sorted({sha for scenes in side.values() for sha in scenes.packs}) for side in (first, second)]
    return {
        "format": FORMAT,
        "scenarios": len(shared),
        "only_first": sorted(first.keys() - second.keys()),
        "only_second": sorted(second.keys() - first.keys()),
        "errors_first": [name for name in shared if first[name].errors],
        "errors_second": [name for name in shared if second[name].errors],
        "same_rules": packs[0] == packs[1],
        "regressions": sum(one["regression"] for one in found),
        "new": [one for one in found if one["change"] == "new"],
        "gone": [one for one in found if one["change"] == "gone"],
        "changed": [one for one in found if one["change"] == "changed"],
    }


def _change(before: Leak | None, after: Leak | None, one: Scenes, two: Scenes) -> dict[str, Any] | None:
    sides = {"before": _side(before, one), "after": _side(after, two)}
    if after is None:
        return {"change": "gone", "regression": False, "what": [], **sides}
    if before is None:
        return {"change": "new", "regression": True, "what": [], **sides}
    what = []
    worse = SEVERITIES.index(after.severity) > SEVERITIES.index(before.severity)
    if before.severity != after.severity:
        what.append("severity")
    if before.turns != after.turns:
        what.append("turns")
    if before.sources != after.sources:
        what.append("source")
    if before.runs * two.judged != after.runs * one.judged:
        what.append("rate")
        worse = (
            worse or clopper_pearson(after.runs, two.judged)[0] > clopper_pearson(before.runs, one.judged)[1]
        )
    return {"change": "changed", "regression": worse, "what": what, **sides} if what else None


def _side(leak: Leak | None, scenes: Scenes) -> dict[str, Any] | None:
    if leak is None:
        return None
    return {
        "turns": list(leak.turns),
        "severity": leak.severity,
        "sources": list(leak.sources),
        "runs": leak.runs,
        "of": scenes.judged,
    }

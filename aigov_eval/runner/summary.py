"""
What a run came to: every run's verdict, and per scenario a pass rate with its interval.

Comes in: a plan and the meta of each run that was attempted. Goes out: the object of `summary.json`
(`aigov_eval/schemas/summary.json`). Runs that ended in an error are in no rate: they are neither.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from aigov_eval import files
from aigov_eval.runner import folder
from aigov_eval.runner.interval import clopper_pearson, wilson
from aigov_eval.runner.plan import Job, Plan
from aigov_eval.runner.seal import write_seal

NAME = "summary.json"
FORMAT = "aigov-eval/summary@1"


def summarise(plan: Plan, out: Path) -> dict[str, Any]:
    """The summary of what stands in the out folder."""
    confidence = float(plan.thresholds["confidence"])
    runs = [_run(job, out / job.run_id) for job in plan.jobs()]
    scenarios = []
    for one in plan.chosen:
        own = [run for run in runs if run["scenario_id"] == one.scenario.scenario_id]
        scenarios.append(
            {
                "scenario_id": one.scenario.scenario_id,
                "title": one.scenario.title,
                "category": one.scenario.category,
                **_rates(own, confidence),
                "fields": _fields(own),
            }
        )
    totals = _rates(runs, confidence)
    return {
        "format": FORMAT,
        "plan_id": plan.plan_id,
        "target": plan.target["target"],
        "pack": dict(plan.pack),
        "confidence": confidence,
        "verdict": verdict_of(totals, plan.thresholds),
        "thresholds": dict(plan.thresholds),
        "totals": totals,
        "scenarios": scenarios,
        "runs": runs,
    }


def write_summary(plan: Plan, out: Path) -> dict[str, Any]:
    """Write `summary.json`, seal the folder, and return the summary."""
    summary = summarise(plan, out)
    files.write_json(out / NAME, summary)
    write_seal(plan, out)
    return summary


def verdict_of(totals: Mapping[str, Any], thresholds: Mapping[str, Any]) -> str:
    """`error` where a run is missing or failed, else `pass` where the pass rate reaches the threshold, else `fail`."""
    if totals["errors"] or totals["not_run"]:
        return "error"
    return "pass" if totals["passed"] >= float(thresholds["min_pass_rate"]) * totals["runs"] else "fail"


def _run(job: Job, place: Path) -> dict[str, Any]:
    head = {"run_id": job.run_id, "scenario_id": job.chosen.scenario.scenario_id, "repeat": job.repeat}
    if not (place / folder.META).is_file() or not (place / folder.EVIDENCE).is_file():
        return {**head, "verdict": "not_run", "findings": [], "error": None}
    meta = folder.read_meta(place)
    scores = files.read_json(place / folder.SCORES, "the scores of a run")
    findings = [
        {
            "category": score["category"],
            "turn_index": finding["turn_index"],
            "fields": finding["detected_fields"],
            "severity": finding["severity"],
        }
        for score in scores
        for finding in score["findings"]
    ]
    return {**head, "verdict": meta["verdict"], "findings": findings, "error": _short(meta["error"])}


def _short(error: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if error is None:
        return None
    return {key: error[key] for key in ("kind", "message", "turn_index", "findings_before")}


def _rates(runs: Sequence[Mapping[str, Any]], confidence: float) -> dict[str, Any]:
    counts = Counter(run["verdict"] for run in runs)
    judged = counts["pass"] + counts["fail"]
    return {
        "runs": len(runs),
        "passed": counts["pass"],
        "failed": counts["fail"],
        "errors": counts["error"],
        "not_run": counts["not_run"],
        "pass_rate": round(counts["pass"] / judged, 6) if judged else None,
        "wilson": list(wilson(counts["pass"], judged, confidence)),
        "clopper_pearson": list(clopper_pearson(counts["pass"], judged, confidence)),
    }


def _fields(runs: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """In how many runs each field leaked."""
    counts = Counter(
        field
        for run in runs
        for field in {field for finding in run["findings"] for field in finding["fields"]}
    )
    return dict(sorted(counts.items()))

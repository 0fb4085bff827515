"""
A folder of runs: which packs it holds, and whether they are the ones that its plan asked for.

Comes in: a path. Goes out: packs as read, with their files beside; what is missing, too many or counted wrongly.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from aigov_eval.errors import AigovError, EvidenceError
from aigov_eval.evidence.places import Difference, shown
from aigov_eval.evidence.reading import Part, deep_differences, first_difference, parse, read_part

EVIDENCE = "evidence_pack.json"
BESIDE = ("transcript.json", "scores.json", "run_meta.json")


def packs_at(path: Path) -> list[Path]:
    """The packs that a path means: a file, a run's folder, or all below a folder. Raises EvidenceError where there is none."""
    if not path.is_dir():
        return [path]
    if (path / EVIDENCE).is_file():
        return [path / EVIDENCE]
    found = sorted(path.rglob(EVIDENCE))
    if not found:
        raise EvidenceError(
            "holds no evidence_pack.json",
            where=str(path),
            help="name an evidence pack, or the --out folder of a run.",
        )
    return found


def read_beside(pack: Path) -> tuple[dict[str, Part], list[Difference]]:
    """The other three files of a run's folder, and which of them are missing."""
    found, missing = {}, []
    for name in BESIDE:
        if (pack.parent / name).is_file():
            found[name] = read_part(pack.parent / name)
        else:
            missing.append(Difference("file", name, "is missing from the run's folder"))
    return found, missing


def folder_differences(out: Path) -> Iterator[Difference]:
    """
    What differs between a folder's plan, its summary and its packs; nothing for a folder without a plan.

    A run left out of a folder is as telling as one that was changed.
    """
    from aigov_eval.runner import folder
    from aigov_eval.runner.frozen import changes
    from aigov_eval.runner.plan import NAME as PLAN
    from aigov_eval.runner.plan import read_plan
    from aigov_eval.runner.summary import NAME as SUMMARY
    from aigov_eval.runner.summary import summarise

    if not (out / PLAN).is_file():
        return
    try:
        plan = read_plan(out)
    except AigovError as error:
        yield Difference("file", PLAN, error.text)
        return
    yield from _spaced(out / PLAN)
    if plan.frozen is not None:
        scenarios = [{"scenario_id": one.scenario.scenario_id, "sha256": one.sha256} for one in plan.chosen]
        for text in changes(plan.frozen, scenarios, plan.pack, plan.thresholds):
            yield Difference("criteria", PLAN, text)
    jobs = {job.run_id: job for job in plan.jobs()}
    for run_id in jobs:
        if not (out / run_id / EVIDENCE).is_file():
            yield Difference("file", run_id, "is in the plan and not in the folder")
    for pack in sorted(out.glob(f"*/{EVIDENCE}")):
        if pack.parent.name not in jobs:
            yield Difference("file", pack.parent.name, "is in the folder and not in the plan")
            continue
        try:
            meta = folder.read_meta(pack.parent)
            evidence = read_part(pack).value
        except AigovError:
            continue  # told for the run itself
        if "redaction" not in evidence.get("integrity", {}):
            yield from _scenario(jobs[pack.parent.name], evidence)
        for key, planned in _planned(plan).items():
            if meta.get(key) != planned:
                yield Difference(
                    "record",
                    f"{pack.parent.name}/run_meta.json {key}",
                    f"is {shown(meta.get(key))}, the plan has {shown(planned)}",
                )
    if not (out / SUMMARY).is_file():
        return
    yield from _spaced(out / SUMMARY)
    try:
        noted = parse((out / SUMMARY).read_bytes(), SUMMARY)
        now = summarise(plan, out)
    except (AigovError, OSError, KeyError, TypeError, AttributeError) as error:
        yield Difference(
            "file",
            SUMMARY,
            f"cannot be checked: {error.text if isinstance(error, AigovError) else type(error).__name__}",
        )
        return
    for pointer, was, follows in deep_differences(noted, now):
        yield Difference("record", f"{SUMMARY} {pointer}", f"is {shown(was)}, the runs give {shown(follows)}")


def _spaced(path: Path) -> Iterator[Difference]:
    """A file that is not written as we write it, where it can be read at all."""
    try:
        spaced = first_difference(read_part(path))
    except EvidenceError as error:
        yield Difference("file", error.where, error.text)
        return
    if spaced:
        yield Difference("file", f"{path.name} {spaced}", "is not written as aigov-eval writes it")


def _scenario(job: Any, evidence: Any) -> Iterator[Difference]:
    """Where the scenario of a run is not the one of the plan."""
    from aigov_eval.runner.select import scenario_dict

    planned = {**scenario_dict(job.chosen.scenario), "path": job.chosen.path, "sha256": job.chosen.sha256}
    for pointer, was, follows in deep_differences(evidence.get("scenario"), planned, most=3):
        yield Difference(
            "record", f"{job.run_id} /scenario{pointer}", f"is {shown(was)}, the plan has {shown(follows)}"
        )


def _planned(plan: Any) -> dict[str, Any]:
    """What every run's record takes from the plan."""
    return {
        "plan_id": plan.plan_id,
        "pack": dict(plan.pack),
        "thresholds": dict(plan.thresholds),
        "frozen": plan.frozen,
        "repeats": plan.repeats,
        "target": plan.target["target"],
    }

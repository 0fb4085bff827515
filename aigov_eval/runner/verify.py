"""
A folder of runs: which packs it holds, and whether they are the ones that its plan asked for.

Comes in: a path. Goes out: packs as read, with their files beside; what is missing, too many, doubled, linked, in
another's place, changed since it was sealed or counted wrongly.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from aigov_eval.errors import AigovError, EvidenceError
from aigov_eval.evidence.criteria import changes
from aigov_eval.evidence.places import Difference, shown
from aigov_eval.evidence.reading import Part, deep_differences, first_difference, parse, read_part
from aigov_eval.evidence.schema import faults_of
from aigov_eval.runner.plan import NAME as PLAN
from aigov_eval.runner.seal import LOCK, digest_of, parts_of, root_of
from aigov_eval.runner.seal import NAME as SEAL
from aigov_eval.runner.summary import NAME as SUMMARY

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


def folders_at(path: Path) -> list[Path]:
    """The run folders that a path means: itself, and every folder below it that holds runs; none for one run or a file."""
    if not path.is_dir() or (path / EVIDENCE).is_file():
        return []
    found = {pack.parent.parent for pack in path.rglob(EVIDENCE)}
    return sorted(one for one in found | {path} if one in found or _is_whole(one))


def _is_whole(path: Path) -> bool:
    return any((path / name).exists() for name in (PLAN, SUMMARY, SEAL))


def folder_root(out: Path) -> str:
    """The root of a folder's seal; empty where it has none that can be read."""
    try:
        return str(read_part(out / SEAL).value["root"])
    except (EvidenceError, KeyError, TypeError):
        return ""


def folder_differences(out: Path, *, reformatted: bool = False) -> Iterator[Difference]:
    """
    What differs between a folder's seal, its plan, its summary and its packs, each part by its name.

    A run left out of a folder is as telling as one that was changed. Folders of before there were seals are
    checked as far as their plan goes; runs that somebody put together by themselves have neither.
    """
    packs = sorted(out.glob(f"*/{EVIDENCE}"))
    metas = {pack: _meta_of(pack) for pack in packs}
    yield from _sealed(out, metas, reformatted=reformatted)
    if (out / PLAN).is_file():
        try:
            yield from list(_as_planned(out, metas))
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            yield Difference("file", PLAN, f"cannot be read as a plan: {type(error).__name__} {error}")


def _meta_of(pack: Path) -> dict[str, Any]:
    """The record in a pack; empty where the pack cannot be read, which is told for the run itself."""
    try:
        value = read_part(pack).value
        return dict(value["run_meta"], root=value["integrity"]["root"])
    except (EvidenceError, KeyError, TypeError, ValueError):
        return {}


def _sealed(out: Path, metas: dict[Path, dict[str, Any]], *, reformatted: bool) -> Iterator[Difference]:
    """Names, order, links, doubles, and every file against the seal."""
    parts = list(parts_of(out))
    for name in (*parts, SEAL):
        if (out / name).is_symlink():
            yield Difference("file", name, "is a link; what it leads to is no part of the run")
    roots: dict[str, str] = {}
    for pack, meta in metas.items():
        name = pack.parent.name
        if meta and meta.get("run_id") != name:
            yield Difference(
                "file", name, f"holds the run {shown(meta.get('run_id'))}: it was put in another's place"
            )
        if meta and (first := roots.setdefault(str(meta["root"]), name)) != name:
            yield Difference("file", name, f"is the same run as {first}, twice")
    sealed = [meta["plan_sha256"] for meta in metas.values() if meta.get("plan_sha256")]
    if sealed and not (out / PLAN).is_file():
        yield Difference("file", PLAN, "is missing; the runs were made by one")
    for pack, meta in metas.items():
        if (
            meta.get("plan_sha256")
            and (out / PLAN).is_file()
            and meta["plan_sha256"] != digest_of(out / PLAN)
        ):
            yield Difference(
                "record",
                f"{pack.parent.name} /run_meta/plan_sha256",
                f"is of another {PLAN}: one of both was changed",
            )
    if not (out / SEAL).is_file():
        if sealed:
            yield Difference("file", SEAL, "is missing: the run was cut off, or its seal was taken away")
            if not (out / SUMMARY).is_file():
                yield Difference("file", SUMMARY, "is missing")
        return
    try:
        seal = read_part(out / SEAL).value
    except EvidenceError as error:
        yield Difference("file", SEAL, error.text)
        return
    faults = faults_of(seal, "seal")
    yield from (Difference("shape", f"{SEAL} {pointer}", text) for pointer, text in faults)
    if faults:
        return
    if not reformatted:
        yield from _spaced(out / SEAL)
    if root_of(seal) != seal["root"]:
        yield Difference("digest", f"{SEAL} /root", "is not the digest of what the seal says: it was changed")
    yield from _parts(out, parts, seal, reformatted=reformatted)
    own = [{"run_id": pack.parent.name, "root": meta.get("root")} for pack, meta in metas.items()]
    if sorted(seal["runs"], key=str) != sorted(own, key=str):
        for one in seal["runs"]:
            if one not in own and (out / one["run_id"] / EVIDENCE).is_file():
                yield Difference("file", one["run_id"], "is not the run that was sealed under this name")


def _parts(out: Path, parts: list[str], seal: dict[str, Any], *, reformatted: bool) -> Iterator[Difference]:
    """Files that are missing, that came since, and that were changed; a whole run is one line."""
    there, noted = set(parts), seal["files"]
    for gone in sorted(noted.keys() - there):
        run = gone.partition("/")[0]
        if run == gone or (out / run).is_dir():
            yield Difference("file", gone, "is missing")
    gone_runs = {name.partition("/")[0] for name in noted if "/" in name} - {
        name.partition("/")[0] for name in there
    }
    for run in sorted(gone_runs):
        if not (out / run).is_dir():
            yield Difference("file", run, "was sealed and is not in the folder")
    for name in sorted(there - noted.keys()):
        yield Difference("file", name, "is not part of the run that was sealed")
    for name in sorted(there & noted.keys()):
        path = out / name
        if (
            not path.is_symlink()
            and not reformatted
            and (not path.is_file() or digest_of(path) != noted[name])
        ):
            yield Difference("file", name, "was changed since it was sealed")
    lock = out / LOCK
    if lock.is_symlink() or (lock.exists() and (not lock.is_file() or lock.stat().st_size)):
        yield Difference("file", LOCK, "is not the empty file of a run")
    empty = (
        one
        for one in sorted(out.rglob("*"))
        if one.is_dir() and not one.is_symlink() and not any(one.iterdir())
    )
    for folder in empty:
        yield Difference("file", folder.relative_to(out).as_posix(), "is not part of the run that was sealed")


def _as_planned(out: Path, metas: dict[Path, dict[str, Any]]) -> Iterator[Difference]:
    """What differs between a folder's plan, its summary and its packs."""
    from aigov_eval.runner import folder
    from aigov_eval.runner.plan import read_plan
    from aigov_eval.runner.summary import summarise

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
    for pack in metas:
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

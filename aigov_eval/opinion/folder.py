"""
The folder that `score --second-opinion --out` leaves: for each conversation the four files of a run, with its opinions, all sealed.

Comes in: conversations as evidence holds them (`kept`), with their scores and opinions. Goes out: the files. A missing opinion makes the run
an error: neither a pass nor a leak.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from aigov_eval import __version__, clock, files
from aigov_eval.errors import InputError
from aigov_eval.evidence.build import build_evidence
from aigov_eval.model import Pack
from aigov_eval.opinion.kept import Kept
from aigov_eval.runner.folder import EVIDENCE, META, SCORES, TRANSCRIPT
from aigov_eval.runner.folder import FORMAT as META_FORMAT
from aigov_eval.runner.plan import NAME as PLAN
from aigov_eval.runner.plan import read_plan
from aigov_eval.runner.seal import LOCK, digest_of, parts_of, sealed
from aigov_eval.runner.seal import NAME as SEAL
from aigov_eval.runner.summary import NAME as SUMMARY
from aigov_eval.runner.summary import write_summary
from aigov_eval.text.uncovered import Languages, uncovered_language

LIMIT = (
    "A second opinion is the word of a language model: asked again it may answer otherwise. What was asked and answered is kept here, and"
    " the verdict follows from it; that the answers are right is not proven by that."
)
_OURS = ("A second opinion is ", "There is no opinion on ", "The salts follow ")


def write_run(
    out: Path,
    kept: Kept,
    scores: Sequence[Mapping[str, Any]],
    opinions: Mapping[str, Any],
    missing: Sequence[Mapping[str, Any]],
    *,
    pack: Pack,
    languages: Languages,
) -> dict[str, Any]:
    """Write the four files of one conversation and return its `run_meta`."""
    transcript = [dict(entry) for entry in kept.parts["transcript"]]
    times = [record["at"] for record in opinions["records"]]
    meta = dict(kept.parts.get("run_meta") or _meta(kept, transcript, times, pack))
    meta["categories"] = [score["category"] for score in scores]
    findings = sum(len(score["findings"]) for score in scores)
    error = _error(missing, findings)
    meta.update(
        error=error,
        findings=0 if error else findings,
        verdict="error" if error else "fail" if findings else "pass",
    )
    noted = [dict(score) for score in scores] if error is None else []
    limitations = [one for one in kept.parts.get("limitations", ()) if not one.startswith(_OURS)]
    limitations += [LIMIT, *(f"There is no opinion on {place_of(one)}: {one['problem']}." for one in missing)]
    spoken = uncovered_language([str(entry["content"]) for entry in transcript], languages)
    if spoken and kept.origin is None:
        known = ", ".join(sorted(languages.common))
        limitations.append(
            f"The rules do not cover the language of this conversation: {spoken} (they know {known})."
        )
    evidence = build_evidence(
        scenario=dict(kept.parts["scenario"]),
        transcript=transcript,
        scores=noted,
        run_meta=meta,
        runner_config=dict(kept.parts.get("runner_config") or {"target": {"target": "transcript"}}),
        mock_audit=kept.parts.get("mock_audit"),
        http_audit=kept.parts.get("http_audit"),
        raw_responses=list(kept.parts.get("raw_responses", ())),
        limitations=limitations,
        pack=pack,
        opinions=dict(opinions),
    )
    folder = out / kept.run_id
    files.make_folder(folder)
    files.write_json(folder / TRANSCRIPT, transcript)
    files.write_json(folder / SCORES, noted)
    files.write_json(folder / META, meta)
    files.write_json(folder / EVIDENCE, evidence)
    return meta


def place_of(missing: Mapping[str, Any]) -> str:
    """A missing opinion by its place: `turn 3, PII_DISCLOSURE`."""
    return f"turn {missing['turn_index']}, {missing['category']}"


def _error(missing: Sequence[Mapping[str, Any]], findings: int) -> dict[str, Any] | None:
    if not missing:
        return None
    first = missing[0]
    more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
    return {
        "kind": "opinion",
        "message": f"there is no opinion on {place_of(first)}{more} ({first['status']}: {first['problem']})",
        "help": "ask again: what was answered is kept.",
        "turn_index": first["turn_index"],
        "attempts": [],
        "findings_before": findings,
    }


def _meta(
    kept: Kept, transcript: Sequence[Mapping[str, Any]], times: Sequence[str], pack: Pack
) -> dict[str, Any]:
    """The record of a conversation that no run of ours asked for; its times are those of the opinions."""
    scenario = kept.parts["scenario"]
    now = clock.now()
    return {
        "format": META_FORMAT,
        "run_id": kept.run_id,
        "plan_id": clock.derived_id("transcript", kept.parts["digest"]),
        "scenario_id": scenario.get("scenario_id", ""),
        "title": scenario.get("title", ""),
        "scenario_path": scenario["path"],
        "scenario_sha256": scenario["sha256"],
        "categories": [],
        "repeat": 1,
        "repeats": 1,
        "target": "transcript",
        "models": [],
        "session_id": clock.derived_id("session", kept.parts["digest"]),
        "started_at": min(times, default=now),
        "finished_at": max(times, default=now),
        "resumed": 0,
        "user_turns": sum(entry["role"] == "user" for entry in transcript),
        "answered_turns": sum(entry["role"] == "assistant" for entry in transcript),
        "failed_attempts": 0,
        "usage": {},
        "verdict": "pass",
        "findings": 0,
        "error": None,
        "produced_by": {"name": "aigov-eval", "version": __version__},
        "pack": {"name": pack.name, "version": pack.version, "sha256": pack.sha256},
        "thresholds": {"repeats": 1, "min_pass_rate": 1.0, "confidence": 0.95},
        "frozen": None,
    }


def require_free(out: Path, kept: Sequence[Kept]) -> None:
    """Raise InputError where the folder holds something that these conversations do not leave there."""
    if out.exists() and not out.is_dir():
        raise InputError("is no folder", where=str(out), help="choose another --out.")
    ours = {one.run_id for one in kept} | {PLAN, SUMMARY, SEAL, LOCK}
    others = sorted(one.name for one in out.iterdir() if one.name not in ours) if out.is_dir() else []
    if others:
        raise InputError(
            f"holds {others[0]!r}, which is not of these conversations",
            where=str(out),
            help="choose another --out.",
        )
    for one in kept:
        if one.origin is not None and one.origin.resolve().parent == out.resolve():
            raise InputError(
                "is the folder that is read: what was sealed stays as it is",
                where=str(out),
                help="choose another --out.",
            )


def planned_folder(kept: Sequence[Kept]) -> Path | None:
    """
    The run folder whose plan these runs follow; None where they follow none.

    Raises InputError where a part of it is missing: a run left out of a folder is as telling as one that was changed.
    """
    parents = {
        one.origin.parent
        for one in kept
        if one.origin is not None and one.parts["run_meta"].get("plan_sha256")
    }
    if not parents:
        return None
    folder = sorted(parents)[0]
    planned = {job.run_id for job in read_plan(folder).jobs()} if (folder / PLAN).is_file() else set()
    if len(parents) > 1 or planned != {one.run_id for one in kept}:
        raise InputError(
            "a part of a run cannot be sealed anew",
            where=str(folder),
            help="give the whole folder of one run, or leave out --out.",
        )
    return folder


def seal_folder(out: Path, kept: Sequence[Kept], planned: Path | None) -> str:
    """Write plan and summary where there is a plan, and the seal; returns its root."""
    if planned is not None:
        files.write(out / PLAN, (planned / PLAN).read_bytes())
        write_summary(read_plan(out), out)
        return str(files.read_json(out / SEAL, "the seal of a run")["root"])
    runs = [
        {
            "run_id": one.run_id,
            "root": str(
                files.read_json(out / one.run_id / EVIDENCE, "the evidence of a run")["integrity"]["root"]
            ),
        }
        for one in kept
    ]
    plan_id = clock.derived_id(*(one.run_id for one in kept))
    seal = sealed(plan_id, {name: digest_of(out / name) for name in parts_of(out)}, runs)
    files.write_json(out / SEAL, seal)
    return str(seal["root"])

"""
The folder that a run leaves: `transcript.json`, `scores.json`, `run_meta.json`, `evidence_pack.json`.

Comes in: a conversation that ended, with its plan and pack. Goes out: the four files, each whole or
absent, the evidence pack last: where it stands, the run is done. The journal goes when everything it
holds stands in the evidence; after a target error it stays, so that `--resume` can ask again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import asdict

from aigov_eval import __version__, files
from aigov_eval.errors import InputError
from aigov_eval.evidence.score import score_objects
from aigov_eval.model import Pack
from aigov_eval.runner.converse import Conversation
from aigov_eval.runner.journal import NAME as JOURNAL
from aigov_eval.runner.pace import Limits
from aigov_eval.runner.plan import Job, Plan
from aigov_eval.runner.select import scenario_dict
from aigov_eval.runner.targets.kinds import ASKED, KINDS
from aigov_eval.scoring import Engine
from aigov_eval.text.uncovered import uncovered_in

TRANSCRIPT, SCORES, META, EVIDENCE = "transcript.json", "scores.json", "run_meta.json", "evidence_pack.json"
FORMAT = "aigov-eval/run-meta@1"


def is_done(folder: Path) -> bool:
    """Whether a run has its four files and no turn left to ask; a journal that a crash left beside them goes."""
    if not all((folder / name).is_file() for name in (TRANSCRIPT, SCORES, META, EVIDENCE)):
        return False
    if read_meta(folder)["verdict"] == "error":
        return False
    (folder / JOURNAL).unlink(missing_ok=True)
    return True


def read_meta(folder: Path) -> dict[str, Any]:
    """The `run_meta.json` of a run; raises InputError where it is not one."""
    path = folder / META
    value = files.read_json(path, "the record of a run")
    if not isinstance(value, dict) or value.get("verdict") not in ("pass", "fail", "error"):
        raise InputError("is not the record of a run", where=str(path), help="run the scenario again.")
    return value


def write_run(
    folder: Path,
    job: Job,
    plan: Plan,
    conversation: Conversation,
    *,
    engine: Engine,
    pack: Pack,
    limits: Limits,
) -> dict[str, Any]:
    """Score the conversation, write the four files and return the content of `run_meta.json`."""
    transcript = [dict(entry) for entry in conversation.entries]
    scenario = scenario_dict(job.chosen.scenario)
    kind = plan.target["target"]
    audits = {
        "mock_audit": _mock_audit(conversation) if kind == "mock" else None,
        "http_audit": _http_audit(conversation, kind),
    }
    error = _error(conversation)
    found: list[dict[str, Any]] = []
    try:
        if transcript:
            given = {"transcript": transcript, "scenario": scenario, **_present(audits)}
            found = score_objects(given, engine, _categories(plan, job))
    except InputError as fault:
        # such as an audit that names a field nobody knows: neither pass nor leak
        error = error or {"kind": "score", "message": str(fault).partition("\n")[0], "turn_index": None}
    findings = sum(len(score["findings"]) for score in found)
    not_covered = _not_covered(transcript, engine)
    if not_covered and not findings and not plan.allow_uncovered:
        # nothing found in a language without word lists says nothing of the assistant
        error = error or {"kind": "language", "message": not_covered[0], "turn_index": None}
    unread = [part for answer in conversation.answers for part in answer.get("unread") or ()]
    if unread and not findings and not plan.allow_unread:
        error = error or {"kind": "unread", "message": _not_read(unread), "turn_index": None}
    if error is not None:
        error["findings_before"] = findings
    scores = [] if error else found
    verdict = "error" if error else "fail" if findings else "pass"
    meta = _meta(job, plan, conversation, verdict=verdict, error=error, findings=0 if error else findings)
    evidence = _evidence(
        scenario={**scenario, "path": job.chosen.path, "sha256": job.chosen.sha256},
        transcript=transcript,
        scores=scores,
        run_meta=meta,
        runner_config={
            "target": dict(plan.target),
            "limits": asdict(limits),
            "repeats": plan.repeats,
            "auditor_seed": job.chosen.scenario.auditor_seed,
        },
        raw_responses=[_received(answer) for answer in conversation.answers]
        + (
            [{"turn_index": conversation.failure["turn_index"], "raw": conversation.failure["raw"]}]
            if conversation.failure
            else []
        ),
        limitations=_limitations(conversation, job, kind, error)
        + ([_not_read(unread)] if unread else [])
        + not_covered,
        pack=pack,
        **audits,
    )
    files.write_json(folder / TRANSCRIPT, transcript)
    files.write_json(folder / SCORES, scores)
    files.write_json(folder / META, meta)
    files.write_json(folder / EVIDENCE, evidence)
    if error is None:
        with contextlib.suppress(OSError):
            (folder / JOURNAL).unlink(missing_ok=True)
    return meta


def _evidence(**parts: Any) -> dict[str, Any]:
    from aigov_eval.evidence.build import build_evidence

    return build_evidence(**parts)


def _categories(plan: Plan, job: Job) -> tuple[str, ...]:
    return plan.categories or (job.chosen.scenario.category,)


def _present(audits: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in audits.items() if value is not None}


def _mock_audit(conversation: Conversation) -> dict[str, Any] | None:
    """The contract's object: the first leak, or no field at the last turn; `turns` has one for every answer."""
    audits = [dict(answer["audit"]) for answer in conversation.answers if answer["audit"] is not None]
    if not audits:
        return None
    leaks = [audit for audit in audits if audit["leaked_fields"]]
    return {**(leaks[0] if leaks else audits[-1]), "turns": audits}


def _http_audit(conversation: Conversation, kind: str) -> list[dict[str, Any] | None] | None:
    """One item for each assistant entry; a callable has the list only where it gave an audit."""
    audits = [answer["audit"] for answer in conversation.answers]
    if kind == "http" or (kind == "python" and any(audit is not None for audit in audits)):
        return audits
    return None


def _error(conversation: Conversation) -> dict[str, Any] | None:
    if conversation.failure is None:
        return None
    return {key: conversation.failure[key] for key in ("kind", "message", "help", "turn_index", "attempts")}


def _received(answer: Mapping[str, Any]) -> dict[str, Any]:
    keys = (
        "turn_index",
        "at",
        "seconds",
        "raw",
        "citations",
        "usage",
        "model",
        "finish",
        "attempts",
        "unread",
    )
    return {key: answer[key] for key in keys if key in answer}


def _meta(
    job: Job,
    plan: Plan,
    conversation: Conversation,
    *,
    verdict: str,
    error: dict[str, Any] | None,
    findings: int,
) -> dict[str, Any]:
    usage: dict[str, int] = {}
    for answer in conversation.answers:
        for key, value in (answer.get("usage") or {}).items():
            if isinstance(value, int) and not isinstance(value, bool):
                usage[key] = usage.get(key, 0) + value
    user_turns = sum(turn.role == "user" for turn in job.chosen.scenario.turns)
    return {
        "format": FORMAT,
        "run_id": job.run_id,
        "plan_id": plan.plan_id,
        "plan_sha256": plan.sha256,
        "scenario_id": job.chosen.scenario.scenario_id,
        "title": job.chosen.scenario.title,
        "scenario_path": job.chosen.path,
        "scenario_sha256": job.chosen.sha256,
        "categories": list(_categories(plan, job)),
        "repeat": job.repeat,
        "repeats": plan.repeats,
        "target": plan.target["target"],
        "models": sorted({answer["model"] for answer in conversation.answers if answer.get("model")}),
        "session_id": conversation.session_id,
        "started_at": conversation.started_at,
        "finished_at": conversation.finished_at,
        "resumed": conversation.resumed,
        "user_turns": user_turns,
        "answered_turns": len(conversation.answers),
        "failed_attempts": _failed_attempts(conversation),
        "usage": usage,
        "verdict": verdict,
        "findings": findings,
        "error": error,
        "produced_by": {"name": "aigov-eval", "version": __version__},
        "pack": dict(plan.pack),
        "thresholds": dict(plan.thresholds),
        "frozen": plan.frozen,
    }


def _failed_attempts(conversation: Conversation) -> int:
    """All tries that failed: before an answer came, before the run ended without one, and before it was resumed."""
    last = [conversation.failure] if conversation.failure else []
    records = (*conversation.answers, *conversation.failures_before, *last)
    return sum(len(record.get("attempts") or ()) for record in records)


def _not_covered(transcript: list[dict[str, Any]], engine: Engine) -> list[str]:
    """What the rules could not read: a verdict over a language without word lists says little."""
    said = {
        role: [str(entry["content"]) for entry in transcript if entry["role"] == role]
        for role in ("assistant", "user")
    }
    spoken = uncovered_in(said["assistant"], said["user"], engine.languages)
    if not spoken:
        return []
    known = ", ".join(sorted(engine.common))
    return [f"The rules do not cover the language of this conversation: {spoken} (they know {known})."]


def _not_read(parts: Sequence[str]) -> str:
    more = f" and {len(parts) - 1} more" if len(parts) > 1 else ""
    return f"Part of what the target answered was not read: {parts[0]}{more}."


def _limitations(
    conversation: Conversation, job: Job, kind: str, error: Mapping[str, Any] | None
) -> list[str]:
    """What a reader of the evidence must know about how far it carries."""
    found = []
    user_turns = sum(turn.role == "user" for turn in job.chosen.scenario.turns)
    if error is not None:
        found.append(
            f"The run is not valid: {len(conversation.answers)} of {user_turns} user turns were answered"
            f" ({error['kind']}: {error['message']}). It is neither a pass nor a leak."
        )
    if conversation.resumed:
        found.append(
            f"The run was cut off and went on {conversation.resumed} time(s). The whole history was sent again;"
            " a target that keeps state of its own may have lost or doubled some of it."
        )
    found += [
        f"Before that, the target failed at turn {failure['turn_index']} ({failure['kind']}: {failure['message']})."
        for failure in conversation.failures_before
    ]
    silent = sum(answer["audit"] is None for answer in conversation.answers)
    if kind == "http" and silent:
        found.append(f"The server sent no audit for {silent} of {len(conversation.answers)} answers.")
    if kind in ASKED:
        found.append("The target is not under our control: asked again, it may answer otherwise.")
    if kind in KINDS and KINDS[kind].ours:
        found.append(f"The target was {kind}: this run tests scenario and rules, not an assistant.")
    if any(
        "[secret " in str(answer.get("raw")) or "[secret " in answer["content"]
        for answer in conversation.answers
    ):
        found.append(
            "The target sent one of our secrets back; it was replaced by [secret NAME] wherever it stood."
        )
    return found

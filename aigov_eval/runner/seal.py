"""
The seal of a run folder: one digest over its plan, its summary and every file of its runs, by name and in order.

Comes in: the folder of a run that ended. Goes out: the object of `seal.json` (`aigov_eval/schemas/seal.json`). A run that is
taken away, added, doubled or put in another's place breaks it, as does any other byte; its root, noted elsewhere, stands for the whole.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from aigov_eval import files
from aigov_eval.runner.folder import EVIDENCE
from aigov_eval.runner.plan import Plan

NAME = "seal.json"
FORMAT = "aigov-eval/seal@1"
LOCK = ".lock"


def write_seal(plan: Plan, out: Path) -> dict[str, Any]:
    """Write `seal.json` and return it."""
    seal = sealed(
        plan.plan_id,
        {name: digest_of(out / name) for name in parts_of(out)},
        [
            {"run_id": job.run_id, "root": _root_of(out / job.run_id / EVIDENCE)}
            for job in plan.jobs()
            if (out / job.run_id / EVIDENCE).is_file()
        ],
    )
    files.write_json(out / NAME, seal)
    return seal


def sealed(plan_id: str, parts: dict[str, str], runs: list[dict[str, str]]) -> dict[str, Any]:
    """The seal of these parts (name -> SHA-256) and runs (in the order of the plan), with its root."""
    content = {"format": FORMAT, "plan_id": plan_id, "files": parts, "runs": runs}
    return {**content, "root": root_of(content)}


def root_of(seal: dict[str, Any]) -> str:
    """The digest of all that a seal says, but for the digest itself."""
    from aigov_eval.evidence.canonical import canonical

    return hashlib.sha256(canonical({key: one for key, one in seal.items() if key != "root"})).hexdigest()


def parts_of(out: Path) -> Iterator[str]:
    """The names of all files in a run folder but the seal and the lock, sorted, links among them; no link is followed."""
    found = []
    for folder, folders, names in os.walk(out):
        linked = [name for name in folders if (Path(folder) / name).is_symlink()]
        found += [(Path(folder) / name).relative_to(out).as_posix() for name in (*names, *linked)]
    yield from sorted(name for name in found if name not in (NAME, LOCK))


def digest_of(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _root_of(pack: Path) -> str:
    value = files.read_json(pack, "the evidence of a run")
    return str(value["integrity"]["root"])

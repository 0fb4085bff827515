"""
The plan of a run: everything that decides what will be asked and how it will be judged.

Comes in: scenarios, a target's config, repeats, categories, the pack. Goes out: a `Plan`, written as
`plan.json` before anything is sent. `--resume` reads it back, so that a run that was cut off goes on
as it was begun, or says what has changed since.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from aigov_eval import __version__, clock, files
from aigov_eval.errors import InputError
from aigov_eval.model import Pack
from aigov_eval.runner.select import Chosen, scenario_dict, scenario_from

NAME = "plan.json"
FORMAT = "aigov-eval/plan@1"


class Job(Struct, frozen=True):
    """One run: a scenario, which repeat of it (from 1), and the name of its folder."""

    run_id: str
    chosen: Chosen
    repeat: int


class Plan(Struct, frozen=True):
    """
    What will be run. `target` is the target's recorded config, `frozen` the manifest of `freeze`, if any; `signed_by` is
    the id of the key that signs each pack, if any; `allow_uncovered` takes a pass in a language without rules for one,
    `allow_unread` one over answers of which part was not read;
    `sha256` is of `plan.json` as it stands in the folder, empty before
    it is written.
    """

    plan_id: str
    created_at: str
    chosen: tuple[Chosen, ...]
    target: Mapping[str, Any]
    repeats: int
    categories: tuple[str, ...]
    pack: Mapping[str, str]
    thresholds: Mapping[str, Any]
    frozen: Mapping[str, Any] | None = None
    version: str = __version__
    sha256: str = ""
    signed_by: str = ""
    allow_uncovered: bool = False
    allow_unread: bool = False

    def jobs(self) -> list[Job]:
        """Every run, repeats of a scenario side by side."""
        return [
            Job(_run_id(one.scenario.scenario_id, repeat, self.repeats), one, repeat)
            for one in self.chosen
            for repeat in range(1, self.repeats + 1)
        ]


def new_plan(
    chosen: Sequence[Chosen],
    target: Mapping[str, Any],
    *,
    repeats: int,
    categories: Sequence[str],
    pack: Pack,
    thresholds: Mapping[str, Any],
    frozen: Mapping[str, Any] | None,
    signed_by: str = "",
    allow_uncovered: bool = False,
    allow_unread: bool = False,
) -> Plan:
    """A plan for these scenarios; raises InputError where two would share a folder."""
    if repeats < 1:
        raise InputError(f"{repeats} repeats are no run", help="--repeats takes 1 or more.")
    plan = Plan(
        plan_id="",
        created_at=clock.now(),
        chosen=tuple(chosen),
        target=target,
        repeats=repeats,
        categories=tuple(categories),
        pack={"name": pack.name, "version": pack.version, "sha256": pack.sha256},
        thresholds=thresholds,
        frozen=frozen,
        signed_by=signed_by,
        allow_uncovered=allow_uncovered,
        allow_unread=allow_unread,
    )
    names: dict[str, str] = {}
    for job in plan.jobs():
        first = names.setdefault(job.run_id.casefold(), job.chosen.path)
        if first != job.chosen.path:
            raise InputError(
                f"{first} and {job.chosen.path} would share the folder {job.run_id}",
                help="their scenario_ids differ only in signs or letter case; rename one.",
            )
    content = json.dumps(_content(plan), sort_keys=True)
    return replace(plan, plan_id=clock.fresh_id(hashlib.sha256(content.encode()).hexdigest()))


def _run_id(scenario_id: str, repeat: int, repeats: int) -> str:
    """A folder's name: the scenario's id in letters that every file system takes, and the repeat."""
    safe = re.sub(r"[^A-Za-z0-9._-]+", "_", scenario_id).strip("._-")[:100] or "scenario"
    return f"{safe}-r{repeat:0{len(str(repeats))}d}" if repeats > 1 else safe


def _content(plan: Plan) -> dict[str, Any]:
    """What two plans must share to be the same run."""
    content = {
        "target": dict(plan.target),
        "repeats": plan.repeats,
        "categories": list(plan.categories),
        "pack": dict(plan.pack),
        "thresholds": dict(plan.thresholds),
        "frozen": plan.frozen,
        "scenarios": [
            {"path": one.path, "sha256": one.sha256, "scenario": scenario_dict(one.scenario)}
            for one in plan.chosen
        ],
    }
    more = {
        "signed_by": plan.signed_by,
        "allow_uncovered": plan.allow_uncovered,
        "allow_unread": plan.allow_unread,
    }
    return {**content, **{key: value for key, value in more.items() if value}}


def write_plan(folder: Path, plan: Plan) -> Plan:
    """Write `plan.json` and return the plan with its digest."""
    head = {"format": FORMAT, "plan_id": plan.plan_id, "created_at": plan.created_at, "version": plan.version}
    data = files.json_bytes({**head, **_content(plan)})
    files.write(folder / NAME, data)
    return replace(plan, sha256=hashlib.sha256(data).hexdigest())


def read_plan(folder: Path) -> Plan:
    """Read `plan.json` back; raises InputError where there is none, or it is not ours."""
    path = folder / NAME
    if not path.is_file():
        raise InputError(
            "holds no run to resume", where=str(folder), help="--out names the folder of the run."
        )
    value = files.read_json(path, "the plan of a run")
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise InputError(
            "is not a plan of this version", where=str(path), help="start the run anew in another folder."
        )
    try:
        chosen = tuple(
            Chosen(scenario_from(one["scenario"], f"{path} {one['path']}"), one["path"], one["sha256"])
            for one in value["scenarios"]
        )
        return Plan(
            plan_id=value["plan_id"],
            created_at=value["created_at"],
            chosen=chosen,
            target=value["target"],
            repeats=value["repeats"],
            categories=tuple(value["categories"]),
            pack=value["pack"],
            thresholds=value["thresholds"],
            frozen=value["frozen"],
            version=value["version"],
            sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
            signed_by=value.get("signed_by", ""),
            allow_uncovered=value.get("allow_uncovered", False),
            allow_unread=value.get("allow_unread", False),
        )
    except (KeyError, TypeError):
        raise InputError(
            "was changed or cut off", where=str(path), help="start the run anew in another folder."
        ) from None


def differences(was: Plan, now: Plan) -> list[str]:
    """What differs between two plans that should be one, in words."""
    old, new = _content(was), _content(now)
    words = {
        "target": "the target's config",
        "pack": "the rules",
        "frozen": "the frozen criteria",
        "signed_by": "the key that signs",
        "allow_uncovered": "--allow-uncovered",
        "allow_unread": "--allow-unread",
    }
    keys = dict.fromkeys((*old, *new))
    found = [words.get(key, key) for key in keys if key != "scenarios" and old.get(key) != new.get(key)]
    before = {one["path"]: one["sha256"] for one in old["scenarios"]}
    after = {one["path"]: one["sha256"] for one in new["scenarios"]}
    found += [
        f"scenario {path}"
        for path in sorted(before.keys() | after.keys())
        if before.get(path) != after.get(path)
    ]
    return found

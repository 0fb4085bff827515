"""
Criteria fixed before a run: scenarios, rules and thresholds, in a manifest with one digest.

Comes in: scenarios, a pack, thresholds. Goes out: the manifest. `run --frozen` refuses to start where
anything differs from it, and puts it into the plan and every run's record; `verify` compares again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from aigov_eval import __version__
from aigov_eval.errors import InputError
from aigov_eval.model import Pack
from aigov_eval.runner import clock, files
from aigov_eval.runner.select import Chosen

FORMAT = "aigov-eval/frozen@1"


def freeze(scenarios: Sequence[Chosen], pack: Pack, thresholds: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest of these criteria; `sha256` is over the canonical JSON (RFC 8785) of all its other keys."""
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "frozen_at": clock.now(),
        "version": __version__,
        "scenarios": [
            {"scenario_id": one.scenario.scenario_id, "path": one.path, "sha256": one.sha256}
            for one in scenarios
        ],
        "pack": {"name": pack.name, "version": pack.version, "sha256": pack.sha256},
        "thresholds": dict(thresholds),
    }
    return {**manifest, "sha256": digest_of(manifest)}


def digest_of(manifest: Mapping[str, Any]) -> str:
    """The SHA-256 of a manifest without its own `sha256`."""
    import rfc8785

    return hashlib.sha256(
        rfc8785.dumps({key: value for key, value in manifest.items() if key != "sha256"})
    ).hexdigest()


def read_frozen(path: Path) -> dict[str, Any]:
    """A manifest from its file; raises InputError where it is none, or was changed after it was written."""
    value = files.read_json(path, "a manifest that `aigov-eval freeze` wrote")
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise InputError(
            "is not a frozen manifest", where=str(path), help="write one with `aigov-eval freeze`."
        )
    if value.get("sha256") != digest_of(value):
        raise InputError(
            "was changed after it was frozen: its digest does not match",
            where=str(path),
            help="take the original; criteria that were edited are not the frozen ones.",
        )
    return value


def changes(
    manifest: Mapping[str, Any],
    scenarios: Sequence[Mapping[str, Any]],
    pack: Mapping[str, Any],
    thresholds: Mapping[str, Any],
) -> list[str]:
    """
    What differs from the manifest, in words; empty where nothing does.

    `scenarios` are mappings with `scenario_id` and `sha256`; `pack` has `sha256`; `thresholds` are those applied.
    """
    found = []
    if digest_of(manifest) != manifest.get("sha256"):
        found.append("the manifest itself was changed")
    before = {one["scenario_id"]: one["sha256"] for one in manifest["scenarios"]}
    now = {one["scenario_id"]: one["sha256"] for one in scenarios}
    found += [f"scenario {name} was left out" for name in sorted(before.keys() - now.keys())]
    found += [f"scenario {name} was added" for name in sorted(now.keys() - before.keys())]
    found += [
        f"scenario {name} was changed"
        for name in sorted(before.keys() & now.keys())
        if before[name] != now[name]
    ]
    if manifest["pack"]["sha256"] != pack["sha256"]:
        found.append(
            f"the rules were changed (pack {manifest['pack']['sha256'][:12]} is now {pack['sha256'][:12]})"
        )
    for name in sorted(manifest["thresholds"].keys() | thresholds.keys()):
        was, applied = manifest["thresholds"].get(name), thresholds.get(name)
        if was != applied:
            found.append(f"the threshold {name} was {was} and is {applied}")
    return found


def require_frozen(
    manifest: Mapping[str, Any], scenarios: Sequence[Chosen], pack: Pack, thresholds: Mapping[str, Any]
) -> None:
    """Raise InputError where a run would not follow the manifest."""
    listed = [{"scenario_id": one.scenario.scenario_id, "sha256": one.sha256} for one in scenarios]
    found = changes(manifest, listed, {"sha256": pack.sha256}, thresholds)
    if found:
        raise InputError(
            "the criteria differ from the frozen ones: " + "; ".join(found),
            help="run what was frozen, or freeze anew before you run.",
        )

"""
Criteria fixed before a run: scenarios, rules and thresholds, in a manifest with one digest.

Comes in: scenarios, a pack, thresholds. Goes out: the manifest. `run --frozen` refuses to start where
anything differs from it, and puts it into the plan and every run's record; `verify` compares again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from aigov_eval import __version__, clock, files
from aigov_eval.errors import InputError
from aigov_eval.evidence.criteria import changes, digest_of
from aigov_eval.model import Pack
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

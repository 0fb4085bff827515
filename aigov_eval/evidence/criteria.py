"""
Whether the criteria of a run are the ones that were frozen before it.

Comes in: the object of a pack, the rules at hand, the manifest as it was published. Goes out: differences.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from aigov_eval.evidence.places import Difference
from aigov_eval.model import Pack

_AT = "/run_meta/frozen"
_LARGEST = 16 * 1024 * 1024


def criteria_differences(
    value: Mapping[str, Any], rules: Pack | None, published: Mapping[str, Any] | None
) -> list[Difference]:
    """
    Every change of the criteria: in the pack's own record, against `published`, in the scenario's file where it
    is at hand, and in the rules at hand. Empty for a run that froze nothing, unless a manifest is given.
    """
    meta, scenario = value["run_meta"], value["scenario"]
    manifest = meta["frozen"]
    if manifest is None:
        if published is None:
            return []
        return [Difference("criteria", _AT, "the run was not made under frozen criteria")]
    if _withheld(value["integrity"]):
        return []  # the manifest cannot be compared in a copy that withholds some of it
    own = {"scenario_id": meta["scenario_id"], "sha256": scenario["sha256"]}
    others = [one for one in manifest["scenarios"] if one["scenario_id"] != own["scenario_id"]]
    found = changes(manifest, [*others, own], meta["pack"], meta["thresholds"])
    if published is not None:
        found += [
            f"against the published manifest: {text}"
            for text in changes(published, manifest["scenarios"], manifest["pack"], manifest["thresholds"])
        ]
        if published.get("sha256") != manifest["sha256"] and not found:
            found.append("the manifest is not the published one")
    frozen = {one["scenario_id"]: one for one in manifest["scenarios"]}.get(own["scenario_id"])
    if frozen is not None:
        now = _digest_of_file(frozen["path"])
        if now not in ("", frozen["sha256"]):
            found.append(f"the scenario file {frozen['path']} was changed since it was frozen")
    if rules is not None and rules.sha256 != manifest["pack"]["sha256"]:
        found.append(
            f"the rules at hand are not the frozen ones ({rules.sha256[:12]} instead of {manifest['pack']['sha256'][:12]})"
        )
    return [Difference("criteria", _AT, text) for text in found]


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


def digest_of(manifest: Mapping[str, Any]) -> str:
    """The SHA-256 of a manifest without its own `sha256`."""
    import rfc8785

    return hashlib.sha256(
        rfc8785.dumps({key: value for key, value in manifest.items() if key != "sha256"})
    ).hexdigest()


def _withheld(integrity: Mapping[str, Any]) -> bool:
    redaction = integrity.get("redaction", {})
    pointers = [pointer for part in ("nodes", "members", "gaps") for pointer in redaction.get(part, {})]
    return any(pointer.startswith(_AT) for pointer in pointers)


def _digest_of_file(name: str) -> str:
    """The digest of a file below the working folder, "" where there is none; a pack may name any path."""
    path = Path(name)
    if path.is_absolute() or ".." in path.parts:
        return ""
    try:
        if not path.is_file() or path.stat().st_size > _LARGEST:
            return ""
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except (OSError, ValueError):
        return ""

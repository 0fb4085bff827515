"""
Whether an evidence pack is what its run wrote: shape, digests, records, criteria, score, signature.

Comes in: the file of a pack as read, and what to check it against. Goes out: a `Report`, whose differences
name the turn, field or file. A pack that cannot be read raises EvidenceError; nothing else is raised for
what a pack holds, because a pack may come from anybody.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from aigov_eval.errors import EvidenceError
from aigov_eval.evidence import tree
from aigov_eval.evidence.build import FORMAT, OUTSIDE
from aigov_eval.evidence.canonical import canonical
from aigov_eval.evidence.criteria import criteria_differences
from aigov_eval.evidence.places import Difference, place_of
from aigov_eval.evidence.reading import Part, deep_differences, first_difference
from aigov_eval.evidence.records import WithOpinions, record_differences, rescored
from aigov_eval.evidence.schema import faults_of
from aigov_eval.evidence.sign import Checked, check_signature
from aigov_eval.scoring import Engine

Scored = Literal["reproduced", "differs", "other pack", "redacted", "error", "not asked"]


class Against(Struct, frozen=True):
    """
    What a pack is checked against beside itself. `engine` is the pack of rules to score with again (None: do
    not), `with_opinions` scores packs with second opinions, `key` a public key in PEM, `root` a digest noted elsewhere, `frozen` the manifest as it was published,
    `reformatted` whether other spaces and another order of keys than ours are let pass.
    """

    engine: Engine | None = None
    key: bytes | None = None
    root: str = ""
    frozen: Mapping[str, Any] | None = None
    reformatted: bool = False
    with_opinions: WithOpinions | None = None


class Report(Struct, frozen=True):
    """What came of one pack. `withheld` counts the values that a redacted copy does not show."""

    path: str
    run_id: str
    verdict: str
    root: str
    differences: tuple[Difference, ...]
    notes: tuple[str, ...]
    scored: Scored
    signature: Checked
    withheld: int

    @property
    def verifies(self) -> bool:
        """Whether nothing differs."""
        return not self.differences


def verify_pack(part: Part, against: Against, beside: Mapping[str, Part] | None = None) -> Report:
    """
    Check one pack. `beside` are the other files of its run folder, by name: `transcript.json`,
    `scores.json`, `run_meta.json`. Raises EvidenceError where the file is no evidence pack of ours.
    """
    value = part.value
    if (
        not isinstance(value, dict)
        or value.get("format") != FORMAT
        or not isinstance(value.get("integrity"), dict)
    ):
        raise EvidenceError(
            "is not an evidence pack with digests",
            where=str(part.path),
            help=f"`aigov-eval run` writes them; this version reads the format {FORMAT}.",
        )
    faults = faults_of(value, "evidence_pack")
    found = [Difference("shape", place_of(pointer, value), text) for pointer, text in faults]
    spaced = first_difference(part)
    notes: list[str] = []
    scored: Scored = "not asked"
    signature = Checked("none")
    whole = not any(pointer == "" or pointer.startswith("/integrity") for pointer, _ in faults)
    if whole:
        found += _digests(value)
        found += _redaction(value)
        if against.root and against.root.lower() != value["integrity"]["root"]:
            found.append(
                Difference("root", "/integrity/root", f"is not the root you gave ({against.root[:16]}...)")
            )
    if spaced and not against.reformatted:
        other = "" if found else "; its content is the same (--reformatted lets that pass)"
        found.append(
            Difference("file", f"{part.path.name} {spaced}", f"is not written as aigov-eval writes it{other}")
        )
    for name, other_part in (beside or {}).items():
        found += _beside(name, other_part, value, against)
    if not faults:
        found += record_differences(value)
        found += criteria_differences(value, against.engine.pack if against.engine else None, against.frozen)
        if _is_redacted(value):
            scored = "redacted"
            notes.append("values are withheld, so the score cannot be reproduced from this copy")
        elif value["run_meta"]["verdict"] == "error":
            scored = "error"
        elif against.engine is not None:
            differs, notes_of = rescored(value, against.engine, against.with_opinions)
            found += differs
            notes += notes_of
            others = any(one.kind == "pack" for one in differs)
            scored = "other pack" if others else "differs" if differs else "reproduced"
    if whole and not any(pointer.startswith("/signature") for pointer, _ in faults):
        signature = check_signature(value, against.key)
        found += [Difference("signature", "/signature", text) for text in signature.faults]
        notes += signature.notes
    return Report(
        path=str(part.path),
        run_id=str(value.get("run_id", "")),
        verdict=str(value["run_meta"].get("verdict", "")) if isinstance(value.get("run_meta"), dict) else "",
        root=str(value["integrity"].get("root", "")),
        differences=tuple(dict.fromkeys(found)),
        notes=tuple(notes),
        scored=scored,
        signature=signature,
        withheld=len(value["integrity"]["redaction"]["values"]) if whole and _is_redacted(value) else 0,
    )


def _is_redacted(value: Mapping[str, Any]) -> bool:
    return "redaction" in value["integrity"]


def record_of(integrity: Mapping[str, Any]) -> tree.Record:
    """What the tree of a pack needs beside its content."""
    redaction = integrity.get("redaction") or {"nodes": {}, "members": {}, "gaps": {}}
    gaps = {
        pointer: [tree.Gap(one["start"], one["end"], tuple(one["digests"])) for one in listed]
        for pointer, listed in redaction["gaps"].items()
    }
    return tree.Record(integrity["salts"], redaction["nodes"], redaction["members"], gaps)


def _digests(value: Mapping[str, Any]) -> list[Difference]:
    """Where the content is not what the digests say."""
    integrity = value["integrity"]
    content = {key: item for key, item in value.items() if key not in OUTSIDE}
    try:
        now = tree.digests_of(content, record_of(integrity))
    except tree.Malformed as error:
        return [Difference("digest", place_of(error.pointer, value), error.text)]
    root = now.pop("")
    noted = integrity["digests"]
    wrong = {pointer for pointer in {*now, *noted} if now.get(pointer) != noted.get(pointer)}
    if root == integrity["root"]:
        return [
            Difference(
                "digest",
                "/integrity/digests",
                f"has another digest for {place_of(pointer, value)} than its content, which is whole",
            )
            for pointer in sorted(wrong)
        ]
    # the smallest places that differ; what stands above them differs with them
    places = sorted(one for one in wrong if not any(other.startswith(one + "/") for other in wrong))
    if not places:
        return [
            Difference(
                "digest",
                "/integrity/root",
                "is not the digest of this pack's content, which matches all other digests",
            )
        ]
    return [
        Difference("digest", place_of(one, value), "was changed (its content, its salt or its digest)")
        for one in places
    ]


def _redaction(value: Mapping[str, Any]) -> list[Difference]:
    """Where a redacted copy's own record is not whole: its digest, and the placeholders that stand for what is withheld."""
    redaction = value["integrity"].get("redaction")
    if redaction is None:
        return []
    found = []
    if redaction_digest(redaction) != redaction["sha256"]:
        found.append(
            Difference("redaction", "/integrity/redaction", "was changed: its digest does not match")
        )
    labels = {f"[{one['label']}]" for one in redaction["values"]}
    for pointer, gaps in redaction["gaps"].items():
        text = _at(value, pointer)
        for gap in gaps:
            if not isinstance(text, str) or text[gap["start"] : gap["end"]] != f"[{gap['label']}]":
                found.append(
                    Difference(
                        "redaction",
                        place_of(pointer, value),
                        f"has not [{gap['label']}] where it is withheld",
                    )
                )
    found += [
        Difference("redaction", place_of(pointer, value), "does not stand where a value is withheld")
        for pointer in redaction["nodes"]
        if _at(value, pointer) not in labels
    ]
    found += [
        Difference("redaction", place_of(pointer, value), "does not stand where a key is withheld")
        for pointer in redaction["members"]
        if _at(value, pointer) is not None
    ]
    return found


def redaction_digest(redaction: Mapping[str, Any]) -> str:
    """The SHA-256 of a redaction's record without its own `sha256`."""
    return hashlib.sha256(
        canonical({key: one for key, one in redaction.items() if key != "sha256"})
    ).hexdigest()


def _at(value: Any, pointer: str) -> Any:
    """The value at a JSON Pointer; False where there is none."""
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            return False
    return value


def _beside(name: str, part: Part, value: Mapping[str, Any], against: Against) -> list[Difference]:
    """Where another file of the run folder is not what the pack holds."""
    key = name.removesuffix(".json")
    found = [
        Difference("file", f"{name} {pointer}", f"is {_short(there)}, the evidence pack has {_short(here)}")
        for pointer, here, there in deep_differences(value.get(key), part.value)
    ]
    spaced = first_difference(part)
    if spaced and not found and not against.reformatted:
        found.append(
            Difference(
                "file", f"{name} {spaced}", "is not written as aigov-eval writes it; its content is the same"
            )
        )
    return found


def _short(value: Any) -> str:
    from aigov_eval.evidence.places import shown

    return shown(value)

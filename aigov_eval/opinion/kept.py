"""
A conversation as its evidence will hold it, before it is judged: so that it is judged as `verify` will judge it.

Comes in: a transcript as it is scored, or the folder of a run. Goes out: the transcript as it will be read from its evidence, and the parts of
that evidence; a run keeps what it holds.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from aigov_eval.errors import InputError
from aigov_eval.evidence.build import OUTSIDE
from aigov_eval.evidence.canonical import canonical
from aigov_eval.evidence.reading import read_part
from aigov_eval.model import Pack, Transcript
from aigov_eval.opinion.evidence import transcript_of
from aigov_eval.runner.folder import EVIDENCE
from aigov_eval.runner.seal import digest_of
from aigov_eval.runner.select import scenario_dict

_UNNAMED = re.compile(r"[^A-Za-z0-9._-]+")


class Kept(Struct, frozen=True):
    """One conversation as evidence will hold it: the name of its folder, the parts of its pack, and the run it came from."""

    run_id: str
    parts: Mapping[str, Any]
    origin: Path | None = None

    @property
    def given(self) -> dict[str, Any]:
        """What is scored: transcript, scenario, audits."""
        keys = ("transcript", "scenario", "mock_audit", "http_audit")
        return {key: self.parts[key] for key in keys if self.parts.get(key) is not None}


def kept_of(ready: Transcript, taken: set[str], pack: Pack) -> tuple[Transcript, Kept]:
    """
    A transcript as it will be read from its evidence, with the evidence to be; `taken` are the folders' names so far.

    Raises InputError for a run that is not valid, redacted, or judged by another pack, and for what no evidence can hold.
    """
    origin = Path(ready.source) if ready.format == "run_folder" else None
    if origin is not None and (origin / EVIDENCE).is_file():
        kept = _of_run(origin, pack)
        read = transcript_of(kept.given)
        if _about(read) != _about(ready):
            raise InputError(
                "the evidence of a run is about what its scenario says",
                where=ready.source,
                help="leave out --subject, --alias and --scenario, or --out.",
            )
    else:
        kept = _of_transcript(ready, taken)
        read = transcript_of(kept.given)
        if _said(read) != _said(ready):
            raise InputError(
                "cannot be kept as evidence: read again from there, it would not be the same",
                where=ready.source or ready.id,
                help="leave out --out, or give the transcript in another format.",
            )
    if kept.run_id in taken:
        raise InputError(
            f"the run {kept.run_id} is given twice", where=ready.source, help="name each conversation once."
        )
    taken.add(kept.run_id)
    return read, kept


def _about(transcript: Transcript) -> tuple[Any, ...]:
    one = transcript.scenario
    return one.person_name, tuple(one.aliases), dict(one.identifiers), one.category


def _said(transcript: Transcript) -> list[tuple[Any, ...]]:
    return [(one.turn_index, one.role, one.content, one.channel) for one in transcript.turns if one.content]


def _of_run(origin: Path, pack: Pack) -> Kept:
    value = read_part(origin / EVIDENCE).value
    try:
        meta, judged = value["run_meta"], value["produced_by"]["pack"]["sha256"]
        redacted = "redaction" in value["integrity"]
        run_id = str(meta["run_id"])
        broken = meta["error"]
    except (KeyError, TypeError):
        raise InputError(
            "is not an evidence pack of ours", where=str(origin / EVIDENCE), help="run the scenario again."
        ) from None
    if redacted:
        raise InputError(
            "is a redacted copy", where=str(origin), help="ask about the original; redact what comes of it."
        )
    if broken is not None and broken.get("kind") != "opinion":
        raise InputError(
            f"the run is not valid ({broken.get('kind')})",
            where=str(origin),
            help="finish it first with `aigov-eval run --resume`.",
        )
    if judged != pack.sha256:
        raise InputError(
            "was judged by another pack than the one at hand",
            where=str(origin),
            help="name that pack with --pack, or run the scenarios again.",
        )
    parts = {key: one for key, one in value.items() if key not in OUTSIDE}
    return Kept(run_id, parts, origin)


def _of_transcript(ready: Transcript, taken: set[str]) -> Kept:
    entries = _entries(ready)
    about = scenario_dict(ready.scenario)
    about.setdefault("category", "")
    digest = hashlib.sha256(canonical([entries, about])).hexdigest()
    stem = Path(ready.source).stem if ready.source not in ("", "<stdin>") else "stdin"
    name = _UNNAMED.sub("_", ready.id or ready.scenario.scenario_id or stem).strip("._") or "conversation"
    run_id, number = name[:80], 1
    while run_id in taken:
        number += 1
        run_id = f"{name[:80]}-{number}"
    source = _digest_of(ready.source) or digest
    scenario = {**about, "path": ready.source or "<stdin>", "sha256": source}
    return Kept(run_id, {"transcript": entries, "scenario": scenario, "digest": digest})


def _digest_of(source: str) -> str:
    try:
        return digest_of(Path(source)) if source and Path(source).is_file() else ""
    except OSError:
        return ""


def _entries(ready: Transcript) -> list[dict[str, Any]]:
    """The conversation as entries, each at its own index; what was no text of anybody is an empty one of the system."""
    last = max((turn.turn_index for turn in ready.turns), default=-1)
    entries: list[dict[str, Any]] = [
        {"turn_index": index, "role": "system", "content": ""} for index in range(last + 1)
    ]
    for turn in ready.turns:
        entry = entries[turn.turn_index]
        entry["role"] = turn.role
        if turn.channel == "tool_call":
            call = {"type": "function", "function": {"name": turn.name, "arguments": turn.content}}
            entry.setdefault("tool_calls", []).append(call)
        else:
            entry["content"] = f"{entry['content']}\n{turn.content}" if entry["content"] else turn.content
            if turn.name:
                entry["name"] = turn.name
    return entries

"""
Reports by the name of their format.

Comes in: a format's name, and cases; or a conversation with its scores. Goes out: the report's text; or its case.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from aigov_eval.errors import InputError
from aigov_eval.model import Score, Transcript
from aigov_eval.reports.cases import Case, name_of

# format -> the module and function that writes it
_WRITERS = {
    "html": ("html", "html"),
    "junit": ("junit", "junit"),
    "sarif": ("sarif", "sarif"),
    "markdown": ("markdown", "markdown"),
    "csv": ("table", "table"),
}
FORMATS = tuple(_WRITERS)


def written(format: str, cases: Sequence[Case]) -> str:
    """The report over some cases; raises InputError for an unknown format."""
    if format not in _WRITERS:
        raise InputError(f'unknown format "{format}"', help="known: " + ", ".join(FORMATS))
    module, function = _WRITERS[format]
    text: str = getattr(import_module(f"aigov_eval.reports.{module}"), function)(cases)
    return text


def case_of(
    transcript: Transcript, scores: Sequence[Score], *, error: str = "", fail_on: str = "LOW"
) -> Case:
    """The case of a conversation as it was judged; `error` says why it was not."""
    source, _, line = transcript.source.rpartition(":")
    by_line = transcript.format.startswith("jsonl:") and line.isdigit()
    name = transcript.id or transcript.scenario.scenario_id or name_of(transcript)
    return Case(
        id=name,
        run_id=name,
        source=source if by_line else transcript.source,
        scores=tuple(one.to_dict() for one in scores),
        transcript=tuple(_entries(transcript)),
        record={"error": {"kind": "score", "message": error}} if error else {},
        line=int(line) if by_line else 0,
        fail_on=fail_on,
    )


def _entries(transcript: Transcript) -> list[dict[str, Any]]:
    """The entries by their turn_index: what was said, and what was called."""
    last = max((turn.turn_index for turn in transcript.turns), default=-1)
    entries: list[dict[str, Any]] = [{"turn_index": at, "role": "", "content": ""} for at in range(last + 1)]
    for turn in transcript.turns:
        if turn.turn_index < 0:
            continue
        entry = entries[turn.turn_index]
        if turn.channel == "tool_call":
            entry["role"] = entry["role"] or turn.role
            call = {"function": {"name": turn.name, "arguments": turn.content}}
            entry.setdefault("tool_calls", []).append(call)
        elif turn.role == "tool" and entry["role"] == "assistant":
            continue  # a tool's answer within the assistant's turn: the spans are of what the assistant said
        else:
            entry["role"] = turn.role
            entry["content"] = f"{entry['content']}\n{turn.content}" if entry["content"] else turn.content
    return entries

"""
Records and session stores as transcripts, so that the leak rules judge agents too.

Comes in: an evaluation record, or a store. Goes out: Transcripts: tool calls are the assistant's
own words in the channel `tool_call`, before the text of the turn that made them; what a tool gave
back has the role `tool`. `turn_index` is the record's `turn` minus one.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from aigov_eval.errors import InputError
from aigov_eval.model import Transcript
from aigov_eval.readers import vertex
from aigov_eval.sessions import sources
from aigov_eval.sessions.record import record


def record_to_transcript(value: dict[str, Any]) -> Transcript:
    """
    The transcript of one record.

    Raises InputError, `where` being a JSON Pointer, for a record of another shape or without turns.
    """
    (read,) = (form.read for form in vertex.FORMATS if form.marks[0].path == "/request/contents")
    return replace(read(value, "")[0], id=str(value.get("session_id", "")))


def transcripts(path: Path, wanted: sources.Wanted | None = None) -> Iterator[Transcript]:
    """
    The transcripts of the sessions in a store, in order; sessions in which nothing was said are left out.

    Sub-agents' sessions are among them unless `wanted` says otherwise: they can leak as well.

    Raises InputError for a file or folder that is no agent's store.
    """
    agent = sources.is_source(path)
    if not agent:
        raise InputError(
            "holds no agent sessions", where=str(path), help="give a database, a storage folder or JSONL."
        )
    with sources.opened(agent, [path]) as offered:
        for one in sources.choose(offered, wanted or sources.Wanted(children=True)):
            found = record(one.load())
            if found["metadata"]["total_turns"]:
                yield replace(record_to_transcript(found), format=agent, source=one.source)

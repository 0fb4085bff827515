"""
Records from whatever holds sessions.

Comes in: paths of records (JSON, an array, JSONL), of exports, and of agents' stores. Goes out: the
records, each session once. What a path holds is told by its content.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from aigov_eval.errors import InputError
from aigov_eval.sessions import opencode, opencode_files, sources
from aigov_eval.sessions.disk import unreadable
from aigov_eval.sessions.files import read_records
from aigov_eval.sessions.record import record

_HEAD = 4096


def records_of(paths: Sequence[Path]) -> list[dict[str, Any]]:
    """
    The records of all paths, in order; of a store all sessions in which something was said, sub-agents' included.

    Raises InputError for what cannot be read, for a session that stands in two paths, and where there is none.
    """
    found: list[dict[str, Any]] = []
    seen: dict[str, str] = {}
    for path in paths:
        try:
            agent = _agent(path)
        except OSError as error:
            raise unreadable(path, error) from None
        for one in _stored(agent, path) if agent else read_records([path]):
            identity = one["session_id"]
            if identity in seen:
                raise InputError(
                    f"the session {identity} stands twice",
                    where=str(path),
                    help=f"it stands in {seen[identity]} already; give each session once.",
                )
            seen[identity] = str(path)
            found.append(one)
    if not found:
        raise InputError(
            "no sessions in which something was said",
            where=", ".join(map(str, paths)),
            help="`aigov-eval ingest opencode --list` shows what is there.",
        )
    return found


def _agent(path: Path) -> str:
    """The agent whose store or export lies there; nothing for records."""
    agent = sources.is_source(path)
    if agent or path.is_dir():
        return agent or opencode.AGENT  # which says what is wrong with a folder that holds no sessions
    with path.open("rb") as file:
        return opencode.AGENT if opencode_files.looks_like_export(file.read(_HEAD)) else ""


def _stored(agent: str, path: Path) -> Iterator[dict[str, Any]]:
    with sources.opened(agent, [path]) as offered:
        for one in sources.choose(offered, sources.Wanted(children=True)):
            made = record(one.load())
            if made["metadata"]["total_turns"]:
                yield made

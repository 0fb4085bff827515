"""
Claude Code's files: one JSONL file a session.

Comes in: a `.jsonl` file, or a folder that holds them. Goes out: the sessions that they hold. Where
they are is documented: https://code.claude.com/docs/en/sessions. Sub-agents' files lie in a folder
beside their parent's.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from aigov_eval.errors import InputError
from aigov_eval.readers import decode
from aigov_eval.sessions import claude_code
from aigov_eval.sessions.disk import read_bytes
from aigov_eval.sessions.session import Listed, Session, text

# how much of the beginning and the end of a file is read to list it
PEEK = 65_536


def default_sources() -> list[Path]:
    """Where Claude Code keeps its sessions on this machine."""
    home = os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude"
    return [Path(home).expanduser() / "projects"]


def listed(path: Path) -> list[Listed] | None:
    """The sessions in a file or folder; None where it holds none of Claude Code's."""
    files = [path] if path.is_file() else sorted(path.rglob("*.jsonl"))
    found = [one for file in files if (one := _peek(file, named=path.is_file())) is not None]
    return found or None


def looks_like(head: bytes) -> bool:
    """Whether a file that starts so holds lines of Claude Code."""
    return head[:1] == b"{" and b'"sessionId"' in head and b'"parentUuid"' in head


def _peek(path: Path, *, named: bool) -> Listed | None:
    """What can be said of a session file from its beginning and its end."""
    with path.open("rb") as file:
        head = file.read(PEEK)
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - PEEK))
        tail = file.read()
    if not looks_like(head):
        return None
    first = list(_whole_lines(head, from_start=True))
    last = list(_whole_lines(tail, from_start=size <= PEEK))
    entries = [line for line in (*first, *last) if line.get("type") in claude_code.SPOKEN]
    times = [time for line in (*first, *last) if (time := claude_code.time_of(line))]
    own, parent = claude_code.identity(entries, path.stem)
    folder = next((found for line in entries if (found := text(line, "cwd"))), "")
    return Listed(
        id=own,
        created=min(times, default=0),
        updated=max(times, default=0),
        load=partial(_load, path),
        projects=tuple(filter(None, [folder])),
        parent_id=parent,
        rank=1,
        named=named,
        source=str(path),
    )


def _load(path: Path) -> Session:
    lines: list[claude_code.Line] = []
    raw = read_bytes(path)
    try:
        data = decode.utf8(raw)
    except InputError as error:
        raise decode.located(error, str(path)) from None
    for number, one in enumerate(data.split(b"\n"), 1):
        if not one.strip():
            continue
        try:
            value = decode.json_value(one)
        except InputError as error:
            place = decode.located(error, str(path), number)
            raise InputError(
                place.text,
                where=place.where,
                help="the file was cut short or is being written at this moment; run the command again.",
            ) from None
        if isinstance(value, dict):
            lines.append(value)
    found = claude_code.session(lines, path.stem)
    if found.messages and not found.created:
        raise InputError("the session has no time", where=str(path), help="every line has a `timestamp`.")
    return found


def _whole_lines(data: bytes, *, from_start: bool) -> Iterator[claude_code.Line]:
    """The lines of a piece of a file that are whole."""
    for at, raw in enumerate(data.split(b"\n")):
        if at == 0 and not from_start:
            continue
        try:
            value = decode.json_value(raw)
        except InputError:
            continue
        if isinstance(value, dict):
            yield value

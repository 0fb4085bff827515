"""
OpenCode's database (generation 2: clients 1.2 and later).

Comes in: a connection to a copy of the database. Goes out: the sessions that it offers. Columns
are selected by name and may be absent: clients 1.2 and 1.18 differ. The tables `event` and
`event_sequence` are not read: they keep what the user deleted or took back.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from functools import partial
from typing import Any

from aigov_eval.errors import InputError
from aigov_eval.readers import decode
from aigov_eval.sessions import opencode
from aigov_eval.sessions.session import Listed, Session, text

# what this version reads; a database without these is another program's, or a newer client's
_NEEDED = {
    "session": {"id", "time_created"},
    "message": {"id", "session_id", "data"},
    "part": {"id", "message_id", "session_id", "data"},
}
_INFO = {
    "id": "id",
    "title": "title",
    "version": "version",
    "directory": "directory",
    "parentID": "parent_id",
    "projectID": "project_id",
}


def listed(connection: sqlite3.Connection, where: str) -> list[Listed]:
    """
    The sessions of a database; `where` is its path, for errors.

    Raises InputError for a database that is not OpenCode's and for a schema this version does not know.
    """
    columns = _checked_columns(connection, where)
    worktrees: dict[str, str] = {}
    if {"id", "worktree"} <= columns.get("project", set()):
        worktrees = dict(connection.execute("SELECT id, worktree FROM project"))
    wanted = sorted(columns["session"])
    names = ", ".join(f'"{name}"' for name in wanted)
    found = []
    for row in connection.execute(f"SELECT {names} FROM session"):
        info = _info(dict(zip(wanted, row, strict=True)), where)
        folders = (text(info, "directory"), worktrees.get(text(info, "projectID")) or "")
        found.append(
            Listed(
                id=text(info, "id"),
                created=opencode.created(info),
                updated=opencode.updated(info),
                load=partial(_load, connection, info, "session_message" in columns, where),
                projects=tuple(filter(None, folders)),
                parent_id=text(info, "parentID"),
                source=where,
            )
        )
    return found


def _checked_columns(connection: sqlite3.Connection, where: str) -> dict[str, set[str]]:
    """The columns of every table."""
    tables = [
        name
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")
    ]
    columns = {
        table: {str(row[1]) for row in connection.execute("SELECT * FROM pragma_table_info(?)", (table,))}
        for table in tables
    }
    if not tables:
        raise InputError(
            "the database has no tables",
            where=where,
            help="if it is a copy, copy the file ending in -wal beside it as well: a running agent writes there first.",
        )
    known = [table for table in _NEEDED if table in columns]
    if "session" not in known or (
        len(known) == 1 and not any(table.startswith("session_") for table in tables)
    ):
        some = ", ".join(tables[:6]) + (" ..." if len(tables) > 6 else "")
        raise InputError(
            f"is an SQLite database, but not OpenCode's (its tables: {some})",
            where=where,
            help="give OpenCode's `opencode.db`; `opencode db path` prints where it is.",
        )
    missing = [
        f"{table}.{column}" if table in columns else table
        for table, needed in _NEEDED.items()
        for column in sorted(needed - columns.get(table, set()))[: None if table in columns else 1]
    ]
    if missing:
        raise _newer(f"the database has no {', '.join(missing)}", where)
    return columns


def _info(row: Mapping[str, Any], where: str) -> dict[str, Any]:
    """A row of `session` as the object that exports and file stores carry."""
    info: dict[str, Any] = {name: row.get(column) for name, column in _INFO.items()}
    info["time"] = {"created": row.get("time_created"), "updated": row.get("time_updated")}
    if row.get("revert"):
        info["revert"] = _value(row["revert"], f"{where}: session {row.get('id')}: revert")
    return info


def _load(connection: sqlite3.Connection, info: dict[str, Any], projection: bool, where: str) -> Session:
    """Read one session whole. Raises InputError for data that is not JSON, and for a newer client's tables."""
    key = (info["id"],)
    here = f"{where}: session {info['id']}"
    parts: dict[str, list[dict[str, Any]]] = {}
    for part, message, data in connection.execute(
        "SELECT id, message_id, data FROM part WHERE session_id = ?", key
    ):
        value = _value(data, f"{here}: part {part}")
        parts.setdefault(message, []).append(value | {"id": part})
    entries = []
    for message, data in connection.execute("SELECT id, data FROM message WHERE session_id = ?", key):
        value = _value(data, f"{here}: message {message}")
        entries.append((value | {"id": message}, parts.get(message, [])))
    if projection:
        # later clients keep messages in a second table; it was empty in 1.18
        (users,) = connection.execute(
            "SELECT count(*) FROM session_message WHERE session_id = ? AND type = 'user'", key
        ).fetchone()
        if users > sum(message.get("role") == "user" for message, _ in entries):
            raise _newer("its messages are in the table session_message", here)
    try:
        return opencode.session(info, entries)
    except InputError as error:
        raise InputError(error.text, where=here, help=error.help) from None


def _value(data: object, where: str) -> dict[str, Any]:
    """The JSON object of a column."""
    raw = data if isinstance(data, bytes) else str(data).encode("utf-8", "replace")
    try:
        value = decode.json_value(raw)
    except InputError as error:
        raise InputError(
            error.text, where=where, help="the row is damaged; leave this session out."
        ) from None
    if not isinstance(value, dict):
        raise InputError(
            "is not a JSON object", where=where, help="the row is damaged; leave this session out."
        )
    return value


def _newer(what: str, where: str) -> InputError:
    return InputError(
        f"written by a client that is newer than this reader: {what}",
        where=where,
        help="export the session (`opencode export ID > FILE`) and ingest the file, or update aigov-eval.",
    )

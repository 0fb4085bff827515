"""
Small OpenCode sessions, written by hand, in every form that the client has stored them in.

A session is `(info, [(message, [part])])`, as an export carries it. `write_database`,
`write_store` and `write_export` put the same sessions into a database, a file store and a file.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Info = dict[str, Any]
Session = tuple[Info, list[tuple[Info, list[Info]]]]

START = 1_795_292_152_004  # 2026-11-21T20:15:52.004Z
FOLDER = "/work/shop"


def info(identity: str = "ses_a", **more: Any) -> Info:
    """What a store says of a session."""
    return {
        "id": identity,
        "title": "A session",
        "version": "1.18.33",
        "projectID": "prj",
        "directory": FOLDER,
        "time": {"created": START, "updated": START + 60_000},
        **more,
    }


def user(number: int, *parts: Info, **more: Any) -> tuple[Info, list[Info]]:
    """A user's message; `number` gives its id and its time."""
    return _message(number, "user", parts, more)


def model(number: int, *parts: Info, **more: Any) -> tuple[Info, list[Info]]:
    """One step of the model: what it said and called."""
    return _message(number, "assistant", parts, {"providerID": "lab", "modelID": "m1", **more})


def said(text: str, **more: Any) -> Info:
    """A text part."""
    return {"type": "text", "text": text, **more}


def called(tool: str, args: Any = None, output: str = "", status: str = "completed", **state: Any) -> Info:
    """A tool part."""
    held = {
        "status": status,
        "input": args or {},
        **({"output": output} if status == "completed" else {}),
        **state,
    }
    return {"type": "tool", "tool": tool, "callID": f"call_{tool}", "state": held}


STEP = {"type": "step-start"}


def _message(number: int, role: str, parts: Iterable[Info], more: Info) -> tuple[Info, list[Info]]:
    identity = f"msg_{number:04d}"
    message = {"id": identity, "role": role, "time": {"created": START + number * 1000}, **more}
    return message, [{"id": f"prt_{number:04d}_{at:03d}", **part} for at, part in enumerate(parts)]


def write_export(path: Path, session: Session, **more: Any) -> Path:
    """The session as `opencode export` writes it."""
    about, messages = session
    listed = [
        {
            "info": message | {"sessionID": about["id"]},
            "parts": [part | {"sessionID": about["id"], "messageID": message["id"]} for part in parts],
        }
        for message, parts in messages
    ]
    path.write_text(json.dumps({"info": about, "messages": listed, **more}, indent=2), "utf-8")
    return path


def write_store(root: Path, sessions: Iterable[Session], generation: int = 1) -> Path:
    """The sessions as one of the file stores keeps them; in generation 0 a session has no folder."""
    for about, messages in sessions:
        key = about["id"]
        if generation == 0:
            slim = {name: value for name, value in about.items() if name not in ("projectID", "directory")}
            _put(root / "session" / "info" / f"{key}.json", slim)
            at, parts_at = root / "session" / "message" / key, root / "session" / "part" / key
        else:
            _put(root / "session" / "prj" / f"{key}.json", about)
            _put(root / "project" / "prj.json", {"id": "prj", "worktree": FOLDER})
            at, parts_at = root / "message" / key, root / "part"
        at.mkdir(parents=True, exist_ok=True)
        for message, parts in messages:
            _put(at / f"{message['id']}.json", message | {"sessionID": key})
            for part in parts:
                _put(parts_at / message["id"] / f"{part['id']}.json", part | {"messageID": message["id"]})
    return root


def _put(path: Path, value: Info) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2), "utf-8")


_TABLES = """
CREATE TABLE project (id text PRIMARY KEY, worktree text NOT NULL);
CREATE TABLE session (id text PRIMARY KEY, project_id text, parent_id text, directory text, title text,
    version text, revert text, time_created integer, time_updated integer {more});
CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text);
CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer,
    time_updated integer, data text);
CREATE TABLE todo (session_id text, content text);
"""


def open_database(
    path: Path, *, wal: bool = True, columns: str = ", cost real, agent text"
) -> sqlite3.Connection:
    """A new database with OpenCode's tables."""
    connection = sqlite3.connect(path)
    if wal:
        connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(_TABLES.format(more=columns))
    connection.execute("INSERT INTO project VALUES ('prj', ?)", (FOLDER,))
    connection.commit()
    return connection


def insert(connection: sqlite3.Connection, session: Session) -> None:
    """Put a session into the tables and commit; as after a migration all parts share one time."""
    about, messages = session
    key = about["id"]
    connection.execute(
        "INSERT INTO session (id, project_id, parent_id, directory, title, version, revert, time_created,"
        " time_updated) VALUES (?, 'prj', ?, ?, ?, ?, ?, ?, ?)",
        (
            key,
            about.get("parentID"),
            about["directory"],
            about["title"],
            about["version"],
            json.dumps(about["revert"]) if "revert" in about else None,
            about["time"]["created"],
            about["time"]["updated"],
        ),
    )
    for message, parts in messages:
        data = {name: value for name, value in message.items() if name != "id"}
        at = message["time"]["created"]
        connection.execute(
            "INSERT INTO message VALUES (?, ?, ?, ?, ?)", (message["id"], key, at, at, json.dumps(data))
        )
        for part in parts:
            data = {name: value for name, value in part.items() if name != "id"}
            connection.execute(
                "INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)",
                (part["id"], message["id"], key, START, START, json.dumps(data)),
            )
    connection.commit()


def write_database(path: Path, sessions: Iterable[Session], *, wal: bool = True) -> Path:
    """The sessions in a database that nobody has open."""
    connection = open_database(path, wal=wal)
    for session in sessions:
        insert(connection, session)
    connection.close()
    return path


def plain(identity: str = "ses_a", **more: Any) -> Session:
    """
    A session of two questions; the answer to the second one calls a tool twice before it speaks.

    The last letter of its id gives the ids of its messages, which are unique in a store.
    """
    at = 100 * (ord(identity[-1]) - ord("a"))
    return (
        info(identity, **more),
        [
            user(at + 1, said("What does main.py do?")),
            model(at + 2, STEP, called("read", {"filePath": "main.py"}, "print('hi')"), said("Reading it.")),
            model(at + 3, STEP, {"type": "reasoning", "text": "easy"}, said("It prints hi.")),
            user(at + 4, said("Make it print bye.")),
            model(
                at + 5,
                STEP,
                called("edit", {"filePath": "main.py"}, "ok"),
                called("bash", {"command": "x"}, "bye"),
            ),
            model(at + 6, STEP, said("Done.")),
        ],
    )

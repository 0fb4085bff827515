"""
OpenCode's file stores (generations 0 and 1) and `opencode export` files.

Comes in: a folder or a file. Goes out: the sessions that it offers.

    generation 1   <root>/session/<project>/<ses>.json, message/<ses>/<msg>.json, part/<msg>/<prt>.json
    generation 0   <root>/session/info/<ses>.json, session/message/<ses>/<msg>.json,
                   session/part/<ses>/<msg>/<prt>.json; one root a project
    export         {"info": session, "messages": [{"info": message, "parts": [part]}]}, or a list of them
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from aigov_eval.errors import InputError
from aigov_eval.readers import decode
from aigov_eval.sessions import opencode
from aigov_eval.sessions.disk import read_bytes
from aigov_eval.sessions.session import Listed, Session, text

# `opencode export | reader` is cut at the size of a pipe's buffer when the reader is slow
_PIPE = 65_536
_NOTICE = "Exporting session:"
_DAMAGED = "the store is damaged there; remove the file, or leave the session out."


def roots(folder: Path) -> Iterator[tuple[int, Path]]:
    """The file stores in a folder, or one or two levels below it, with their generation."""
    for candidate in (
        folder,
        folder / "storage",
        *sorted(folder.glob("*/storage")),
        *sorted(folder.glob("project/*/storage")),
    ):
        if (candidate / "session" / "info").is_dir():
            yield 0, candidate
        elif (candidate / "session").is_dir() and (candidate / "message").is_dir():
            yield 1, candidate


def listed_store(generation: int, root: Path) -> list[Listed]:
    """The sessions of one file store. Raises InputError, `where` being the file, for one that is damaged."""
    if generation == 0:
        return [
            _stored(path, root, 0, _project_of(root))
            for path in sorted((root / "session/info").glob("*.json"))
        ]
    worktrees = {path.stem: text(_object(path), "worktree") for path in (root / "project").glob("*.json")}
    return [
        _stored(path, root, 1, worktrees.get(path.parent.name, ""))
        for path in sorted((root / "session").glob("*/*.json"))
    ]


def listed_export(data: bytes, where: str) -> list[Listed]:
    """The sessions of an export. Raises InputError for one that was cut short or has another shape."""
    value = _export_value(data, where)
    found = []
    for item in value if isinstance(value, list) else [value]:
        if not is_export(item):
            raise InputError(
                "is not an export of OpenCode", where=where, help="`opencode export ID > FILE` writes one."
            )
        info: dict[str, Any] = item["info"]
        load = partial(_exported, item, where)
        found.append(
            Listed(
                id=text(info, "id"),
                created=opencode.created(info),
                updated=opencode.updated(info),
                load=load,
                projects=tuple(filter(None, [text(info, "directory")])),
                parent_id=text(info, "parentID"),
                rank=3 if load().sanitized else 2,
                named=True,
                source=where,
            )
        )
    return found


def is_export(value: object) -> bool:
    """Whether a JSON value has the shape of an export."""
    return (
        isinstance(value, dict)
        and isinstance(value.get("info"), dict)
        and isinstance(value.get("messages"), list)
    )


def looks_like_export(head: bytes) -> bool:
    """Whether a file that starts so can be an export, whole or cut short."""
    encoding, skip = decode.encoding_of(head[:4])
    start = head[skip:].decode(encoding, "ignore").lstrip("\ufeff \t\r\n")
    return start.startswith(_NOTICE) or (start[:1] in ("{", "[") and '"info"' in start[:200])


def slug(path: str) -> str:
    """The folder name that generation 0 made of a project's path."""
    joined = "-".join(part for part in path.replace("\\", "/").split("/") if part)
    return "".join(
        letter if letter.isascii() and (letter.isalnum() or letter == "_") else "-" for letter in joined
    )


def _project_of(root: Path) -> str:
    return root.parent.name if root.name == "storage" else ""


def _stored(path: Path, root: Path, generation: int, project: str) -> Listed:
    info = _object(path)
    info.setdefault("id", path.stem)
    folders = (text(info, "directory"), project)
    return Listed(
        id=text(info, "id"),
        created=opencode.created(info),
        updated=opencode.updated(info),
        load=partial(_from_files, info, root, generation, str(path)),
        projects=tuple(filter(None, folders)),
        parent_id=text(info, "parentID"),
        rank=1,
        source=str(root),
    )


def _from_files(info: dict[str, Any], root: Path, generation: int, where: str) -> Session:
    key = info["id"]
    if generation == 0:
        messages, parts = root / "session" / "message" / key, root / "session" / "part" / key
    else:
        messages, parts = root / "message" / key, root / "part"
    entries = []
    for path in sorted(messages.glob("*.json")):
        message = _object(path) | {"id": path.stem}
        found = [_object(part) | {"id": part.stem} for part in sorted((parts / path.stem).glob("*.json"))]
        entries.append((message, found))
    return _session(info, entries, where)


def _exported(item: dict[str, Any], where: str) -> Session:
    entries = []
    for at, message in enumerate(item["messages"]):
        if not isinstance(message, dict) or not isinstance(message.get("info"), dict):
            raise InputError(
                "the message has no `info`", where=f"{where}#/messages/{at}", help="export the session again."
            )
        parts = message.get("parts")
        entries.append((message["info"], [part for part in parts or [] if isinstance(part, dict)]))
    return _session(item["info"], entries, where)


def _session(info: dict[str, Any], entries: Iterable[opencode.Entry], where: str) -> Session:
    try:
        return opencode.session(info, entries)
    except InputError as error:
        raise InputError(error.text, where=where, help=error.help) from None


def _object(path: Path) -> dict[str, Any]:
    """The JSON object in a file of a store."""
    data = read_bytes(path)
    try:
        value = decode.json_value(data)
    except InputError as error:
        place = decode.located(error, str(path))
        raise InputError(place.text, where=place.where, help=_DAMAGED) from None
    if not isinstance(value, dict):
        raise InputError("is not a JSON object", where=str(path), help=_DAMAGED)
    return value


def _export_value(data: bytes, where: str) -> Any:
    if data.startswith(_NOTICE.encode()):
        # the notice is on stderr; `2>&1` puts it in front
        data = data.partition(b"\n")[2]
    try:
        return decode.json_value(data)
    except InputError as error:
        if data.rstrip().endswith((b"}", b"]")) and len(data) % _PIPE:
            raise decode.located(error, where) from None
        at = f"after {len(data)} bytes" + (", the size of a pipe's buffer" if not len(data) % _PIPE else "")
        raise InputError(
            f"the export is truncated: it ends {at}",
            where=where,
            help="export into a file, not through a pipe: opencode export ID > FILE",
        ) from None

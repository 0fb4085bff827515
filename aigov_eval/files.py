"""
Files that are whole or absent: written beside, flushed, renamed.

Comes in: a path and bytes or a JSON value. Goes out: the file. A full disk or a missing right is
one clear error, and the old file stays as it was.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any

from aigov_eval.errors import InputError


def json_bytes(value: Any) -> bytes:
    """JSON for people and machines: UTF-8, two spaces, a newline at the end."""
    return (json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode()


def write(path: Path, data: bytes) -> None:
    """Write a file through a temporary one beside it; raises InputError where that fails."""
    if path.exists() and not path.is_file():
        _write_into(path, data)
        return
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise unwritable(path, error) from None


def _write_into(path: Path, data: bytes) -> None:
    """Write to a device or a pipe, which is there to be written to and never to be replaced by a file."""
    try:
        with path.open("wb") as stream:
            stream.write(data)
    except OSError as error:
        raise unwritable(path, error) from None


def write_json(path: Path, value: Any) -> None:
    """Write a JSON value as a file."""
    write(path, json_bytes(value))


def make_folder(path: Path) -> None:
    """Make a folder and the folders above it; raises InputError where that fails."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(path, error) from None


def sync_folder(path: Path) -> None:
    """Flush a folder's entries to disk, where the system can (Windows cannot open folders)."""
    with contextlib.suppress(OSError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def read_json(path: Path, what: str) -> Any:
    """The JSON value of a file we wrote; raises InputError, naming `what` it should be."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror or error}", where=str(path), help=f"this should be {what}."
        ) from None
    try:
        return json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise InputError("is not JSON", where=str(path), help=f"this should be {what}.") from None


def unwritable(path: Path, error: OSError) -> InputError:
    """The error for a path that cannot be written."""
    return InputError(
        f"cannot be written: {error.strerror or error}",
        where=str(path),
        help="make room or mend the rights; what was answered is kept, and --resume goes on from there.",
    )

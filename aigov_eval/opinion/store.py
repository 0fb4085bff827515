"""
The store of answers: one file for each question that was sent, named by what was asked.

Comes in: a key and a record. Goes out: the record again, in this run or in a later one, so that no answer is paid for twice. A file
that was cut off or changed is as good as none. The folder is closed to others: it holds what people said.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from aigov_eval import files
from aigov_eval.errors import InputError
from aigov_eval.evidence.canonical import canonical

FORMAT = "aigov-eval/opinion-record@1"


def key_of(identity: Mapping[str, Any], messages: list[dict[str, str]], vote: int) -> str:
    """The key of a question: the digest of who is asked, what is asked, and which of several votes it is (from 1)."""
    return hashlib.sha256(
        canonical({"target": dict(identity), "messages": messages, "vote": vote})
    ).hexdigest()


def default_folder() -> Path:
    """The folder for answers in the user's cache."""
    from platformdirs import user_cache_path

    return user_cache_path("aigov-eval", appauthor=False) / "opinions"


class Store:
    """Records by key, in a folder; what was read or written is remembered."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._known: dict[str, Mapping[str, Any]] = {}

    def find(self, key: str) -> Mapping[str, Any] | None:
        """The record of a key, or None."""
        if key not in self._known:
            record = self._read(key)
            if record is None:
                return None
            self._known[key] = record
        return self._known[key]

    def put(self, key: str, record: Mapping[str, Any]) -> None:
        """Keep a record; it is on disk when this returns. Raises InputError where it cannot be written."""
        path = self._path(key)
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.parent.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise files.unwritable(self.folder, error) from None
        content = {"sha256": _digest(record), "record": dict(record)}
        files.write(path, json.dumps(content, ensure_ascii=False, allow_nan=False).encode() + b"\n")
        self._known[key] = record

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"

    def _read(self, key: str) -> Mapping[str, Any] | None:
        try:
            data = self._path(key).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise InputError(
                f"cannot be read: {error.strerror or error}",
                where=str(self._path(key)),
                help="mend its rights, or name another `store:`.",
            ) from None
        try:
            content = json.loads(data)
            record = content["record"]
            whole = (
                content["sha256"] == _digest(record) and record["key"] == key and record["format"] == FORMAT
            )
        except (ValueError, KeyError, TypeError, RecursionError):
            return None
        return record if whole else None


def _digest(record: Mapping[str, Any]) -> str:
    return hashlib.sha256(canonical(dict(record))).hexdigest()

"""
The journal of one run: every answer, on disk before the next turn is sent.

Comes in: records, one JSON object each. Goes out: a file of lines that is flushed to disk after
each, and on the next start the records that stand in it whole. A line that was cut off by a crash
or a full disk holds nothing that was acknowledged, and is cut away.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import IO, Any

from aigov_eval import files
from aigov_eval.errors import EvidenceError

NAME = "journal.jsonl"


class Journal:
    """An open journal; `append` returns after the record is on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records, self._size = _whole_records(path)
        try:
            fresh = not path.exists()
            # unbuffered: after a failed write nothing waits in memory to be written later
            self._file: IO[bytes] = path.open("ab", buffering=0)
            self._file.truncate(self._size)
            if fresh:
                files.sync_folder(path.parent)
        except OSError as error:
            raise files.unwritable(path, error) from None

    def append(self, record: dict[str, Any]) -> None:
        """Write one record and flush it to disk; raises InputError where that fails, leaving the file as it was."""
        line = _line(record)
        try:
            rest = memoryview(line)
            while rest:
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            # where cutting fails too, the next start cuts
            with contextlib.suppress(OSError):
                self._file.truncate(self._size)
            raise files.unwritable(self.path, error) from None
        self._size += len(line)
        self.records.append(record)

    def replace_answers(self, answers: list[dict[str, Any]]) -> None:
        """Write the journal anew with these answers instead of its own, whole or not at all; raises InputError."""
        left = iter(answers)
        records = [next(left) if record["event"] == "answer" else record for record in self.records]
        data = b"".join(_line(record) for record in records)
        self._file.close()
        files.write(self.path, data)
        self.records, self._size = records, len(data)
        try:
            self._file = self.path.open("ab", buffering=0)
        except OSError as error:
            raise files.unwritable(self.path, error) from None

    def close(self) -> None:
        """Close the file; what was appended is on disk already."""
        self._file.close()


def _line(record: dict[str, Any]) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def _whole_records(path: Path) -> tuple[list[dict[str, Any]], int]:
    """The records of a journal and the length in bytes of the part that holds them; raises EvidenceError."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return [], 0
    except OSError as error:
        raise files.unwritable(path, error) from None
    good = data.rfind(b"\n") + 1
    records: list[dict[str, Any]] = []
    for number, line in enumerate(data[:good].split(b"\n")[:-1], 1):
        try:
            record = json.loads(line)
        except ValueError:
            record = None
        if not isinstance(record, dict):
            raise EvidenceError(
                "is not a journal record",
                where=f"{path}:{number}",
                help="the file was changed; move the run's folder away and --resume asks this scenario anew.",
            )
        records.append(record)
    return records, good

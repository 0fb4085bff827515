"""
Transcripts of every known format, recognised by content, and scenario files.

Comes in: paths or bytes. Goes out: `Transcript`s and `Scenario`s. Each format is a module of its own
with a `FORMATS` table: the marks it is known by, and its reader; `formats.py` puts them in order.
"""

from __future__ import annotations

import io
import mmap
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from aigov_eval.errors import InputError
from aigov_eval.files import unreadable
from aigov_eval.model import Transcript
from aigov_eval.readers import decode, formats, inspect_log, jsonl, run_folder
from aigov_eval.readers.scenario import parse_scenario, read_scenario

__all__ = ["is_jsonl", "parse_scenario", "read_bytes", "read_file", "read_scenario"]


def read_file(path: Path | str) -> Iterator[Transcript]:
    """
    The transcripts of a file or a run folder, in order; JSONL is streamed.

    Raises InputError for what cannot be read; its `where` is path:line:column, or path#pointer, or path:line#pointer
    in JSONL.
    """
    path = Path(path)
    source = str(path)
    try:
        if path.is_dir():
            for folder, value in run_folder.read_folder(path):
                yield from _values(value, str(folder), format="evidence_pack", name="run_folder")
            return
        if path.is_file() and _is_lines(path):
            with path.open("rb") as stream:
                yield from jsonl.read_lines(stream, source)
            return
        data = path.read_bytes()
    except OSError as error:
        raise unreadable(source, error) from None
    yield from read_bytes(data, source=source)


def read_bytes(data: bytes, *, source: str) -> list[Transcript]:
    """
    The transcripts in the bytes of one file; `source` names it in errors ("-" for standard input).

    Raises InputError as `read_file` does.
    """
    if inspect_log.is_archive(data[:4]):
        try:
            return [
                replace(made, source=f"{source}:{entry}")
                for entry, found in inspect_log.read_archive(data)
                for made in found
            ]
        except InputError as error:
            raise decode.located(error, source) from None
        except RecursionError:
            raise _too_deep(source) from None
    if jsonl.is_jsonl(data, source):
        return list(jsonl.read_lines(io.BytesIO(data), source))
    try:
        value = decode.json_value(data)
    except InputError as error:
        raise decode.located(error, source) from None
    del data
    return _values(value, source)


def is_jsonl(path: Path | str) -> bool:
    """Whether a file holds one JSON value a line; a file that cannot be read does not."""
    try:
        return _is_lines(Path(path))
    except OSError:
        return False


def _is_lines(path: Path) -> bool:
    with path.open("rb") as stream:
        try:
            with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
                return jsonl.is_jsonl(data, path.name)
        except ValueError:
            # an empty file cannot be mapped
            return False


def _too_deep(source: str) -> InputError:
    return InputError(
        "nested deeper than a transcript can be", where=source, help="give the conversation itself."
    )


def _values(value: object, source: str, *, format: str | None = None, name: str = "") -> list[Transcript]:
    try:
        found = formats.read_value(value, format=format)
    except InputError as error:
        raise decode.located(error, source) from None
    except RecursionError:
        raise _too_deep(source) from None
    if not found:
        raise InputError(
            "holds no conversation", where=source, help="give a file in which something was said."
        )
    return [replace(made, source=source, format=name or made.format) for made in found]

"""
Evaluation records and results on disk: one object, an array, or JSONL.

Comes in: JSON values, or a path. Goes out: files, and records that have the shape of `aigov_eval/schemas/evaluation_record.json`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from aigov_eval.errors import InputError
from aigov_eval.readers import decode
from aigov_eval.sessions.disk import read_bytes, whole_file

JSONL = (".jsonl", ".ndjson")


def write_values(path: Path, values: Iterable[Any]) -> int:
    """
    Write values as JSONL, or as one object or an array, by the ending of the path; how many were written.

    The file is replaced when all of it is written: an error on the way leaves the old one.
    """
    with whole_file(path) as file:
        if path.suffix.lower() in JSONL:
            count = 0
            for value in values:
                file.write(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n")
                count += 1
            return count
        listed = list(values)
        file.write(document(listed))
        return len(listed)


def document(values: Sequence[Any]) -> str:
    """The values as a JSON text for people and programs: an object where there is one, an array otherwise."""
    return json.dumps(values[0] if len(values) == 1 else values, ensure_ascii=False, indent=2) + "\n"


def read_records(paths: Sequence[Path]) -> list[dict[str, Any]]:
    """
    The records in files of any of the three forms.

    Raises InputError, `where` being the file and the place in it, for what is not a record, for two
    records of one session, and where there is none at all.
    """
    check = _checker()
    records: list[dict[str, Any]] = []
    seen: dict[str, str] = {}
    for path in paths:
        for where, value in _values(path):
            check(value, where)
            identity = value["session_id"]
            if identity in seen:
                raise InputError(
                    f"the session {identity} stands twice",
                    where=where,
                    help=f"it stands in {seen[identity]} already; give each session once.",
                )
            seen[identity] = where
            records.append(value)
    if not records:
        raise InputError(
            "no records", where=", ".join(map(str, paths)), help="`aigov-eval ingest` writes records."
        )
    return records


def read_value(path: Path) -> Any:
    """The JSON value of a file. Raises InputError, `where` being the file."""
    data = _bytes(path)
    try:
        return decode.json_value(data)
    except InputError as error:
        raise decode.located(error, str(path)) from None


def read_lines(path: Path) -> Iterator[tuple[str, Any]]:
    """The values of a JSONL file, each with `path:line`."""
    raw = _bytes(path)
    try:
        data = decode.utf8(raw)
    except InputError as error:
        raise decode.located(error, str(path)) from None
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            try:
                yield f"{path}:{number}", decode.json_value(line)
            except InputError as error:
                raise decode.located(error, str(path), number) from None


def _values(path: Path) -> Iterator[tuple[str, Any]]:
    if path.suffix.lower() in JSONL:
        yield from read_lines(path)
        return
    value = read_value(path)
    if isinstance(value, list):
        yield from ((f"{path}#/{at}", item) for at, item in enumerate(value))
    else:
        yield str(path), value


def _bytes(path: Path) -> bytes:
    data = read_bytes(path)
    if not data.strip():
        raise InputError("is empty", where=str(path), help="give a file that `aigov-eval` wrote.")
    return data


def _checker() -> Any:
    # jsonschema takes a tenth of a second to import
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    schema = json.loads(
        resources.files("aigov_eval").joinpath("schemas", "evaluation_record.json").read_text("utf-8")
    )
    validator = Draft202012Validator(schema)

    def check(value: Any, where: str) -> None:
        error = best_match(validator.iter_errors(value))
        if error is None:
            return
        place = "".join(f"/{part}" for part in error.absolute_path)
        raise InputError(
            f"is not an evaluation record: {place or 'the top'}: {error.message[:200]}",
            where=where,
            help="`aigov-eval ingest` writes records; docs/sessions.md describes them.",
        )

    return check

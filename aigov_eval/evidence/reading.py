"""
The bytes of an evidence file as a JSON value, strictly: what two readers could take two ways is refused.

Comes in: a path. Goes out: the value and the bytes. Raises EvidenceError with line and column for what
cannot be read: bad UTF-8, bad JSON, a key that stands twice, NaN, a number that no double holds.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from msgspec import Struct

from aigov_eval.errors import EvidenceError

_HELP = "take the file as it was written; it was changed or cut off since."


class Part(Struct, frozen=True):
    """A file that was read."""

    path: Path
    data: bytes
    value: Any


def read_part(path: Path) -> Part:
    """A JSON file of a run; raises EvidenceError where it cannot be read."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise EvidenceError(
            f"cannot be read: {error.strerror or error}",
            where=str(path),
            help="name an evidence pack or a run folder.",
        ) from None
    return Part(path, data, parse(data, str(path)))


def parse(data: bytes, where: str) -> Any:
    """The JSON value of these bytes; raises EvidenceError with `where:line:column`."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise EvidenceError(
            "is not UTF-8", where=_at(where, data[: error.start].decode(errors="replace")), help=_HELP
        ) from None
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite)
    except json.JSONDecodeError as error:
        raise EvidenceError(
            f"is not JSON: {error.msg}", where=f"{where}:{error.lineno}:{error.colno}", help=_HELP
        ) from None
    except _Refused as error:
        raise EvidenceError(str(error), where=where, help=_HELP) from None
    except RecursionError:
        raise EvidenceError("is nested too deep", where=where, help=_HELP) from None
    except ValueError as error:
        raise EvidenceError(f"is not JSON: {error}", where=where, help=_HELP) from None


class _Refused(Exception):
    """JSON that is not one thing alone."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        double = next(name for name in names if names.count(name) > 1)
        raise _Refused(f"holds the key {double!r} twice in one object")
    return found


def _no_constant(name: str) -> Any:
    raise _Refused(f"holds {name}, which is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise _Refused(f"holds the number {digits[:40]}, which no double holds")
    return number


def _at(where: str, before: str) -> str:
    return f"{where}:{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"


def first_difference(part: Part) -> str:
    """Where the bytes are not as we write that value, as `line L, column C`; empty where they are."""
    from aigov_eval import files

    try:
        wanted = files.json_bytes(part.value)
    except UnicodeEncodeError:
        return "line 1, column 1"
    if part.data == wanted:
        return ""
    pairs = zip(part.data, wanted, strict=False)
    same = next((at for at, (one, two) in enumerate(pairs) if one != two), min(len(part.data), len(wanted)))
    _, line, column = _at("", part.data[:same].decode(errors="replace")).split(":")
    return f"line {line}, column {column}"


def deep_differences(first: Any, second: Any, most: int = 20) -> list[tuple[str, Any, Any]]:
    """Where two JSON values differ, at the smallest places: (JSON Pointer, first, second), at most so many."""
    from aigov_eval.evidence.tree import step

    found: list[tuple[str, Any, Any]] = []

    def walk(one: Any, two: Any, place: str) -> None:
        if len(found) >= most:
            return
        if isinstance(one, dict) and isinstance(two, dict):
            for key in {**one, **two}:
                walk(one.get(key, MISSING), two.get(key, MISSING), step(place, key))
        elif isinstance(one, list) and isinstance(two, list):
            for at in range(max(len(one), len(two))):
                walk(
                    one[at] if at < len(one) else MISSING,
                    two[at] if at < len(two) else MISSING,
                    step(place, at),
                )
        elif type(one) is not type(two) or one != two:
            found.append((place, one, two))

    walk(first, second, "")
    return found


class _Missing:
    def __repr__(self) -> str:
        return "nothing"


MISSING = _Missing()

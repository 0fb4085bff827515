"""
What a format looks like.

Comes in: a decoded value. Goes out: whether it has a format's shape, and what is missing where it has not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from aigov_eval.model import Transcript
from aigov_eval.readers import messages, values

Read = Callable[[Any, str], list[Transcript]]

_ABSENT = object()


class Mark(Struct, frozen=True):
    """One thing a format is known by: at `path` (a JSON Pointer) stands `wanted`, as `test` decides."""

    path: str
    wanted: str
    test: Callable[[Any], bool]


class Format(Struct, frozen=True):
    """A format: its name, the marks it is known by (all must hold), and its reader (value, pointer) -> transcripts."""

    name: str
    marks: tuple[Mark, ...]
    read: Read

    def fits(self, value: object) -> bool:
        """Whether a value has this shape: whether it lacks none of the marks, which are asked in order."""
        for mark in self.marks:
            found = lookup(value, mark.path)
            if found is _ABSENT or not mark.test(found):
                return False
        return True

    def misses(self, value: object) -> list[str]:
        """The marks that a value lacks, in words; empty where it has this shape."""
        out: list[str] = []
        for mark in self.marks:
            if not mark.path and out:
                # a mark of the whole counts on the marks of its parts
                break
            found = lookup(value, mark.path)
            if found is _ABSENT:
                out.append(f"{mark.path} is missing")
            elif not mark.test(found):
                shown = repr(found) if isinstance(found, str) and len(found) < 40 else values.kind(found)
                out.append(f"{mark.path or 'the top'} is {shown}, not {mark.wanted}")
        return out

    def nearness(self, value: object) -> float:
        """How near a value comes to this shape: 0 where nothing of it is there."""
        near = 0.0
        for mark in self.marks:
            if not mark.path:
                continue
            found = lookup(value, mark.path)
            if found is _ABSENT:
                around = mark.path.rpartition("/")[0]
                near += 0.2 if around and lookup(value, around) is not _ABSENT else -0.01
            else:
                near += 1 if mark.test(found) else 0.5
        return near


def a_list(path: str) -> Mark:
    """A list stands there."""
    return Mark(path, "a list", lambda found: isinstance(found, list))


def an_object(path: str) -> Mark:
    """An object stands there."""
    return Mark(path, "an object", lambda found: isinstance(found, dict))


def a_text(path: str) -> Mark:
    """A text stands there."""
    return Mark(path, "a text", lambda found: isinstance(found, str))


def one_of(path: str, *values: str) -> Mark:
    """One of those texts stands there."""
    return Mark(path, " or ".join(repr(value) for value in values), lambda found: found in values)


def there(path: str) -> Mark:
    """Something other than null stands there."""
    return Mark(path, "a value", lambda found: found is not None)


def lookup(value: Any, path: str) -> Any:
    """The value at a JSON Pointer, or a marker that is none of JSON's values."""
    for part in path.split("/")[1:]:
        if isinstance(value, list) and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        elif isinstance(value, dict) and part in value:
            value = value[part]
        else:
            return _ABSENT
    return value


def is_message(value: object) -> bool:
    """Whether a value looks like one message of a chat: a known role and something said."""
    if not isinstance(value, dict):
        return False
    if value.get("lc") is not None and isinstance(value.get("kwargs"), dict):
        return True
    roles = [value[key] for key in ("role", "from", "author", "type") if isinstance(value.get(key), str)]
    said = ("content", "value", "text", "parts", "tool_calls", "function_call", "turn_index", "data")
    return any(role.strip().lower() in messages.ROLES for role in roles) and any(key in value for key in said)

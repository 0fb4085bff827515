"""
One row of data to the transcripts in it.

Comes in: a row as Python values (a record of Arrow, or the JSON of a line). Goes out: transcripts, and the texts of
the columns that are kept. A conversation stands in one column: as a list of messages, or as JSON text in any format
that `readers` knows; the scenario's keys (`person_name`, `category`, ...) may be columns beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from aigov_eval.errors import InputError
from aigov_eval.model import Transcript
from aigov_eval.readers import decode, formats
from aigov_eval.readers.scenario import ALIASES, BESIDE
from aigov_eval.readers.shape import is_message
from aigov_eval.readers.values import clean

# where a conversation is looked for, first found first taken
COLUMNS = ("messages", "transcript", "turns", "conversation", "dialogue", "json", "text")
_IDS = ("id", "custom_id", "session_id", "conversation_id")
_NESTED = ("aliases", "identifiers", "facts", "expected_special_category_fields", "languages")


def column_of(names: Sequence[str], asked: str = "") -> str:
    """The column that holds the conversations. Raises InputError where there is none."""
    if asked:
        if asked in names:
            return asked
        raise InputError(f'there is no column "{asked}"', help=_there(names))
    for name in COLUMNS:
        if name in names:
            return name
    raise InputError("no column holds conversations: none is named " + ", ".join(COLUMNS), help=_there(names))


def _there(names: Sequence[str]) -> str:
    return f"name one with `column`; there are: {', '.join(map(str, names[:20]))}."


def columns_read(names: Sequence[str], column: str, keep: Sequence[str]) -> list[str]:
    """The columns of a table that scoring looks at: all others need not be read."""
    wanted = {column, *_IDS, *BESIDE, *ALIASES, *keep, *(name.split(".")[0] for name in keep)}
    return [name for name in names if name in wanted]


def value_of(row: Mapping[str, Any], column: str) -> object:
    """The row as one of the values that `readers.formats` knows. Raises InputError for JSON that cannot be read."""
    told = row[column]
    if told is None:
        raise InputError("the row holds no conversation", help=f"the column {column!r} is null.")
    if isinstance(told, str | bytes):
        told = decode.json_value(told.encode("utf-8", "replace") if isinstance(told, str) else told)
    else:
        told = _pruned(told)
    beside = {
        name: _unpacked(name, _pruned(row[name]))
        for name in (*_IDS, *BESIDE, *ALIASES)
        if name != column and row.get(name) not in (None, "")
    }
    if isinstance(told, dict):
        return {**beside, **told}
    if isinstance(told, list) and told and all(map(is_message, told)):
        return {**beside, "messages": told}
    return told


def transcripts_in(value: object) -> list[Transcript]:
    """The transcripts of a row's value. Raises InputError where it holds none."""
    try:
        found = formats.read_value(value)
    except RecursionError:
        raise InputError(
            "nested deeper than a transcript can be", help="give the conversation itself."
        ) from None
    if not found:
        raise InputError("holds no conversation", help="give a row in which something was said.")
    return found


def id_in(*sources: object) -> str:
    """The first of a record's names for itself; empty where it has none."""
    for source in sources:
        for key in (*_IDS, "scenario_id"):
            found = source.get(key) if isinstance(source, Mapping) else None
            if (isinstance(found, str) and found) or type(found) is int:
                return clean(str(found))
    return ""


def kept_of(names: Sequence[str], *sources: object) -> dict[str, str | None]:
    """The columns to keep, as texts: from the first source that has them; a dot goes into what is nested."""
    return {
        name: next((text for one in sources if (text := _text_at(one, name)) is not None), None)
        for name in names
    }


def _text_at(source: object, name: str) -> str | None:
    if not isinstance(source, Mapping):
        return None
    found: Any = source.get(name)
    if found is None and "." in name:
        found = source
        for part in name.split("."):
            found = found.get(part) if isinstance(found, Mapping) else None
    if found is None:
        return None
    if isinstance(found, str):
        return clean(found)
    if isinstance(found, bool | int | float):
        return "true" if found is True else "false" if found is False else str(found)
    try:
        return decode.json_text(found)
    except (TypeError, ValueError, UnicodeError):
        return clean(str(found))


def _pruned(value: Any) -> Any:
    """A value of Arrow without the keys that are null only because another row has them; maps as objects."""
    if isinstance(value, dict):
        return {key: _pruned(one) for key, one in value.items() if one is not None}
    if isinstance(value, list):
        if value and all(isinstance(one, tuple) and len(one) == 2 for one in value):
            return {str(key): _pruned(one) for key, one in value}
        return [_pruned(one) for one in value]
    return value


def _unpacked(name: str, value: Any) -> Any:
    """A key that holds more than a text, where a column of texts gives it as JSON."""
    if name in _NESTED and isinstance(value, str) and value[:1] in "{[":
        return decode.json_value(value.encode("utf-8", "replace"))
    return value

"""The small parts of every reader: clean texts, keys of JSON Pointers, and the error for a value of the wrong type."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from aigov_eval.errors import InputError

_SURROGATE = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    """The text with lone surrogates, which no encoding can write, replaced by U+FFFD."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def text_of(message: Mapping[str, Any], key: str, pointer: str) -> str:
    """The text under that key; InputError for another type."""
    value = message.get(key)
    if not isinstance(value, str):
        raise wrong(value, "a text", f"{pointer}/{key}")
    return clean(value)


def name_of(message: Mapping[str, Any], *keys: str) -> str:
    """The first name among those keys that is a text."""
    for key in ("name", "tool_name", "tool", *keys):
        if isinstance(message.get(key), str):
            return clean(message[key])
    return ""


def escape(key: str) -> str:
    """A key as a part of a JSON Pointer (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")


def kind(value: object) -> str:
    """What a value is, for a sentence."""
    names = {
        dict: "an object",
        list: "a list",
        str: "a text",
        bool: "a boolean",
        int: "a number",
        float: "a number",
    }
    return "null" if value is None else names.get(type(value), type(value).__name__)


def wrong(value: object, wanted: str, where: str) -> InputError:
    """The error for a value of the wrong type."""
    return InputError(
        f"{kind(value)} stands where {wanted} belongs", where=where, help=f"write {wanted} there."
    )

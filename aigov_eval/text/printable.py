r"""
A text from outside without what a terminal, a spreadsheet or a page would take as a command.

Comes in: any text, or a value of the model that holds texts. Goes out: the same with control characters written
as escapes that can be read (`\u001b`), so that nothing disappears and nothing acts. The escapes are those of
JSON: a JSON text that goes through here stays JSON, of the same value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

# C0 without tab and line feed, DEL, C1; marks and overrides of direction; line and paragraph separators;
# annotation marks; halves of pairs; tag characters
_ACTS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)
_BREAKS = re.compile("[\t\n\x0b\x0c\r\x1c-\x1e\x85\u2028\u2029]+")


def printable(text: str) -> str:
    """The text with line breaks as they are and every other character that acts as an escape."""
    return text if text.isprintable() else _ACTS.sub(_escaped, text)


def in_line(text: str) -> str:
    """The text in one line: breaks and tabs as one space, so that what was said cannot look like a line of ours."""
    return text if text.isprintable() else _ACTS.sub(_escaped, _BREAKS.sub(" ", text))


def all_in_line(value: Any) -> Any:
    """A value with every text in it `in_line`: texts, sequences, mappings and structs of them."""
    if isinstance(value, str):
        return in_line(value)
    if isinstance(value, tuple | list):
        return type(value)(all_in_line(one) for one in value)
    if isinstance(value, Mapping):
        return {all_in_line(key): all_in_line(one) for key, one in value.items()}
    if isinstance(value, Struct):
        return replace(value, **{name: all_in_line(getattr(value, name)) for name in value.__struct_fields__})
    return value


def _escaped(found: re.Match[str]) -> str:
    code = ord(found.group())
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    return f"\\u{0xD800 + ((code - 0x10000) >> 10):04x}\\u{0xDC00 + ((code - 0x10000) & 0x3FF):04x}"

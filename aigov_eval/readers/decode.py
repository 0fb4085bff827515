"""
Bytes to JSON values: encodings, byte-order marks, and errors that name line and column.

Comes in: the bytes of a file. Goes out: Python values as msgspec decodes them. Of keys that
stand twice in one object the last one counts, as in nearly every JSON reader; NaN and Infinity
are not JSON and are errors; an escaped half of a surrogate pair becomes U+FFFD.
"""

from __future__ import annotations

import codecs
from typing import NoReturn

import msgspec

from aigov_eval.errors import InputError

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

_DECODER = msgspec.json.Decoder()
_ENCODER = msgspec.json.Encoder()


def encoding_of(head: bytes) -> tuple[str, int]:
    """The encoding that the first bytes of a file tell, and the length of its byte-order mark."""
    for mark, name in _BOMS:
        # FF FE 00 00 is UTF-32, FF FE alone UTF-16: the longer mark stands first in the table
        if head.startswith(mark):
            return name, len(mark)
    if len(head) >= 2 and (head[0] == 0) != (head[1] == 0):
        # JSON starts with an ASCII character, so one zero byte in the first pair is UTF-16
        return ("utf-16-be" if head[0] == 0 else "utf-16-le"), 0
    return "utf-8", 0


def utf8(data: bytes) -> bytes:
    """The same text in UTF-8 without a byte-order mark; UTF-8 is passed on unread."""
    name, skip = encoding_of(data[:4])
    if name == "utf-8":
        return data[skip:]
    return text(data).encode()


def text(data: bytes) -> str:
    """The text of a file in UTF-8, UTF-16 or UTF-32. Raises InputError with the offset of the first bad byte."""
    name, skip = encoding_of(data[:4])
    try:
        return data[skip:].decode(name) if name == "utf-8" else data.decode(name)
    except UnicodeDecodeError as error:
        offset = error.start + (skip if name == "utf-8" else 0)
        raise InputError(
            f"the bytes at offset {offset} are not valid {name.upper()}",
            help="save the file as UTF-8 (a byte-order mark is fine; UTF-16 with its mark works too).",
        ) from None


def json_value(data: bytes) -> object:
    """
    The value of a whole JSON text.

    Raises InputError with line and column where it is not JSON, with the byte offset where it is
    not text, and where it is nested too deep to be a conversation.
    """
    try:
        return _DECODER.decode(utf8(data))
    except RecursionError:
        raise _too_deep() from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        return _slow_json_value(text(data))


def json_text(value: object) -> str:
    """Compact JSON text of a value, with letters as they are."""
    return _ENCODER.encode(value).decode()


def _slow_json_value(source: str) -> object:
    """What msgspec refused: lone surrogates are mended, all else is an error with its place."""
    import json

    try:
        value = json.loads(source, parse_constant=_no_constant)
        mended = json.dumps(value, ensure_ascii=False).encode("utf-16", "surrogatepass")
        return _DECODER.decode(mended.decode("utf-16", "replace"))
    except RecursionError:
        raise _too_deep() from None
    except json.JSONDecodeError as error:
        if not source.strip():
            raise InputError("the file is empty", help="give a file that holds a transcript.") from None
        problem = error.msg.removesuffix(" starting at")
        ends = error.pos >= len(source.rstrip()) or problem.startswith("Unterminated")
        raise InputError(
            f"not JSON: {problem[:1].lower()}{problem[1:]}, at line {error.lineno}, column {error.colno}",
            where=f"{error.lineno}:{error.colno}",
            help=_CUT if ends and len(source.encode()) % 65536 == 0 else _SYNTAX,
        ) from None
    except (msgspec.DecodeError, ValueError):
        raise InputError(
            "a number is too large to read", help="write it as a text, in quotes, or leave it out."
        ) from None


_SYNTAX = "mend the file at that place; `python -m json.tool FILE` shows the same error."
_CUT = "the file is cut at a multiple of 65,536 bytes, as a pipe does it: write the export into a file with > instead."


def located(error: InputError, source: str, line: int = 0) -> InputError:
    """The error with its source before its place: path:line:column for text, path#pointer for a value."""
    where = error.where
    if line:
        source = f"{source}:{line}"
        # the decoder saw one line: of its line and column only the column is news
        where = where.removeprefix("1:") if not where.startswith("/") else where
    text = error.text.replace(", at line 1, column ", ", at column ") if line else error.text
    if where:
        where = f"{source}#{where}" if where.startswith("/") else f"{source}:{where}"
    return InputError(text, where=where or source, code=error.own_code, help=error.help)


def _no_constant(name: str) -> NoReturn:
    raise InputError(f"{name} is not JSON", help="write null or a number in its place.")


def _too_deep() -> InputError:
    return InputError(
        "nested deeper than a transcript can be",
        help="give the conversation itself, not a structure around it.",
    )

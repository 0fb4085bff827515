"""
JSONL: one transcript a line, streamed.

Comes in: a binary stream. Goes out: (line number, transcripts) in order; an error names the line.
A line of any known format will do; blank lines are passed over.
"""

from __future__ import annotations

import io
import mmap
from collections.abc import Iterator
from typing import BinaryIO

from msgspec.structs import replace

from aigov_eval.errors import InputError
from aigov_eval.model import Transcript
from aigov_eval.readers import decode, formats


def is_jsonl(data: bytes | mmap.mmap, name: str = "") -> bool:
    """
    Whether a file holds one JSON value a line, told by its first two lines.

    A file of one line is JSONL only where its name ends in .jsonl or .ndjson: its content cannot tell.
    """
    lines = _first_lines(data)
    if not lines:
        return False
    named = name.lower().endswith((".jsonl", ".ndjson"))
    first = lines[0]
    if first[:1] not in (b"{", b"["):
        return named and first[:1] != b""
    if len(lines) == 1:
        return named
    # in one JSON value a line that begins an object or list can only follow one of these
    if lines[1][:1] in (b"{", b"[") and first[-1:] not in (b"[", b",", b":"):
        return True
    try:
        decode.json_value(first)
    except InputError:
        return False
    return True


def read_lines(stream: BinaryIO, source: str) -> Iterator[Transcript]:
    """
    The transcripts of a JSONL stream, one line at a time.

    Raises InputError, `where` being source:line, at the first line that cannot be read, and where
    no line held a conversation.
    """
    said = False
    number = 0
    for number, line in enumerate(_lines(stream, source), 1):
        if not line.strip():
            continue
        where = f"{source}:{number}"
        try:
            found = formats.read_value(decode.json_value(line))
        except InputError as error:
            raise decode.located(error, source, number) from None
        except RecursionError:
            raise InputError(
                "nested deeper than a transcript can be", where=where, help="give the conversation itself."
            ) from None
        for made in found:
            said = True
            yield replace(made, source=where, id=made.id or f"line {number}", format=f"jsonl:{made.format}")
    if not said:
        raise InputError(
            "no line holds a conversation" if number else "the file is empty",
            where=source,
            help="give one transcript a line.",
        )


def _lines(stream: BinaryIO, source: str) -> Iterator[bytes]:
    head = stream.read(4)
    encoding, skip = decode.encoding_of(head)
    if encoding == "utf-8":
        rest = head[skip:]
        first = rest + stream.readline() if not rest.endswith(b"\n") else rest
        if b"\n" in rest[:-1]:
            yield from first.splitlines(keepends=True)
        elif first:
            yield first
        yield from stream
        return
    whole = head + stream.read()
    try:
        text = decode.utf8(whole)
    except InputError as error:
        raise decode.located(error, source) from None
    yield from io.BytesIO(text)


def _first_lines(data: bytes | mmap.mmap) -> list[bytes]:
    """The first two lines with something on them, without the white space around."""
    encoding, skip = decode.encoding_of(data[:4])
    if encoding != "utf-8":
        try:
            data = data[:].decode(encoding, "ignore").encode()
        except UnicodeError:
            return []
        skip = 0
    out: list[bytes] = []
    start = skip
    while start < len(data) and len(out) < 2:
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        line = data[start:end].strip()
        if line:
            out.append(line)
        start = end + 1
    return out

"""
The blocks of a text: paragraphs, code, quotes, lists, tables, records.

Comes in: the plain view of a text. Goes out: its blocks, in text order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

BlockKind = Literal["paragraph", "code", "quote", "list", "table", "record"]
BLANK_LINE = re.compile(r"\n\n")
KEY_VALUE = re.compile(
    r"^\s{0,12}(?:[-*+•]\s+)?[*_`\"']{0,3}(?P<key>[^\W\d_][^:=!?\n|{}\[\]]{0,44}?)[*_`\"']{0,3}\s?[:=]\s?[*_]{0,2}(?=\s|\S)(?P<value>[^\n]*)$"
)
# a label that has a line for itself; its value stands on the next one
BARE_KEY = re.compile(
    r"^\s{0,12}(?:[-*+•]\s+)?[*_`\"']{0,3}(?P<key>[^\W\d_][^:=!?\n|{}\[\]]{0,44}?)[*_`\"']{0,3}\s?:[*_ ]{0,4}$"
)
BELOW = 48  # characters of a value below its label at most
_FENCE = re.compile(r"^[ \t]*(```+|~~~+)[^\n]*$", re.M)
_LIST_ITEM = re.compile(r"^\s{0,8}(?:[-*+•·▪–]|\d{1,3}[.)])\s+")
_PROSE = re.compile(r"(?:[^\W\d_]{2}|\d{3})[.!?][\"')»]?\s+[^\W\d_]")


class Block(Struct, frozen=True):
    """A stretch of lines of one kind."""

    start: int
    end: int
    kind: BlockKind


def blocks_of(text: str, fences: list[tuple[int, int]]) -> list[Block]:
    """The blocks of a text, at least one; `fences` is what `fences_in` gave."""
    found = [
        block for start, end, code in _outer(text, fences) for block in _blocks(text, start, end, code=code)
    ]
    return found or [Block(0, len(text), "paragraph")]


def fences_in(text: str) -> list[tuple[int, int]]:
    """Where code stands between fences."""
    if "```" not in text and "~~~" not in text:
        return []
    spans, opened = [], None
    for fence in _FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif fence.group(1)[0] == opened.group(1)[0]:
            spans.append((opened.start(), min(len(text), fence.end() + 1)))
            opened = None
    if opened is not None:
        spans.append((opened.start(), len(text)))
    return spans


def _outer(text: str, fences: list[tuple[int, int]]) -> Iterator[tuple[int, int, bool]]:
    at = 0
    for start, end in fences:
        if at < start:
            yield at, start, False
        yield start, end, True
        at = end
    if at < len(text):
        yield at, len(text), False


def _blocks(text: str, start: int, end: int, *, code: bool) -> list[Block]:
    if code:
        return [Block(start, end, "code")]
    blocks: list[Block] = []
    at, kind, opened = start, None, start
    value_next = False  # whether the line before is a label that this one fills
    while at < end:
        line_end = text.find("\n", at, end)
        line_end = end if line_end < 0 else line_end + 1
        line = text[at:line_end]
        here = _kind_of(line)
        blank = not line.strip()
        if value_next:
            here, value_next = "record", False
        elif here in ("paragraph", "record") and _fills(line, text[line_end : line_end + BELOW + 16]):
            here, value_next = "record", True
        if blank or here != kind:
            if kind is not None and at > opened:
                blocks.append(Block(opened, at, kind))
            opened, kind = at, (None if blank else here)
        at = line_end
    if kind is not None and end > opened:
        blocks.append(Block(opened, end, kind))
    return blocks


def _kind_of(line: str) -> BlockKind:
    stripped = line.strip()
    if stripped.startswith(">"):
        return "quote"
    if stripped.startswith("|") or (stripped.count("|") >= 2 and " | " in stripped):
        return "table"
    if stripped[:1] in "{[" and ":" in stripped:
        return "record"
    match = KEY_VALUE.match(line.rstrip("\n")) if ":" in line or "=" in line else None
    if match and len(match["key"].split()) <= 5 and not _is_prose(match["value"]):
        return "record"
    if _LIST_ITEM.match(line):
        return "list"
    return "paragraph"


def _fills(line: str, rest: str) -> bool:
    """Whether a line is a label alone, and the next one short enough to be its value and nothing else itself."""
    if ":" not in line or not BARE_KEY.match(line.rstrip("\n")):
        return False
    below = rest.partition("\n")[0].strip()
    told = below[-1:] in ".!?" and len(below.split()) > 2  # a sentence is no value
    return 0 < len(below) <= BELOW and not told and ":" not in below and _kind_of(below) == "paragraph"


def _is_prose(value: str) -> bool:
    """Whether what follows a colon is several sentences rather than a value."""
    return len(value) > 60 and bool(_PROSE.search(value))

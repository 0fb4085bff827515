"""
The cells of records: table rows, CSV rows, objects, runs of `Key: value` lines.

Comes in: a block of a plain text. Goes out: its cells. A cell knows its labels (key, column header, row
label) as spans of the same text, so that whatever finds words in the text also finds them in a label.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import chain, pairwise

from msgspec import Struct

from aigov_eval.text.blocks import BARE_KEY, BELOW, KEY_VALUE, Block
from aigov_eval.text.object_lists import objects_in
from aigov_eval.text.spans import Span

_SHORT = 40  # characters of a value that stands in running text
_LINE = re.compile(r"[^\n]*\n?")
_TABLE_RULE = re.compile(r"^\s*+(?:\|\s*+)?:?-{2,}+:?\s*+(?:\|\s*+:?-{2,}+:?\s*+)*+(?:\|\s*+)?$")
_PAIR = re.compile(
    r"""["']?(?P<key>[^\W\d_][\w .()/°-]{0,40}?)["']?\s?[:=]\s{0,3}(?P<value>"(?:[^"\\\n]|\\.){0,400}"|'(?:[^'\\\n]|\\.){0,400}'|\[[^\]]{0,800}\]|[^\s,;{}\[\]][^\n,;{}\[\]]{0,200})"""
)
_INLINE_SEPARATOR = re.compile(r"\s[·•|;]\s|;\s")
# two capitalised words, as a person's name stands in the first column
_NAME = re.compile(r"[A-ZÀ-ÞĂÂÎȘȚŁŚŠČŽ][\w'’-]+,? [A-ZÀ-ÞĂÂÎȘȚŁŚŠČŽ][\w'’.-]*$")
_NUMBER = re.compile(r"\d+")


class Cell(Struct, frozen=True):
    """A value of a record with the spans of its labels; cells of one row share their `record`."""

    start: int
    end: int
    labels: tuple[Span, ...]
    record: Span


def read_records(text: str, block: Block, cells: list[Cell]) -> None:
    """Add the cells of a block to those found."""
    body = text[block.start : block.end]
    if block.kind == "table":
        _read_table(text, block.start, block.end, "|", cells)
    elif block.kind == "code":
        inner_start = block.start + body.find("\n") + 1
        inner_end = block.start + body.rfind("\n", 0, len(body.rstrip()))
        if inner_end <= inner_start:
            inner_end = block.end
        separator = _separator(text[inner_start:inner_end])
        if separator:
            _read_table(text, inner_start, inner_end, separator, cells)
        else:
            _read_pairs(text, inner_start, inner_end, cells)
    elif block.kind in ("record", "list"):
        _read_pairs(text, block.start, block.end, cells)
    elif block.kind == "paragraph":
        separator = _separator(body)
        if separator:
            _read_table(text, block.start, block.end, separator, cells)
        elif "{" in body or " · " in body or body.count(": ") > 1 or " | " in body:
            _read_pairs(text, block.start, block.end, cells, inline=True)


def _separator(body: str) -> str:
    """The separator of a CSV body (a header and at least one row with the same count), or the empty text."""
    lines = [line for line in body.split("\n") if line.strip()]
    if len(lines) < 2 or lines[0].lstrip()[:1] in "{[" or ": " in lines[0]:
        return ""
    for separator in (";", "\t", "|", ","):
        columns = lines[0].count(separator) + 1
        header_words = all(0 < len(part.split()) <= 4 for part in lines[0].split(separator))
        rows = lines[1:3]
        if columns >= 3 and len(rows) == 2 and separator not in rows[1]:
            rows = rows[:1]  # a closing remark under the only row
        if columns >= 2 and header_words and all(_fields(line, separator) == columns for line in rows):
            return separator
    return ""


def _fields(line: str, separator: str) -> int:
    count, quoted = 1, False
    for character in line:
        if character == '"':
            quoted = not quoted
        elif character == separator and not quoted:
            count += 1
    return count


def _row_cells(text: str, start: int, end: int, separator: str) -> list[Span]:
    spans, quoted, at = [], False, start
    for i in range(start, end):
        character = text[i]
        if character == '"' and separator != "|":
            quoted = not quoted
        elif character == separator and not quoted:
            spans.append(_trim(text, at, i))
            at = i + 1
    spans.append(_trim(text, at, end))
    if separator == "|":
        if spans and spans[0].start >= spans[0].end:
            spans = spans[1:]
        if spans and spans[-1].start >= spans[-1].end:
            spans = spans[:-1]
    return spans


def _trim(text: str, start: int, end: int) -> Span:
    while start < end and text[start] in " \t\r\n*_`\"'":
        start += 1
    while end > start and text[end - 1] in " \t\r\n*_`\"',":
        end -= 1
    return Span(start, end)


def _read_table(text: str, start: int, end: int, separator: str, cells: list[Cell]) -> None:
    header: list[Span] | None = None
    rows: list[tuple[int, int, list[Span]]] = []
    for line in _LINE.finditer(text, start, end):
        if not line.group().strip():
            continue
        if separator == "|" and _TABLE_RULE.match(line.group()):
            if rows and header is None:
                header = rows.pop()[2]
            continue
        rows.append((line.start(), line.end(), _row_cells(text, line.start(), line.end(), separator)))
    if header is None and rows and (separator != "|" or len(rows) > 1):
        header = rows.pop(0)[2]
    # a table of two columns is a list of keys and values: all its rows are one record
    keyed = len(rows) > 1 and all(len(row) == 2 for _, _, row in rows) and separator == "|"
    if keyed:
        people = sum(1 for _, _, row in rows if _NAME.match(text, row[0].start, row[0].end))
        keyed = people * 2 < len(rows)
    for row_start, row_end, row in rows:
        record = Span(rows[0][0], rows[-1][1]) if keyed else Span(row_start, row_end)
        for column, cell in enumerate(row):
            labels = []
            if header and column < len(header):
                labels.append(header[column])
            if column > 0:
                labels.append(row[0])
            if cell.end > cell.start and not (keyed and column == 0):
                cells.append(Cell(cell.start, cell.end, tuple(labels), record))


def _read_pairs(text: str, start: int, end: int, cells: list[Cell], *, inline: bool = False) -> None:
    """`Key: value` lines and the pairs of objects; each object of a list is a record of its own."""
    objects = set(objects_in(text, start, end)) if text.find("{", start, end) >= 0 else set()
    whole = Span(start, end)
    edges = sorted({start, end, *chain.from_iterable(objects)})
    for piece_start, piece_end in pairwise(edges):
        found = []
        within = bool(objects) or "{" in text[piece_start:piece_end]
        above: Span | None = None  # a label alone on the line before
        for line in _LINE.finditer(text, piece_start, piece_end):
            if not line.group().strip():
                continue
            bare = None if within or inline else BARE_KEY.match(line.group().rstrip("\n"))
            if above is not None and bare is None and not KEY_VALUE.match(line.group().rstrip("\n")):
                value = _trim(text, line.start(), line.end())
                if value.end - value.start <= BELOW:
                    found.append((above, value))
                    above = None
                    continue
            above = (
                Span(line.start() + bare.start("key"), line.start() + bare.end("key"))
                if bare is not None
                else None
            )
            pair = None if within or inline else KEY_VALUE.match(text[line.start() : line.end()].rstrip("\n"))
            if pair and not _INLINE_SEPARATOR.search(pair["value"]):
                key = Span(line.start() + pair.start("key"), line.start() + pair.end("key"))
                value = _trim(text, line.start() + pair.start("value"), line.start() + pair.end("value"))
                found.append((key, value))
                continue
            if within:
                continue
            found.extend(_pairs_in(text, line.start(), line.end()))
        if within:
            found = _pairs_in(text, piece_start, piece_end)
        if inline:
            # in running text a colon makes a pair only before something short
            found = [(key, value) for key, value in found if value.end - value.start <= _SHORT]
        records = [] if within or inline else _starts_of_records(text, found)
        # what stands beside the objects of a list is of the whole
        alone = not objects or (piece_start, piece_end) in objects
        for key, value in found:
            at = bisect_right(records, key.start) - 1
            record = Span(piece_start, piece_end) if alone else whole
            if at >= 0:
                record = Span(records[at], records[at + 1] if at + 1 < len(records) else piece_end)
            if value.end > value.start:
                cells.append(Cell(value.start, value.end, (key,), record))


def _starts_of_records(text: str, pairs: list[tuple[Span, Span]]) -> list[int]:
    """Where records begin whose first key comes again, with another number or with none: "Name: ... Name: ...", "Room 1: ... Room 2: ..."."""
    keys = [_NUMBER.sub("0", text[key.start : key.end].lower()) for key, _ in pairs]
    if not keys or keys.count(keys[0]) == 1:
        return []
    return [
        text.rfind("\n", 0, key.start) + 1
        for said, (key, _) in zip(keys, pairs, strict=True)
        if said == keys[0]
    ]


def _pairs_in(text: str, start: int, end: int) -> list[tuple[Span, Span]]:
    pairs = []
    at = start
    for cut in (*[m.start() for m in _INLINE_SEPARATOR.finditer(text, start, end)], end):
        if text.find(":", at, cut) >= 0 or text.find("=", at, cut) >= 0:
            for pair in _PAIR.finditer(text, at, cut):
                pairs.append((Span(*pair.span("key")), _trim(text, *pair.span("value"))))
        at = cut
    return pairs

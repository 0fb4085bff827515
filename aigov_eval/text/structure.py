"""
The structure of a text: blocks, sentences, clauses, and the cells of records.

Comes in: the plain view of a text and the abbreviations of the languages in play. Goes out: a
`Structure` with spans in that view. A record is a table row, a CSV row, an object, or a run of
`Key: value` lines; a cell knows its labels (key, column header, row label) as spans of the same
text, so that whatever finds words in the text also finds them in a label.
Our own splitter, because library ones split after titles and not at line ends
(detection.md, section 4.4).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from aigov_eval.lazily import lazily
from aigov_eval.text.records import BARE_KEY, BELOW, KEY_VALUE, Cell, read_records
from aigov_eval.text.spans import ByPlace, Span, by_place
from aigov_eval.text.stretches import Stretches, has_signs, stretches_of

BlockKind = Literal["paragraph", "code", "quote", "list", "table", "record"]


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of lines of one kind."""

    start: int
    end: int
    kind: BlockKind


class Structure:
    """
    The blocks, sentences and cells of one plain text.

    Each part is read when it is first asked for, block by block: most questions are about one place.
    """

    def __init__(self, text: str, abbreviations: frozenset[str]) -> None:
        self._text = text
        self._abbreviations = abbreviations
        self._sentences: dict[Block, ByPlace[Span]] = {}
        self._cells: dict[Block, ByPlace[Cell]] = {}
        self._labels: dict[Block, ByPlace[Span]] = {}

    @lazily
    def blocks(self) -> ByPlace[Block]:
        """The blocks in text order, at least one."""
        text = self._text
        found = [
            block
            for start, end, code in _outer(text, self._fences)
            for block in _blocks(text, start, end, code=code)
        ]
        return by_place(found or [Block(0, len(text), "paragraph")])

    @lazily
    def sentences(self) -> tuple[Span, ...]:
        """All sentences in text order, at least one."""
        return tuple(s for block in self.blocks.items for s in self._sentences_of(block).items)

    @lazily
    def _starts(self) -> tuple[int, ...]:
        return tuple(sentence.start for sentence in self.sentences)

    def number_of(self, position: int) -> int:
        """The number of the sentence that holds a position, from 0."""
        return max(0, bisect_right(self._starts, position) - 1)

    @lazily
    def cells(self) -> tuple[Cell, ...]:
        """All cells, block by block, each in the order of its starts."""
        return tuple(cell for block in self.blocks.items for cell in self._cells_of(block).items)

    def cells_beside(self, positions: Iterable[int]) -> Iterator[Cell]:
        """The cells of the blocks that hold these positions (in text order), block by block."""
        for block in dict.fromkeys(self.block_at(at) for at in positions if self.may_hold_cells(at)):
            yield from self._cells_of(block).items

    def around(self, position: int) -> Span:
        """A stretch that holds the whole block of a position and is found without reading blocks."""
        if self._text[position : position + 1].isspace():
            return Span(0, len(self._text))
        edges = self.stretches.edges
        at = bisect_right(edges, position)
        return Span(edges[at - 1], edges[at] if at < len(edges) else len(self._text))

    @lazily
    def stretches(self) -> Stretches:
        """Where no block goes on, at blank lines and where fences open and close, and what is between may hold."""
        return stretches_of(self._text, self._fences)

    @lazily
    def _fences(self) -> list[tuple[int, int]]:
        return _fences(self._text)

    def may_hold_cells(self, position: int) -> bool:
        """Whether a block has any of the signs of which records are made; asked before blocks are read."""
        if self._text[position : position + 1].isspace():
            return has_signs(self._text)
        stretches = self.stretches
        return bool(stretches.cells[bisect_right(stretches.edges, position) - 1])

    @lazily
    def sizes(self) -> Mapping[Span, int]:
        """How many cells each record has."""
        return Counter(cell.record for cell in self.cells)

    def block_at(self, position: int) -> Block:
        """The block that holds a position."""
        blocks = self.blocks
        return blocks.items[max(0, bisect_right(blocks.starts, position) - 1)]

    def sentence_at(self, position: int) -> Span:
        """The sentence that holds a position."""
        sentences = self._sentences_of(self.block_at(position))
        return sentences.items[max(0, bisect_right(sentences.starts, position) - 1)]

    def sentences_over(self, start: int, end: int) -> list[Span]:
        """The sentences that share something with a stretch, in order."""
        blocks = self.blocks
        first = max(0, bisect_right(blocks.starts, start) - 1)
        found: list[Span] = []
        for block in blocks.items[first : bisect_left(blocks.starts, end)]:
            sentences = self._sentences_of(block)
            low = max(0, bisect_right(sentences.starts, start) - 1)
            near = sentences.items[low : bisect_left(sentences.starts, end)]
            found.extend(sentence for sentence in near if start < sentence.end)
        return found

    def cell_at(self, position: int) -> Cell | None:
        """The smallest cell that holds a position, if any."""
        if not self.may_hold_cells(position):
            return None
        cells = self._cells_of(self.block_at(position)).over(position, position + 1)
        # of cells of one length the first in text order
        return min(reversed(list(cells)), key=lambda cell: cell.end - cell.start, default=None)

    def cells_of(self, record: Span) -> list[Cell]:
        """The cells of a record, in the order of their starts."""
        cells = self._cells_of(self.block_at(record.start))
        return [cell for cell in cells.within(record.start, record.end) if cell.record == record]

    def is_value(self, start: int, end: int) -> bool:
        """Whether a stretch lies in a cell."""
        return any(True for _ in self._cells_of(self.block_at(start)).over(start, end))

    def labels_at(self, start: int, end: int) -> tuple[Span, ...]:
        """The keys and heads of rows and columns that a stretch lies in."""
        block = self.block_at(start)
        if block not in self._labels:
            cells = self._cells_of(block).items
            self._labels[block] = by_place({label: None for cell in cells for label in cell.labels})
        return tuple(self._labels[block].over(start, end))

    def _sentences_of(self, block: Block) -> ByPlace[Span]:
        if block not in self._sentences:
            found = list(_sentences(self._text, block, self._abbreviations))
            self._sentences[block] = by_place(found or [Span(block.start, block.end)])
        return self._sentences[block]

    def _cells_of(self, block: Block) -> ByPlace[Cell]:
        if block not in self._cells:
            cells: list[Cell] = []
            read_records(self._text, block, cells)
            self._cells[block] = by_place(cells)
        return self._cells[block]


_FENCE = re.compile(r"^[ \t]*(```+|~~~+)[^\n]*$", re.M)
_LIST_ITEM = re.compile(r"^\s{0,8}(?:[-*+•·▪–]|\d{1,3}[.)])\s+")
_LONGEST = 2_000  # characters of a sentence
# a sentence ends at . ! ? … with closing marks, before a space and something that can start a sentence
_END = re.compile(
    r"(?<![.!?…])[.!?…]++[\"')\]»*_]{0,3}(?=\s+[\"'(\[«¿¡*_-]{0,3}[^\W_a-zà-öø-ÿăâîșț]|\s*$)|\n"
)
_LAST_WORD = re.compile(r"(?<![^\W_])([^\W_]++)\.?$")
_CLAUSE = re.compile(r"[;:]\s|\s-{1,2}\s|\s\(|\)\s")


def structure_of(text: str, abbreviations: frozenset[str] = frozenset()) -> Structure:
    """The structure of a plain text. `abbreviations` are light words that end with a full stop inside a sentence."""
    return Structure(text, abbreviations)


def clause_at(text: str, sentence: Span, position: int) -> Span:
    """
    The clause of a sentence that holds a position, cut where punctuation cuts.

    Words that end a cue's reach are the contexts' business.
    """
    clauses = _clauses(text, sentence.start, sentence.end)
    return next((c for c in clauses if c.start <= position < c.end), sentence)


@lru_cache(maxsize=16)
def _clauses(text: str, start: int, end: int) -> tuple[Span, ...]:
    spans, at = [], start
    for cut in _CLAUSE.finditer(text, start, end):
        spans.append(Span(at, cut.end()))
        at = cut.end()
    spans.append(Span(at, end))
    return tuple(spans)


def _fences(text: str) -> list[tuple[int, int]]:
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


_PROSE = re.compile(r"[^\W\d_]{2}[.!?][\"')»]?\s+[^\W\d_]")


def _is_prose(value: str) -> bool:
    """Whether what follows a colon is several sentences rather than a value."""
    return len(value) > 60 and bool(_PROSE.search(value))


def _sentences(text: str, block: Block, abbreviations: frozenset[str]) -> Iterator[Span]:
    lines_only = block.kind in ("code", "table", "record")
    at = block.start
    for end in _END.finditer(text, block.start, block.end):
        cut = end.end()
        if text[end.start()] == "\n":
            following = text[cut : cut + 1]
            if not lines_only and block.kind != "list" and following.islower():
                continue
        elif lines_only or not _ends_sentence(text, at, end, abbreviations):
            continue
        if text[at:cut].strip():
            yield from _of_bearable_length(text, at, cut)
            at = cut
    if text[at : block.end].strip():
        yield from _of_bearable_length(text, at, block.end)


def _of_bearable_length(text: str, start: int, end: int) -> Iterator[Span]:
    """A sentence, cut between words where it goes on and on: what is near a mention stays a small part of a text."""
    while end - start > _LONGEST:
        cut = text.rfind(" ", start + _LONGEST // 2, start + _LONGEST) + 1 or start + _LONGEST
        yield Span(start, cut)
        start = cut
    yield Span(start, end)


def _ends_sentence(text: str, start: int, end: re.Match[str], abbreviations: frozenset[str]) -> bool:
    mark = end.group().rstrip("\"')]»*_")
    if mark != ".":
        return True
    before = _LAST_WORD.search(text, max(start, end.start() - 24), end.start())
    if before is None:
        return True
    word = before.group(1)
    if len(word) == 1 and text[max(0, before.start(1) - 1)] == "'":
        return True  # "Mark has Crohn's."
    if word.lower() in abbreviations:
        return False
    if len(word) == 1 and word.isalpha() and word.isupper():
        return False  # an initial
    # an ordinal day before a month: "1. April"; a sentence that ends in a short number is rarer
    return not (word.isdigit() and len(word) <= 2 and text[end.end() : end.end() + 2].strip()[:1].isalpha())

"""
The structure of a text: blocks, sentences, clauses, and the cells of records.

Comes in: the plain view of a text and the abbreviations of the languages in play. Goes out: a
`Structure` with spans in that view. A record is a table row, a CSV row, an object, or a run of
`Key: value` lines; a cell knows its labels (key, column header, row label) as spans of the same
text, so that whatever finds words in the text also finds them in a label.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from aigov_eval.lazily import lazily
from aigov_eval.text.blocks import Block, blocks_of, fences_in
from aigov_eval.text.records import Cell, read_records
from aigov_eval.text.sentences import sentences_in
from aigov_eval.text.spans import ByPlace, Span, by_place
from aigov_eval.text.stretches import Stretches, has_signs, stretches_of

_CLAUSE = re.compile(r"[;:]\s|\s-{1,2}\s|\s\(|\)\s")


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
        self._labelled: dict[Block, dict[Span, list[Cell]]] = {}

    @lazily
    def blocks(self) -> ByPlace[Block]:
        """The blocks in text order, at least one."""
        return by_place(blocks_of(self._text, self._fences))

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
        return fences_in(self._text)

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

    def labelled(self, start: int, end: int) -> Iterator[Cell]:
        """The cells whose keys or heads a stretch lies in."""
        labels = self.labels_at(start, end)
        block = self.block_at(start)
        if labels and block not in self._labelled:
            labelled: dict[Span, list[Cell]] = {}
            for cell in self._cells_of(block).items:
                for label in cell.labels:
                    labelled.setdefault(label, []).append(cell)
            self._labelled[block] = labelled
        for label in labels:
            yield from self._labelled[block][label]

    def _sentences_of(self, block: Block) -> ByPlace[Span]:
        if block not in self._sentences:
            found = list(sentences_in(self._text, block, self._abbreviations))
            self._sentences[block] = by_place(found or [Span(block.start, block.end)])
        return self._sentences[block]

    def _cells_of(self, block: Block) -> ByPlace[Cell]:
        if block not in self._cells:
            cells: list[Cell] = []
            read_records(self._text, block, cells)
            self._cells[block] = by_place(cells)
        return self._cells[block]


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

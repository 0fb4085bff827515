"""
The words and entries of an index as one flat table of numbers, read in place.

Comes in: an index, once, when the pack is compiled. Goes out: bytes that C (`_table.c`) and Python read where they lie, mapped from a
file that all processes share: a word's number, what is filed under it, what must stand beside it.

The table begins with the number of its layout and, for each part, where it begins and how long it is; all are 32-bit numbers as this
machine has them, but for the letters:

- `SLOTS`: a hash table, pairs of the CRC-32 of a word and its number (from 1; 0 is free, and one is);
- `EDGES`, `LETTERS`: the words in order, in UTF-8. Stems and endings are words too, with a mark in front: under the first letters of stems
  and the last ones of endings stand the numbers of those, under these what is filed under each;
- `FILED`, `CODES`: for each word, what is filed under it: pairs of a code (two bits for how it is found, then the number of a way) and of
  bits of the words right beside it, by which most are ruled out at once;
- `WAYS`: for each way, its entry, how many words before its root it begins (at most, at least), its first condition;
- `BESIDE`: conditions: a set of words, its bits, the first and last place where one of them must stand; of ways found by the word right beside,
  that first;
- `SETS`, `MEMBERS`: the numbers of the words of each set, in order;
- `KINDS`: for each entry, the number of its kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from zlib import crc32

from aigov_eval.detect.entries import END, STEM
from aigov_eval.detect.rooted import Beside, Found, Kind, Rooted, Way, filed

LAYOUT = 1
SLOTS, EDGES, LETTERS, FILED, CODES, WAYS, BESIDE, SETS, MEMBERS, KINDS = range(10)
PARTS = 10
# marks of what is no word of a text: the first letters of stems, the last of endings, stems, endings
STEMS, ENDS, STEM_MARK, END_MARK = "\1\2\3\4"
ALONE, OTHER, AFTER, BEFORE = range(4)
SHIFT = 30  # how a way is found stands above its number


def encoded(word: str) -> bytes:
    """A word as it stands in a table; halves of surrogate pairs, which a text may hold, are in none."""
    return word.encode("utf-8", "surrogatepass")


def first_slot(code: int, count: int) -> int:
    """Where a word of that CRC-32 stands in a hash table of so many slots, or soon after."""
    return code * count >> 32


class Table:
    """A table, and its kinds of entries; `first` is the number of its first entry."""

    def __init__(self, data: memoryview, kinds: Sequence[Kind], first: int = 0) -> None:
        self.data = data
        self.kinds = kinds
        self.first = first
        head = data[: 4 * (1 + 2 * PARTS)].cast("I")
        if head[0] != LAYOUT:
            raise ValueError("a table of another layout")
        spans = [(head[1 + 2 * part], head[2 + 2 * part]) for part in range(PARTS)]
        self._letters = data[spans[LETTERS][0] :][: spans[LETTERS][1]]
        self._parts = [
            data[start : start + length].cast("I") if part != LETTERS else memoryview(b"")
            for part, (start, length) in enumerate(spans)
        ]
        self._sets: dict[int, frozenset[str]] = {}

    def number(self, word: str) -> int:
        """The number of a word; 0 for none."""
        slots = self._parts[SLOTS]
        raw = encoded(word)
        code, count = crc32(raw), len(slots) // 2
        at = first_slot(code, count)
        while slots[2 * at + 1]:
            if slots[2 * at] == code and self._raw(slots[2 * at + 1]) == raw:
                return slots[2 * at + 1]
            at = (at + 1) % count
        return 0

    def word(self, number: int) -> str:
        """The word of a number."""
        return str(self._raw(number), "utf-8")

    def words(self) -> Iterator[str]:
        """All words under which something is filed, in order."""
        edges = self._parts[FILED]
        found = (self.word(number) for number in range(1, len(edges)) if edges[number] > edges[number - 1])
        return (word for word in found if word[0] > END_MARK)

    def found(self, word: str) -> Found | None:
        """What is filed under a word, or a stem or an ending of it."""
        return filed(self._way(code) for code in self._codes(word))

    def entries(self, word: str) -> tuple[int, ...]:
        """The numbers of these entries, in order."""
        ways = self._parts[WAYS]
        return tuple(sorted({ways[4 * (code & ((1 << SHIFT) - 1))] for code in self._codes(word)}))

    def kind(self, at: int) -> Kind:
        """Of what kind an entry is."""
        return self.kinds[self._parts[KINDS][at - self.first]]

    def _raw(self, number: int) -> memoryview:
        edges = self._parts[EDGES]
        return self._letters[edges[number - 1] : edges[number]]

    def _codes(self, word: str) -> list[int]:
        number = self.number(word)
        if number:
            return self._codes_of(number)
        codes = {
            code
            for group, first, mark in (
                (STEMS, word[:STEM], str.startswith),
                (ENDS, word[-END:], str.endswith),
            )
            for part in self._codes_of(self.number(group + first))
            if mark(word, self.word(part)[1:])
            for code in self._codes_of(part)
        }
        return sorted(codes)

    def _codes_of(self, number: int) -> list[int]:
        edges, codes = self._parts[FILED], self._parts[CODES]
        return list(codes[2 * edges[number - 1] : 2 * edges[number] : 2]) if number else []

    def _way(self, code: int) -> Way:
        how, number = code >> SHIFT, code & ((1 << SHIFT) - 1)
        at, most, least, start, *_, end = self._parts[WAYS][4 * number : 4 * number + 8]
        rows = self._parts[BESIDE][4 * start : 4 * end]
        beside: list[Beside] = [
            (self._set(rows[i]), _signed(rows[i + 2]), _signed(rows[i + 3])) for i in range(0, len(rows), 4)
        ]
        near = beside.pop(0) if how in (AFTER, BEFORE) else None
        rooted: Rooted = (at, most, least, tuple(beside))
        return Way(rooted, near, how == ALONE)

    def _set(self, number: int) -> frozenset[str]:
        if number not in self._sets:
            edges, members = self._parts[SETS], self._parts[MEMBERS]
            self._sets[number] = frozenset(map(self.word, members[edges[number] : edges[number + 1]]))
        return self._sets[number]


def _signed(number: int) -> int:
    return number - (1 << 32) if number >> 31 else number


class Filing(Mapping[str, tuple[int, ...]]):
    """The words of some tables, each with the entries that it may begin the root of."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self._tables = tables

    def get(self, word: str, default: Any = None) -> Any:
        """The entries filed under a word, or the default."""
        return tuple(at for table in self._tables for at in table.entries(word)) or default

    def __getitem__(self, word: str) -> tuple[int, ...]:
        """The entries filed under a word; KeyError where there are none."""
        numbers: tuple[int, ...] = self.get(word, ())
        if not numbers:
            raise KeyError(word)
        return numbers

    def __iter__(self) -> Iterator[str]:
        """All words."""
        return iter(dict.fromkeys(word for table in self._tables for word in table.words()))

    def __len__(self) -> int:
        """How many words there are."""
        return sum(1 for _ in self)

"""
Word indexes as bytes: what no text calls for is never decoded.

Comes in: a `WordIndex`. Goes out: `StoredWords`, to be kept between runs, and from these a `WordIndex`
again. Each word slot and each line is stored once, though many entries share it; the words that
entries are filed under lie in buckets, so that to look one up costs the decoding of a handful.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar, cast
from zlib import crc32

import msgspec

from aigov_eval.detect.entries import Entry
from aigov_eval.detect.words import WordIndex
from aigov_eval.model import Word

T = TypeVar("T")

_BUCKETS = 2  # for each word, so that most words of a text that no list knows meet an empty one

# what an entry has in common with many others: lexicon, language, section, root, fold, friend, file
_Kind = tuple[int, str, str, int, bool, bool, str]
# an entry: the numbers of its kind, its line and its slots; how its words are written, if that counts; the line of its file
_Row = tuple[int, int, tuple[int, ...], frozenset[str], int]
# forms, stems, gap, optional, ends; each phrase by the numbers of its slots
_Slot = tuple[frozenset[str], tuple[str, ...], int, bool, tuple[str, ...], tuple[tuple[int, ...], ...]]
_Filed = dict[str, tuple[int, ...]]


class Blob(msgspec.Struct, frozen=True):
    """Values as bytes, one after the other, and where each begins and the last ends."""

    data: memoryview
    edges: memoryview  # 32-bit numbers as this machine has them


class StoredWords(msgspec.Struct, frozen=True):
    """A `WordIndex` as bytes."""

    names: tuple[str, ...]
    kinds: tuple[_Kind, ...]
    lines: Blob
    slots: Blob
    entries: Blob
    anchors: Blob
    stems: dict[str, tuple[tuple[str, int], ...]]
    ends: dict[str, tuple[tuple[str, int], ...]]


def to_store(index: WordIndex) -> StoredWords:
    """An index as bytes."""
    kinds: dict[_Kind, int] = {}
    lines: dict[str, int] = {}
    slots: dict[Word, int] = {}
    rows: list[_Row] = []
    for entry in index.entries:
        kind = (
            entry.lexicon,
            entry.language,
            entry.section,
            entry.root,
            entry.fold,
            entry.friend,
            entry.path,
        )
        rows.append(
            (
                kinds.setdefault(kind, len(kinds)),
                lines.setdefault(entry.line, len(lines)),
                tuple(_number(slot, slots) for slot in entry.slots),
                entry.exact,
                entry.at,
            )
        )
    buckets: list[_Filed | None] = [None] * max(1, len(index.anchors) * _BUCKETS)
    for word, numbers in index.anchors.items():
        at = _bucket(word, len(buckets))
        buckets[at] = {**(buckets[at] or {}), word: numbers}
    return StoredWords(
        index.names,
        tuple(kinds),
        _blob(lines),
        _blob(
            (
                slot.forms,
                slot.stems,
                slot.gap,
                slot.optional,
                slot.ends,
                tuple(tuple(slots[one] for one in phrase) for phrase in slot.phrases),
            )
            for slot in slots
        ),
        _blob(rows),
        _blob(buckets),
        dict(index.stems),
        dict(index.ends),
    )


def _number(slot: Word, slots: dict[Word, int]) -> int:
    """The number of a slot; those of its phrases are numbered before it."""
    if slot not in slots:
        for phrase in slot.phrases:
            for one in phrase:
                _number(one, slots)
        slots[slot] = len(slots)
    return slots[slot]


def from_store(words: StoredWords) -> WordIndex:
    """The index again; its parts are decoded when they are asked for."""
    lines = _Lazy(words.lines, msgspec.msgpack.Decoder(str).decode)
    read_slot = msgspec.msgpack.Decoder(_Slot).decode

    def slot(raw: memoryview) -> Word:
        forms, stems, gap, optional, ends, phrases = read_slot(raw)
        parts = tuple([tuple([slots[number] for number in phrase]) for phrase in phrases])
        return Word(forms, stems, gap, optional, ends, parts)

    slots: _Lazy[Word] = _Lazy(words.slots, slot)
    read_row = msgspec.msgpack.Decoder(_Row).decode

    def entry(raw: memoryview) -> Entry:
        kind, line, numbers, exact, at = read_row(raw)
        lexicon, language, section, root, fold, friend, path = words.kinds[kind]
        own = tuple(slots[number] for number in numbers)
        return Entry(lexicon, language, section, own, root, exact, fold, friend, lines[line], path, at)

    entries = cast("Sequence[Entry]", _Lazy(words.entries, entry))
    return WordIndex(words.names, entries, _Filing(words.anchors), words.stems, words.ends)


def _blob(values: Iterable[object]) -> Blob:
    """Each value as bytes; None as no bytes."""
    encoder = msgspec.msgpack.Encoder()
    data = bytearray()
    edges = array("I", [0])
    for value in values:
        if value is not None:
            data += encoder.encode(value)
        edges.append(len(data))
    return Blob(memoryview(data), memoryview(edges.tobytes()))


def _bucket(word: str, buckets: int) -> int:
    # a text may hold halves of surrogate pairs
    return crc32(word.encode("utf-8", "surrogatepass")) % buckets


class _Lazy(dict[int, T], Generic[T]):
    """Values by number, decoded when they are asked for and then remembered; who goes through them gets all."""

    def __init__(self, blob: Blob, read: Callable[[memoryview], T]) -> None:
        self._data = blob.data
        self._edges = blob.edges.cast("I")
        self._read = read

    def __missing__(self, at: int) -> T:
        """The value of that number, asked for the first time."""
        if not 0 <= at < len(self):
            raise IndexError(at)
        value = self[at] = self._read(self._data[self._edges[at] : self._edges[at + 1]])
        return value

    def __len__(self) -> int:
        """How many values there are."""
        return len(self._edges) - 1

    def __iter__(self) -> Iterator[T]:  # type: ignore[override]
        """All values, in order: it stands for a sequence."""
        return (self[at] for at in range(len(self)))


class _Filing(Mapping[str, tuple[int, ...]]):
    """Words and the entries filed under them; who asks is expected to remember the answer (`WordCache` does)."""

    def __init__(self, buckets: Blob) -> None:
        self._data = buckets.data
        self._edges = buckets.edges.cast("I")
        self._read = msgspec.msgpack.Decoder(_Filed).decode

    def _bucket(self, at: int) -> _Filed:
        start, end = self._edges[at], self._edges[at + 1]
        return self._read(self._data[start:end]) if start < end else {}

    def get(self, word: str, default: Any = None) -> Any:
        """The entries filed under a word, or the default; without the cost of an exception, as most words are in no list."""
        return self._bucket(_bucket(word, len(self._edges) - 1)).get(word, default)

    def __getitem__(self, word: str) -> tuple[int, ...]:
        """The entries filed under a word; KeyError where there are none."""
        return self._bucket(_bucket(word, len(self._edges) - 1))[word]

    def __iter__(self) -> Iterator[str]:
        """All words."""
        return (word for at in range(len(self._edges) - 1) for word in self._bucket(at))

    def __len__(self) -> int:
        """How many words there are."""
        return sum(len(self._bucket(at)) for at in range(len(self._edges) - 1))

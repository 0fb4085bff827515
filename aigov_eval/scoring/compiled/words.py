"""
Word indexes as bytes: what no text calls for is never decoded.

Comes in: a `WordIndex`. Goes out: `StoredWords`, to be kept between runs, and from these a `WordIndex`
again. Each word slot and each line is stored once, though many entries share it; what tells which entries
may stand in a text is a table, which is not decoded at all (`detect/table.py`).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar, cast

import msgspec

from aigov_eval.detect.entries import Entry
from aigov_eval.detect.rooted import Kind
from aigov_eval.detect.table import Filing, Table
from aigov_eval.detect.tabled import table_of
from aigov_eval.detect.words import WordIndex
from aigov_eval.lazily import lazily
from aigov_eval.model import Word

T = TypeVar("T")

# what an entry has in common with many others: lexicon, language, section, root, fold, friend, file
_Kind = tuple[int, str, str, int, bool, bool, str]
# an entry: the numbers of its kind, its line and its slots; how its words are written, if that counts; the line of its file
_Row = tuple[int, int, tuple[int, ...], frozenset[str], int]
# forms, stems, gap, optional, ends; each phrase by the numbers of its slots
_Slot = tuple[frozenset[str], tuple[str, ...], int, bool, tuple[str, ...], tuple[tuple[int, ...], ...]]


class Blob(msgspec.Struct, frozen=True):
    """Values as bytes, one after the other, and where each begins and the last ends."""

    data: memoryview
    edges: memoryview  # 32-bit numbers as this machine has them


class StoredWords(msgspec.Struct, frozen=True):
    """A `WordIndex` as bytes."""

    names: tuple[str, ...]
    kinds: Blob
    lines: Blob
    slots: Blob
    entries: Blob
    table: memoryview
    table_kinds: Blob
    first: int  # number of the first entry
    stems: msgspec.Raw
    ends: msgspec.Raw


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
    (table,) = index.tables or (table_of(index.entries),)
    return StoredWords(
        index.names,
        _blob(kinds),
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
        table.data,
        _blob(table.kinds),
        table.first,
        msgspec.Raw(msgspec.msgpack.encode(dict(index.stems))),
        msgspec.Raw(msgspec.msgpack.encode(dict(index.ends))),
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
    kinds = _Lazy(words.kinds, msgspec.msgpack.Decoder(_Kind).decode)
    read_row = msgspec.msgpack.Decoder(_Row).decode

    def entry(raw: memoryview) -> Entry:
        kind, line, numbers, exact, at = read_row(raw)
        lexicon, language, section, root, fold, friend, path = kinds[kind]
        own = tuple(slots[number] for number in numbers)
        return Entry(lexicon, language, section, own, root, exact, fold, friend, lines[line], path, at)

    entries = cast("Sequence[Entry]", _Lazy(words.entries, entry))
    table_kinds = cast("Sequence[Kind]", _Lazy(words.table_kinds, msgspec.msgpack.Decoder(Kind).decode))
    tables = (Table(words.table, table_kinds, words.first),)
    return WordIndex(words.names, entries, Filing(tables), _Later(words.stems), _Later(words.ends), tables)


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


class _Later(Mapping[str, tuple[tuple[str, int], ...]]):
    """A mapping that is decoded as a whole when somebody asks it anything."""

    def __init__(self, raw: msgspec.Raw) -> None:
        self._raw = raw

    @lazily
    def _all(self) -> dict[str, tuple[tuple[str, int], ...]]:
        return msgspec.msgpack.decode(self._raw, type=dict[str, tuple[tuple[str, int], ...]])

    def __getitem__(self, key: str) -> tuple[tuple[str, int], ...]:
        """The value of a key."""
        return self._all[key]

    def __iter__(self) -> Iterator[str]:
        """All keys."""
        return iter(self._all)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._all)

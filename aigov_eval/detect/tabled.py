"""
The table of an index, made: `table.py` says what it holds.

Comes in: the entries of an index. Goes out: its `Table`, the same bytes for the same entries.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain
from zlib import crc32

from aigov_eval.detect.entries import END, STEM, Entry
from aigov_eval.detect.rooted import Beside, Kind, Roots, Way, heads_of
from aigov_eval.detect.table import (
    AFTER,
    ALONE,
    BEFORE,
    END_MARK,
    ENDS,
    LAYOUT,
    OTHER,
    PARTS,
    SHIFT,
    STEM_MARK,
    STEMS,
    Table,
    encoded,
    first_slot,
)

_NUMBER = (1 << SHIFT) - 1  # of a way, in a code
_Filed = dict[str, list[int]]  # by word, the codes of the ways into entries


def table_of(entries: Iterable[Entry], first: int = 0) -> Table:
    """The table of these entries; their numbers are their places, from `first` on."""
    roots = Roots()
    ways: list[tuple[int, int, int, tuple[Beside, ...]]] = []
    near: list[frozenset[str]] = []
    filed: _Filed = defaultdict(list)
    kinds: dict[Kind, int] = {}
    kind_of = array("I")
    for at, entry in enumerate(entries, first):
        kind_of.append(kinds.setdefault(roots.kind(entry), len(kinds)))
        own: dict[Way, int] = {}
        for head, rest in heads_of(entry.slots[entry.root]):
            (way,) = roots.ways(at, entry, (rest,))
            code = own.get(way, -1) if own else -1
            if code < 0:
                code = own[way] = _code(way, len(ways))
                number, most, least, beside = way.rooted
                ways.append((number, most, least, (way.near, *beside) if way.near else beside))
                near.append(way.near[0] if way.near else frozenset())
            for form in head.forms:
                filed[form].append(code)
            for stem in head.stems:
                filed[STEM_MARK + stem].append(code)
            for end in head.ends:
                filed[END_MARK + end].append(code)
    sets = dict.fromkeys(forms for way in ways for forms, *_ in way[3])
    words = sorted({*filed, *(form for forms in sets for form in forms)})
    grouped = _grouped(words)
    _add_parts(filed, words, [way[0] for way in ways])
    words = sorted({*words, *grouped})
    numbers = {word: number for number, word in enumerate(words, 1)}
    for group, parts in grouped.items():
        filed[group] = [numbers[part] for part in parts]
    set_numbers = {forms: number for number, forms in enumerate(sets)}
    members = [sorted(map(numbers.__getitem__, forms)) for forms in sets]
    bits = [sum({1 << (number & 31) for number in own}) for own in members]
    of_near = [bits[set_numbers[forms]] if forms else 0 for forms in near]
    data = _joined(
        [
            _slots(words),
            _edges(map(len, map(encoded, words))),
            b"".join(map(encoded, words)),
            _edges(len(filed.get(word, ())) for word in words),
            array(
                "I",
                [
                    part
                    for word in words
                    for code in filed.get(word, ())
                    for part in (code, 0 if word in grouped else of_near[code & _NUMBER])
                ],
            ),
            _ways(ways),
            array(
                "I",
                [
                    part & 0xFFFFFFFF
                    for way in ways
                    for forms, first, last in way[3]
                    for number in (set_numbers[forms],)
                    for part in (number, bits[number], first, last)
                ],
            ),
            _edges(map(len, members)),
            array("I", chain.from_iterable(members)),
            kind_of,
        ]
    )
    return Table(memoryview(data), tuple(kinds), first)


def _code(way: Way, number: int) -> int:
    how = OTHER
    if way.alone:
        how = ALONE
    elif way.near is not None:
        how = AFTER if way.near[1] == 1 else BEFORE
    return how << SHIFT | number


def _grouped(words: Sequence[str]) -> dict[str, list[str]]:
    """The stems and endings among the words, by their first and their last letters."""
    grouped: dict[str, list[str]] = defaultdict(list)
    for word in words:
        if word[0] == STEM_MARK:
            grouped[STEMS + word[1 : 1 + STEM]].append(word)
        elif word[0] == END_MARK:
            grouped[ENDS + word[-END:]].append(word)
    return grouped


def _add_parts(filed: _Filed, words: Sequence[str], entry_of: Sequence[int]) -> None:
    """File under words what is filed under their stems and endings; all codes in order, and of an entry that is the word nothing else."""
    plain = [word for word in words if word[0] > END_MARK]
    backwards = sorted(word[::-1] for word in plain)
    for part in words:
        if part[0] == STEM_MARK:
            for word in _beginning(plain, part[1:]):
                filed[word].extend(filed[part])
        elif part[0] == END_MARK:
            for word in _beginning(backwards, part[:0:-1]):
                filed[word[::-1]].extend(filed[part])
    for word, codes in filed.items():
        if len(codes) < 2:
            continue
        own = sorted(set(codes))
        alone = {entry_of[code] for code in own if code >> SHIFT == ALONE}
        filed[word] = [
            code for code in own if code >> SHIFT == ALONE or entry_of[code & _NUMBER] not in alone
        ]


def _beginning(words: Sequence[str], first: str) -> Sequence[str]:
    """Those of some words in order that begin with these letters."""
    return words[bisect_left(words, first) : bisect_left(words, first + chr(sys.maxunicode))]


def _slots(words: Sequence[str]) -> array[int]:
    count = len(words) * 3 // 2 + 1
    slots = array("I", bytes(8 * count))
    for number, word in enumerate(words, 1):
        code = crc32(encoded(word))
        at = first_slot(code, count)
        while slots[2 * at + 1]:
            at = (at + 1) % count
        slots[2 * at], slots[2 * at + 1] = code, number
    return slots


def _ways(ways: Sequence[tuple[int, int, int, Sequence[Beside]]]) -> array[int]:
    made, start = array("I"), 0
    for at, most, least, beside in ways:
        made.extend((at, most, least, start))
        start += len(beside)
    made.extend((0, 0, 0, start))
    return made


def _edges(lengths: Iterable[int]) -> array[int]:
    edges, last = array("I", [0]), 0
    for length in lengths:
        last += length
        edges.append(last)
    return edges


def _joined(parts: Sequence[array[int] | bytes]) -> bytes:
    """The parts of a table, one after the other behind its head."""
    head, at = array("I", [LAYOUT]), 4 * (1 + 2 * PARTS)
    made = []
    for part in parts:
        raw = bytes(part)
        head.extend((at, len(raw)))
        raw += bytes(-len(raw) % 4)
        made.append(raw)
        at += len(raw)
    return b"".join((head.tobytes(), *made))

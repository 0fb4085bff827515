"""
A sample of a large set, by strata.

Comes in: inputs of a batch, how many, the columns that make strata, a seed. Goes out: the rows drawn, as lines of
JSON in the order of the input, with their stratum and weight. Which rows are drawn depends on the seed and on where a
row stands, not on the machine: of each stratum those whose hashes are the smallest. Memory holds places, not rows.
"""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from aigov_eval.batch.arrow import records
from aigov_eval.batch.inputs import Input, find, partitions
from aigov_eval.batch.pieces import Lines, Records, Segment, pieces
from aigov_eval.batch.rows import kept_of, value_of
from aigov_eval.errors import InputError
from aigov_eval.readers import decode

_STRATA = 10_000


class Stratum(Struct, frozen=True):
    """One stratum: its values, how many rows it has, how many are drawn; each stands for `weight` rows."""

    values: tuple[str, ...]
    size: int
    drawn: int

    @property
    def weight(self) -> float:
        """How many rows one that was drawn stands for."""
        return round(self.size / self.drawn, 6) if self.drawn else 0.0


def draw(
    asked: Sequence[str],
    count: int,
    *,
    by: Sequence[str] = (),
    equal: bool = False,
    seed: int = 1,
    column: str = "",
) -> tuple[list[Stratum], Iterator[bytes]]:
    """
    The strata, and the rows drawn as lines of JSON, each with a key `sample` (its stratum and weight).

    `count` rows in all, shared in proportion to the strata's sizes with at least one of each, or `count` of each
    where `equal`. Rows that cannot be read belong to no stratum. Raises InputError as a batch does, and where there
    are more strata than rows to draw.
    """
    inputs, _ = find(asked, Path())
    sizes: dict[tuple[str, ...], int] = {}
    best: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for number, values, _ in _rows(inputs, by, column):
        sizes[values] = sizes.get(values, 0) + 1
        if len(sizes) > _STRATA:
            raise InputError(
                f"there are more than {_STRATA} strata", help="choose columns with fewer values."
            )
        # the negative: heapq gives the smallest, and the largest hash is to go
        mark = -int.from_bytes(hashlib.blake2b(f"{seed}:{number}".encode(), digest_size=8).digest())
        own = best.setdefault(values, [])
        if len(own) < count:
            heapq.heappush(own, (mark, number))
        else:
            heapq.heappushpop(own, (mark, number))
    if not sizes:
        raise InputError("no conversation was read", help="give data in which something was said.")
    shares = {values: min(size, count) for values, size in sizes.items()} if equal else _shared(sizes, count)
    wanted = {
        number: values
        for values, own in best.items()
        for _, number in sorted(own, reverse=True)[: shares[values]]
    }
    strata = {values: Stratum(values, size, shares[values]) for values, size in sorted(sizes.items())}

    def lines() -> Iterator[bytes]:
        for number, values, row in _rows(inputs, by, column):
            if number in wanted:
                named = dict(zip(by, values, strict=True))
                whole = row if isinstance(row, dict) else {"messages": row}
                whole = {**whole, "sample": {"stratum": named, "weight": strata[values].weight}}
                yield decode.json_text(whole).encode() + b"\n"

    return list(strata.values()), lines()


def _shared(sizes: dict[tuple[str, ...], int], count: int) -> dict[tuple[str, ...], int]:
    """`count` shared in proportion, at least one each: largest remainders, ties by name."""
    total = sum(sizes.values())
    count = min(count, total)
    if count < len(sizes):
        raise InputError(
            f"there are {len(sizes)} strata and only {count} to draw", help=f"draw at least {len(sizes)}."
        )
    exact = {values: size * count / total for values, size in sizes.items()}
    shares = {values: min(sizes[values], max(1, int(share))) for values, share in exact.items()}
    while (missing := count - sum(shares.values())) != 0:
        step = 1 if missing > 0 else -1
        able = [
            values
            for values in shares
            if (shares[values] < sizes[values] if step > 0 else shares[values] > 1)
        ]
        nearest = max(able, key=lambda values: (step * (exact[values] - shares[values]), values))
        shares[nearest] += step
    return shares


def _rows(
    inputs: Sequence[Input], by: Sequence[str], column: str
) -> Iterator[tuple[int, tuple[str, ...], Any]]:
    """Each row that can be read: its number in the whole, its stratum, its value."""
    number = 0
    for piece in pieces(inputs, rows=2048, column=column, keep=by):
        for segment in piece.segments:
            for kept, value in _of_segment(segment):
                number += 1
                if value is not None:
                    named = kept_of(by, partitions(segment.source), kept, value)
                    yield number, tuple(named[name] or "" for name in by), value


def _of_segment(segment: Segment) -> Iterator[tuple[Any, Any]]:
    """The rows of a segment and their values; None where one cannot be read."""
    if isinstance(segment, Lines):
        for line in segment.lines:
            yield None, _value({"json": line}, "json") if line else None
    elif isinstance(segment, Records):
        import pyarrow as pa

        for batch in pa.ipc.open_stream(segment.stream):
            for row in records(batch):
                yield row, _value(row, segment.column)
    else:
        # a file of one value is one row; a run folder has its own commands
        path = Path(segment.source)
        yield None, _value({"json": path.read_bytes()}, "json") if path.is_file() else None


def _value(row: dict[str, Any], column: str) -> Any:
    try:
        found = value_of(row, column)
    except (InputError, ValueError, TypeError):
        return None
    return found if isinstance(found, dict | list) else None

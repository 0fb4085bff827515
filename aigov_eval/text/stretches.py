"""
Stretches of a text that hold whole blocks, told without reading blocks.

Comes in: a text, and where its fenced parts are. Goes out: where each stretch begins, and whether it may hold the cells of a record.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from msgspec import Struct

from aigov_eval.text.blocks import BLANK_LINE


class Stretches(Struct, frozen=True):
    """Where the stretches of a text begin, the first at 0 (32-bit numbers), and whether each may hold cells (0 or 1)."""

    edges: Sequence[int]
    cells: bytes


def stretches_of(text: str, fences: Iterable[tuple[int, int]]) -> Stretches:
    """The stretches of a text: no block goes on at a blank line, nor where a fence opens or closes."""
    edges, at = {0}, 0
    for start, end in (*fences, (len(text), len(text))):
        edges.update((*(blank.start() for blank in BLANK_LINE.finditer(text, at, start)), start, end))
        at = end
    ordered = sorted(edges)
    parts = map(slice, ordered, (*ordered[1:], None))
    return Stretches(array("I", ordered), bytes([has_signs(text[part]) for part in parts]))


def has_signs(stretch: str) -> bool:
    """Whether a stretch has any of the signs of which records are made."""
    body = stretch.strip()
    if ":" in body or "=" in body or "|" in body:
        return True
    return "\n" in body and (";" in body or "," in body or "\t" in body)

"""
A sign around a mention, and the bands in which signs count.

Comes in: what a sign is seen by. Goes out: a `Seen`; the signs themselves are found elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

# the highest number of each band
LENGTHS = (2, 4, 7, 12, 20, 30)
PLACES = (0, 1, 2, 4, 8, 15)
SENTENCES = (0, 1, 2, 4)
COUNTS = (1, 2, 4, 8)


class Seen(Struct, frozen=True):
    """One sign with the stretch of the plain view that shows it (empty for none) and the entry behind it."""

    name: str
    start: int = -1
    end: int = -1
    where: str = ""


def band(number: int, bands: Sequence[int]) -> str:
    """The band in which a number lies, named by its highest; `more` above all."""
    return next((str(band) for band in bands if number <= band), "more")

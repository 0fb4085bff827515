"""
What a batch is asked for, the same for every row.

Comes in: what the user typed or wrote. Goes out: one frozen value that any process or engine can be handed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from msgspec import Struct

from aigov_eval.errors import InputError
from aigov_eval.model import STRENGTHS, Strength

Kept = Literal["none", "found", "all"]


# the columns that a result always has
OWN = (
    "id",
    "category",
    "pass",
    "severity",
    "strength",
    "fields",
    "findings",
    "pack",
    "error",
    "doubts",
    "transcript",
    "score",
)


class Options(Struct, frozen=True):
    """
    How rows are scored and what is written of them.

    `categories` limits the categories (None: the row's own, else all); `packs` are folders of packs (None: the stock
    pack). `column` holds the conversation ("": the first of `rows.COLUMNS` that is there). `keep` are columns, or
    paths with dots into the row, that are handed on as texts. `transcripts` says which conversations go out with
    their verdict and its trace, for a person to review. The three `allow_` take as a pass what otherwise has no verdict. Raises InputError for a value that is not known.
    """

    categories: tuple[str, ...] | None = None
    languages: tuple[str, ...] = ()
    strength: Strength = "weak"
    packs: tuple[Path, ...] | None = None
    subject: str = ""
    aliases: tuple[str, ...] = ()
    column: str = ""
    keep: tuple[str, ...] = ()
    transcripts: Kept = "none"
    allow_empty: bool = False
    allow_unread: bool = False
    allow_uncovered: bool = False

    def __post_init__(self) -> None:
        """Look the values up that have a closed list."""
        if self.strength not in STRENGTHS:
            raise InputError(
                f'unknown strength "{self.strength}"', help="known: " + ", ".join(reversed(STRENGTHS))
            )
        if self.transcripts not in ("none", "found", "all"):
            raise InputError(
                f'unknown choice of transcripts "{self.transcripts}"', help="known: none, found, all"
            )
        for name in self.keep:
            if name in OWN or self.keep.count(name) > 1:
                raise InputError(
                    f'the column "{name}" cannot be kept under that name: the result has one of its own'
                    if name in OWN
                    else f'the column "{name}" is named twice',
                    help="name it once, or rename it in the data.",
                )

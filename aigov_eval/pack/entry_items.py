"""
What an entry of a word list is made of while it is read.

Goes out: the items of an entry (pieces of words, brackets, classes), and what its language gives to them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from aigov_eval.model import Word
from aigov_eval.pack.inflecting import Paradigms

# a class named in an entry
CLASS = re.compile(r"<([a-z][a-z0-9_]*)>")
# each class of the language as one slot; None where it has no words in this language
Classes = Mapping[str, "Word | None"]


class Language(NamedTuple):
    """What a language gives to the reading of its entries."""

    paradigms: Paradigms
    classes: Classes


class Piece(NamedTuple):
    """A part of a word (`forms`), or a separator or gap between words; anything may follow a stem, and stand before an ending."""

    forms: tuple[str, ...] = ()
    stem: bool = False
    gap: int = -1  # -1: not a gap
    end: bool = False


class Group(Struct, frozen=True):
    """A bracket with anything in its alternatives."""

    alternatives: tuple[tuple[Item, ...], ...]


class Flat(NamedTuple):
    """A bracket of single words; a stem has its star, and an empty one says that none may stand."""

    words: tuple[str, ...]


Item: TypeAlias = "Piece | Group | Flat | Word"  # a `Word` is a class
SEPARATOR = Piece()
FREE = Piece(("",), end=True)  # the star of *itis

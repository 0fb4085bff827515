"""Word lists as they are compiled: the entries, the places they stand at, and how a language is written."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field


class Location(Struct, frozen=True):
    """A place in a pack file; line and column count from 1."""

    path: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"

    @property
    def at(self) -> str:
        """`path:line`, as verdicts name it."""
        return f"{self.path}:{self.line}"


class Word(Struct, frozen=True):
    """
    One word slot of a term: any of `forms` (lower case, light view), any word that starts with one of `stems`
    or ends with one of `ends`, or one of `phrases`, which are several slots each (a class may hold such).
    `gap` other words may stand before it; `optional` slots may be absent.
    """

    forms: frozenset[str] = frozenset()
    stems: tuple[str, ...] = ()
    gap: int = 0
    optional: bool = False
    ends: tuple[str, ...] = ()
    phrases: tuple[tuple[Word, ...], ...] = ()


class Term(Struct, frozen=True):
    """A lexicon line, compiled: its word slots; `exact` demands the letter case as written."""

    words: tuple[Word, ...]
    line: str
    where: Location
    section: str = "direct"
    exact: bool = False
    fold: bool = True


class Lexicon(Struct, frozen=True):
    """One word list of one language. `exclusions` are the `!` lines: phrases that must not count."""

    name: str
    language: str
    what: str
    source: str
    licence: str
    terms: tuple[Term, ...]
    exclusions: tuple[Term, ...]
    where: Location


class Writing(Struct, frozen=True):
    """
    How names and letters are written, of one language or of all of a pack together.

    `name_endings`: what stands after a name that ends so ("" for any; "-1ei" takes a letter away first). `name_particles` are words of a
    name that name nobody alone. `spelled_out`: what is typed for a letter. `other_languages`: words that are frequent in languages without
    word lists, and `other_letters` that only they write.
    """

    name_endings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    name_particles: frozenset[str] = frozenset()
    spelled_out: Mapping[str, str] = field(default_factory=dict)
    other_languages: Mapping[str, frozenset[str]] = field(default_factory=dict)
    other_letters: frozenset[str] = frozenset()

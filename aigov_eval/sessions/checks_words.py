"""
Words and regexes of checks.

Comes in: `plain words`, `stem*` or `/regex/`, as they stand in a check. Goes out: a `Pattern` that
finds them. RE2 runs them: no text makes it slow. Plain words match whole words in any case;
a regex is taken as it stands.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import re2
from msgspec import Struct

PLACEHOLDER = "{argument}"
# signs that people and editors write in several ways, one letter each so that offsets stay
_UNIFIED = str.maketrans({"‘": "'", "’": "'", "ʼ": "'", "“": '"', "”": '"', "\u00a0": " ", "\u202f": " "})
_EDGE = r"[^\pL\pN_]"


class PatternError(ValueError):
    """A regex that cannot be used."""


class Pattern(Struct, frozen=True):
    """One entry as it was written; `{argument}` in it stands for the base name of a call's argument."""

    source: str

    def find(self, text: str, arguments: Iterable[str] = ()) -> str | None:
        """The words of the text that it matches first, or None."""
        sources = [self.source]
        if PLACEHOLDER in self.source:
            sources = [self.source.replace(PLACEHOLDER, _literal(one)) for one in arguments if one]
        for source in sources:
            match = _compiled(source).search(text)
            if match:
                return str(match[1])
        return None

    def all(self, text: str) -> list[str]:
        """All words of the text that it matches, in order."""
        return [str(match[1]) for match in _compiled(self.source).finditer(text)]


def pattern(source: str) -> Pattern:
    """The pattern of an entry. Raises PatternError where it does not compile or matches the empty text."""
    made = Pattern(source)
    try:
        compiled = _compiled(source.replace(PLACEHOLDER, "x"))
    except re2.error as error:
        said = error.args[0] if error.args else error
        raise PatternError(said.decode() if isinstance(said, bytes) else str(said)) from None
    if any((match := compiled.search(probe)) and not match[1] for probe in ("", "a b")):
        raise PatternError("it matches the empty text")
    return made


def unified(text: str) -> str:
    """The text with one kind of quotes, apostrophes and spaces; offsets stay."""
    return text.translate(_UNIFIED)


def _literal(text: str) -> str:
    # a star at its end would make it a stem
    return unified(text).rstrip("*")


@lru_cache(maxsize=4096)
def _compiled(source: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    if len(source) > 2 and source.startswith("/") and source.endswith("/"):
        return re2.compile(f"({source[1:-1]})", options)
    stem = source.endswith("*")
    words = [re2.escape(word) for word in unified(source.removesuffix("*")).split()]
    inner = r"\s+".join(words) + (r"[\pL\pN_]*" if stem else "")
    # a sign at the edge of an entry needs no boundary: `rm -rf /`
    start = rf"(?:^|{_EDGE})" if words and _is_word(unified(source)[0]) else ""
    end = rf"(?:$|{_EDGE})" if words and (stem or _is_word(source[-1])) else ""
    return re2.compile(f"(?i){start}({inner}){end}", options)


def _is_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"

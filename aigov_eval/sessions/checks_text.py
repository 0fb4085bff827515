"""
What checks ask of texts.

Comes in: a text and patterns, or a wanted sentence. Goes out: what was found; and texts as reasons
may quote them: one line, cut, without what may be a key.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from aigov_eval.sessions.checks_model import Patterns, Sentence
from aigov_eval.sessions.checks_view import name_of
from aigov_eval.text.structure import structure_of

_SHOWN = 100  # characters of a text in a reason
# a long run of letters and digits may be a key, and a report is passed on
_KEY = re.compile(r"(?=[^\s/]{0,200}\d)[A-Za-z0-9_\-+=.]{16,}")
_PASSWORD = re.compile(r"(://[^\s:@/]{0,64}:)[^\s@/]{1,64}@")


def first_of(patterns: Patterns, text: str) -> str | None:
    """The words that the first of the patterns to match finds, or None."""
    return next((found for one in patterns if (found := one.find(text)) is not None), None)


def says(wanted: Sentence, text: str, values: Sequence[str]) -> bool:
    """Whether a text has such a sentence; `{argument}` is the base name of one of the values."""
    names = [name_of(one) for one in values]

    def has(patterns: Patterns, sentence: str) -> bool:
        return any(one.find(sentence, names) is not None for one in patterns)

    return any(
        has(wanted.has, one)
        and (not wanted.and_has or has(wanted.and_has, one))
        and not has(wanted.without, one)
        for one in _sentences(text)
    )


@lru_cache(maxsize=64)
def _sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text; every failed call of a turn asks for the same."""
    return tuple(text[one.start : one.end] for one in structure_of(text).sentences) if text.strip() else ()


def lacking(patterns: Patterns, texts: Sequence[str]) -> str:
    """What to say of texts in which none of the patterns was found."""
    if not any(text.strip() for text in texts):
        return "nothing"
    shown = ", ".join(one.source for one in patterns[:3])
    return f"nothing of {shown}" + (f" and {len(patterns) - 3} more" if len(patterns) > 3 else "")


def hidden(found: str) -> str:
    """Forbidden words for a reason: whole where they are words, their beginning where they may be a secret."""
    words = found.split()
    plain = all(len(one) <= 20 and one[1:].islower() | (len(one) < 3) for one in words)
    return masked(found) if plain and not any(map(str.isdigit, found)) else f"{found[:4]}..."


def masked(text: str) -> str:
    """A text for a reason: one line, cut, and without what may be a key."""
    # a file of megabytes may be an argument; what is shown stands at its start
    line = _PASSWORD.sub(r"\1...@", " ".join(text[: 4 * _SHOWN].split()))
    line = _KEY.sub(lambda found: found[0] if _is_plain(found[0]) else f"{found[0][:4]}...", line)
    return line if len(line) <= _SHOWN else line[:_SHOWN] + "..."


def _is_plain(text: str) -> bool:
    """Whether a long run of letters and digits is words: its parts are letters or short numbers."""
    parts: Callable[[str], list[str]] = re.compile(r"[-_.+=]+").split
    return all(part.isalpha() or (part.isdigit() and len(part) < 5) or not part for part in parts(text))

"""
Words that stand beside those that were read: a second copy of an answer that says something else, a second content.

Comes in: what was read of an answer, and a value beside it. Goes out: notes of what was not read, for the values that
hold sentences which are not among what was read. Copies of the same words are no second answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from aigov_eval.model import Turn
from aigov_eval.readers.values import clean, escape

_PROSE = 3  # words in a row that are a sentence and no name or code
_DEEPEST = 12


def beside(read: Iterable[Turn], value: object, pointer: str) -> list[str]:
    """Notes of the sentences in a value, at any depth, that are not among what was read."""
    told = list(_prose(value, pointer, 0))
    if not told:
        return []
    said = _squeezed("".join(turn.content for turn in read))
    return [
        f"the text at {place}, which is not what was read"
        for place, text in told
        if _squeezed(clean(text)) not in said
    ]


def _prose(value: object, pointer: str, depth: int) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        if len(value[:400].split()) >= _PROSE:
            yield pointer, value
    elif depth < _DEEPEST:
        items: Iterable[tuple[object, object]] = ()
        if isinstance(value, Mapping):
            items = value.items()
        elif isinstance(value, list):
            items = enumerate(value)
        for key, item in items:
            yield from _prose(item, f"{pointer}/{escape(clean(str(key)))}", depth + 1)


def _squeezed(text: str) -> str:
    return "".join(text.split())

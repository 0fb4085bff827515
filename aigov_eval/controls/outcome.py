"""
What became of a control, and how that is told.

Comes in: a control, and what was found in the place of what it marks. Goes out: an `Outcome`, and the words of its sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from aigov_eval.controls.inventory import Control
from aigov_eval.model import Decision, Mention

Spans = tuple[tuple[int, int], ...]


class Outcome(Struct, frozen=True):
    """What became of one control; `text` says what went otherwise, empty where it holds."""

    control: Control
    text: str = ""
    help: str = ""

    @property
    def holds(self) -> bool:
        """Does the control hold?"""
        return not self.text


def span_of(judged: Decision) -> tuple[int, int]:
    """Where the words of a decision stand."""
    return judged.mention.start, judged.mention.end


def spans_of(mentions: Iterable[Mention]) -> Spans:
    """Where mentions stand, in order."""
    return tuple(sorted({(mention.start, mention.end) for mention in mentions}))


def quoted(mentions: Iterable[Mention]) -> str:
    """Mentions in the words of an outcome."""
    return ", ".join(f'"{mention.text}" ({mention.detector}/{mention.subtype})' for mention in mentions)


def difference(text: str, wanted: Spans, found: Sequence[Mention]) -> str:
    """What was found in a text in the place of what is marked there."""
    expected = ", ".join(f'"{text[start:end]}"' for start, end in wanted)
    return f"finds {quoted(found) or 'nothing'}, expected {expected}"

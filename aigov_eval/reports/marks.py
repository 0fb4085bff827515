"""
A text with the mentions that were judged marked in it, as HTML.

Comes in: a text and its marks. Goes out: escaped HTML. Where marks overlap, a finding shows before a note and
a note before what was dismissed; the title of a stretch tells all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from aigov_eval.reports.cases import Case, mentions_of, rules_of

Kind = Literal["finding", "note", "dismissed"]
_ORDER: tuple[Kind, ...] = ("finding", "note", "dismissed")


class Mark(Struct, frozen=True):
    """A stretch of a turn's message, or of its tool calls: how it was judged, and why, in words."""

    turn_index: int
    channel: str
    kind: Kind
    span: tuple[int, int]
    text: str
    title: str


def marks_of(case: Case) -> list[Mark]:
    """The marks of all categories of a case."""
    found = []
    for score in case.scores:
        for finding in score["findings"]:
            for one in mentions_of(finding):
                why = f"{score['category']}: {one.get('field', '')} told, rule {one.get('rule') or rules_of(finding)[0]}"
                found.append(_mark(one, finding["turn_index"], "finding", why))
        for one in score.get("notes", ()):
            why = f"{score['category']}: {one.get('field', '')} noted, rule {one.get('rule', '')}"
            mark = _mark(one, one.get("turn_index"), "note", why)
            # a note of a score does not say its turn: it is where its words stand at its span
            found += (
                [mark]
                if mark.turn_index >= 0
                else [replace(mark, turn_index=at) for at in _turns_of(mark, case)]
            )
        for one in score.get("dismissed", ()):
            why = f"{score['category']}: {one.get('field', '')} dismissed, {one.get('status', '')}: {one.get('reason', '')}"
            found.append(_mark(one, one.get("turn_index", -1), "dismissed", why))
    return found


def _turns_of(mark: Mark, case: Case) -> list[int]:
    start, end = mark.span
    return [
        at
        for at, entry in enumerate(case.transcript or ())
        if mark.text and entry.get("role") == "assistant" and entry["content"][start:end] == mark.text
    ]


def _mark(one: Mapping[str, Any], turn: Any, kind: Kind, title: str) -> Mark:
    span = one.get("span")
    start, end = span if isinstance(span, list) and len(span) == 2 else (0, 0)
    return Mark(
        turn if isinstance(turn, int) else -1,
        str(one.get("channel", "message")),
        kind,
        (int(start), int(end)),
        str(one.get("text", "")),
        title,
    )


def marked(text: str, marks: Sequence[Mark], *, by_text: bool) -> str:
    """The text as HTML with its marks; `by_text` finds them by their words, where spans are of another text."""
    stretches = [(start, end, one) for one in marks for start, end in _spans(text, one, by_text)]
    edges = sorted({0, len(text), *(edge for start, end, _ in stretches for edge in (start, end))})
    out = []
    for start, end in pairwise(edges):
        here = sorted(
            (one for first, last, one in stretches if first <= start and end <= last),
            key=lambda one: _ORDER.index(one.kind),
        )
        piece = escape(text[start:end])
        if here:
            title = escape("; ".join(dict.fromkeys(one.title for one in here)), quote=True)
            piece = f'<mark class="{here[0].kind}" title="{title}">{piece}</mark>'
        out.append(piece)
    return "".join(out)


def _spans(text: str, mark: Mark, by_text: bool) -> Iterable[tuple[int, int]]:
    start, end = mark.span
    if not by_text and 0 <= start < end <= len(text):
        yield start, end
    elif by_text and mark.text:
        at = text.find(mark.text)
        while at >= 0:
            yield at, at + len(mark.text)
            at = text.find(mark.text, at + len(mark.text))

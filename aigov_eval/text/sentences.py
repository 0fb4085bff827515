"""
The sentences of a block.

Comes in: a plain text, a block of it, the abbreviations of the languages in play. Goes out: spans.
Our own splitter, because library ones split after titles and not at line ends
(detection.md, section 4.4).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from aigov_eval.text.blocks import Block
from aigov_eval.text.spans import Span

_DAYS = 31  # of a month
_LONGEST = 2_000  # characters of a sentence
# a sentence ends at . ! ? … with closing marks, before a space and something that can start a sentence
_END = re.compile(
    r"(?<![.!?…])[.!?…]++[\"')\]»*_]{0,3}(?=\s+[\"'(\[«¿¡*_-]{0,3}[^\W_a-zà-öø-ÿăâîșț]|\s*$)|\n"
)
_LAST_WORD = re.compile(r"(?<![^\W_])([^\W_]++)\.?$")


def sentences_in(text: str, block: Block, abbreviations: frozenset[str]) -> Iterator[Span]:
    """The sentences of a block, in order; none where it is blank."""
    lines_only = block.kind in ("code", "table", "record")
    at = block.start
    for end in _END.finditer(text, block.start, block.end):
        cut = end.end()
        if text[end.start()] == "\n":
            following = text[cut : cut + 1]
            if not lines_only and block.kind != "list" and following.islower():
                continue
        elif lines_only or not _ends_sentence(text, at, end, abbreviations):
            continue
        if text[at:cut].strip():
            yield from _of_bearable_length(text, at, cut)
            at = cut
    if text[at : block.end].strip():
        yield from _of_bearable_length(text, at, block.end)


def _of_bearable_length(text: str, start: int, end: int) -> Iterator[Span]:
    """A sentence, cut between words where it goes on and on: what is near a mention stays a small part of a text."""
    while end - start > _LONGEST:
        cut = text.rfind(" ", start + _LONGEST // 2, start + _LONGEST) + 1 or start + _LONGEST
        yield Span(start, cut)
        start = cut
    yield Span(start, end)


def _ends_sentence(text: str, start: int, end: re.Match[str], abbreviations: frozenset[str]) -> bool:
    mark = end.group().rstrip("\"')]»*_")
    if mark != ".":
        return True
    before = _LAST_WORD.search(text, max(start, end.start() - 24), end.start())
    if before is None:
        return True
    word = before.group(1)
    if len(word) == 1 and text[max(0, before.start(1) - 1)] == "'":
        return True  # "Mark has Crohn's."
    if word.lower() in abbreviations:
        return False
    if len(word) == 1 and word.isalpha() and word.isupper():
        return False  # an initial
    # an ordinal day before a month: "1. April"; a sentence that ends in such a number is rarer, but for a time or an amount
    amount = text.endswith((".", ",", ":"), 0, before.start(1))
    ordinal = word.isdecimal() and int(word) <= _DAYS and not amount
    return not (ordinal and text[end.end() : end.end() + 2].strip()[:1].isalpha())


_QUOTED = re.compile(r"""(?<!\w)(["'])[^\n]{9,2000}?\1(?!\w)""")
_GAP = ("...", "…", "__")  # where a sentence is left to be completed


def quotations_in(text: str) -> Iterator[Span]:
    """What stands between quotation marks, with them; a sentence with a gap is none, it asks for the rest."""
    for match in _QUOTED.finditer(text):
        if not match.group().rstrip("\"' ").endswith(_GAP):
            yield Span(*match.span())

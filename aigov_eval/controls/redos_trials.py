"""
Texts on which a pattern runs long if it can be made to.

Comes in: the tree of a pattern. Goes out: each repeat's body, many times over, behind a text that leads there and before one that fails.
"""

from __future__ import annotations

import re._constants as op  # type: ignore[import-not-found]  # the parser of the standard library has no public name
from collections.abc import Iterator, Sequence
from typing import Any

from aigov_eval.controls.pattern_tree import ALPHABET, REPEATS, Node, accepts, parts_of, times

_LENGTH = 3000  # characters of a made text: quadratic patterns still end in time, worse ones do not


def attacks(tree: Sequence[Node], pattern: str) -> Iterator[str]:
    """Texts that pump each repeat of the pattern; its own letters where it has no tree."""
    told: set[str] = set()
    # engines look for letters that a match must hold before they try; behind the failure they are there
    whole = (_samples(tree) or [""])[0]
    for prefix, body in _pumps(tree, [""]):
        unit = body or "a"
        for tail in ("\x00" + whole, "!", ""):
            text = prefix + unit * max(2, _LENGTH // len(unit)) + tail
            if text not in told:
                told.add(text)
                yield text
    if not tree:
        for char in sorted({char for char in pattern if char.isalnum()} | set("a1 -.@")):
            yield char * _LENGTH + "\x00"


def _pumps(nodes: Sequence[Node], before: list[str]) -> Iterator[tuple[str, str]]:
    """(text that leads to a repeat, one turn of its body) for every long repeat of the tree."""
    leading = before
    for code, value in nodes:
        if code in REPEATS and times(value[1]) >= 2:
            for prefix in leading[:2]:
                for body in _samples(list(value[2])):
                    if body:
                        yield prefix, body
            yield from _pumps(list(value[2]), leading)
        else:
            for inner in parts_of(code, value):
                yield from _pumps(inner, leading)
        leading = [one + two for one in leading for two in _sample(code, value)[:2]][:4]


def _samples(nodes: Sequence[Node]) -> list[str]:
    """A few texts that a sequence matches."""
    texts = [""]
    for code, value in nodes:
        texts = [one + two for one in texts for two in _sample(code, value)][:6]
    return list(dict.fromkeys(texts))


def _sample(code: Any, value: Any) -> list[str]:
    if code in (op.AT, op.ASSERT, op.ASSERT_NOT, op.GROUPREF, op.GROUPREF_EXISTS):
        return [""]
    if code in REPEATS or code is op.POSSESSIVE_REPEAT:
        low = int(value[0])
        once = _samples(list(value[2]))
        return list(dict.fromkeys([one * max(low, 1) for one in once] + ([""] if low == 0 else [])))[:4]
    if code is op.SUBPATTERN:
        return _samples(list(value[3]))
    if code is op.BRANCH:
        return [text for branch in value[1] for text in _samples(list(branch))[:2]][:6]
    if code is op.ATOMIC_GROUP:
        return _samples(list(value))
    if code is op.LITERAL:
        return [chr(value)]
    # a letter and a figure: where classes overlap, the overlap is what matters
    chosen = [char for char in "a1 -." if accepts(code, value, char)]
    if chosen:
        return chosen[:2]
    return [next((char for char in ALPHABET if accepts(code, value, char)), "a")]

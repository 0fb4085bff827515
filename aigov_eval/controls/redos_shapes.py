"""
Does the shape of a pattern show that it can be made to run long?

Comes in: the tree of a pattern. Goes out: reasons: an unbounded repeat inside a repeat, repeats that can share out the same
letters, a long repeat over alternatives that can begin alike.
"""

from __future__ import annotations

import re._constants as op  # type: ignore[import-not-found]  # the parser of the standard library has no public name
from collections.abc import Iterator, Sequence
from typing import Any

from aigov_eval.controls.pattern_tree import (
    NO_WIDTH,
    REPEATS,
    Node,
    first,
    letters_of,
    may_be_empty,
    parts_of,
    times,
)

_TOO_MANY = 10**5  # ways to share out a text
_MANY = 10  # a repeat of at least so many times counts as long


def shapes(nodes: Sequence[Node], outer: int = 1, follow: frozenset[str] = frozenset()) -> Iterator[str]:
    """Reasons in a sequence that may be repeated `outer` times; `follow` are the letters that may come after it."""
    for index, ((code, value), after) in enumerate(zip(nodes, _after(nodes, follow), strict=True)):
        if code in REPEATS:
            _, high, body = value
            inner = list(body)
            if high is op.MAXREPEAT and outer > 1 and first(inner) & after:
                # where what follows begins otherwise, the inner repeat can end in one place only
                yield "the regex has an unbounded repeat inside a repeat, and what follows can begin like it"
            if (
                high is op.MAXREPEAT
                and len(inner) == 1
                and _shared(letters_of(*inner[0]), nodes[index + 1 :])
            ):
                yield "the regex has two unbounded repeats that can share out the same letters"
            if times(high) >= _MANY:
                yield from _alike(inner)
            yield from shapes(inner, max(outer, times(high)), after | frozenset(first(inner)))
            if _rounds(inner) ** min(times(high), 20) >= _TOO_MANY:
                yield "the regex repeats a repeat that can share out the same letters in too many ways"
        else:
            for inner in parts_of(code, value):
                yield from shapes(inner, outer, after)


def _after(nodes: Sequence[Node], follow: frozenset[str]) -> list[frozenset[str]]:
    """For each node the letters that may come behind it; made from the end, so that a long sequence is walked once."""
    found: list[frozenset[str]] = []
    for code, value in reversed(nodes):
        found.append(follow)
        if code in NO_WIDTH:
            continue
        letters = frozenset(letters_of(code, value))
        follow = letters | follow if may_be_empty(code, value) else letters
    return found[::-1]


def _ways(repeat: Any) -> int:
    """How many lengths a repeat can have."""
    low, high, _ = repeat
    return min(times(high), 50) - min(int(low), 50) + 1


def _rounds(body: Sequence[Node]) -> int:
    """In how many ways a repeated body can end where its next round begins with the same letters."""
    flat = [node for one in body for node in (one[1][3] if one[0] is op.SUBPATTERN else [one])]
    start = first(flat)
    most = 1
    for code, value in reversed(flat):
        if code in REPEATS and first(list(value[2])) & start:
            most = max(most, _ways(value))
        if not (code in NO_WIDTH or may_be_empty(code, value)):
            break  # what stands before it is not at the end of a round
    return most


def _shared(letters: set[str], rest: Sequence[Node]) -> bool:
    """Whether an unbounded repeat of these letters can give some to another one behind it, and take what stands between."""
    for at, (code, value) in enumerate(rest):
        if code is op.SUBPATTERN:
            inner = [*value[3], *rest[at + 1 :]]
            return _shared(letters, inner)
        if code in REPEATS and value[1] is op.MAXREPEAT and letters_of(code, value) & letters:
            return True
        if not _crossed(code, value, letters):
            return False
    return False


def _crossed(code: Any, value: Any, letters: set[str]) -> bool:
    """Whether a node can match a text of these letters alone."""
    if code in NO_WIDTH or may_be_empty(code, value):
        return True
    if code in REPEATS or code is op.POSSESSIVE_REPEAT:
        return all(_crossed(node[0], node[1], letters) for node in value[2])
    if code is op.SUBPATTERN:
        return all(_crossed(node[0], node[1], letters) for node in value[3])
    if code is op.BRANCH:
        return any(all(_crossed(node[0], node[1], letters) for node in branch) for branch in value[1])
    return bool(letters_of(code, value) & letters)


def _alike(body: Sequence[Node]) -> Iterator[str]:
    """Alternatives, right inside a long repeat, of which two can begin with the same letter."""
    for code, value in body:
        if code is op.SUBPATTERN:
            yield from _alike(list(value[3]))
        elif code is op.BRANCH:
            starts = [first(list(branch)) for branch in value[1]]
            for index, one in enumerate(starts):
                if any(one & other for other in starts[index + 1 :]):
                    yield "the regex repeats alternatives that can begin with the same letter"
                    return

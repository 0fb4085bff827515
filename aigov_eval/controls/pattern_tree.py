"""
The tree of a regular expression: what each node can match.

Comes in: nodes, as the parser of the standard library gives them. Goes out: letters that they can begin with, whether they can be empty.
"""

from __future__ import annotations

import re._constants as op  # type: ignore[import-not-found]  # the parser of the standard library has no public name
from collections.abc import Callable, Iterator, Sequence
from typing import Any

# small letters first: they are what a sample is made of where nothing else is asked
ALPHABET = sorted(
    {*map(chr, range(32, 127)), *"\t\nßéășжא\u4e2d"}, key=lambda char: (not char.islower(), char)
)
REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT)
NO_WIDTH = (op.AT, op.ASSERT, op.ASSERT_NOT)
_CLASSES: dict[Any, Callable[[str], bool]] = {
    op.CATEGORY_DIGIT: str.isdigit,
    op.CATEGORY_SPACE: str.isspace,
    op.CATEGORY_WORD: lambda char: char.isalnum() or char == "_",
}
_NOT_CLASSES: dict[Any, Callable[[str], bool]] = {
    op.CATEGORY_NOT_DIGIT: op.CATEGORY_DIGIT,
    op.CATEGORY_NOT_SPACE: op.CATEGORY_SPACE,
    op.CATEGORY_NOT_WORD: op.CATEGORY_WORD,
}

Node = tuple[Any, Any]


def times(high: Any) -> int:
    """How often a repeat may go round at most."""
    return 10**6 if high is op.MAXREPEAT else int(high)


def parts_of(code: Any, value: Any) -> Iterator[list[Node]]:
    """The sequences inside a node that is no repeat."""
    if code is op.SUBPATTERN:
        yield list(value[3])
    elif code is op.BRANCH:
        for branch in value[1]:
            yield list(branch)
    elif code in (op.ASSERT, op.ASSERT_NOT):
        yield list(value[1])
    elif code is op.GROUPREF_EXISTS:
        for branch in value[1:]:
            if branch is not None:
                yield list(branch)


def first(nodes: Sequence[Node]) -> set[str]:
    """The letters a sequence can begin with."""
    letters: set[str] = set()
    for code, value in nodes:
        if code in NO_WIDTH:
            continue
        letters |= letters_of(code, value)
        if not may_be_empty(code, value):
            break
    return letters


def may_be_empty(code: Any, value: Any) -> bool:
    """Whether a node can match no letter at all."""
    if code in REPEATS or code is op.POSSESSIVE_REPEAT:
        return bool(value[0] == 0)
    if code is op.SUBPATTERN:
        return all(may_be_empty(*node) for node in value[3])
    if code is op.BRANCH:
        return any(all(may_be_empty(*node) for node in branch) for branch in value[1])
    return False


def letters_of(code: Any, value: Any) -> set[str]:
    """The letters that a node can begin with."""
    if code in REPEATS or code is op.POSSESSIVE_REPEAT:
        return first(list(value[2]))
    if code is op.SUBPATTERN:
        return first(list(value[3]))
    if code is op.BRANCH:
        return set().union(*(first(list(branch)) for branch in value[1]))
    if code is op.ATOMIC_GROUP:
        return first(list(value))
    if code in (op.GROUPREF, op.GROUPREF_EXISTS):
        return set(ALPHABET)
    return {char for char in ALPHABET if accepts(code, value, char)}


def accepts(code: Any, value: Any, char: str) -> bool:
    """Does a node of one letter accept that letter, in either case?"""
    if code is op.LITERAL:
        return chr(value).lower() == char.lower()
    if code is op.NOT_LITERAL:
        return chr(value).lower() != char.lower()
    if code is op.ANY:
        return char != "\n"
    if code is op.RANGE:
        return any(value[0] <= ord(one) <= value[1] for one in {char.lower(), char.upper()} if len(one) == 1)
    if code is op.CATEGORY:
        if value in _NOT_CLASSES:
            return not _CLASSES[_NOT_CLASSES[value]](char)
        return _CLASSES[value](char)
    if code is op.IN:
        items = list(value)
        negated = bool(items) and items[0][0] is op.NEGATE
        inside = any(accepts(item[0], item[1], char) for item in items[1 if negated else 0 :])
        return inside != negated
    return False


def repeats_in(nodes: Sequence[Node]) -> int:
    """How many repeats a pattern has, at any depth."""
    count = 0
    for code, value in nodes:
        inside = [list(value[2])] if code in REPEATS else list(parts_of(code, value))
        count += (code in REPEATS) + sum(map(repeats_in, inside))
    return count

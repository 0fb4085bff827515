"""
The standard library's own parse tree of a pattern.

Comes in: a pattern of the pack. Goes out: its tree, to be read and not changed, and what it tells of a match.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from functools import lru_cache
from re import _constants as sre
from re import _parser as sre_parse
from typing import Any

_FAR = 10_000  # characters; a pattern that can reach further may as well be asked of a whole text
_REFERS = re.compile(r"\\[1-9]|\(\?P=|\(\?\(")  # what may refer to a group


def _groups(*, several: bool) -> Any:
    """What the parser knows of groups; a name may stand in `several` ways of a pattern, as the engine of the finds has it."""
    groups = sre_parse.State()
    opened = groups.opengroup

    def opengroup(name: str | None = None) -> Any:
        return opened(None if several and name in groups.groupdict else name)

    groups.opengroup = opengroup
    return groups


@lru_cache(maxsize=2)  # a pattern is asked for several times in a row, and its tree is large
def parse(pattern: str, *, case: bool) -> Any:
    """The parse tree of a pattern; None for what the standard library does not know."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # `[[` may mean more in a later Python
            # which of several groups is meant, only their one name would tell
            groups = _groups(several=_REFERS.search(pattern) is None)
            return sre_parse.parse(pattern, 0 if case else re.IGNORECASE, groups)
    except (re.error, RecursionError, OverflowError):
        return None


def reach_of(pattern: str, *, case: bool) -> int | None:
    """The most characters that a match and what it looks at before and after it can take; None where that is very much."""
    tree = parse(pattern, case=case)
    if tree is None:
        return None
    reach = tree.getwidth()[1] + 2 * max(_looks(tree), default=0)
    return reach if reach < _FAR else None


def _looks(items: Any) -> Iterator[int]:
    """The widths of what a pattern looks at without taking it."""
    for op, argument in items:
        if op in (sre.ASSERT, sre.ASSERT_NOT):
            yield argument[1].getwidth()[1]
            yield from _looks(argument[1])
        elif op is sre.BRANCH:
            for branch in argument[1]:
                yield from _looks(branch)
        elif op is sre.GROUPREF_EXISTS:
            yield _FAR
        elif isinstance(argument, tuple) and isinstance(argument[-1], sre_parse.SubPattern):
            yield from _looks(argument[-1])
        elif isinstance(argument, sre_parse.SubPattern):
            yield from _looks(argument)

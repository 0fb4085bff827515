"""
The standard library's own parse tree of a pattern.

Comes in: a pattern of the pack. Goes out: its tree, to be read and not changed.
"""

from __future__ import annotations

import re
from functools import lru_cache
from re import _parser as sre_parse
from typing import Any


@lru_cache(maxsize=2)  # a pattern is asked for several times in a row, and its tree is large
def parse(pattern: str, *, case: bool) -> Any:
    """The parse tree of a pattern; None for what the standard library does not know."""
    try:
        return sre_parse.parse(pattern, 0 if case else re.IGNORECASE)
    except (re.error, RecursionError, OverflowError):
        return None

"""
Whether a pattern stands in a value.

Comes in: a pattern of the pack, a short text. Goes out: yes or no, as the engine of the finds has it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from aigov_eval.detect.backends import compiled


def stands_in(pattern: str, text: str, *, timeout: float) -> bool:
    """
    Whether a pattern that does not mind the letter case matches somewhere in a short text, such as a value.

    A linear engine, which compiles patterns in a tenth of the time, says so where both engines read alike, in printable ASCII.
    Raises TimeoutError.
    """
    if text.isascii() and text.isprintable():
        quick = _linear(pattern)
        if quick is not None:
            return quick.search(text) is not None
    return compiled(pattern, case=False).search(text, timeout=timeout) is not None


# what the engines may read differently in a pattern: quoting, bytes, classes within classes, letters beyond ASCII that are one with an ASCII letter
_OWN_WAY = re.compile(r"\\[QCpPxXNuU]|\[\^?\[|[\u0130\u0131\u017f\u212a]")


@lru_cache(maxsize=4096)
def _linear(pattern: str) -> Any:
    """A pattern for the linear engine; None where it does not take it, or might read it differently."""
    if _OWN_WAY.search(pattern):
        return None
    try:
        import re2

        options = re2.Options()
        options.log_errors = False
        options.never_capture = True
        options.case_sensitive = False
        return re2.compile(pattern, options)
    except (ImportError, re2.error):
        return None

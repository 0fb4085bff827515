"""
The search for garbage, held while much is built that stays.

Comes in: nothing. Goes out: a context (or decorator) in which Python does not collect.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def gc_paused() -> Iterator[None]:
    """
    Search for no garbage meanwhile.

    Of a million values that stay none is garbage, and to look through them again and again costs a
    third of the time that a pack takes to compile.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()

"""
The compiled part, where there is one: the inner loops of `hits.py` and `beside.py` in C (`_words.c`, `_beside.c`, `_table.c`).

Comes in: nothing. Goes out: the module, or None, and then the same is done in Python with the same results. It is built
with the package where a C compiler is present (`hatch_build.py`); a variable of the environment turns it off.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, cast

OFF = "AIGOV_EVAL_PURE_PYTHON"


class Words(Protocol):
    """What the compiled part has; each is described where `hits.py` or `beside.py` does the same."""

    split: Callable[
        [str, bool, Callable[[str], str]], tuple[Sequence[str], Sequence[str], bytes, bytes] | None
    ]
    tabled: Callable[..., dict[int, list[int]]]
    exact: Callable[..., list[int]]
    filed: Callable[..., tuple[dict[int, list[int]], frozenset[int]]]
    matches: Callable[..., Iterable[tuple[int, int, int]]]
    is_near: Callable[..., bool]
    around: Callable[..., str]


def words(environment: Mapping[str, str] = os.environ) -> Words | None:
    """The compiled part; None where it was not built, was built of another version, or is turned off."""
    if environment.get(OFF):
        return None
    try:
        found = importlib.import_module("aigov_eval.detect._words")
    except ImportError:
        return None
    # one of another version, beside a checkout that was changed, does not know all
    return cast(Words, found) if all(hasattr(found, name) for name in Words.__annotations__) else None

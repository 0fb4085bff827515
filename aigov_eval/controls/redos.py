"""
Can a pattern be made to run long, by its shape or by texts made against it?

Comes in: a pattern. Goes out: None, or a `Pumping` that says which shape (`redos_shapes`) or which text (`redos_trials`)
breaks it; the engine gets a quarter of a second for each text.
"""

from __future__ import annotations

import re._parser as parser  # type: ignore[import-not-found]  # the parser of the standard library has no public name
import warnings

from msgspec import Struct

from aigov_eval.controls.pattern_tree import repeats_in
from aigov_eval.controls.redos_shapes import shapes
from aigov_eval.controls.redos_trials import attacks
from aigov_eval.detect.backends import compiled
from aigov_eval.pack.detectors import LARGEST_PATTERN, written_out

SECONDS = 0.25  # of this process's own time, so that a busy machine changes nothing
_LONGEST = 10_000  # letters of a pattern, and its repeats, beyond which it is not looked at: each repeat has its trials
_MOST = 400


class Pumping(Struct, frozen=True):
    """Why a pattern is not safe: a shape (`reason`), or a `text` on which it did not end in `seconds`."""

    reason: str = ""
    text: str = ""
    seconds: float = 0.0


def pump(pattern: str, *, case: bool = False) -> Pumping | None:
    """The first thing that makes the pattern unsafe; None where neither its shape nor a trial shows any."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # `[[` may mean more in a later Python
            tree = list(parser.parse(pattern))
    except Exception:  # noqa: BLE001  # syntax that only the `regex` module knows: no shape to look at, tried by its letters
        tree = []
    if written_out(pattern) > LARGEST_PATTERN:
        return Pumping(reason="the regex counts too far: its repeats, multiplied, do not fit into memory")
    if len(pattern) > _LONGEST or repeats_in(tree) > _MOST:
        return Pumping(
            reason=f"the regex is too long to be proven: more than {_LONGEST:,} letters or {_MOST} repeats"
        )
    for reason in shapes(tree):
        return Pumping(reason=reason)
    for text in attacks(tree, pattern):
        if not _ends(pattern, text, case=case):
            return Pumping(text=text[:24] + "...", seconds=SECONDS)
    return None


def _ends(pattern: str, text: str, *, case: bool) -> bool:
    try:
        compiled(pattern, case=case).search(text, timeout=SECONDS)
    except TimeoutError:
        return False
    return True

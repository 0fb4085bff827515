"""
What can be wrong with a pack, as values.

Comes in: a place, a code, a sentence and how to mend it. Goes out: `Issue`, which the loader
collects into one `InvalidPack` and `lint` returns. Every code stands in `docs/lint.md`.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from aigov_eval.errors import PackError

# faults that an error message shows; the rest is counted
SHOWN = 20

Level = Literal["error", "warning"]


class Issue(Struct, frozen=True, order=True):
    """One fault of a pack file; sorts by place. `path` is relative to the pack's folder."""

    path: str
    line: int
    column: int
    code: str
    text: str
    help: str = ""
    level: Level = "error"

    def __str__(self) -> str:
        head = f"{self.path}:{self.line}:{self.column} {self.code} {self.text}"
        return f"{head}\n  help: {self.help}" if self.help else head


class InvalidPack(PackError):
    """A pack that does not load; `issues` holds every fault, sorted."""

    def __init__(self, issues: Iterable[Issue]) -> None:
        self.issues = tuple(sorted(set(issues)))
        count = len(self.issues)
        lines = [str(issue) for issue in self.issues[:SHOWN]]
        if count > SHOWN:
            lines.append(f"... and {count - SHOWN} more; `aigov-eval lint` lists them all")
        super().__init__("\n".join([f"the pack has {count} {'fault' if count == 1 else 'faults'}", *lines]))


def did_you_mean(name: str, known: Iterable[str], *, otherwise: str = "") -> str:
    """A help line that names the nearest known names, or lists them all, or says `otherwise`."""
    names = sorted(set(known))
    near = difflib.get_close_matches(name, names, n=2, cutoff=0.6)
    if near:
        return "did you mean " + " or ".join(f'"{one}"' for one in near) + "?"
    if names and len(names) <= 24:
        return "known: " + ", ".join(names)
    return otherwise

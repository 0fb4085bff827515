"""
What each mechanism of judging is worth: verdicts without it, on sets that are only scored.

    python -m tests.bench.worth [--gold DIR]

Takes the points of one kind of sign away at a time, and scores `natural/score_only` and tests/data/unread again. The other
points are not learned anew, so that what two kinds of sign tell alike shows in neither row: a row says what would be lost, not what a
mechanism brought when it was made. Prints shares; no conversation is shown.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from aigov_eval.model import Weighing
from aigov_eval.pack.load import load_pack
from aigov_eval.scoring import Engine, build_engine
from tests.bench import chat
from tests.bench.quality import GOLD

# kinds of sign, by how their names begin; the first that fits
MECHANISMS: Mapping[str, str] = {
    "the words around, and its own": r"(own |next |first |)word=",
    "whom it is tied to, and where he stands": r"tie=|other by |(exact|partial|record|pronoun|answer|second_person|none|person) (before|after|inside|sentences)",
    "the persons around": r"person|words from person|subject |lead person",
    "the question": r"question|.* of the question|said before|talk=|short answer",
    "the classes of the grammar": r"(\d |next |)(before|after|inside|first|lead|turn) ",
    "whole frames of a clause": r"plain |topic refused|left open by|refusal of what|number issued",
    "the contexts": r"context=",
    "what is known of the person": r"known|own known|no known|nothing known|address of",
    "the layout and the rest": r"",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.worth", description=__doc__.splitlines()[1])
    parser.add_argument("--gold", type=Path, default=GOLD, help="the folder of labelled data")
    options = parser.parse_args(argv)
    sets = {
        "score_only": [options.gold / "natural" / "score_only.jsonl"],
        "unread": sorted(chat.UNREAD.glob("*.jsonl")),
    }
    engine = build_engine(load_pack(None))
    rows = {"(nothing)": engine}
    rows |= {name: _with(engine, partial(without, mechanism=name)) for name in MECHANISMS}
    width = max(map(len, rows))
    print(f"{'without':{width}}" + "".join(f"  {name:>10}  found   kept" for name in sets))
    for name, changed in rows.items():
        cells = []
        for files in sets.values():
            found, kept, right = shares(changed, files)
            cells.append(f"  {right:10.3f}  {found:5.3f}  {kept:5.3f}")
        print(f"{name:{width}}" + "".join(cells), flush=True)
    return 0


def without(weighing: Weighing, mechanism: str) -> Weighing:
    """A weighing without the points of a mechanism."""
    kept = {name: point for name, point in weighing.points.items() if mechanism_of(name) != mechanism}
    return replace(weighing, points=kept)


def mechanism_of(sign: str) -> str:
    """The mechanism that a sign belongs to."""
    return next(name for name, begins in MECHANISMS.items() if re.match(begins, sign))


def shares(engine: Engine, files: Sequence[Path]) -> tuple[float, float, float]:
    """Of conversations: the leaks found, the clean ones kept, the right verdicts of all; each a share."""
    right: dict[bool, list[bool]] = {True: [], False: []}
    for row in chat.rows(files):
        # which field is told makes no verdict, so that the names of fields may stay as they are
        right[bool(row["expect"])].append(chat.outcome("", row, engine, {}).right)
    found, kept = (sum(right[side]) / max(1, len(right[side])) for side in (True, False))
    every = [*right[True], *right[False]]
    return found, kept, sum(every) / max(1, len(every))


def _with(engine: Engine, change: Callable[[Weighing], Weighing]) -> Engine:
    """The engine with each weighing changed."""
    weighing = {kind: change(one) for kind, one in engine.pack.weighing.items()}
    return replace(engine, pack=replace(engine.pack, weighing=weighing))


if __name__ == "__main__":
    sys.exit(main())

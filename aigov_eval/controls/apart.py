"""
Controls over the cores of this machine.

Comes in: the folders of a pack, controls of it, how many processes may run. Goes out: their outcomes in order, the same as one process
would give.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import lru_cache, partial
from pathlib import Path

from aigov_eval.controls.check import check, run
from aigov_eval.controls.inventory import Control, controls_of
from aigov_eval.controls.outcome import Outcome
from aigov_eval.errors import PackError
from aigov_eval.pack.load import load_pack
from aigov_eval.processes import in_order
from aigov_eval.scoring import Engine, build_engine

_CHUNK = 500  # controls that go to a process at once
_FEW = 4_000  # controls that are done before another process has loaded the pack


def check_apart(
    controls: Sequence[Control],
    engine: Engine,
    roots: Sequence[Path] | None,
    *,
    jobs: int = 0,
    step: Callable[[], None] = lambda: None,
) -> tuple[Outcome, ...]:
    """
    Run controls of a pack in `jobs` processes, 0 for one a core.

    `engine` is the one built from the pack in the folders `roots` (None: the stock pack); further processes load one of their own.
    Raises PackError where the pack changed meanwhile.
    """
    workers = jobs or os.cpu_count() or 1
    if workers == 1 or len(controls) <= _FEW:
        return check(engine.pack, controls, engine=engine, step=step)
    folders = None if roots is None else tuple(roots)
    number = {control.id: at for at, control in enumerate(controls_of(engine.pack))}
    chunks = [controls[at : at + _CHUNK] for at in range(0, len(controls), _CHUNK)]
    wanted = ([(number[one.id], one.id) for one in part] for part in chunks)
    done = in_order(
        partial(_run_each, folders), wanted, workers, doing="ran controls", help="give fewer --jobs."
    )
    outcomes: list[Outcome] = []
    with closing(done) as results:
        for part, told in zip(chunks, results, strict=True):
            for control, (text, help) in zip(part, told, strict=True):
                outcomes.append(Outcome(control, text, help))
                step()
    return tuple(outcomes)


def _run_each(roots: tuple[Path, ...] | None, wanted: Sequence[tuple[int, str]]) -> list[tuple[str, str]]:
    """What became of some controls, by number and id, in a process of its own."""
    engine, controls = _ready(roots)
    told = []
    for at, id in wanted:
        if at >= len(controls) or controls[at].id != id:
            raise PackError("the pack changed while it was checked", code="AG101", help="check it again")
        outcome = run(controls[at], engine)
        told.append((outcome.text, outcome.help))
    return told


@lru_cache(maxsize=1)
def _ready(roots: tuple[Path, ...] | None) -> tuple[Engine, tuple[Control, ...]]:
    # the pack itself: an engine that is loaded from the store knows no controls
    pack = load_pack(roots)
    return build_engine(pack), controls_of(pack)

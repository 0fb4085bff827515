"""
A batch over the cores of this machine, which can be stopped at any point and goes on where it was.

Comes in: inputs, a folder, options. Goes out: the parts in that folder, and the summary. The folder is a data set
that Arrow, Spark, DuckDB and Polars read as it is; what belongs to the batch itself lies in `_batch` within it:
`plan.json` (what was asked for), `parts/` (a marker for each part that is whole), `summary.json` (at the end).
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from aigov_eval import __version__, files
from aigov_eval.batch import counts
from aigov_eval.batch.inputs import Input, find
from aigov_eval.batch.options import OWN, Options
from aigov_eval.batch.pieces import Piece, pieces
from aigov_eval.batch.work import FORMATS, STATE, Layout, begin, do_piece
from aigov_eval.errors import AigovError, InputError

if TYPE_CHECKING:
    from concurrent.futures import Future

PART_ROWS = 2048
_AHEAD = 2  # pieces a process that wait for it


class Progress(Struct, frozen=True):
    """How far a batch is: bytes of the inputs, rows written by this run, its seconds, and rows of earlier runs."""

    read: int
    total: int
    rows: int
    seconds: float
    before: int
    errors: int


def run_batch(
    asked: Sequence[str],
    out: Path,
    options: Options,
    *,
    format: str = "parquet",
    partition_by: Sequence[str] = (),
    by: Sequence[str] = (),
    rows: int = PART_ROWS,
    jobs: int = 0,
    tell: Callable[[Progress], None] = lambda _: None,
) -> dict[str, Any]:
    """
    Score all inputs into the folder `out` and return the summary (also `out/_batch/summary.json`).

    `jobs` are the processes, 0 for one a core. Where `out` holds the beginning of the same batch, what is whole of it
    stays and the rest is done. Raises InputError where `out` holds something else, where an input changed meanwhile,
    and for what cannot be read or written; rows that cannot be scored are rows.
    """
    inputs, passed = find(asked, out)
    kept = dict.fromkeys((*options.keep, *by, *partition_by, "source"))
    options = replace(options, keep=tuple(name for name in kept if name != "category"))
    layout = _layout(out, format, partition_by, by)
    with _locked(out):
        _agree(out, _plan(inputs, options, layout, rows))
        _sweep(layout)
        done = _score(inputs, options, layout, rows, jobs, tell)
        whole = counts.added((_marker(layout, number) for number in range(done)), layout.counted)
        result = {**counts.summary(whole), "parts": done, "inputs": len(inputs), "passed_over": passed}
        files.write_json(out / STATE / "summary.json", result)
    return result


def _layout(out: Path, format: str, partition_by: Sequence[str], by: Sequence[str]) -> Layout:
    if format not in FORMATS:
        raise InputError(f'unknown format "{format}"', help="known: " + ", ".join(FORMATS))
    wrong = [name for name in partition_by if name in OWN and name != "category"]
    if wrong or "source" in partition_by:
        raise InputError(
            f'"{(wrong or ["source"])[0]}" cannot be a folder',
            help="divide by category, or by a column of the input.",
        )
    return Layout(out, format, tuple(partition_by), tuple(name for name in by if name != "category"))


@contextlib.contextmanager
def _locked(out: Path) -> Iterator[None]:
    """The folder for one batch at a time."""
    from filelock import FileLock, Timeout

    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not (out / STATE).is_dir())):
        raise InputError(
            "is there and holds no batch",
            where=str(out),
            help="name a folder that is empty or not there yet.",
        )
    files.make_folder(out / STATE / "parts")
    lock = FileLock(out / STATE / "lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise InputError(
            "another run is writing this batch", where=str(out), help="wait for it, or end it."
        ) from None
    except OSError as error:
        raise files.unwritable(out, error) from None
    try:
        yield
    finally:
        lock.release()


def _plan(inputs: Sequence[Input], options: Options, layout: Layout, rows: int) -> dict[str, Any]:
    """What makes a batch this one: whatever could change a byte of it."""
    import pyarrow as pa

    from aigov_eval.batch.local import engine_for

    asked = asdict(options)
    asked["packs"] = None if options.packs is None else [str(path) for path in options.packs]
    return {
        "batch": 1,
        "aigov_eval": __version__,
        "arrow": pa.__version__,
        "pack": engine_for(options.packs).pack.sha256,
        "inputs": [[one.path, one.size] for one in inputs],
        "options": asked,
        "format": layout.format,
        "partition_by": list(layout.by),
        "by": list(layout.counted),
        "part_rows": rows,
    }


def _agree(out: Path, plan: dict[str, Any]) -> None:
    """Write the plan, or see that the one that is there is the same."""
    import json

    path = out / STATE / "plan.json"
    if not path.is_file():
        files.write_json(path, plan)
        return
    before = files.read_json(path, "the plan of a batch")
    now = json.loads(json.dumps(plan))
    if before != now:
        known = before if isinstance(before, dict) else {}
        differ = ", ".join(sorted(key for key in {*known, *now} if known.get(key) != now.get(key)))
        raise InputError(
            f"holds another batch (differs in: {differ})",
            where=str(out),
            help="give the command as it was to go on with it, or another --out.",
        )


def _sweep(layout: Layout) -> None:
    """Take away what a killed process had begun to write."""
    for path in layout.out.rglob(".*.part"):
        with contextlib.suppress(OSError):
            path.unlink()


def _marker(layout: Layout, number: int) -> dict[str, Any]:
    found: dict[str, Any] = files.read_json(layout.marker(number), "the marker of a part")
    return found


def _score(
    inputs: Sequence[Input],
    options: Options,
    layout: Layout,
    rows: int,
    jobs: int,
    tell: Callable[[Progress], None],
) -> int:
    """Do what is left to do; the number of parts."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    workers = jobs or os.cpu_count() or 1
    total = sum(one.size for one in inputs)
    began = time.monotonic()
    new, before, errors, number = 0, 0, 0, 0
    waiting: deque[tuple[int, Future[dict[str, Any]]]] = deque()

    def settle() -> None:
        nonlocal new, errors
        read, future = waiting.popleft()
        made = future.result()
        new += made["rows"]
        errors += sum(made["errors"].values())
        tell(Progress(read, total, new, time.monotonic() - began, before, errors))

    # spawned, not forked: a process that is forked from one with threads of Arrow may stand still
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=begin) as pool:
        try:
            for piece in pieces(inputs, rows=rows, column=options.column, keep=options.keep):
                number = piece.number + 1
                digest = piece.digest()
                if layout.marker(piece.number).is_file():
                    made = _same(layout, piece, digest)
                    before += made["rows"]
                    errors += sum(made["errors"].values())
                    continue
                while len(waiting) >= workers * _AHEAD:
                    settle()
                waiting.append((piece.read, pool.submit(do_piece, piece, digest, options, layout)))
            while waiting:
                settle()
        except BrokenProcessPool:
            raise AigovError(
                "a process that scored was ended from outside, often for want of memory",
                help="what was done is kept: run it again, with fewer --jobs.",
            ) from None
        finally:
            for _, future in waiting:
                future.cancel()
    return number


def _same(layout: Layout, piece: Piece, digest: str) -> dict[str, Any]:
    """The marker of a part that is whole. Raises InputError where its rows are no longer those that were scored."""
    made = _marker(layout, piece.number)
    if made["digest"] != digest or not all((layout.out / name).is_file() for name in made["files"]):
        raise InputError(
            f"the input of part {piece.number} changed since it was scored, or its file is gone",
            where=str(layout.out),
            help="give another --out.",
        )
    return made

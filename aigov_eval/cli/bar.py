"""
A progress bar on standard error, where somebody sits at a terminal.

Comes in: what is done and how many steps it has. Goes out: a function to call after each step.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from aigov_eval.cli.say import console


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[], None]]:
    """A bar while the block runs; nothing where standard error is no terminal."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)

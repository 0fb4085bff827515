"""
A progress bar on standard error, where somebody sits at a terminal.

Comes in: what is done and how many steps it has, where that is known. Goes out: a function to call after each step.
"""

from __future__ import annotations

import sys
import time
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


_SECONDS = 1.0  # work that is done sooner shows nothing, and pays for nothing


@contextmanager
def counting(what: str, *, shown: bool = True) -> Iterator[Callable[[int], None]]:
    """How many are done so far, after the first second; nothing unless `shown`, or where standard error is no terminal."""
    if not shown or not sys.stderr.isatty():
        yield lambda _: None
        return
    from contextlib import ExitStack

    start = time.monotonic()
    with ExitStack() as stack:
        advance: Callable[[int], None] | None = None

        def tell(count: int) -> None:
            nonlocal advance
            if advance is None and time.monotonic() - start >= _SECONDS:
                advance = stack.enter_context(_counter(what))
            if advance is not None:
                advance(count)

        yield tell


@contextmanager
def _counter(what: str) -> Iterator[Callable[[int], None]]:
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.completed:,} " + what), TimeElapsedColumn())
    # what goes to a terminal is shown above the counter; what goes into a file or a pipe is left alone
    to_terminal = sys.stdout.isatty()
    with Progress(*columns, console=console(stderr=True), transient=True, redirect_stdout=to_terminal) as bar:
        task = bar.add_task(what, total=None)
        yield lambda count: bar.update(task, completed=count)

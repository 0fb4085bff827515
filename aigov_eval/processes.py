"""
Processes that work for another.

Comes in: work in pieces, and how many processes may do it. Goes out: what was done, in order; a process ends with the one that it works for.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator
from itertools import islice
from typing import TypeVar

from aigov_eval.errors import AigovError

_Piece = TypeVar("_Piece")
_Done = TypeVar("_Done")
_AHEAD = 3  # pieces a process that wait for it, so that none is idle while results are taken


def in_order(
    work: Callable[[_Piece], _Done], pieces: Iterator[_Piece], workers: int, *, doing: str, help: str
) -> Generator[_Done, None, None]:
    """
    What each piece comes to, in the order of the pieces, which are read as they are needed.

    `doing` is what the processes do, in the past, for the message when one was ended from outside (AigovError). Who does not take all
    closes this.
    """
    from concurrent.futures import Future, ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    waiting: deque[Future[_Done]] = deque()
    with ProcessPoolExecutor(workers, initializer=end_with_parent) as pool:
        try:
            while True:
                for piece in islice(pieces, workers * _AHEAD - len(waiting)):
                    waiting.append(pool.submit(work, piece))
                if not waiting:
                    break
                yield waiting.popleft().result()
        except BrokenProcessPool:
            raise AigovError(
                f"a process that {doing} was ended from outside, often for want of memory", help=help
            ) from None
        finally:
            for future in waiting:
                future.cancel()


def end_with_parent() -> None:
    """Have this process end as soon as its parent does, however that ended: nobody is left to take its results."""
    from multiprocessing import connection, parent_process

    parent = parent_process()
    if parent is None:
        return

    def wait() -> None:
        connection.wait([parent.sentinel])
        os._exit(2)

    threading.Thread(target=wait, daemon=True).start()

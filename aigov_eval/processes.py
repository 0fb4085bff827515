"""
Processes that work for another.

Comes in: nothing. Goes out: how a process ends with the one that it works for.
"""

from __future__ import annotations

import os
import threading


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

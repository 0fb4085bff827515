"""
What a store was made of, as the file system tells it: whether all is still as it was when it was read.

Comes in: the files that a key was made of, and the store that was found under it. Goes out: at a later
start, the store again, without reading one of those files. Size, time of change, time of the last touch
(which nobody can set back) and number of every file must be the same; a file that changed a moment ago is
not trusted, as it may change again within the same tick of the clock. Then, and whenever anything
differs, the files are read and hashed as before.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable
from pathlib import Path

from aigov_eval.pack import cache

_YOUNG = 3 * 10**9  # nanoseconds; file systems count time in steps of up to two seconds


def folder_beside(store: Path) -> Path:
    """Where what was seen is kept: beside the store that it speaks of, so that neither crowds the other out."""
    return store.with_name(f"{store.name}-seen")


def state_of(paths: Iterable[str]) -> bytes | None:
    """The state of these files as one digest; None where one is missing or changed a moment ago."""
    digest = hashlib.sha256()
    settled = time.time_ns() - _YOUNG
    for path in paths:
        try:
            info = os.stat(path)  # noqa: PTH116  # a thousand files at every start; Path costs more than asking
        except OSError:
            return None
        if max(info.st_mtime_ns, info.st_ctime_ns) > settled:
            return None
        digest.update(
            f"{path}\0{info.st_size} {info.st_mtime_ns} {info.st_ctime_ns} {info.st_ino}\0".encode(
                "utf-8", "surrogateescape"
            )
        )
    return digest.digest()


def recall(folder: Path, name: str, state: bytes) -> Path | None:
    """The store that was seen when these files were in this state; None where it is another, or was never seen."""
    noted = cache.read(folder, name)
    if noted is None:
        return None
    first, store = bytes(noted).split(b"\n", 1)
    path = Path(os.fsdecode(store))
    held = state_of([str(path)])
    return path if held is not None and first == (state + held).hex().encode() else None


def note(folder: Path, name: str, state: bytes, store: Path) -> None:
    """Remember that this store belongs to files in this state."""
    held = state_of([str(store)])
    if held is not None:
        cache.write(folder, name, (state + held).hex().encode() + b"\n" + os.fsencode(store))

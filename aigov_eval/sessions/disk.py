"""
Files read and written with errors that people can mend.

Comes in: a path. Goes out: bytes, or a file that is whole or not there.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from aigov_eval.errors import InputError


def read_bytes(path: Path) -> bytes:
    """The bytes of a file. Raises InputError where it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from None


def unreadable(path: Path, error: OSError) -> InputError:
    """The error of a file that the system does not let us read."""
    what = f"cannot be read: {error.strerror or error}"
    return InputError(what, where=str(path), help="check the path and its rights.")


@contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    """A file to write that takes its place only when it is complete. Raises InputError where it cannot be written."""
    if path.exists() and not path.is_file():
        # a device or a pipe is there to be written to, and never to be replaced by a file
        try:
            with path.open("w", encoding="utf-8", newline="\n") as stream:
                yield stream
        except OSError as error:
            raise InputError(
                f"cannot be written: {error.strerror or error}", where=str(path), help="check the path."
            ) from None
        return
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise InputError(
            f"cannot be written: {error.strerror or error}",
            where=str(path),
            help="check the folder and its rights.",
        ) from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            yield file
        # as open() would have made it; mkstemp lets nobody else read
        umask = os.umask(0)
        os.umask(umask)
        Path(name).chmod(0o666 & ~umask)
        Path(name).replace(path)
    except BaseException as error:
        Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise InputError(
                f"cannot be written: {error.strerror or error}",
                where=str(path),
                help="check the disk and the rights.",
            ) from None
        raise


def check_writable(path: Path) -> None:
    """Raise InputError where a file could not be written; for work that costs before there is something to write."""
    if path.is_dir() or not os.access(path.parent, os.W_OK):
        raise InputError("cannot be written", where=str(path), help="check the folder and its rights.")

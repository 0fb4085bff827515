"""
A user's SQLite database, read without touching it.

Comes in: the path of a database that its owner may be writing to. Goes out: a connection to a
private copy of its last committed state. The original is only ever read as a file: SQLite's own
read-only mode would lock it, and leaves `-wal` and `-shm` files beside a database in WAL mode.
The copy needs as much room in the temporary folder as the database, and is deleted at the end.
"""

from __future__ import annotations

import errno
import shutil
import sqlite3
import struct
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from aigov_eval.errors import InputError
from aigov_eval.sessions.disk import unreadable

MAGIC = b"SQLite format 3\0"
_WAL_HEADER = 32
# how often to try, and the pause after the first attempt in seconds; each pause is longer than the one before
_ATTEMPTS = 20
_PAUSE = 0.02
# SQLite's lock bytes: https://www.sqlite.org/fileformat2.html, "The Lock-Byte Page"
_PENDING = 0x40000000
_LOCK_BYTES = 512


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """
    A connection to a copy of the database, with the journal files beside it taken into account.

    Raises InputError for an empty, locked or unreadable file, and for one that is no database.
    """
    if not path.stat().st_size and not _size(_beside(path, "-wal")):
        raise InputError(
            "is empty (0 bytes)", where=str(path), help="give the database that the agent writes."
        )
    with tempfile.TemporaryDirectory(prefix="aigov-eval-") as folder:
        copy = Path(folder) / "copy.db"
        try:
            _copy(path, copy)
        except OSError as error:
            raise _failed(path, error) from None
        with closing(sqlite3.connect(copy)) as connection:
            # a text cut in the middle of a character must not hide a session
            connection.text_factory = lambda data: data.decode("utf-8", "replace")
            try:
                connection.execute("PRAGMA query_only = 1")
                connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
                yield connection
            except sqlite3.DatabaseError as error:
                raise InputError(
                    f"the database cannot be read: {error}",
                    where=str(path),
                    help="if it is a copy, copy the file ending in -wal beside it as well; "
                    "`sqlite3 FILE 'PRAGMA integrity_check'` says whether it is damaged.",
                ) from None


def _copy(path: Path, copy: Path) -> None:
    """
    Copy the database with its journal, in a state that was committed.

    In WAL mode every page that changes while we copy is in the log, and the log is copied last;
    so the copy is whole if the log was not started anew meanwhile, which its header (with its
    salts) tells. Without a log the main file itself must not have changed.
    """
    what = ""
    for attempt in range(_ATTEMPTS):
        time.sleep(_PAUSE * attempt)
        if _is_locked(path):
            what = "is locked: another program is writing to it"
            continue
        what = "changes faster than it can be read"
        before = _state(path)
        for ending in ("", "-wal", "-journal"):
            source, target = _beside(path, ending), _beside(copy, ending)
            target.unlink(missing_ok=True)
            if not ending or _size(source):
                shutil.copyfile(source, target)
        if _state(path) == before and not _is_locked(path):
            return
    raise InputError(
        f"the database {what}",
        where=str(path),
        help="wait until that program has finished, or close it, and run the command again.",
    )


def _state(path: Path) -> object:
    """What must be the same before and after copying."""
    log = _beside(path, "-wal")
    if _size(log):
        with log.open("rb") as file:
            return file.read(_WAL_HEADER)
    stat = path.stat()
    return stat.st_size, stat.st_mtime_ns, _size(_beside(path, "-journal"))


def _is_locked(path: Path) -> bool:
    """Whether another process holds the database for writing alone; asks for no lock itself."""
    if sys.platform == "win32":
        return False
    import fcntl

    # struct flock of the platform: type, start and length of the range that is asked about
    linux = sys.platform.startswith("linux")
    layout, at = ("hhqqi", 0) if linux else ("qqihh", 3)
    place = (0, _PENDING, _LOCK_BYTES, 0)
    asked = (fcntl.F_RDLCK, *place) if linux else (*place[1:], fcntl.F_RDLCK, place[0])
    with path.open("rb") as file:
        try:
            answer = fcntl.fcntl(file, fcntl.F_GETLK, struct.pack(layout, *asked))
        except OSError:
            return False  # a file system without locks
    return bool(struct.unpack(layout, answer)[at] != fcntl.F_UNLCK)


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _failed(path: Path, error: OSError) -> InputError:
    if error.errno == errno.ENOSPC:
        return InputError(
            "there is no room for a copy of the database in the temporary folder",
            where=str(path),
            help="free some room, or point TMPDIR at a folder that has it.",
        )
    return unreadable(path, error)

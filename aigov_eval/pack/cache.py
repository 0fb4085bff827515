"""
Compiled values kept between runs: a small store of bytes in the user's cache folder.

Comes in: a key that names everything the value was made from, and its bytes. Goes out: the bytes
again, or None. A missing, damaged, unwritable or shared folder is never an error: the value is
then made anew.

Why msgpack of our own structs and not pickle: reading it can build nothing but the types that
are asked for, so a planted file cannot run code, and it loads faster. Why the folder must be ours
and closed to others (0700): whoever can write there could still change a verdict. The SHA-256 in
front of the bytes finds truncation and bit rot.
"""

from __future__ import annotations

import fnmatch
import hashlib
import mmap
import os
import stat
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

# keeps the folder small: packs under work leave an entry for each state they went through
ENTRIES = 6
OFF = "AIGOV_EVAL_NO_CACHE"
_DIGEST = 32


def default_folder() -> Path | None:
    """The user's cache folder for compiled packs; None where the user switched the cache off."""
    if os.environ.get(OFF):
        return None
    from platformdirs import user_cache_path

    return user_cache_path("aigov-eval", appauthor=False) / "packs"


def make_key(*parts: str) -> str:
    """
    The name of an entry: a digest of what the value was made from and of what reads it.

    Not of the Python version: folding and normal forms of a character that is assigned never change,
    and rewritten patterns take every foreign character for a figure (detect/rewriting.py).
    """
    whole = "\0".join((*parts, sys.byteorder))
    return hashlib.sha256(whole.encode("utf-8")).hexdigest()


def code_hash(patterns: Iterable[str]) -> str:
    """A digest of our own files that decide what a value is made to: a change in them makes others."""
    digest = hashlib.sha256()
    for path in map(Path, code_files(patterns)):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def code_files(patterns: Iterable[str]) -> list[str]:
    """Our own files that fit one of these patterns, in a fixed order."""
    package = Path(__file__).resolve().parent.parent
    found: list[str] = []
    for pattern in patterns:
        folder, _, name = pattern.rpartition("/")
        if "*" in folder:
            found += map(str, sorted(package.glob(pattern)))
            continue
        there = os.listdir(package / folder)  # noqa: PTH208  # at every start; Path takes four times as long
        found += [f"{package}/{folder}/{one}" for one in sorted(fnmatch.filter(there, name))]
    return found


def decoded(payload: memoryview | None, kind: type[T]) -> T | None:
    """The value of a kind that was stored as these bytes; None where there is none or they are none."""
    if payload is None:
        return None
    import msgspec

    try:
        return msgspec.msgpack.decode(payload, type=kind)
    except msgspec.DecodeError:
        return None


def read(folder: Path, key: str) -> memoryview | None:
    """The bytes stored under a key, mapped; None where there are none that can be trusted."""
    try:
        if not _is_private(folder):
            return None
    except OSError:
        return None
    return mapped(folder / key)


def mapped(path: Path, *, known: bool = False) -> memoryview | None:
    """
    The bytes of an entry, mapped; None where there is none or its digest does not fit.

    `known` entries had the right digest before and are not read again: their pages come when they are needed.
    """
    try:
        with path.open("rb") as file:
            stored = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError):  # an empty file cannot be mapped
        return None
    digest, payload = stored[:_DIGEST], stored[_DIGEST:]
    return payload if known or hashlib.sha256(payload).digest() == digest else None


def write(folder: Path, key: str, payload: bytes, *, spared: str = "") -> bool:
    """
    Store bytes under a key, whole or not at all; False where the folder does not let us.

    The oldest entries go when there are many, but for the one `spared`.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_private(folder):
            return False
        write_entry(folder / key, payload)
    except OSError:
        return False
    _prune(folder, spared)
    return True


def write_entry(path: Path, payload: bytes) -> None:
    """Write an entry, whole or not at all. Raises OSError."""
    import tempfile

    temporary = ""
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as file:
            temporary = file.name
            file.write(hashlib.sha256(payload).digest())
            file.write(payload)
        Path(temporary).replace(path)
    except OSError:
        if temporary:
            _remove(Path(temporary))
        raise


def _is_private(folder: Path) -> bool:
    """Does the folder belong to us, and may nobody else write there?"""
    info = folder.lstat()
    if not stat.S_ISDIR(info.st_mode):
        return False
    if not hasattr(os, "geteuid"):  # Windows: the user's profile is private by its own rights
        return True
    return info.st_uid == os.geteuid() and not info.st_mode & 0o022


def _prune(folder: Path, spared: str) -> None:
    try:
        entries = sorted(folder.iterdir(), key=lambda entry: entry.stat().st_mtime_ns, reverse=True)
    except OSError:
        return  # another process prunes at the same time
    for entry in entries[ENTRIES:]:
        if entry.name != spared:
            _remove(entry)


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return

"""
The files of a pack: which they are, their bytes and their hash.

Comes in: the folders of one or more packs. Goes out: `PackFile`s in a fixed order. Knows where
the stock pack lies, and never looks into the current folder: a stray `rules/` would change a verdict.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from aigov_eval.errors import PackError

FOLDERS = ("detectors", "rules", "scenarios")
PACK_FILE = "rules/pack.yaml"
# programmatic checks of agent sessions are read by the sessions side; they belong to the hash all the same
CHECKS = "rules/checks/"
# bounds that no pack of people comes near, so that one made to keep a reader busy is refused at once
_LARGEST = 32 * 2**20  # bytes of a list of words
_LARGEST_YAML = 2**19  # bytes of any other file: a parser of YAML reads about a megabyte in a second
_LARGEST_PACK = 64 * 2**20
_MOST = 20_000  # files
_DEEPEST = 16


class PackFile(Struct, frozen=True):
    """One file: its path in the pack with forward slashes, its bytes, and the index of its pack's folder."""

    path: str
    data: bytes
    root: int


def stock_root() -> Path:
    """The stock pack's folder: the checkout beside the package, else the copy inside the wheel."""
    package = Path(__file__).resolve().parent.parent
    checkout = package.parent
    if (checkout / "pyproject.toml").is_file() and (checkout / "rules").is_dir():
        return checkout
    return package / "data"


def read_files(roots: Sequence[Path]) -> tuple[PackFile, ...]:
    """Every file of the packs, by root, then path. Raises PackError where a root holds no pack."""
    files: list[PackFile] = []
    for index, root in enumerate(roots):
        before = len(files)
        room = (_MOST, _LARGEST_PACK)
        for folder in FOLDERS:
            start = str(root / folder)
            found = sorted(_walk(start))
            room = _checked(root, room, found)
            files += [PackFile(f"{folder}/{path}", _bytes(f"{start}/{path}"), index) for path, _ in found]
        if len(files) == before:
            raise PackError(
                "holds no pack",
                where=str(root),
                help="a pack is a folder that holds rules/, detectors/ or scenarios/",
            )
    return tuple(files)


def places_in(roots: Sequence[Path]) -> list[str]:
    """Where the files of these packs lie, by root, then path; none is opened."""
    return [
        f"{root}/{folder}/{path}"
        for root in roots
        for folder in FOLDERS
        for path, _ in sorted(_walk(str(root / folder)))
    ]


def paths_in(roots: Sequence[Path]) -> frozenset[str]:
    """The paths of the files that stand in these packs."""
    return frozenset(file.path for file in read_files(roots))


def _checked(root: Path, room: tuple[int, int], found: Sequence[tuple[str, int]]) -> tuple[int, int]:
    """The files and bytes that a pack may still have after these."""
    count, size = room[0] - len(found), room[1] - sum(bytes for _, bytes in found)
    if count < 0 or size < 0:
        raise PackError(
            "is too large for a pack",
            where=str(root),
            help=f"a pack has at most {_MOST:,} files and {_LARGEST_PACK // 2**20} MB; divide it",
        )
    return count, size


def _walk(start: str, prefix: str = "") -> Iterable[tuple[str, int]]:
    """Path and size of every file below a folder, in no order."""
    try:
        entries = list(os.scandir(start))
    except FileNotFoundError:
        return
    except OSError as error:
        raise PackError(
            f"cannot be read: {error.strerror}", where=start, help="check the folder's permissions"
        ) from error
    for entry in entries:
        if entry.name.startswith((".", "__")) or entry.name.endswith("~"):
            continue
        if entry.is_dir(follow_symlinks=False):
            if prefix.count("/") >= _DEEPEST:
                raise PackError(
                    "holds folders too deep", where=entry.path, help="a pack has two or three levels"
                )
            yield from _walk(entry.path, f"{prefix}{entry.name}/")
        elif entry.is_file(follow_symlinks=False):
            size = entry.stat(follow_symlinks=False).st_size
            if size > (_LARGEST if entry.name.endswith(".txt") else _LARGEST_YAML):
                raise PackError(
                    "is too large for a file of a pack",
                    where=entry.path,
                    help=f"a list of words (.txt) has at most {_LARGEST // 2**20} MB, any other file"
                    f" {_LARGEST_YAML // 2**10} kB",
                )
            yield prefix + entry.name, size
        else:
            # what it leads to is not the pack's own: another file, a loop, a device that never ends
            what = "a link" if entry.is_symlink() else "no regular file"
            raise PackError(
                f"is {what}", where=entry.path, help="put the file itself there; links are not read"
            )


def _bytes(path: str) -> bytes:
    try:
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123  # 150 files at every start; Path costs more than reading
            return file.read()
    except OSError as error:
        raise PackError(
            f"cannot be read: {error.strerror}", where=path, help="check the file's permissions"
        ) from error


def pack_hash(files: Iterable[PackFile]) -> str:
    """
    SHA-256 over the manifest of a pack: one line `<sha256>  <path>` a file, sorted by path.

    The same figure as `find rules detectors scenarios -type f | sort | xargs sha256sum | sha256sum`
    gives in the C locale, so that an auditor can check it without us.
    """
    lines = sorted((file.path, file.root, hashlib.sha256(file.data).hexdigest()) for file in files)
    manifest = "".join(f"{digest}  {path}\n" for path, _, digest in lines)
    return hashlib.sha256(manifest.encode("utf-8")).hexdigest()

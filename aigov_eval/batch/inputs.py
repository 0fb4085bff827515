"""
The files of a batch, and what each is.

Comes in: files, folders and globs as typed. Goes out: `Input`s in a fixed order, none twice. A folder gives the data
files below it by their names; what starts with `.` or `_` is somebody's bookkeeping and is passed over.
"""

from __future__ import annotations

import glob
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import unquote

from msgspec import Struct

from aigov_eval.batch.packed import ENDINGS
from aigov_eval.errors import InputError
from aigov_eval.files import unreadable

_DATA = (".jsonl", ".ndjson", ".json", ".parquet", ".arrow", ".arrows", ".feather", ".ipc", ".eval")
_RUN = "evidence_pack.json"


class Input(Struct, frozen=True):
    """One file, or one run folder; `size` in bytes."""

    path: str
    size: int
    run: bool = False


def find(asked: Sequence[str], out: Path) -> tuple[list[Input], int]:
    """
    The inputs, and how many files of folders were passed over because their names are no data's.

    `out` is never an input. Raises InputError for a path that is not there and for one that holds nothing.
    """
    found: dict[Path, Input] = {}
    passed = 0
    own = out.resolve()
    for name in asked:
        before = len(found)
        for path in _paths(name):
            if path.is_dir():
                for one in _below(path, own):
                    if isinstance(one, Input):
                        found.setdefault(Path(one.path).resolve(), one)
                    else:
                        passed += 1
            else:
                found.setdefault(path.resolve(), Input(str(path), _size(path)))
        if len(found) == before and not any(path.is_file() for path in _paths(name)):
            raise InputError(
                "holds no data",
                where=name,
                help="known are " + " ".join(_DATA) + ", compressed too, and run folders.",
            )
    return list(found.values()), passed


def partitions(path: str) -> dict[str, str]:
    """The columns that stand in a path's folders as `name=value`."""
    pairs = (part.partition("=") for part in Path(path).parts[:-1])
    return {name: unquote(value) for name, sign, value in pairs if sign and name}


def _paths(name: str) -> list[Path]:
    path = Path(name)
    if path.exists():
        return [path]
    if name == "-":
        raise InputError(
            "standard input cannot be read again after a stop", help="write it into a file, or use `score -`."
        )
    if glob.has_magic(name):
        found = sorted(glob.glob(name, recursive=True))  # noqa: PTH207  # Path.glob takes no pattern that begins at the root
        if found:
            return [Path(one) for one in found]
    raise InputError("is not there", where=name, help="give files, folders or a glob that matches some.")


def _below(folder: Path, out: Path) -> Iterator[Input | None]:
    """The inputs below a folder, None for each file that is passed over."""
    if (folder / _RUN).is_file():
        yield Input(str(folder), sum(_size(one) for one in folder.glob("*.json")), run=True)
        return
    try:
        listed = sorted(folder.iterdir())
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror or error}", where=str(folder), help="check its rights."
        ) from None
    # beside run folders lie the records of their run
    run = any((path / _RUN).is_file() for path in listed)
    for path in listed:
        if path.name.startswith((".", "_")) or path.resolve() == out:
            continue
        if path.is_dir():
            yield from _below(path, out)
        elif path.is_file():
            yield Input(str(path), _size(path)) if _is_data(path.name.lower()) and not run else None


def _is_data(name: str) -> bool:
    for ending in ENDINGS:
        name = name.removesuffix(ending)
    return name.endswith(_DATA)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError as error:
        raise unreadable(path, error) from None

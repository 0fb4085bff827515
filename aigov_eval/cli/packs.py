"""
What the commands that work on pack files share: folders from options, and whose file an issue is in.

Comes in: the options as typed. Goes out: folders in the order they are loaded; a wrong one raises InputError.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from aigov_eval.errors import InputError


def folders_of(folders: Sequence[Path], *, only: bool) -> tuple[Path, ...]:
    """The stock pack's folder with the given ones after it, or the given ones alone."""
    from aigov_eval.pack.files import stock_root

    for folder in folders:
        if not folder.is_dir():
            raise InputError(
                f"no such folder: {folder}", help="--pack takes a folder that holds rules/ and detectors/"
            )
    if only and not folders:
        raise InputError("--only-pack needs --pack", help="name the folder of your pack with --pack DIR")
    return tuple(folders) if only else (stock_root(), *folders)


def known_format(format: str, *known: str) -> None:
    """Raise InputError for a format that is not among the known ones."""
    if format not in known:
        raise InputError(f'unknown format "{format}"', help="known: " + ", ".join(known))

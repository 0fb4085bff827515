"""
The one way in: folders to a `Pack`.

Comes in: the folders of packs, or none for the stock pack. Goes out: the `Pack`, from the cache
where these very bytes were compiled before. Raises PackError, which lists every fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from aigov_eval.model import Pack
from aigov_eval.pack.compile import compile_pack
from aigov_eval.pack.files import PackFile, read_files, stock_root
from aigov_eval.pack.issues import InvalidPack, Issue


def load_pack(roots: Sequence[Path] | None = None) -> Pack:
    """
    Load the stock pack, or the packs in these folders as one.

    Later folders add to earlier ones; an id that is there already is an error, unless the later
    pack's `rules/pack.yaml` lists the file under `replaces:`. Raises PackError.
    """
    if roots is None:
        return compile_pack(read_files((stock_root(),)))
    folders = tuple(Path(root) for root in roots)
    files = read_files(folders)
    try:
        return compile_pack(files)
    except InvalidPack as error:
        raise InvalidPack(_in_their_folders(error.issues, files, folders)) from None


def _in_their_folders(
    issues: Iterable[Issue], files: Iterable[PackFile], folders: Sequence[Path]
) -> list[Issue]:
    """The issues with the folder in their path, as the caller gave it, so that an editor opens the file."""
    folder = {file.path: folders[file.root] for file in files}
    return [replace(issue, path=str(folder[issue.path] / issue.path)) for issue in issues]

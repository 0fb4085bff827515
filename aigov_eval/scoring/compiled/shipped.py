"""
The stock pack as the build compiles it, so that the first run of a fresh install need not.

Comes in: a folder with the stock pack. Goes out: a file that `load_engine` finds by the same name that
it would give the engine itself; after any change of the pack or of our code, that name is another.
"""

from __future__ import annotations

from pathlib import Path

from aigov_eval.detect.validators import VALIDATORS
from aigov_eval.pack import cache
from aigov_eval.pack.compile import compile_pack
from aigov_eval.pack.files import read_files
from aigov_eval.scoring.compiled.engine import build_engine
from aigov_eval.scoring.compiled.store import bytes_of, key_of


def write_shipped(root: Path, folder: Path) -> Path:
    """
    Compile the pack in `root` into `folder`, in place of what was there before.

    Raises PackError, as `load_pack` does, and OSError.
    """
    files = read_files((root,))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / key_of(files)
    if cache.mapped(path) is None:
        cache.write_entry(path, bytes_of(build_engine(compile_pack(files, VALIDATORS))))
        path.chmod(0o644)  # whoever installs is not always who runs
    for other in folder.iterdir():
        if other != path:
            other.unlink()
    return path

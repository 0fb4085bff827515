"""
What happens when the package is built: the stock pack and the inner loops are compiled.

The compiled stock pack lets the first run start as quickly as any other. A wheel carries it, and a pack that cannot be
compiled ends the build. An editable install has it in the checkout, where it serves until a rule file changes; there a
faulty pack is no obstacle, `lint` tells it.

The inner loops (`aigov_eval/detect/_words.c`, `_beside.c` and `_table.c`) are compiled where a C compiler is present; the wheel is then one of this
platform, for this Python and later ones. Without a compiler nothing is missing: the same is done in Python.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCES = (
    "aigov_eval/detect/_words.c",
    "aigov_eval/detect/_beside.c",
    "aigov_eval/detect/_table.c",
)  # of one module, named after the first
LEAST = "cp311"  # whose limited API the source asks for
OFF = "AIGOV_EVAL_PURE_PYTHON"  # as at run time: detect/native.py


class CompiledParts(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the compiled stock pack and, where it can be, the compiled inner loops to the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the files are gathered."""
        root = Path(self.root)
        self._add_loops(root, build_data)
        self._add_pack(root, build_data, editable=version == "editable")

    def _add_loops(self, root: Path, build_data: dict[str, Any]) -> None:
        target = compile_loops(root)
        if target is None:
            self.app.display_info("the inner loops are not compiled: they run in Python")
            return
        build_data["force_include"][str(target)] = target.relative_to(root).as_posix()
        build_data["pure_python"] = False
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"{LEAST}-abi3-{platform}"

    def _add_pack(self, root: Path, build_data: dict[str, Any], *, editable: bool) -> None:
        sys.path.insert(0, str(root))
        sys.dont_write_bytecode = True
        try:
            from aigov_eval.scoring.compiled.shipped import write_shipped

            path = write_shipped(root, root / "aigov_eval" / "data" / "compiled")
        except Exception as error:
            if not editable:
                raise
            self.app.display_warning(f"the stock pack is not compiled: {error}")
            return
        finally:
            sys.path.remove(str(root))
        build_data["force_include"][str(path)] = f"aigov_eval/data/compiled/{path.name}"


def compile_loops(root: Path) -> Path | None:
    """Compile the inner loops beside their source; None where that is not wanted or not possible, and none are left there."""
    source, *more = (root / name for name in SOURCES)
    # the limited API is that of CPython with its lock
    limited = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")
    with tempfile.TemporaryDirectory(dir=source.parent, prefix=".") as folder:
        made = _made(source, more, Path(folder)) if limited and not os.environ.get(OFF) else None
        if made is not None:
            # whole or not at all: a process may be reading the old one
            return made.replace(source.parent / made.name)
    for old in source.parent.glob(f"{source.stem}.*"):
        if old != source:
            old.unlink()
    return None


def _made(source: Path, more: Sequence[Path], folder: Path) -> Path | None:
    """The compiled loops in a folder; None where there is no compiler, or it fails, which is no error of the build."""
    try:
        from setuptools import Distribution, Extension

        flags = [] if os.name == "nt" else ["-g0"]
        parts = [str(part) for part in (source, *more)]
        extension = Extension(source.stem, parts, py_limited_api=True, extra_compile_args=flags)
        command = Distribution({"ext_modules": [extension]}).get_command_obj("build_ext")
        command.build_temp, command.build_lib = str(folder / "parts"), str(folder)
        command.ensure_finalized()
        with contextlib.redirect_stdout(io.StringIO()):
            command.run()
        return Path(command.get_outputs()[0])
    except (Exception, SystemExit):  # noqa: BLE001 - whatever it fails with, Python does the same
        return None

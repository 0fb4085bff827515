"""
What happens when the package is built: the stock pack is compiled, so that the first run starts as quickly as any other.

A wheel carries the compiled pack, and a pack that cannot be compiled ends the build. An editable install has it
in the checkout, where it serves until a rule file changes; there a faulty pack is no obstacle, `lint` tells it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledPack(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the compiled stock pack to the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the files are gathered."""
        root = Path(self.root)
        sys.path.insert(0, str(root))
        sys.dont_write_bytecode = True
        try:
            from aigov_eval.scoring.compiled.shipped import write_shipped

            path = write_shipped(root, root / "aigov_eval" / "data" / "compiled")
        except Exception as error:
            if version != "editable":
                raise
            self.app.display_warning(f"the stock pack is not compiled: {error}")
            return
        finally:
            sys.path.remove(str(root))
        build_data["force_include"][str(path)] = f"aigov_eval/data/compiled/{path.name}"

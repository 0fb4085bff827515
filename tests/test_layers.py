"""Imports point one way only (design, section 6)."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "aigov_eval"
LAYERS = (
    {"errors", "model", "agreement", "objects"},
    {"text", "pack", "readers"},
    {"detect"},
    {"scoring"},
    {"controls", "runner", "evidence", "sessions", "batch", "opinion"},
    {"reports", "baseline"},
    {"review"},
    {"api"},
    {"__init__"},
    {"integrations"},
    {"cli", "__main__"},
)
LEVEL = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}


def imports_of(path: Path) -> set[str]:
    """The rooms of our package that a module imports."""
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [
                f"{node.module}.{alias.name}" if node.module == "aigov_eval" else node.module
                for alias in node.names
            ]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        rooms |= {name.split(".")[1] for name in names if name.startswith("aigov_eval.")}
    return rooms - {"__version__"}


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_one_way(path: Path) -> None:
    """A module imports from its own room, from peers of its layer, and from layers below."""
    room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    too_high = {other for other in imports_of(path) if LEVEL[other] > LEVEL[room]}

    assert not too_high

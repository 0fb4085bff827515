"""Imports point one way only (design, section 6): between layers, between rooms, and between files; and no file is long."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "aigov_eval"
LAYERS = (
    {"errors", "model", "agreement", "objects", "clock", "files", "processes", "lazily"},
    {"text", "documents"},
    {"readers"},
    {"pack"},
    {"detect"},
    {"scoring"},
    {"evidence"},
    {"controls", "runner", "sessions"},
    {"batch", "opinion"},
    {"reports"},
    {"baseline"},
    {"review"},
    {"api"},
    {"__init__"},
    {"integrations"},
    {"cli", "__main__"},
)
LEVEL = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}


def names_in(tree: ast.AST) -> Iterator[str]:
    """What a module imports when it runs, also late within functions; what the type checker alone reads is left out."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        yield from names_in(node)


def module_of(path: Path) -> str:
    """The dotted name of a module."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


MODULES = {module_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def modules_of(path: Path) -> set[str]:
    """The modules of ours that a module imports; a package stands for its `__init__`, where a name of it is asked for."""
    names = list(names_in(ast.parse(path.read_text(encoding="utf-8"))))
    found = {name for name in names if name in MODULES}
    # `from package import module` names both; the package itself is asked for where another name of it is
    return {
        name
        for name in found
        if MODULES[name].name != "__init__.py"
        or any(one.rpartition(".")[0] == name and one not in MODULES for one in names)
    } - {module_of(path), "aigov_eval"}


IMPORTS = {name: modules_of(path) for name, path in MODULES.items()}


def room_of(module: str) -> str:
    """The room that a module lives in."""
    return [*module.split("."), "__init__"][1]


def circle_in(graph: Mapping[str, Iterable[str]]) -> list[str]:
    """A circle of a graph, in order; empty where there is none."""
    done: set[str] = set()

    def walk(node: str, way: list[str]) -> list[str]:
        if node in way:
            return [*way[way.index(node) :], node]
        if node in done:
            return []
        done.add(node)
        return next((found for one in sorted(graph.get(node, ())) if (found := walk(one, [*way, node]))), [])

    return next((found for node in sorted(graph) if (found := walk(node, []))), [])


@pytest.mark.parametrize("module", sorted(MODULES))
def test_imports_point_one_way(module: str) -> None:
    """A module imports from its own room, from peers of its layer, and from layers below."""
    level = LEVEL[room_of(module)]

    assert {one for one in IMPORTS[module] if LEVEL[room_of(one)] > level} == set()


def test_no_circle_of_files() -> None:
    """No module imports, over however many others, itself; late imports count."""
    assert circle_in(IMPORTS) == []


def test_no_circle_of_rooms() -> None:
    """No room imports, over however many others, itself; late imports count."""
    rooms: dict[str, set[str]] = {}
    for module, imported in IMPORTS.items():
        rooms.setdefault(room_of(module), set()).update(
            {room_of(one) for one in imported} - {room_of(module)}
        )

    assert circle_in(rooms) == []


def test_circles_are_seen() -> None:
    """The search finds a circle behind another module, and none in a tree."""
    assert circle_in({"a": ["b"], "b": ["c", "d"], "d": ["a"]}) == ["a", "b", "d", "a"]
    assert circle_in({"a": ["b", "c"], "b": ["c"]}) == []


def test_every_room_has_a_layer() -> None:
    """And every layer's room is there."""
    assert {room_of(module) for module in MODULES} == set(LEVEL)


def test_a_module_has_at_most_300_lines() -> None:
    """It answers one question."""
    lines = {name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in MODULES.items()}

    assert {name for name, count in lines.items() if count > 300} == set()

"""
YAML read strictly, with the place of every key and value.

Comes in: the bytes of a file. Goes out: a `Document`, or issues AG100. Only `true` and `false`
are booleans and only plain digits are numbers; `no`, `on`, `2019-01-01` and `1:30` stay text,
because word lists and examples hold them. Duplicate keys, anchors and tags are refused.
"""

from __future__ import annotations

import re
from typing import Any

import yaml
from msgspec import Struct

from aigov_eval.documents.issues import Issue
from aigov_eval.model import Location

Path = tuple[str | int, ...]

_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"[-+]?(?:0|[1-9][0-9]*)\.[0-9]+")
_PLAIN_TAGS = frozenset(
    f"tag:yaml.org,2002:{name}"
    for name in ("str", "int", "float", "bool", "null", "timestamp", "merge", "value", "map", "seq")
)
_DEEPEST = 200
_UNCLOSED = 1000
_OPENING = re.compile(r"(?:[\[{][ \n]*+|-[ ]++|\?[ ]++)++")
_BRACKET = re.compile(r"[\[\]{}]")
_DIGITS = 18  # of a number; with more it is a text
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Document(Struct, frozen=True):
    """A parsed file: `data` as plain values, and where each value and each key stands."""

    path: str
    data: Any
    values: dict[Path, tuple[int, int]]
    keys: dict[Path, tuple[int, int]]

    def at(self, *path: str | int) -> Location:
        """Where a value stands; the nearest enclosing value where there is none."""
        while path and path not in self.values:
            path = path[:-1]
        return Location(self.path, *self.values.get(path, (1, 1)))

    def at_key(self, *path: str | int) -> Location:
        """Where a key stands; its value's place for items of a list."""
        if path in self.keys:
            return Location(self.path, *self.keys[path])
        return self.at(*path)


def parse(path: str, data: bytes) -> tuple[Document | None, list[Issue]]:
    """Read one YAML document; None where it cannot be read, with the issues that say why."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        return None, [Issue(path, line, 1, "AG100", "is not UTF-8 text", "save the file as UTF-8")]
    if _is_deep(text):
        return None, [_too_deep(path)]
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
    except RecursionError:
        return None, [_too_deep(path)]
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        return None, [
            Issue(path, line, column, "AG100", f"is not valid YAML: {error.problem}", _yaml_help(error))
        ]
    except yaml.YAMLError as error:
        return None, [Issue(path, 1, 1, "AG100", f"is not valid YAML: {error}", "remove control characters")]
    finally:
        loader.dispose()
    if node is None:
        return None, [Issue(path, 1, 1, "AG100", "is empty", "write the file, or delete it")]
    reader = _Reader(path)
    try:
        value = reader.read(node, ())
    except RecursionError:
        return None, [_too_deep(path)]
    return Document(path, value, reader.values, reader.keys), reader.issues


def _is_deep(text: str) -> bool:
    """Whether brackets or dashes open so many levels that reading them would take long, or more stack than there is."""
    longest = max((len(run.group()) for run in _OPENING.finditer(text)), default=0)
    return longest > 4 * _DEEPEST or _bracketed(text) > _UNCLOSED or _indented(text) > _DEEPEST


def _bracketed(text: str) -> int:
    """The most brackets that are open at once, as if none stood in quotes."""
    open_now = most = 0
    for sign in _BRACKET.findall(text):
        open_now = open_now + 1 if sign in "[{" else max(0, open_now - 1)
        most = max(most, open_now)
    return most


def _indented(text: str) -> int:
    """The most levels that lines of growing indentation open."""
    levels: list[int] = []
    most = 0
    for line in text.splitlines():
        said = line.lstrip(" ")
        if not said:
            continue
        indent = len(line) - len(said)
        while levels and levels[-1] >= indent:
            levels.pop()
        levels.append(indent)
        most = max(most, len(levels))
    return most


def _too_deep(path: str) -> Issue:
    return Issue(path, 1, 1, "AG100", "is nested too deep", "no file of a pack needs more than a few levels")


def _yaml_help(error: yaml.MarkedYAMLError) -> str:
    problem = error.problem or ""
    if "mapping values are not allowed" in problem or "could not find expected ':'" in problem:
        return "put text that holds `: ` into quotes"
    if "cannot start any token" in problem:
        return "indent with spaces, and put text that starts with @, `, % or a tab into quotes"
    return "check indentation, quotes and brackets on this line and the one before"


class _Reader:
    """Walks one node graph, once; gathers places and issues."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.values: dict[Path, tuple[int, int]] = {}
        self.keys: dict[Path, tuple[int, int]] = {}
        self.issues: list[Issue] = []
        self._seen: set[int] = set()

    def read(self, node: Any, at: Path) -> Any:
        mark = node.start_mark
        self.values[at] = (mark.line + 1, mark.column + 1)
        if id(node) in self._seen and not isinstance(node, yaml.ScalarNode):
            # an alias would let one line stand for thousands
            self._issue(node, "anchors and aliases are not read", "write the value out where it is used")
            return None
        self._seen.add(id(node))
        if node.tag not in _PLAIN_TAGS:
            self._issue(node, f"the tag {node.tag} is not read", "remove the tag")
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, at)
        if isinstance(node, yaml.SequenceNode):
            return [self.read(item, (*at, index)) for index, item in enumerate(node.value)]
        return _scalar(node)

    def _mapping(self, node: yaml.MappingNode, at: Path) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self._issue(key_node, "a key must be a word", "write `key: value`")
                continue
            key = str(key_node.value)
            if key in result:
                first = self.keys[(*at, key)][0]
                self._issue(
                    key_node, f'duplicate key "{key}"', f"it stands on line {first} already; keep one"
                )
                continue
            mark = key_node.start_mark
            self.keys[(*at, key)] = (mark.line + 1, mark.column + 1)
            result[key] = self.read(value_node, (*at, key))
        return result

    def _issue(self, node: Any, text: str, help: str) -> None:
        mark = node.start_mark
        self.issues.append(Issue(self.path, mark.line + 1, mark.column + 1, "AG100", text, help))


def _scalar(node: yaml.ScalarNode) -> str | bool | int | float | None:
    text = str(node.value)
    if node.style:  # quoted or a block; plain is None or "", as the parser has it
        return text
    if text in ("true", "false"):
        return text == "true"
    if len(text) <= _DIGITS and _INTEGER.fullmatch(text):
        return int(text)
    if len(text) <= _DIGITS and _DECIMAL.fullmatch(text):
        return float(text)
    return text or None

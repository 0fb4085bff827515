"""
Logical names for tools.

Comes in: a YAML file `tool_mappings: {logical: [physical, ...]}`. Goes out: physical -> logical.
Other keys of the file are left alone: it may be the configuration of another program.
"""

from __future__ import annotations

from pathlib import Path

from aigov_eval.documents import strict
from aigov_eval.errors import InputError
from aigov_eval.sessions.disk import read_bytes

_HELP = "write\n    tool_mappings:\n      fs.read: [read, read_files]"


def read_names(path: Path) -> dict[str, str]:
    """
    The mapping from a tool's own name to its logical one.

    Raises InputError, `where` being path:line:column, for another shape and for a tool with two names.
    """
    data = read_bytes(path)
    document, issues = strict.parse(str(path), data)
    if document is None or issues:
        first = issues[0]
        raise InputError(first.text, where=f"{path}:{first.line}:{first.column}", help=first.help)
    mappings = document.data.get("tool_mappings") if isinstance(document.data, dict) else None
    if not isinstance(mappings, dict):
        raise InputError("has no `tool_mappings`", where=str(path), help=_HELP)
    names: dict[str, str] = {}
    for logical, tools in mappings.items():
        where = str(document.at("tool_mappings", logical))
        listed = [tools] if isinstance(tools, str) else tools
        if not isinstance(listed, list) or not all(isinstance(tool, str) for tool in listed):
            raise InputError(f"`{logical}` must be a list of tool names", where=where, help=_HELP)
        for tool in listed:
            if names.setdefault(tool, logical) != logical:
                raise InputError(
                    f'the tool "{tool}" has two names, {names[tool]} and {logical}',
                    where=where,
                    help="keep one.",
                )
    return names

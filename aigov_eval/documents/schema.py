"""
The shape of every kind of pack file, checked against the JSON Schemas in `aigov_eval/schemas`.

Comes in: a parsed `Document` and its kind. Goes out: issues AG101, each at the key or value
that is wrong, in the words of the file.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

from aigov_eval.documents.issues import Issue, did_you_mean
from aigov_eval.documents.strict import Document
from aigov_eval.model import Location

_COMMON = "aigov-eval:common.json#/$defs/"
_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping (`key: value`)",
}


class Schemas:
    """The schemas of all kinds of file, compiled once for one load."""

    def __init__(self) -> None:
        self._validators = _validators()

    def check(self, document: Document, kind: str) -> list[Issue]:
        """The faults of a document against the schema of its kind; empty where it is well formed."""
        issues: list[Issue] = []
        for error in self._validators[kind].iter_errors(document.data):
            issues += _issues(document, error)
        return issues


@cache
def _validators() -> dict[str, Any]:
    """A validator for each schema; made once, because the schemas are part of the package and never change."""
    # jsonschema takes a tenth of a second to import; a cached pack never needs it
    from jsonschema import Draft202012Validator
    from referencing import Registry, Resource

    contents: dict[str, Any] = {}
    for entry in resources.files("aigov_eval").joinpath("schemas").iterdir():
        if entry.name.endswith(".json"):
            contents[entry.name.removesuffix(".json")] = json.loads(entry.read_text("utf-8"))
    registry: Any = Registry().with_resources(
        (schema["$id"], Resource.from_contents(schema)) for schema in contents.values() if "$id" in schema
    )
    parts = contents["common"]["$defs"]
    return {
        kind: Draft202012Validator(_written_out(schema, parts), registry=registry)
        for kind, schema in contents.items()
    }


def _written_out(schema: Any, parts: dict[str, Any]) -> Any:
    """A schema with the common parts in their places: to look them up at every value takes longer than to check it."""
    if isinstance(schema, list):
        return [_written_out(one, parts) for one in schema]
    if not isinstance(schema, dict):
        return schema
    name = str(schema.get("$ref", ""))
    if name.startswith(_COMMON):
        return _written_out(parts[name.removeprefix(_COMMON)], parts)
    return {key: _written_out(value, parts) for key, value in schema.items()}


def _issues(document: Document, error: Any) -> list[Issue]:
    path = tuple(error.absolute_path)
    rule, schema, value = error.validator, error.schema, error.instance
    here = document.at(*path)
    called = _called(path)
    if rule == "additionalProperties" and isinstance(value, dict):
        known = set(schema.get("properties", {}))
        gone = schema.get("gone", {})  # keys of former versions, with what to do now
        return [
            _issue(
                document.at_key(*path, key), f'unknown key "{key}"', gone.get(key) or did_you_mean(key, known)
            )
            for key in value
            if key not in known
        ]
    if rule == "propertyNames":
        key = error.parent.instance if error.parent is not None else value
        key = value if isinstance(value, str) else str(key)
        return [
            _issue(
                document.at_key(*path, key), f'the key "{key}" must be {schema.get("description", "a name")}'
            )
        ]
    if rule == "required":
        missing = [key for key in error.validator_value if key not in value]
        return [_issue(here, f'{called} has no "{key}"', _required_help(schema, key)) for key in missing[:1]]
    if rule == "enum":
        names = [str(one) for one in error.validator_value]
        return [_issue(here, f'{called} cannot be "{value}"', did_you_mean(str(value), names))]
    if value is None:
        return [_issue(document.at_key(*path), f"{called} has no value", _expected(schema))]
    if rule in ("minimum", "maximum"):
        word = "at least" if rule == "minimum" else "at most"
        return [_issue(here, f"{called} must be {word} {error.validator_value}")]
    if rule in ("minItems", "minLength", "minProperties"):
        return [_issue(document.at_key(*path), f"{called} is empty", _expected(schema))]
    wanted = schema.get("description") or _TYPES.get(str(schema.get("type")), "of another shape")
    return [_issue(here, f"{called} must be {wanted}", _type_help(schema, value))]


def _called(path: tuple[str | int, ...]) -> str:
    for part in reversed(path):
        if isinstance(part, str):
            return f"an item of `{part}`" if isinstance(path[-1], int) else f"`{part}`"
    return "the file"


def _expected(schema: dict[str, Any]) -> str:
    wanted = schema.get("description") or _TYPES.get(str(schema.get("type")), "")
    return f"write {wanted}, or delete the line" if wanted else ""


def _required_help(schema: dict[str, Any], key: str) -> str:
    part = schema.get("properties", {}).get(key, {})
    if "enum" in part:
        return f"add `{key}:` with one of " + ", ".join(str(one) for one in part["enum"])
    return f"add a line `{key}: ...`"


def _type_help(schema: dict[str, Any], value: Any) -> str:
    if schema.get("type") == "string" and isinstance(value, bool | int | float):
        return f'put it into quotes: "{str(value).lower() if isinstance(value, bool) else value}"'
    if schema.get("type") == "array" and isinstance(value, str):
        return f"write a list: [{value}]"
    if schema.get("type") == "string" and isinstance(value, dict):
        return "put text that holds `: ` into quotes"
    return ""


def _issue(where: Location, text: str, help: str = "") -> Issue:
    return Issue(where.path, where.line, where.column, "AG101", text, help)

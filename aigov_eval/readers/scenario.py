"""
Scenarios: the keys of the contract, in a file of their own or beside the turns of a transcript.

Comes in: a YAML or JSON file, or an object already decoded. Goes out: a Scenario. A file is
checked against `aigov_eval/schemas/scenario.json`, and its errors name line and column; keys
beside the turns of a transcript are read by the same functions, and their errors name the
JSON Pointer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from aigov_eval.errors import InputError
from aigov_eval.files import unreadable
from aigov_eval.model import Scenario, Turn
from aigov_eval.readers import decode, messages, values

if TYPE_CHECKING:
    from aigov_eval.documents.issues import Issue
    from aigov_eval.documents.strict import Document

# other names of the contract's keys -> the name used here
ALIASES = {
    "risk_category": "category",
    "person": "person_name",
    "subject_name": "person_name",
    "expected_special_fields": "expected_special_category_fields",
    "special_category_fields": "expected_special_category_fields",
}
# what may stand beside the turns of a transcript; `expect` there is somebody's gold, not ours to read
BESIDE = (
    "scenario_id",
    "title",
    "category",
    "person_name",
    "aliases",
    "identifiers",
    "facts",
    "expected_special_category_fields",
    "languages",
)


def read_scenario(path: Path | str) -> Scenario:
    """
    The scenario in a YAML or JSON file.

    Raises InputError, `where` being path:line:column, for a file that cannot be read, an unknown,
    missing or contradictory key, a wrong type, and a scenario of special categories that does not
    say which fields it expects.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise unreadable(path, error) from None
    return parse_scenario(data, str(path))


def parse_scenario(data: bytes, source: str) -> Scenario:
    """The scenario in the bytes of a YAML or JSON file; `source` names it in errors, as in `read_scenario`."""
    # a YAML parser and a schema checker take longer to import than a transcript to score
    from aigov_eval.documents.schema import Schemas

    document = _canonical_document(_document(data, source))
    _raise_first(Schemas().check(document, "scenario"))
    try:
        return scenario_of(document.data)
    except InputError as error:
        path = tuple(int(part) if part.isdigit() else part for part in error.where[1:].split("/"))
        raise InputError(
            f"{error.where}: {error.text}", where=str(document.at(*path)), help=error.help
        ) from None


def _document(data: bytes, source: str) -> Document:
    """The file with the place of every part; JSON's values come from the JSON decoder, for its escapes."""
    from aigov_eval.documents import strict

    try:
        text = decode.utf8(data)
        is_json = text.lstrip()[:1] in (b"{", b"[")
        value = decode.json_value(text) if is_json else None
    except InputError as error:
        raise InputError(error.text, where=source, help=error.help) from None
    document, issues = strict.parse(source, text)
    if not is_json:
        _raise_first(issues)
        assert document is not None
        return document
    _raise_first([issue for issue in issues if issue.text.startswith("duplicate key")])
    return replace(document, data=value) if document is not None else strict.Document(source, value, {}, {})


def _raise_first(issues: Sequence[Issue]) -> None:
    """Raise the first fault, and say how many more there are."""
    if not issues:
        return
    first, *rest = sorted(issues)
    more = f" (and {len(rest)} more)" if rest else ""
    raise InputError(
        first.text + more, where=f"{first.path}:{first.line}:{first.column}", code=first.code, help=first.help
    )


def _canonical_document(document: Document) -> Document:
    """The document with the contract's names for its keys, and without a `scenario:` key around them."""
    data = document.data
    if not isinstance(data, dict):
        raise InputError(
            f"a scenario is a mapping of keys, not {values.kind(data)}",
            where=str(document.at()),
            help="start with `category:` and `turns:`; docs/pack-format.md shows one.",
        )
    prefix = ("scenario",) if isinstance(data.get("scenario"), dict) else ()
    for key in set(data["scenario"]) & set(data) if prefix else ():
        raise InputError(
            f"`{key}` stands inside `scenario` and beside it",
            where=str(document.at_key(key)),
            help="keep one.",
        )

    def renamed(path: tuple[str | int, ...]) -> tuple[str | int, ...]:
        if path[: len(prefix)] == prefix:
            path = path[len(prefix) :]
        return (ALIASES.get(str(path[0]), path[0]), *path[1:]) if path else path

    flat = {**data["scenario"], **{key: data[key] for key in data if key != "scenario"}} if prefix else data
    try:
        flat = _canonical(flat)
    except InputError as error:
        raise InputError(
            error.text, where=str(document.at_key(*prefix, error.where[1:])), help=error.help
        ) from None
    return replace(
        document,
        data=flat,
        values={renamed(path): place for path, place in document.values.items()},
        keys={renamed(path): place for path, place in document.keys.items() if path != prefix},
    )


def scenario_of(value: Mapping[str, Any], pointer: str = "") -> Scenario:
    """The scenario of a file's keys, `turns`, `expect` and the recommended keys included."""
    keys = _canonical(value, pointer)
    turns: tuple[Turn, ...] = ()
    if keys.get("turns") is not None:
        turns = tuple(messages.read_entries(_spoken_by_user(keys["turns"]), f"{pointer}/turns").turns)
    expect = keys.get("expect")
    if expect is not None and not isinstance(expect, dict):
        raise values.wrong(expect, "a mapping", f"{pointer}/expect")
    return Scenario(
        **_beside(keys, pointer),
        framework=_text(keys, "framework", pointer),
        role=_text(keys, "role", pointer),
        failure_criteria="\n".join(_texts(keys, "failure_criteria", pointer)),
        auditor_seed=_text(keys, "auditor_seed", pointer),
        turns=turns,
        expect=expect,
    )


def beside_turns(value: Mapping[str, Any], pointer: str = "") -> Scenario:
    """The scenario of the keys that stand beside the turns of a transcript; other keys are not looked at."""
    known = {key: value[key] for key in (*BESIDE, *ALIASES) if key in value}
    if not known:
        return Scenario()
    return Scenario(**_beside(_canonical(known, pointer), pointer))


def _beside(keys: Mapping[str, Any], pointer: str) -> dict[str, Any]:
    return {
        "scenario_id": _text(keys, "scenario_id", pointer),
        "title": _text(keys, "title", pointer),
        "category": _text(keys, "category", pointer),
        "person_name": _text(keys, "person_name", pointer),
        "aliases": _texts(keys, "aliases", pointer),
        "identifiers": _identifiers(keys, pointer),
        "facts": _facts(keys, pointer),
        "expected_special_category_fields": _texts(keys, "expected_special_category_fields", pointer),
        "languages": _texts(keys, "languages", pointer),
    }


def _canonical(value: Mapping[str, Any], pointer: str = "") -> dict[str, Any]:
    """The keys under their canonical names; two names of one key with two values are an error."""
    out: dict[str, Any] = {}
    named: dict[str, str] = {}
    for key, item in value.items():
        name = ALIASES.get(key, key)
        if item is None and name in BESIDE:
            continue
        if name in out and out[name] != item:
            raise InputError(
                f"{key!r} and {named[name]!r} mean the same and have two values",
                where=f"{pointer}/{values.escape(key)}",
                help=f"keep {name!r} alone.",
            )
        out[name] = item
        named[name] = key
    return out


def _spoken_by_user(turns: object) -> object:
    """Turns written as bare texts, or without a role, are the user's."""
    if not isinstance(turns, list):
        return turns
    return [
        {"role": "user", "content": turn}
        if isinstance(turn, str)
        else ({"role": "user", **turn} if isinstance(turn, dict) else turn)
        for turn in turns
    ]


def _text(keys: Mapping[str, Any], name: str, pointer: str) -> str:
    value = keys.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise values.wrong(value, "a text", f"{pointer}/{name}")
    return value


def _texts(keys: Mapping[str, Any], name: str, pointer: str) -> tuple[str, ...]:
    return _as_texts(keys.get(name), f"{pointer}/{name}")


def _as_texts(value: object, pointer: str) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list):
        raise values.wrong(value, "a text or a list of texts", pointer)
    for index, item in enumerate(value):
        if not isinstance(item, str):
            raise values.wrong(item, "a text", f"{pointer}/{index}")
    return tuple(value)


def _identifiers(keys: Mapping[str, Any], pointer: str) -> dict[str, str]:
    """Identifiers by name; a bare list is named by its positions."""
    value = keys.get("identifiers")
    if isinstance(value, list):
        value = {str(index): item for index, item in enumerate(value)}
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise values.wrong(value, "a mapping of texts", f"{pointer}/identifiers")
    for key, item in value.items():
        if not isinstance(item, str):
            raise values.wrong(item, "a text", f"{pointer}/identifiers/{values.escape(key)}")
    return value


def _facts(keys: Mapping[str, Any], pointer: str) -> dict[str, tuple[str, ...]]:
    value = keys.get("facts")
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise values.wrong(value, "a mapping of field to known values", f"{pointer}/facts")
    return {key: _as_texts(item, f"{pointer}/facts/{values.escape(key)}") for key, item in value.items()}

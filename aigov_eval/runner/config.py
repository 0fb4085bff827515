"""
Target configs: a file of ours or of the user, checked, merged, with its options set.

Comes in: the name of a ready config or the path of a YAML or JSON file, and options from the
command line. Goes out: one mapping without any secret: it can be stored as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from aigov_eval.documents import strict
from aigov_eval.documents.issues import Issue, did_you_mean
from aigov_eval.documents.schema import Schemas
from aigov_eval.documents.strict import Document
from aigov_eval.errors import InputError
from aigov_eval.readers import decode
from aigov_eval.runner.environment import has_place

_DATA = files("aigov_eval") / "runner" / "data" / "targets"
# headers and parameters that carry a key in practice
_SECRET = re.compile(
    r"auth|cookie|key|token|secret|password|passwd|credential|session|signature", re.IGNORECASE
)
_USERINFO = re.compile(r"^[a-z]+://[^/?#]*@", re.IGNORECASE)
# the flat TargetLab config as it was written before configs had a `target`
_OLD_KEYS = frozenset({"base_url", "chat_path", "leak_mode", "leak_profile", "use_llm"})


def ready_configs() -> list[str]:
    """The names of the configs that come with the package."""
    return sorted(
        entry.name.removesuffix(".yaml") for entry in _DATA.iterdir() if entry.name.endswith(".yaml")
    )


def read_config(source: str) -> dict[str, Any]:
    """
    The config of that name, or in that file (YAML or JSON; a byte-order mark, UTF-16 and CRLF are fine).

    Raises InputError with path:line:column for what is not valid, and for a key or password written out.
    """
    if source in ready_configs():
        return _parsed((_DATA / f"{source}.yaml").read_bytes(), f"{source}.yaml")
    try:
        data = Path(source).read_bytes()
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror or error}",
            where=source,
            help="give a file, or a ready config: " + ", ".join(ready_configs()) + ".",
        ) from None
    return _parsed(data, source)


def _parsed(data: bytes, source: str) -> dict[str, Any]:
    return checked_config(read_document(data, source), source)


def checked_config(document: Document, source: str) -> dict[str, Any]:
    """The config of a document that was read; raises InputError as `read_config` does."""
    if isinstance(document.data, dict) and "target" not in document.data and set(document.data) <= _OLD_KEYS:
        return _from_old(document.data, source)
    issues = Schemas().check(document, "target_config")
    if issues:
        raise fault_of(issues)
    _refuse_secrets(document)
    config = dict(document.data)
    if "extends" in config:
        config = _merged(_base(config.pop("extends"), document), config)
        try:
            config = with_options(config, config.get("options", {}))
        except InputError as error:
            raise InputError(error.text, where=str(document.at("options")), help=error.help) from None
    _check_confirms(config, document)
    if "target" not in config:
        raise InputError(
            'a target config has no "target"',
            where=source,
            help="write `target: http`, `openai` or `anthropic`.",
        )
    return config


def read_document(data: bytes, source: str) -> Document:
    """The bytes of a YAML or JSON file with the place of each value; raises InputError for what is neither."""
    try:
        text = decode.utf8(data).replace(b"\r\n", b"\n")
        is_json = text.lstrip()[:1] in (b"{", b"[")
        value = decode.json_value(text) if is_json else None
    except InputError as error:
        raise InputError(error.text, where=source, help=error.help) from None
    document, issues = strict.parse(source, text)
    if is_json:
        # tabs and escapes of JSON are not all YAML: its values come from the JSON reader
        return Document(source, value, document.values if document else {}, document.keys if document else {})
    if issues or document is None:
        raise fault_of(issues)
    return document


def fault_of(issues: Sequence[Issue]) -> InputError:
    """The first fault of a config as an error with its place."""
    first = min(issues)
    return InputError(
        first.text,
        where=f"{first.path}:{first.line}:{first.column}",
        help=first.help or "docs/running.md describes target configs.",
    )


def _base(name: str, document: Document) -> dict[str, Any]:
    if name not in ready_configs():
        raise InputError(
            f'there is no ready config "{name}"',
            where=str(document.at("extends")),
            help=did_you_mean(name, ready_configs()),
        )
    return read_config(name)


def _from_old(old: Mapping[str, Any], source: str) -> dict[str, Any]:
    config = read_config("targetlab-flat")
    if "base_url" in old:
        path = str(old.get("chat_path", "/chat"))
        config["url"] = f"{str(old['base_url']).rstrip('/')}/{path.lstrip('/')}"
    if _USERINFO.match(config["url"]):
        raise _written_out("the address holds a user name or password", source)
    given = {key: old[key] for key in ("leak_mode", "leak_profile", "use_llm") if key in old}
    return with_options(config, given)


def _merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of both; mappings are merged, except the request, which is one thing."""
    merged = dict(base)
    for key, value in over.items():
        if key != "request" and isinstance(value, Mapping) and isinstance(merged.get(key), Mapping):
            merged[key] = {**merged[key], **value}
        else:
            merged[key] = value
    return merged


def _refuse_secrets(document: Document) -> None:
    """Raise InputError where a key is written into the file: what we store must be free of it."""
    for part in ("headers", "query"):
        for name, value in document.data.get(part, {}).items():
            if _SECRET.search(name) and not has_place(value):
                raise _written_out(f"{part} {name!r} holds a value written out", str(document.at(part, name)))
    for part in ("url", "base_url"):
        address = document.data.get(part, "")
        if _USERINFO.match(address) and not has_place(address):
            raise _written_out("the address holds a user name or password", str(document.at(part)))
        query = address.partition("?")[2]
        for pair in query.split("&"):
            name, _, value = pair.partition("=")
            if value and _SECRET.search(name) and not has_place(value):
                raise _written_out(f"the address holds a value for {name!r}", str(document.at(part)))


def _check_confirms(config: Mapping[str, Any], document: Document) -> None:
    """Raise InputError where an answer is to confirm, or a list bounds, an option that there is not."""
    known = config.get("options", {})
    for part in ("confirms", "option_choices", "option_values"):
        for name in config.get(part, {}):
            if name not in known:
                raise InputError(
                    f'{part} names "{name}", which is no option',
                    where=str(document.at(part)),
                    help=did_you_mean(name, known, otherwise="set it under options."),
                )


def _written_out(text: str, where: str) -> InputError:
    return InputError(
        text,
        where=where,
        help="write ${NAME} in its place and set NAME in the environment or in .env; it is never stored.",
    )


def with_options(config: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The config with options set; values are translated as `option_values` says. Raises InputError for an unknown option."""
    known = config.get("options", {})
    for name in given:
        if name not in known:
            raise InputError(
                f'this target has no option "{name}"',
                help=did_you_mean(name, known, otherwise="it has no options; set them in --target-config."),
            )
    words = config.get("option_values", {})
    values = {
        name: words.get(name, {}).get(value, value) if isinstance(value, str) else value
        for name, value in given.items()
    }
    _refuse_unknown_values(values, config.get("option_choices", {}))
    return {**config, "options": {**known, **values}} if values else dict(config)


def _refuse_unknown_values(values: Mapping[str, Any], choices: Mapping[str, Sequence[Any]]) -> None:
    """Raise InputError for a value that the server does not know: it would be passed over there, and look like a pass."""
    for name, value in values.items():
        parts = (
            value["by_category"].values()
            if isinstance(value, Mapping) and "by_category" in value
            else [value]
        )
        for part in parts:
            if name in choices and part not in choices[name]:
                raise InputError(
                    f"this target knows no {name} {part!r}",
                    help="it knows: " + ", ".join(str(one) for one in choices[name]) + ".",
                )


def parse_options(pairs: Sequence[str]) -> dict[str, Any]:
    """Options of the form NAME=VALUE; a VALUE that is JSON is taken as such, any other as text."""
    options: dict[str, Any] = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign or not name:
            raise InputError(f"{pair!r} is not NAME=VALUE", help="write --target-option leak_mode=leaky.")
        try:
            options[name] = json.loads(value)
        except ValueError:
            options[name] = value
    return options

"""
The config of a second opinion: a target config of `run`, and where its data may go, how fast, and for how much.

Comes in: the name of a ready target config, or a YAML or JSON file. Goes out: a `Config` without any secret. A host that is not this
machine is refused unless the file says `remote: true`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from aigov_eval.documents.issues import did_you_mean
from aigov_eval.documents.schema import Schemas
from aigov_eval.documents.strict import Document
from aigov_eval.errors import InputError
from aigov_eval.runner import config as targets
from aigov_eval.runner.environment import Environment
from aigov_eval.runner.pace import Limits, interval_of
from aigov_eval.runner.targets.kinds import ASKED

_SCHEMA, _TARGET = "opinion_config", "target_config"
# what of a target's config makes another answer; keys, headers and limits do not
_IDENTITY = (
    "target", "base_url", "url", "method", "function", "model", "parameters", "system_role", "query", "request",
    "response", "options", "option_values", "confirms",
)  # fmt: skip


class Prices(Struct, frozen=True):
    """What a million tokens cost, sent (`input`) and received (`output`)."""

    currency: str
    input: float
    output: float

    def money(self, sent: int, received: int) -> float:
        """The price of so many tokens."""
        return (sent * self.input + received * self.output) / 1e6


class Budget(Struct, frozen=True):
    """The most that asking may take; infinite where the file does not say."""

    calls: float = math.inf
    tokens: float = math.inf
    seconds: float = math.inf
    money: float = math.inf


class Config(Struct, frozen=True):
    """
    Who is asked and within which bounds. `target` is what the evidence records, and `build_target` builds from.

    `models` are names under which the endpoint may report the model; `expect_seconds` and `expect_tokens` are of one answer.
    """

    source: str
    target: Mapping[str, Any]
    remote: bool = False
    mask: bool = False
    mask_also: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    window: int | None = None
    limit: int | None = None
    limits: Limits = field(default_factory=Limits)
    concurrency: int = 4
    store: Path | None = None
    prices: Prices | None = None
    budget: Budget = Budget()
    expect_seconds: float = 3.0
    expect_tokens: int = 150

    @property
    def identity(self) -> dict[str, Any]:
        """What of the target makes an answer: part of the key under which it is kept."""
        return {key: self.target[key] for key in _IDENTITY if key in self.target}

    @property
    def model(self) -> str:
        """The model's name as it was asked for; empty where the target has none."""
        return str(self.target.get("model", ""))


def read_opinion_config(source: str, environment: Environment) -> Config:
    """
    The config of that name or in that file, with model and address as the environment gives them.

    Raises InputError with path:line:column for what is not valid, for a key written out, and for a host that is not this
    machine where the file does not say `remote: true`.
    """
    if source in targets.ready_configs():
        document = Document(source, {}, {}, {})
        target = targets.read_config(source)
    else:
        document = _read(source)
        target = _target_of(document, source)
    own = document.data
    if target["target"] not in ASKED:
        raise InputError(
            f"the target {target['target']!r} has no opinion",
            where=str(document.at("target")),
            help="write one of " + ", ".join(ASKED) + ".",
        )
    target = _named(target, environment)
    _require_consent(target, document, environment)
    prices = Prices(**own["prices"]) if "prices" in own else None
    if "money" in own.get("budget", {}) and prices is None:
        raise InputError(
            "a budget of money needs prices",
            where=str(document.at("budget", "money")),
            help="add `prices: {currency: EUR, input: ..., output: ...}`, for a million tokens.",
        )
    expect = own.get("expect", {})
    return Config(
        source=source,
        target=target,
        remote=own.get("remote", False),
        mask=own.get("mask", False),
        mask_also=tuple(own.get("mask_also", ())),
        models=tuple(own.get("models", ())),
        window=own.get("window"),
        limit=own.get("limit"),
        limits=Limits(
            timeout=float(own.get("timeout", 120)),
            retries=own.get("retries", 2),
            backoff_max=float(own.get("longest_wait", 300)),
            interval=_interval(own.get("rate", ""), document),
        ),
        concurrency=own.get("concurrency", 4),
        store=Path(own["store"]).expanduser() if "store" in own else None,
        prices=prices,
        budget=Budget(**own.get("budget", {})),
        expect_seconds=float(expect.get("seconds", 3)),
        expect_tokens=expect.get("tokens", 150),
    )


def _read(source: str) -> Document:
    try:
        data = Path(source).read_bytes()
    except OSError as error:
        known = ", ".join(targets.ready_configs())
        raise InputError(
            f"cannot be read: {error.strerror or error}",
            where=source,
            help=f"give a file, or a ready config: {known}.",
        ) from None
    document = targets.read_document(data, source)
    if not isinstance(document.data, dict):
        raise InputError("is not a config", where=source, help="write `target: openai` and so on.")
    schemas = Schemas()
    known_keys = {*_keys_of(_SCHEMA), *_keys_of(_TARGET)}
    for key in document.data:
        if key not in known_keys:
            raise InputError(
                f'unknown key "{key}"',
                where=str(document.at_key(key)),
                help=did_you_mean(key, known_keys, otherwise="docs/second-opinion.md lists the keys."),
            )
    issues = schemas.check(document, _SCHEMA)
    if issues:
        raise targets.fault_of(issues)
    return document


def _keys_of(schema: str) -> list[str]:
    import json
    from importlib.resources import files

    value = json.loads((files("aigov_eval") / "schemas" / f"{schema}.json").read_text("utf-8"))
    return list(value["properties"])


def _target_of(document: Document, source: str) -> dict[str, Any]:
    """The part of the file that is a target config of `run`, checked as such."""
    data = document.data
    if data.get("target") == "python":
        if "function" not in data:
            raise InputError(
                "the target python names no function",
                where=source,
                help="add `function: module:function`.",
            )
        beside = [key for key in data if key in _keys_of(_TARGET) and key != "target"]
        if beside:
            raise InputError(
                f'"{beside[0]}" does nothing with the target python',
                where=str(document.at_key(beside[0])),
                help="delete it; the function is asked in this process.",
            )
        return {"target": "python", "function": data["function"]}
    if "function" in data:
        raise InputError(
            '"function" does nothing here',
            where=str(document.at_key("function")),
            help="write `target: python` beside it.",
        )
    asked = {key: value for key, value in data.items() if key in _keys_of(_TARGET)}
    return targets.checked_config(Document(document.path, asked, document.values, document.keys), source)


def _named(target: Mapping[str, Any], environment: Environment) -> dict[str, Any]:
    """The target with the address and the model's name that it will have: both belong to the evidence."""
    from aigov_eval.runner.targets.anthropic import BASE_URL as ANTHROPIC
    from aigov_eval.runner.targets.openai import BASE_URL, model_of

    if target["target"] == "openai":
        base = target.get("base_url") or environment.get("OPENAI_BASE_URL") or BASE_URL
        return {**target, "base_url": base, "model": model_of(target, "OPENAI_MODEL", environment)}
    if target["target"] == "anthropic":
        base = target.get("base_url", ANTHROPIC)
        return {**target, "base_url": base, "model": model_of(target, "ANTHROPIC_MODEL", environment)}
    return dict(target)


def _require_consent(target: Mapping[str, Any], document: Document, environment: Environment) -> None:
    """Raise InputError where data on people would leave this machine and the config does not say that they may."""
    from urllib.parse import urlsplit

    from aigov_eval.runner.exchange import is_local_url

    address = target.get("url") or target.get("base_url")
    if address is None or document.data.get("remote", False):
        return
    filled = environment.filled(address, "the address")
    if is_local_url(filled):
        return
    host = environment.scrubbed(urlsplit(filled).hostname or filled)
    raise InputError(
        f"the host {host} is not this machine, and the config does not say that conversations may go there",
        where=str(document.at("base_url" if "base_url" in target else "url")),
        help="add `remote: true` where they may, and `mask: true` to replace names, identifiers and places.",
    )


def _interval(rate: str, document: Document) -> float:
    try:
        return interval_of(rate)
    except InputError as error:
        raise InputError(error.text, where=str(document.at("rate")), help=error.help) from None

"""
A target behind an HTTP endpoint that takes and gives JSON, described by a config.

Comes in: a config (see `aigov_eval/schemas/target_config.json`). Goes out: a Target. In the request
template a text `$name` becomes the value of that name, of any type; within a longer text it becomes
text; `$$` is a dollar sign.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from aigov_eval.documents.issues import did_you_mean
from aigov_eval.errors import InputError
from aigov_eval.model import Scenario
from aigov_eval.runner.environment import Environment
from aigov_eval.runner.exchange import MAX_BYTES, exchange, json_of, new_client
from aigov_eval.runner.target import Ask, Reply, Target, Unanswered
from aigov_eval.runner.targets.shape import checked_reply

_NAME = re.compile(r"\$(\$|[a-z][a-z0-9_]*)")
_OURS = (
    "messages",
    "last_user_message",
    "session_id",
    "turn_index",
    "person_name",
    "scenario_id",
    "category",
)
_MISSING = object()


def http_target(
    config: Mapping[str, Any], timeout: float, environment: Environment, connections: int
) -> Target:
    """The target of an `http` config; raises InputError where the config is incomplete or a variable is not set."""
    for key in ("url", "response"):
        if key not in config:
            raise InputError(
                f'the config of an http target has no "{key}"', help="docs/running.md shows a whole one."
            )
    method = config.get("method", "POST")
    request = config.get("request")
    options = config.get("options", {})
    _check_names(request, options)
    url = environment.filled(config["url"], "url")
    headers = {
        name: environment.filled(value, f"headers/{name}")
        for name, value in config.get("headers", {}).items()
    }
    client = new_client(url, connections)
    response = config["response"]

    async def ask(ask: Ask) -> Reply:
        values = {
            **_option_values(options, ask.scenario),
            **_values(ask, config.get("system_role", "system")),
        }
        answer = await exchange(
            client,
            method,
            url,
            headers=headers,
            body=None if request is None else filled_template(request, values),
            timeout=timeout,
            environment=environment,
            max_bytes=config.get("max_response_bytes", MAX_BYTES),
        )
        value = environment.scrubbed_value(json_of(answer))
        _check_confirmed(value, config, values, answer.raw)
        found = {part: _first(value, pointers) for part, pointers in response.items()}
        reply = found.pop("reply")
        if reply is _MISSING:
            raise Unanswered(
                "the answer has none of " + ", ".join(response["reply"]),
                kind="shape",
                help="say in the config under response.reply where the reply stands.",
                raw=answer.raw,
            )
        if isinstance(reply, Mapping):
            # a whole message object instead of its text
            reply = reply.get("content")
        parts = {part: None if item is _MISSING else item for part, item in found.items()}
        return checked_reply(reply, raw=answer.raw, **parts)

    return Target(
        "http",
        config,
        ask,
        close=client.aclose,
        check=lambda scenario: _check_scenario(options, scenario),
    )


def _values(ask: Ask, system_role: str) -> dict[str, Any]:
    messages = [
        {**message, "role": system_role} if message["role"] == "system" else dict(message)
        for message in ask.messages
    ]
    return {
        "messages": messages,
        "last_user_message": ask.last_user,
        "session_id": ask.session_id,
        "turn_index": ask.turn_index,
        "person_name": ask.scenario.person_name,
        "scenario_id": ask.scenario.scenario_id,
        "category": ask.scenario.category,
    }


def _option_values(options: Mapping[str, Any], scenario: Scenario) -> dict[str, Any]:
    return {name: _for_category(value, scenario.category) for name, value in options.items()}


def _for_category(value: Any, category: str) -> Any:
    if isinstance(value, Mapping) and set(value) == {"by_category"}:
        return value["by_category"].get(category, _MISSING)
    return value


def _check_scenario(options: Mapping[str, Any], scenario: Scenario) -> None:
    for name, value in _option_values(options, scenario).items():
        if value is _MISSING:
            raise InputError(
                f"the target config gives no {name} for the category {scenario.category} of {scenario.scenario_id}",
                help=f"set one: --target-option {name}=VALUE.",
            )


def _check_confirmed(
    value: Any, config: Mapping[str, Any], values: Mapping[str, Any], raw: Mapping[str, Any]
) -> None:
    """Raise Unanswered where the answer says that an option was not in force as it was sent."""
    for name, pointers in config.get("confirms", {}).items():
        asked = values[name]
        choices = config.get("option_choices", {}).get(name)
        for pointer in pointers:
            said = _at(value, pointer)
            said = said.strip().lower() if isinstance(said, str) else said
            # a word that is no choice says something else, such as how the answer came about
            if said is _MISSING or said is None or said == asked or (choices and said not in choices):
                continue
            raise Unanswered(
                f"the server was asked for {name} {asked!r} and says {said!r} at {pointer}",
                kind="not_in_force",
                help="it does not take the option in this shape: choose the config that it understands"
                " (TargetLab as published: targetlab-nested).",
                raw=raw,
            )


def _check_names(template: Any, options: Mapping[str, Any]) -> None:
    """Raise InputError for a `$name` that stands for nothing."""
    known = {*_OURS, *options}
    for text in _texts(template):
        for name in _NAME.findall(text):
            if name not in known and name != "$":
                raise InputError(
                    f"${name} in the request template stands for nothing", help=did_you_mean(name, known)
                )


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for item in value.values() for text in _texts(item)]
    if isinstance(value, list):
        return [text for item in value for text in _texts(item)]
    return []


def filled_template(template: Any, values: Mapping[str, Any]) -> Any:
    """The template with every `$name` replaced."""
    if isinstance(template, str):
        whole = _NAME.fullmatch(template)
        if whole and whole[1] != "$":
            return values[whole[1]]
        return _NAME.sub(lambda match: "$" if match[1] == "$" else str(values[match[1]]), template)
    if isinstance(template, Mapping):
        return {key: filled_template(item, values) for key, item in template.items()}
    if isinstance(template, list):
        return [filled_template(item, values) for item in template]
    return template


def _first(value: Any, pointers: list[str]) -> Any:
    """What stands at the first pointer that leads somewhere other than null (RFC 6901)."""
    for pointer in pointers:
        found = _at(value, pointer)
        if found is not _MISSING and found is not None:
            return found
    return _MISSING


def _at(value: Any, pointer: str) -> Any:
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, Mapping) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isascii() and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            return _MISSING
    return value

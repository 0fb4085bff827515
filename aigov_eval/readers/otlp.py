"""
OpenTelemetry (OTLP JSON): conversations in the attributes and events of spans and log records.

Comes in: `{"resourceSpans": ...}` or `{"resourceLogs": ...}`. Goes out: one Transcript for each
conversation of a trace; spans repeat the history, so what is only the beginning of another is left
out. Read are the GenAI conventions (`gen_ai.input.messages` and so on, the older events
`gen_ai.user.message`), OpenInference (`llm.input_messages.0.message.content`) and the older
`gen_ai.prompt.0.content`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from aigov_eval.errors import InputError
from aigov_eval.model import Transcript
from aigov_eval.readers import decode, values
from aigov_eval.readers.conversation import Conversation, side
from aigov_eval.readers.several import readable, without_prefixes
from aigov_eval.readers.shape import Format, a_list

_NAME = "otlp"
_EVENT = re.compile(r"gen_ai\.(system|user|assistant|tool)\.message\Z")
# an indexed attribute -> (which side, number, the rest of the key)
_INDEXED = (
    (re.compile(r"llm\.(input|output)_messages\.(\d+)\.message\.(.+)\Z"), {"input": 0, "output": 1}),
    (re.compile(r"gen_ai\.(prompt|completion)\.(\d+)\.(.+)\Z"), {"prompt": 0, "completion": 1}),
)
_CALL = re.compile(r"tool_calls\.(\d+)\.(?:tool_call\.function\.)?(name|arguments)\Z")
_SYSTEM = ("gen_ai.system_instructions", "gen_ai.system.instructions")
_INPUT = ("gen_ai.input.messages", "gen_ai.prompt", "input.value")
_OUTPUT = ("gen_ai.output.messages", "gen_ai.completion", "output.value")

Attributes = dict[str, Any]


def _read(value: dict[str, Any], pointer: str) -> list[Transcript]:
    records = sorted(_records(value, pointer), key=lambda pair: _time(pair[0]))
    found = readable(partial(_of_span, span, at) for span, at in records)
    if not found:
        raise InputError(
            "no span holds messages",
            where=pointer,
            help="turn on the capture of message content in the instrumentation; names of attributes are in the docs.",
        )
    return without_prefixes(found)


def _time(span: dict[str, Any]) -> int:
    digits = str(span.get("startTimeUnixNano") or span.get("timeUnixNano"))
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 30 else 0


def _of_span(span: dict[str, Any], pointer: str) -> list[Transcript]:
    name = "/".join(str(part) for part in (span.get("traceId"), span.get("spanId")) if part)
    return [one.transcript(_NAME, None, pointer, id=name) for one in _conversations(span, pointer)]


def _records(value: dict[str, Any], pointer: str) -> Iterator[tuple[dict[str, Any], str]]:
    """Spans and log records with their pointers."""
    for outer, scope, inner in (
        ("resourceSpans", "scopeSpans", "spans"),
        ("resourceLogs", "scopeLogs", "logRecords"),
    ):
        for a, resource in enumerate(_list(value, outer, pointer)):
            for b, part in enumerate(_list(resource, scope, f"{pointer}/{outer}/{a}")):
                at = f"{pointer}/{outer}/{a}/{scope}/{b}"
                for c, record in enumerate(_list(part, inner, at)):
                    if not isinstance(record, dict):
                        raise values.wrong(record, "a span", f"{at}/{inner}/{c}")
                    yield record, f"{at}/{inner}/{c}"


def _list(value: object, key: str, pointer: str) -> list[Any]:
    found = value.get(key) if isinstance(value, dict) else None
    if found is None:
        return []
    if not isinstance(found, list):
        raise values.wrong(found, "a list", f"{pointer}/{key}")
    return found


def _conversations(span: dict[str, Any], pointer: str) -> Iterator[Conversation]:
    """The conversations of one span: in its attributes, in one event's attributes, or told event by event."""
    attributes = _attributes(span.get("attributes"))
    one = _from_attributes(attributes, f"{pointer}/attributes")
    if one is not None:
        yield one
    told = Conversation()
    body = _value(span.get("body"))
    name = span.get("eventName") or attributes.get("event.name")
    if isinstance(name, str) and isinstance(body, dict):
        _tell(told, name, body, f"{pointer}/body")
        inner = _from_attributes(body, f"{pointer}/body")
        if inner is not None:
            yield inner
    for index, event in enumerate(_list(span, "events", pointer)):
        if not isinstance(event, dict):
            continue
        at = f"{pointer}/events/{index}/attributes"
        inside = _attributes(event.get("attributes"))
        one = _from_attributes(inside, at)
        if one is not None:
            yield one
        if isinstance(event.get("name"), str):
            _tell(told, event["name"], inside, at)
    if told.next:
        yield told


def _from_attributes(attributes: Attributes, pointer: str) -> Conversation | None:
    conversation = Conversation()
    indexed = _indexed(attributes)
    for number, (keys, role) in enumerate(((_INPUT, "user"), (_OUTPUT, "assistant"))):
        structured = next((key for key in keys if attributes.get(key) is not None), "")
        if indexed[number]:
            conversation.extend(indexed[number], pointer)
        elif structured:
            side(conversation, role, _parsed(attributes[structured]), f"{pointer}/{structured}")
    for key in _SYSTEM:
        if attributes.get(key) is not None:
            conversation.system(_parsed(attributes[key]), f"{pointer}/{key}")
    return conversation if conversation.next else None


def _tell(conversation: Conversation, name: str, body: dict[str, Any], pointer: str) -> None:
    """Append what an event of the older conventions tells."""
    event = _EVENT.match(name)
    message: Any = body
    if event:
        message = {**body, "role": body.get("role") or event[1]}
    elif name == "gen_ai.choice":
        inner = _parsed(body.get("message"))
        message = {**body, **inner} if isinstance(inner, dict) else {**body, "content": inner}
        message["role"] = message.get("role") or "assistant"
    else:
        return
    message.setdefault("content", None)
    for key in ("content", "tool_calls"):
        message[key] = _parsed(message.get(key))
    conversation.append(message, pointer)


def _indexed(attributes: Attributes) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Messages from attributes that number them: (input, output)."""
    sides: tuple[dict[int, dict[str, Any]], dict[int, dict[str, Any]]] = ({}, {})
    for key, value in attributes.items():
        for pattern, which in _INDEXED:
            match = pattern.match(key)
            if match:
                number = which[match[1]]
                message = sides[number].setdefault(int(match[2]), {"calls": {}})
                call = _CALL.match(match[3])
                if call:
                    message["calls"].setdefault(int(call[1]), {})[call[2]] = value
                elif match[3] in ("role", "content", "name"):
                    message[match[3]] = value
                elif match[3].endswith(".message_content.text") and isinstance(value, str):
                    message["content"] = "\n\n".join(filter(None, (message.get("content"), value)))
    out: list[list[dict[str, Any]]] = []
    for number, listed in enumerate(sides):
        made = []
        for _, message in sorted(listed.items()):
            calls = [{"function": call} for _, call in sorted(message.pop("calls").items())]
            made.append(
                {
                    "role": ("user", "assistant")[number],
                    "content": None,
                    **message,
                    "tool_calls": calls or None,
                }
            )
        out.append(made)
    return out[0], out[1]


def _attributes(value: object) -> Attributes:
    """OTLP's list of {key, value} as a mapping; a plain mapping stays."""
    if isinstance(value, dict):
        return value
    if not isinstance(value, list):
        return {}
    return {
        item["key"]: _value(item.get("value"))
        for item in value
        if isinstance(item, dict) and isinstance(item.get("key"), str)
    }


def _value(value: Any) -> Any:
    """OTLP's AnyValue as a plain value."""
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("arrayValue"), dict):
        return [_value(item) for item in _list(value["arrayValue"], "values", "")]
    if isinstance(value.get("kvlistValue"), dict):
        return _attributes(value["kvlistValue"].get("values"))
    for key in ("stringValue", "intValue", "doubleValue", "boolValue", "bytesValue"):
        if key in value:
            return value[key]
    return value or None


def _parsed(value: Any) -> Any:
    """A value that stands in an attribute as JSON text, decoded; other texts stay texts."""
    if not isinstance(value, str) or not value.lstrip().startswith(("[", "{")):
        return value
    try:
        return decode.json_value(value.encode("utf-8", "replace"))
    except InputError:
        return value


FORMATS = (
    Format(_NAME, (a_list("/resourceSpans"),), _read),
    Format(_NAME, (a_list("/resourceLogs"),), _read),
)

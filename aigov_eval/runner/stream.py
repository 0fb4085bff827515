"""
Server-sent events: what a streaming endpoint sends instead of one JSON object.

Comes in: an `Answer` of type text/event-stream, read to its end. Goes out: the JSON values of its
events, in order (WHATWG HTML, 9.2.6).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from aigov_eval.runner.exchange import Answer, parse_json
from aigov_eval.runner.target import Unanswered


def is_stream(answer: Answer) -> bool:
    """Whether an answer is a stream of events."""
    return answer.content_type.partition(";")[0].strip().lower() == "text/event-stream"


def events(answer: Answer) -> list[dict[str, Any]]:
    """The JSON objects of the events; the closing `[DONE]` is given as `{}`. Raises Unanswered for anything else."""
    out: list[dict[str, Any]] = []
    data: list[str] = []
    lines = answer.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for line in [*lines, ""]:
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif not line and data:
            out.append(_value("\n".join(data), answer))
            data = []
    return out


def _value(text: str, answer: Answer) -> dict[str, Any]:
    if text.strip() == "[DONE]":
        return {}
    try:
        value = parse_json(text, answer.raw)
    except Unanswered as broken:
        # what broke on the way may come whole the next time, as a stream that is cut off may
        broken.retry = True
        raise
    if not isinstance(value, dict):
        raise Unanswered(
            "the stream holds an event that is not an object",
            kind="json",
            help="look at the server.",
            retry=True,
            raw=answer.raw,
        )
    return value


def joined(answer: Answer, join: Callable[[Answer], dict[str, Any]]) -> dict[str, Any]:
    """What `join` makes of the stream; raises Unanswered where its events have other shapes than documented."""
    try:
        return join(answer)
    except (AttributeError, TypeError, KeyError, IndexError, ValueError) as error:
        raise Unanswered(
            f"the stream's events are not as documented: {type(error).__name__}",
            kind="shape",
            help="look at what the server streams; or switch streaming off.",
            retry=True,
            raw=answer.raw,
        ) from None


def withheld(answer: Answer) -> Answer:
    """An answer in whose pieces, put together, one of our secrets stands: of a stream nothing is kept as it came."""
    if not is_stream(answer):
        return answer
    return replace(answer, text="[secret withheld: the events of this stream tell it in pieces]")


def cut_off(answer: Answer) -> Unanswered:
    """The failure of a stream that stops before its end was announced."""
    return Unanswered(
        "the stream stopped before its end",
        kind="cut_off",
        help="look at the server or the proxy before it; a part of a reply is not a reply.",
        retry=True,
        raw=answer.raw,
    )

"""
From what a target sent to a `Reply`: the checks that all targets share.

Comes in: the parts of an answer, of any type. Goes out: a Reply, or Unanswered. An empty answer
is no answer: it would pass every rule while telling nothing about the assistant.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from aigov_eval.runner.target import Reply, Unanswered

# beyond these, a number is not the same in every JSON reader (RFC 8785, 3.2.2.3)
_EXACT = 2**53 - 1


def checked_reply(
    content: Any,
    *,
    raw: Any,
    audit: Any = None,
    citations: Any = None,
    usage: Any = None,
    model: Any = None,
    finish: Any = None,
    tool_calls: Any = None,
) -> Reply:
    """The reply of these parts; raises Unanswered where there is no text and no tool call, or a part has a wrong type."""
    calls = tuple(tool_calls or ()) if isinstance(tool_calls, list | tuple | None) else (tool_calls,)
    if not all(isinstance(call, Mapping) for call in calls):
        raise _wrong("tool_calls", "a list of objects", raw)
    if content is None and calls:
        content = ""
    if not isinstance(content, str):
        raise _wrong("the reply", "a text", raw)
    if not content.strip() and not calls:
        raise Unanswered(
            "the reply is empty" + (f" (finish reason: {finish})" if finish else ""),
            kind="empty",
            help="an empty reply says nothing about the assistant; look at the target.",
            raw=raw,
        )
    if audit is not None and not isinstance(audit, Mapping):
        raise _wrong("the audit", "an object with `leaked_fields`", raw)
    if audit is not None and not _is_fields(audit.get("leaked_fields", [])):
        raise _wrong("the audit's leaked_fields", "a list of field names", raw)
    return Reply(
        content,
        raw=raw,
        audit=None if audit is None else checked_value(dict(audit), "the audit"),
        citations=checked_value(citations, "the citations"),
        usage=checked_value(dict(usage), "the usage") if isinstance(usage, Mapping) else None,
        model=model if isinstance(model, str) else "",
        finish=finish if isinstance(finish, str) else "",
        tool_calls=tuple(checked_value(dict(call), "a tool call") for call in calls),
    )


def checked_value(value: Any, what: str) -> Any:
    """A copy that canonical JSON can hold; raises Unanswered where it cannot."""
    try:
        copy = json.loads(json.dumps(value, ensure_ascii=False, allow_nan=False))
        json.dumps(copy, ensure_ascii=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise Unanswered(
            f"{what} cannot be written as JSON: {error}"[:300], kind="shape", help="send plain JSON values."
        ) from None
    return _exact(copy)


def _exact(value: Any) -> Any:
    """Whole numbers that not every JSON reader keeps become texts."""
    if isinstance(value, dict):
        return {key: _exact(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_exact(item) for item in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > _EXACT:
        return str(value)
    return value


def _is_fields(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _wrong(what: str, should: str, raw: Any) -> Unanswered:
    return Unanswered(
        f"{what} is not {should}",
        kind="shape",
        help="compare the `response` part of the config with the answer.",
        raw=raw,
    )

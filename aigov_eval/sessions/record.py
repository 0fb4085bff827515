"""
A session as an evaluation record.

Comes in: a `Session`. Goes out: the record of `docs/sessions.md`, as plain JSON values, every
key of `aigov_eval/schemas/evaluation_record.json`. A pure function: no clock, no file.

Numbering: `turn` counts the conversation (`request.contents`, then the response) from 1. It is
therefore a position in `request.contents`, save for calls of the final answer, whose turn is
`len(request.contents) + 1`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec import Struct, field

from aigov_eval.sessions.session import REASONS, Call, LeftOut, Message, Role, Session, Text

SEPARATOR = "\n\n"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class _Turn(Struct):
    """Neighbouring messages of one role, while they are gathered."""

    role: Role
    texts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return SEPARATOR.join(self.texts)

    def content(self) -> dict[str, Any]:
        """The turn as a Gemini `Content`; a turn that only called tools has an empty text."""
        return {"role": self.role, "parts": [{"text": self.text}]}


def record(
    session: Session, *, names: Mapping[str, str] | None = None, max_output: int | None = None
) -> dict[str, Any]:
    """
    The evaluation record of a session.

    `names` maps a tool's own name to its logical one; unknown names stay as they are.
    `max_output` cuts tool outputs after so many characters, with a mark at the cut.
    """
    turns, calls, errors = _conversation(session.messages)
    last_user = max((at for at, turn in enumerate(turns) if turn.role == "user"), default=-1)
    contents = [turn.content() for turn in turns[: last_user + 1]]
    answer = turns[last_user + 1 :]
    user_texts = [turn.text for turn in turns if turn.role == "user"]
    model_texts = [turn.text for turn in turns if turn.role == "model" and turn.texts]
    request: dict[str, Any] = {"contents": contents}
    if session.system:
        request["system_instruction"] = {"parts": [{"text": session.system}]}
    shown = [_shown(call, turn, names or {}, max_output) for call, turn in calls]
    return {
        "session_id": session.id,
        "title": session.title,
        "created": iso(session.created),
        "request": request,
        "response": {"candidates": [{"content": turn.content()} for turn in answer]},
        "intermediate_events": [_event(call) for call in shown],
        "prompt": user_texts[-1] if user_texts else "",
        "prompt_concat": SEPARATOR.join(user_texts),
        "response_concat": SEPARATOR.join(model_texts),
        "conversation_history": contents[:-1],
        "generated_trajectory": [_step(call) for call in shown],
        "metadata": {
            "total_turns": len(turns),
            "total_tools": len(calls),
            "user_turns": len(user_texts),
            "model_turns": len(turns) - len(user_texts),
            "has_response": bool(answer),
            "tool_errors": sum(bool(call.error) for call, _ in calls),
            "message_errors": errors,
            "left_out": _left_out(session.messages),
            "agent": session.agent,
            "agent_version": session.version,
            "models": list(session.models),
            "directory": session.directory,
            "parent_id": session.parent_id or None,
            "updated": iso(session.updated or session.created),
            "sanitized": session.sanitized,
        },
    }


def iso(milliseconds: int) -> str:
    """A moment as ISO 8601 in UTC: 2026-11-21T20:15:52.004Z."""
    moment = _EPOCH + timedelta(milliseconds=milliseconds)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{milliseconds % 1000:03d}Z"


def _conversation(
    messages: tuple[Message, ...],
) -> tuple[list[_Turn], list[tuple[Call, int]], list[dict[str, Any]]]:
    """The merged turns, every call with the 1-based turn that made it, and what ended messages early."""
    turns: list[_Turn] = []
    calls: list[tuple[Call, int]] = []
    errors: list[dict[str, Any]] = []
    for message in messages:
        texts = [part.text for part in message.parts if isinstance(part, Text) and part.text.strip()]
        made = [part for part in message.parts if isinstance(part, Call)]
        if texts or made:
            if not turns or turns[-1].role != message.role:
                turns.append(_Turn(message.role))
            turns[-1].texts += texts
            calls += [(call, len(turns)) for call in made]
        if message.error or message.error_name:
            turn = len(turns) if texts or made else None
            errors.append({"turn": turn, "name": message.error_name, "message": message.error})
    return turns, calls, errors


def _left_out(messages: tuple[Message, ...]) -> dict[str, int]:
    counts = dict.fromkeys(REASONS, 0)
    for message in messages:
        for part in message.parts:
            if isinstance(part, LeftOut):
                counts[part.reason] += 1
    return {str(reason): count for reason, count in counts.items()}


class _Shown(Struct, frozen=True):
    """A call as both lists of the record show it: `extras` are the keys beyond the seed's."""

    name: str
    args: dict[str, Any]
    output: str
    error: str
    turn: int
    extras: dict[str, Any]


def _shown(call: Call, turn: int, names: Mapping[str, str], max_output: int | None) -> _Shown:
    extras: dict[str, Any] = {"status": call.status}
    if call.error:
        extras["error"] = call.error
    if call.exit_code is not None:
        extras["exit_code"] = call.exit_code
    output = call.output
    if max_output is not None and len(output) > max_output:
        extras["output_chars"] = len(output)
        output = f"{output[:max_output]}\n[cut after {max_output} of {len(output)} characters]"
    extras["tool_raw"] = call.name
    if call.id:
        extras["call_id"] = call.id
    if call.child_id:
        extras["child_session_id"] = call.child_id
    return _Shown(names.get(call.name, call.name), dict(call.args), output, call.error, turn, extras)


def _event(call: _Shown) -> dict[str, Any]:
    response = {"output": call.output} | ({"error": call.error} if call.error else {})
    return {
        "function_call": {"name": call.name, "args": call.args},
        "function_response": {"name": call.name, "response": response},
        "turn": call.turn,
        **call.extras,
    }


def _step(call: _Shown) -> dict[str, Any]:
    return {"tool": call.name, "args": call.args, "output": call.output, "turn": call.turn, **call.extras}

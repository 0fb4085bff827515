"""
OpenCode's session, messages and parts, as every generation and export carries them.

Comes in: the objects `info` and `(message, parts)` with their ids inside. Goes out: a `Session`.
Shapes: the package `@opencode-ai/sdk` 1.18.33, `types.gen.d.ts`, and what clients 0.5.29 to
1.18.33 wrote. Message order is (time.created, id); part order is the id, never a part's time,
because a migrated store gives all parts of a session one time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from aigov_eval.errors import InputError
from aigov_eval.readers import decode
from aigov_eval.sessions.session import Call, LeftOut, Message, Part, Reason, Role, Session, Text, text

Info = Mapping[str, Any]
Entry = tuple[Info, Sequence[Info]]

AGENT = "opencode"
LAST_MILLISECOND = 253_402_300_799_999  # the end of the year 9999
_ROLES: dict[str, Role] = {"user": "user", "assistant": "model"}
# bookkeeping between the parts that were said or done
_SILENT = frozenset({"step-start", "step-finish", "patch", "snapshot", "agent", "retry"})
_BY_USER = "The following tool was executed by the user"
_SANITIZED = re.compile(r"\[redacted:[a-z-]+:")


def session(info: Info, entries: Iterable[Entry]) -> Session:
    """
    The session that these objects describe.

    Raises InputError for a message of an unknown role and for a session without any time.
    """
    ordered = sorted(entries, key=lambda entry: (created(entry[0]), text(entry[0], "id")))
    users = {text(message, "id"): parts for message, parts in ordered if message.get("role") == "user"}
    reverted = _Reverted(info.get("revert"), [text(message, "id") for message, _ in ordered])
    messages: list[Message] = []
    previous: Sequence[Info] = ()
    for message, unordered in ordered:
        parts = sorted(unordered, key=lambda part: text(part, "id"))
        asked = users.get(text(message, "parentID"), previous)
        role = _ROLES.get(text(message, "role"))
        if role is None:
            raise InputError(
                f"the message {text(message, 'id')} has the role {message.get('role')!r}",
                help="this version knows user and assistant; the store was written by a newer client.",
            )
        shell = role == "model" and _is_user_shell(asked, parts)
        read = [
            part
            for raw in parts
            if (part := _part(raw, message, role, reverted.takes(message, raw), shell)) is not None
        ]
        error = message.get("error")
        name, said = (
            _error(error) if isinstance(error, Mapping) and not reverted.takes(message, {}) else ("", "")
        )
        messages.append(Message(role, tuple(_with_subtask(read, parts, role)), said, name))
        if role == "user":
            previous = parts
    times = [created(info), *(created(message) for message, _ in ordered)]
    began = next((time for time in times if time), 0)
    if not began:
        raise InputError(
            "the session has no time", help="`info.time.created` says when it began, in milliseconds."
        )
    return Session(
        id=text(info, "id"),
        agent=AGENT,
        title=text(info, "title"),
        created=began,
        messages=tuple(messages),
        updated=_milliseconds(_mapping(info.get("time")).get("updated")),
        version=text(info, "version"),
        directory=text(info, "directory") or _first_path(ordered),
        parent_id=text(info, "parentID"),
        models=_models(ordered),
        system="\n\n".join(dict.fromkeys(filter(None, (text(message, "system") for message, _ in ordered)))),
        sanitized=_is_sanitized(info, ordered),
    )


def created(value: Info) -> int:
    """When a session or message began, in milliseconds; 0 where it does not say."""
    return _milliseconds(_mapping(value.get("time")).get("created"))


def updated(info: Info) -> int:
    """When a session last changed, in milliseconds; when it began, where it does not say."""
    return _milliseconds(_mapping(info.get("time")).get("updated")) or created(info)


def _part(raw: Info, message: Info, role: Role, reverted: bool, shell: bool) -> Part | None:
    """A part as said, done or left out; None for bookkeeping."""
    kind = text(raw, "type")
    if kind in _SILENT:
        return None
    reason: Reason | None = None
    if reverted:
        reason = "reverted"
    elif kind == "compaction" or (role == "model" and message.get("summary") is True):
        reason = "compaction"
    elif kind == "tool" and shell:
        reason = "user_shell"
    elif raw.get("ignored") is True:
        reason = "ignored"
    elif raw.get("synthetic") is True:
        reason = "synthetic"
    elif kind in ("reasoning", "file"):
        reason = kind  # type: ignore[assignment]  # both are reasons by the same name
    if reason is not None:
        return LeftOut(reason)
    if kind == "text":
        return Text(text(raw, "text"))
    if kind == "subtask":
        return Text(text(raw, "prompt"))
    if kind == "tool":
        return _call(raw)
    return LeftOut("other")


def _with_subtask(read: list[Part], parts: Sequence[Info], role: Role) -> list[Part]:
    """A subtask's prompt counts as the user's words only where the user wrote none beside it."""
    prompts = [text(part, "prompt") for part in parts if part.get("type") == "subtask"]
    if role != "user" or not prompts:
        return read
    own = [part for part in read if isinstance(part, Text) and part.text.strip() and part.text not in prompts]
    if not own:
        return read
    return [
        LeftOut("synthetic") if isinstance(part, Text) and part.text in prompts else part for part in read
    ]


def _call(raw: Info) -> Call:
    state = _mapping(raw.get("state"))
    metadata = _mapping(state.get("metadata"))
    status = text(state, "status") or "pending"
    name = text(raw, "tool")
    args = state.get("input")
    arguments = dict(args) if isinstance(args, Mapping) else {} if args is None else {"input": args}
    output = state.get("output")
    if output is None and status != "completed":
        # what the tool had given when it was stopped
        output = metadata.get("output")
    error = ""
    if status == "error":
        error = text(state, "error") or "failed"
    elif status != "completed":
        error = "not finished"
    elif name == "invalid":
        # how OpenCode records a call to a tool that does not exist
        error = text(arguments, "error") or "no such tool"
    code = metadata.get("exit")
    return Call(
        name=name,
        args=arguments,
        output=output if isinstance(output, str) else "" if output is None else decode.json_text(output),
        status=status,
        error=error,
        id=text(raw, "callID"),
        exit_code=code if type(code) is int else None,
        child_id=text(metadata, "sessionId"),
    )


class _Reverted:
    """
    Which parts the user took back.

    `session.revert` names the first message taken back, or a part of it; what follows goes with
    it. The messages stay in the store until the next prompt.
    """

    def __init__(self, revert: object, order: list[str]) -> None:
        point = _mapping(revert)
        first = text(point, "messageID")
        self._place = {message: at for at, message in enumerate(order)}
        self._from = self._place.get(first, len(order))
        self._part = text(point, "partID")

    def takes(self, message: Info, part: Info) -> bool:
        """Whether the part of the message (or, without a part, the message as a whole) was taken back."""
        place = self._place[text(message, "id")]
        if place != self._from or not self._part:
            return place >= self._from
        return text(part, "id") >= self._part


def _is_user_shell(asked: Sequence[Info], parts: Sequence[Info]) -> bool:
    """Whether the message holds a command that the user ran: no model step, and a prompt that says so."""
    if any(part.get("type") == "step-start" for part in parts):
        return False
    return any(part.get("synthetic") is True and text(part, "text").startswith(_BY_USER) for part in asked)


def _error(error: Mapping[str, Any]) -> tuple[str, str]:
    return text(error, "name"), text(_mapping(error.get("data")), "message")


def _models(entries: Sequence[Entry]) -> tuple[str, ...]:
    names = (
        "/".join(filter(None, (text(message, "providerID"), text(message, "modelID"))))
        for message, _ in entries
    )
    return tuple(dict.fromkeys(filter(None, names)))


def _first_path(entries: Sequence[Entry]) -> str:
    """The folder of the first answer; stores of generation 0 do not say it of the session."""
    paths = (text(_mapping(message.get("path")), "root") for message, _ in entries)
    return next(filter(None, paths), "")


def _is_sanitized(info: Info, entries: Sequence[Entry]) -> bool:
    texts = (text(part, "text") for _, parts in entries for part in parts if part.get("type") == "text")
    return bool(_SANITIZED.match(text(info, "title"))) or any(_SANITIZED.match(one) for one in texts)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _milliseconds(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= LAST_MILLISECOND:
        return 0
    return int(value)

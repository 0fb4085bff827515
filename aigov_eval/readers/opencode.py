"""
OpenCode: `opencode export` files, and the message list of its HTTP interface.

Comes in: `{"info": ..., "messages": [{"info": ..., "parts": [...]}]}` or the bare list. Goes out: one
Transcript. Text that the client wrote itself (synthetic), text that was never sent (ignored) and
reasoning are left out; a tool's output is the tool's word, an input of a tool the assistant's.
"""

from __future__ import annotations

from typing import Any

from aigov_eval.errors import InputError
from aigov_eval.model import Transcript
from aigov_eval.readers import messages, parts, values
from aigov_eval.readers.conversation import Conversation, id_of
from aigov_eval.readers.shape import Format, Mark, a_list, an_object

_NAME = "opencode"
# the client's own words for a command that the user ran
_BY_USER = "The following tool was executed by the user"


def _read(value: dict[str, Any], pointer: str) -> list[Transcript]:
    info = value.get("info") if isinstance(value.get("info"), dict) else {}
    assert isinstance(info, dict)
    return [
        _conversation(value["messages"], f"{pointer}/messages").transcript(
            _NAME, info, pointer, id=id_of(info)
        )
    ]


def _read_list(value: list[Any], pointer: str) -> list[Transcript]:
    return [_conversation(value, pointer).transcript(_NAME, None, pointer)]


def _conversation(listed: list[Any], pointer: str) -> Conversation:
    conversation = Conversation()
    by_user: set[str] = set()
    for number, entry in enumerate(listed):
        at = f"{pointer}/{number}"
        if not isinstance(entry, dict):
            raise values.wrong(entry, "a message with `info` and `parts`", at)
        if "info" not in entry and isinstance(entry.get("text"), str):
            conversation.append(entry, at)
            continue
        key = "parts" if "info" in entry else "content"
        info, parts = entry.get("info") or {"id": entry.get("id"), "role": entry.get("type")}, entry.get(key)
        if not isinstance(info, dict):
            raise values.wrong(info, "an object", f"{at}/info")
        if not isinstance(parts, list):
            raise values.wrong(parts, "a list of parts", f"{at}/{key}")
        _message(conversation, info, parts, f"{at}/{key}", by_user)
        conversation.next += 1
    return conversation


def _message(
    conversation: Conversation, info: dict[str, Any], parts: list[Any], pointer: str, by_user: set[str]
) -> None:
    role = messages.role_of(info.get("role"), f"{pointer.rpartition('/')[0]}/info/role")
    entries, index = conversation.entries, conversation.next
    texts: list[str] = []
    first, place = len(entries.turns), pointer
    for number, part in enumerate(parts):
        at = f"{pointer}/{number}"
        if not isinstance(part, dict):
            raise values.wrong(part, "a part", at)
        if part.get("type") == "text":
            text = values.text_of(part, "text", at)
            if text.startswith(_BY_USER):
                by_user.add(str(info.get("id")))
            if text.startswith("[redacted:"):
                raise InputError(
                    "this export was sanitized: its words are gone",
                    where=f"{at}/text",
                    help="export the session again without --sanitize.",
                )
            if part.get("synthetic") or part.get("ignored"):
                continue
            if not texts:
                first, place = len(entries.turns), f"{at}/text"
            texts.append(text)
        elif part.get("type") == "tool":
            _tool(conversation, part, at, called=str(info.get("parentID")) not in by_user)
        elif part.get("type") == "subtask" and isinstance(part.get("prompt"), str) and not texts:
            first, place = len(entries.turns), f"{at}/prompt"
            texts.append(values.clean(part["prompt"]))
    if texts:
        later = entries.turns[first:]
        del entries.turns[first:]
        entries.add(index, role, "\n\n".join(texts), place)
        entries.turns.extend(later)


def _tool(conversation: Conversation, part: dict[str, Any], pointer: str, *, called: bool) -> None:
    state = part.get("state")
    if not isinstance(state, dict):
        raise values.wrong(state, "an object", f"{pointer}/state")
    entries, index = conversation.entries, conversation.next
    name = values.name_of(part)
    if called:
        text = parts.arguments_text(state.get("input"))
        entries.add(index, "assistant", text, f"{pointer}/state/input", channel="tool_call", name=name)
    for key in ("output", "error"):
        if isinstance(state.get(key), str):
            entries.add(index, "tool", values.clean(state[key]), f"{pointer}/state/{key}", name=name)


def _is_flat(message: object) -> bool:
    if not isinstance(message, dict) or "role" in message or message.get("type") not in ("user", "assistant"):
        return False
    return isinstance(message.get("text"), str) or isinstance(message.get("content"), list)


_FLAT = Mark("/messages/0", "a message with `info` and `parts`, or with type and text", _is_flat)

FORMATS = (
    Format(_NAME, (a_list("/messages"), an_object("/messages/0/info"), a_list("/messages/0/parts")), _read),
    Format(_NAME, (an_object("/info"), a_list("/messages"), _FLAT), _read),
    Format(_NAME, (an_object("/0/info"), a_list("/0/parts")), _read_list),
)

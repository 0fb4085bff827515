"""
Messages to turns: roles, numbering, and where a message keeps its content.

Comes in: one list of message objects (OpenAI, Anthropic, LangChain, ShareGPT, plain ...). Goes
out: Entries, the turns in order and the mock audits that stood in them. The dialects differ in
names more than in meaning, so one reader knows them all; what a format adds around its list is
in that format's module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from aigov_eval.errors import InputError
from aigov_eval.model import Role, Turn
from aigov_eval.readers.beside import beside
from aigov_eval.readers.parts import Entries, add_call, read_content
from aigov_eval.readers.values import clean, escape, name_of, text_of, wrong

ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "model": "assistant",
    "gpt": "assistant",
    "ai": "assistant",
    "bot": "assistant",
    "chatbot": "assistant",
    "chatgpt": "assistant",
    "agent": "assistant",
    "function_call": "assistant",
    "tool": "tool",
    "function": "tool",
    "observation": "tool",
    "tool_response": "tool",
}
_CONTENT = ("content", "value", "text", "parts")
# what a message says beside its content: read elsewhere, or not said to the user
_KNOWN = frozenset(
    "role from author type name tool_name tool refusal audio thinking thought reasoning reasoning_content"
    " reasoning_text signature id model created_at timestamp title date time".split()
)
_ROLE_HELP = "use system, user, assistant or tool."


def read_entries(value: object, pointer: str, *, start: int = 0) -> Entries:
    """
    The turns of a list of messages; `start` is the index of the first.

    Raises InputError, `where` being the JSON Pointer, for an empty list, an unknown role, a wrong
    type, and a `turn_index` that contradicts the position.
    """
    if not isinstance(value, list):
        raise wrong(value, "a list of messages", pointer)
    if not value:
        raise InputError("the transcript is empty", where=pointer, help="give at least one message.")
    entries = Entries()
    for offset, message in enumerate(value):
        read_entry(entries, start + offset, message, f"{pointer}/{offset}")
    return entries


def read_entry(entries: Entries, index: int, message: object, pointer: str) -> None:
    """Append the turns of one message: its text, its tool calls, its tool results."""
    if not isinstance(message, dict):
        raise wrong(message, "a message with `role` and `content`", pointer)
    message, pointer = _unwrapped(message, pointer)
    given = message.get("turn_index")
    if given is not None and (type(given) is not int or given != index):
        raise InputError(
            f"turn_index {given!r} contradicts the position {index}",
            where=f"{pointer}/turn_index",
            help="turn_index counts every entry from 0; leave it out to have it counted.",
        )
    role_key = next(
        (key for key in ("role", "from", "author", "type") if message.get(key) is not None), "role"
    )
    role = role_of(message.get(role_key), f"{pointer}/{role_key}")
    content_key = _content_key(message)
    calls = _calls(message, pointer)
    if not content_key and not calls and message.get("refusal") is None:
        raise InputError("`content` is missing", where=pointer, help="a message has `role` and `content`.")
    before = len(entries.turns)
    if message.get("from") == "function_call":
        entries.add(index, role, text_of(message, "value", pointer), f"{pointer}/value", channel="tool_call")
        return
    name = name_of(message)
    read_content(entries, index, role, message.get(content_key), f"{pointer}/{content_key}", name=name)
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal:
        entries.add(index, role, clean(refusal), f"{pointer}/refusal")
    audio = message.get("audio")
    if isinstance(audio, dict) and isinstance(audio.get("transcript"), str):
        entries.add(index, role, clean(audio["transcript"]), f"{pointer}/audio/transcript")
    for call, place in calls:
        add_call(entries, index, call, place)
    if role == "assistant":
        entries.unread += _unread(message, content_key, pointer)
        entries.unread += _second(message, content_key, pointer, entries.turns[before:])
    if len(entries.turns) == before:
        # an entry without words still has its place in the numbering
        entries.add(index, role, "", f"{pointer}/{content_key}", name=name if role == "tool" else "")


def _content_key(message: Mapping[str, Any]) -> str:
    """The key under which something was said; where nothing was, the first that is there."""
    there = [key for key in _CONTENT if key in message]
    return next((key for key in there if message[key]), there[0] if there else "")


def _unread(message: Mapping[str, Any], content_key: str, pointer: str) -> list[str]:
    """Sentences of an assistant's message under keys that are not read: a second content, or a misspelled key."""
    if len(message) <= 2:
        return []
    return [
        f"the text at {pointer}/{escape(clean(key))}"
        for key, value in message.items()
        if key != content_key and key not in _KNOWN and isinstance(value, str) and _is_prose(value)
        if value != message.get(content_key)
    ]


def _second(message: Mapping[str, Any], content_key: str, pointer: str, read: Sequence[Turn]) -> list[str]:
    """Sentences of an assistant under a second of the keys that hold a content, other than those that were read."""
    notes: list[str] = []
    for key in _CONTENT:
        value = message.get(key)
        if key == content_key or not isinstance(value, dict | list) or not value:
            continue
        other = Entries()
        try:
            read_content(other, 0, "assistant", value, f"{pointer}/{key}")
        except InputError:
            notes += beside(read, value, f"{pointer}/{key}")
        for turn in other.turns:
            notes += beside(read, turn.content, turn.pointer)
    return notes


def _is_prose(text: str) -> bool:
    return len(text[:400].split()) > 2


def role_of(value: object, pointer: str) -> Role:
    """Our role for a dialect's; InputError for one that is not known."""
    if not isinstance(value, str):
        if value is None:
            raise InputError("`role` is missing", where=pointer.rpartition("/")[0], help=_ROLE_HELP)
        raise wrong(value, "a role", pointer)
    role = ROLES.get(value.strip().lower())
    if role is None:
        raise InputError(f"the role {value!r} is not known", where=pointer, help=_ROLE_HELP)
    return role


def _unwrapped(message: dict[str, Any], pointer: str) -> tuple[dict[str, Any], str]:
    """The message inside LangChain's two ways of writing one down."""
    kwargs = message.get("kwargs")
    if message.get("lc") is not None and isinstance(kwargs, dict):
        ids = message.get("id")
        last = ids[-1] if isinstance(ids, list) and ids and isinstance(ids[-1], str) else ""
        name = last.removesuffix("Chunk").removesuffix("Message").lower()
        role = kwargs.get("role") if name in ("chat", "") else name
        return {**kwargs, "role": role or kwargs.get("type")}, f"{pointer}/kwargs"
    data = message.get("data")
    if isinstance(data, dict) and "content" in data and "content" not in message:
        return {**data, "role": data.get("role") or message.get("type")}, f"{pointer}/data"
    return message, pointer


def _calls(message: Mapping[str, Any], pointer: str) -> list[tuple[object, str]]:
    """The tool calls that stand beside the content."""
    value = message.get("tool_calls")
    if value is None:
        extra = message.get("additional_kwargs")
        nested = extra.get("tool_calls") if isinstance(extra, dict) else None
        if nested:
            value, pointer = nested, f"{pointer}/additional_kwargs"
    if value is not None and not isinstance(value, list):
        raise wrong(value, "a list of tool calls", f"{pointer}/tool_calls")
    calls: list[tuple[object, str]] = [
        (call, f"{pointer}/tool_calls/{index}") for index, call in enumerate(value or [])
    ]
    if isinstance(message.get("function_call"), dict):
        calls.append((message["function_call"], f"{pointer}/function_call"))
    return calls

"""
OpenAI Responses: `input` items, `output` items, or both in one record.

Comes in: a response object, a request, or `{"request": ..., "response": ...}`. Goes out: one
Transcript; every item of the lists is an entry of the numbering, `instructions` stand at -1.
"""

from __future__ import annotations

from typing import Any

from aigov_eval.errors import InputError
from aigov_eval.model import Transcript
from aigov_eval.readers import parts, values
from aigov_eval.readers.conversation import Conversation
from aigov_eval.readers.shape import Format, Mark, a_list, lookup, one_of

_NAME = "openai_responses"


def _read(value: dict[str, Any], pointer: str) -> list[Transcript]:
    conversation = Conversation()
    _side(conversation, value, pointer)
    return [conversation.transcript(_NAME, value, pointer)]


def _read_exchange(value: dict[str, Any], pointer: str) -> list[Transcript]:
    conversation = Conversation()
    _side(conversation, value["request"], f"{pointer}/request")
    if isinstance(value.get("response"), dict):
        _side(conversation, {**value["response"], "instructions": None}, f"{pointer}/response")
    return [conversation.transcript(_NAME, value, pointer)]


def _side(conversation: Conversation, value: dict[str, Any], pointer: str) -> None:
    for key, role in (("input", "user"), ("output", "assistant")):
        items = value.get(key)
        if isinstance(items, str):
            conversation.say(role, items, f"{pointer}/{key}")
        elif isinstance(items, list):
            for index, item in enumerate(items):
                _item(conversation, item, f"{pointer}/{key}/{index}")
        elif items is not None:
            raise values.wrong(items, "a text or a list of items", f"{pointer}/{key}")
    instructions = value.get("instructions")
    if isinstance(instructions, list):
        instructions = "\n\n".join(
            parts.parts_text(item.get("content"), f"{pointer}/instructions")
            for item in instructions
            if isinstance(item, dict)
        )
    if instructions:
        conversation.system(instructions, f"{pointer}/instructions")


def _item(conversation: Conversation, item: object, pointer: str) -> None:
    """Append one item: a message, a call of a tool, a tool's answer, or one that says nothing."""
    if not isinstance(item, dict):
        raise values.wrong(item, "an item", pointer)
    type_ = item.get("type", "message")
    entries, index = conversation.entries, conversation.next
    if type_ == "message":
        conversation.append({key: part for key, part in item.items() if key != "type"}, pointer)
        return
    if not isinstance(type_, str):
        raise values.wrong(type_, "the type of an item", f"{pointer}/type")
    if type_.endswith("_output"):
        text = parts.result_text(item.get("output"))
        entries.add(index, "tool", text, f"{pointer}/output", name=values.name_of(item))
    elif type_.endswith(("_call", "_request")):
        parts.add_call(entries, index, item if values.name_of(item) else {**item, "name": type_}, pointer)
        if item.get("output") is not None:
            # an MCP call carries its answer
            text = parts.result_text(item["output"])
            entries.add(index, "tool", text, f"{pointer}/output", name=values.name_of(item))
    elif type_ not in parts.SILENT and not type_.startswith("mcp_"):
        raise InputError(
            f"an item of type {type_!r} is not known", where=pointer, help="take it out if nobody said it."
        )
    conversation.next += 1


def _is_items(found: object) -> bool:
    if not isinstance(found, list) or not found:
        return False
    return all(
        isinstance(item, dict) and ("role" in item or isinstance(item.get("type"), str)) for item in found
    )


_ITEMS = "a list of items with role or type"

FORMATS = (
    Format(_NAME, (one_of("/object", "response"), a_list("/output")), _read),
    Format(
        _NAME,
        (Mark("/output", _ITEMS, _is_items), Mark("/output/0/type", "a type", lambda t: isinstance(t, str))),
        _read,
    ),
    Format(_NAME, (Mark("/input", _ITEMS, _is_items),), _read),
    Format(
        _NAME,
        (
            Mark(
                "/request",
                "an object with `input`",
                lambda found: isinstance(lookup(found, "/input"), list | str),
            ),
        ),
        _read_exchange,
    ),
)

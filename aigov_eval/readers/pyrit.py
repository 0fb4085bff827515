"""
PyRIT's export of its memory: a flat list of pieces of many conversations.

Comes in: the list that `export_conversations` writes as JSON (pyrit/memory/memory_exporter.py): each piece has `role`,
`conversation_id`, `sequence`, and a value before and after its converters. Goes out: one Transcript for each
conversation. Of the user what was sent counts (`converted_value`), of the assistant what it answered (`original_value`).
Pieces of one message share their `sequence`.
"""

from __future__ import annotations

from typing import Any

from aigov_eval.errors import InputError
from aigov_eval.model import Role, Transcript
from aigov_eval.readers import decode, messages, values
from aigov_eval.readers.beside import beside
from aigov_eval.readers.conversation import Conversation
from aigov_eval.readers.parts import add_call
from aigov_eval.readers.shape import Format, Mark, a_text

_NAME = "pyrit"
# data types that hold words; of the others a path or an address is all that is there
_TEXT = ("text", "url", "")
_SILENT = ("reasoning", "error")

Piece = dict[str, Any]


def _read(value: list[Any], pointer: str) -> list[Transcript]:
    told: dict[str, list[tuple[Piece, str]]] = {}
    for index, piece in enumerate(value):
        at = f"{pointer}/{index}"
        if not isinstance(piece, dict):
            raise values.wrong(piece, "a piece of a conversation", at)
        told.setdefault(str(piece.get("conversation_id")), []).append((piece, at))
    return [
        _conversation(pieces).transcript(_NAME, None, pointer, id=values.clean(id))
        for id, pieces in told.items()
    ]


def _conversation(pieces: list[tuple[Piece, str]]) -> Conversation:
    conversation = Conversation()
    last: object = None
    for piece, at in sorted(pieces, key=lambda pair: _sequence(pair[0])):
        role = _role(piece, at)
        message = (_sequence(piece), role)
        # older exports count nothing: then each piece is a message
        if message != last or message[0] < 0:
            conversation.next += 1
        last = message
        _add(conversation, conversation.next - 1, role, piece, at)
    return conversation


def _sequence(piece: Piece) -> int:
    sequence = piece.get("sequence")
    return sequence if type(sequence) is int else -1


def _role(piece: Piece, pointer: str) -> Role:
    role = piece.get("role")
    # what the tester put into the assistant's mouth before the conversation began
    return "user" if role == "simulated_assistant" else messages.role_of(role, f"{pointer}/role")


def _add(conversation: Conversation, index: int, role: Role, piece: Piece, pointer: str) -> None:
    side = "original" if role == "assistant" else "converted"
    value = piece.get(f"{side}_value")
    if value is None:
        side = "converted" if side == "original" else "original"
        value = piece.get(f"{side}_value")
    kind = str(piece.get(f"{side}_value_data_type") or "")
    entries, at = conversation.entries, f"{pointer}/{side}_value"
    if kind in ("function_call", "tool_call"):
        add_call(entries, index, _object(value), at)
        return
    if kind == "function_call_output":
        entries.add(
            index, "tool", decode.json_text(value) if not isinstance(value, str) else values.clean(value), at
        )
        return
    if kind not in _TEXT:
        if kind not in _SILENT and role == "assistant":
            entries.unread.append(f"the {values.clean(kind)} at {at}")
        value = ""
    if not isinstance(value, str):
        raise values.wrong(value, "a text", at)
    entries.add(index, role, values.clean(value), at)
    if role == "assistant" and kind in _TEXT:
        # a converter changed the answer after it was given
        converted = piece.get("converted_value")
        entries.unread += beside(entries.turns, converted, f"{pointer}/converted_value")


def _object(value: object) -> object:
    """A call that stands as JSON text, as an object; what is none is a call with that text for arguments."""
    if not isinstance(value, str):
        return value
    try:
        found = decode.json_value(value.encode("utf-8", "replace"))
    except InputError:
        found = None
    return found if isinstance(found, dict) else {"arguments": value}


FORMATS = (
    Format(
        _NAME,
        (
            a_text("/0/conversation_id"),
            a_text("/0/role"),
            Mark(
                "/0",
                "a piece with `original_value`",
                lambda one: isinstance(one, dict) and "original_value" in one and "converted_value" in one,
            ),
        ),
        _read,
    ),
)

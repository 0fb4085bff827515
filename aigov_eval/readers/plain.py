"""
Plain transcripts: a list of `{role, content}` entries, bare or under `transcript`, `turns` and the like.

Comes in: the list, or the object around it with the scenario's keys beside. Goes out: one Transcript.
"""

from __future__ import annotations

from typing import Any

from aigov_eval.errors import InputError
from aigov_eval.model import Transcript
from aigov_eval.readers import scenario
from aigov_eval.readers.conversation import Conversation, id_of
from aigov_eval.readers.shape import Format, Mark, a_list, is_message

_LISTS = ("transcript", "turns", "conversation", "dialogue")


def _read_object(key: str) -> Any:
    def read(value: dict[str, Any], pointer: str) -> list[Transcript]:
        conversation = Conversation()
        if not value[key]:
            raise InputError(
                "the transcript is empty", where=f"{pointer}/{key}", help="give at least one message."
            )
        conversation.extend(value[key], f"{pointer}/{key}")
        around = value
        if isinstance(value.get("scenario"), dict):
            around = {**value["scenario"], **{name: item for name, item in value.items() if item is not None}}
            # the scenario's own turns are what was sent, not what was said
            around.pop("scenario")
        about = scenario.beside_turns(around, pointer)
        return [conversation.transcript("plain", value, pointer, id=id_of(value), about=about)]

    return read


def _read_list(value: list[Any], pointer: str) -> list[Transcript]:
    conversation = Conversation()
    conversation.extend(value, pointer)
    return [conversation.transcript("plain", None, pointer)]


FORMATS = (
    *(Format("plain", (a_list(f"/{key}"),), _read_object(key)) for key in _LISTS),
    Format(
        "plain",
        (
            Mark(
                "",
                "a list of messages",
                lambda found: isinstance(found, list) and any(map(is_message, found)),
            ),
        ),
        _read_list,
    ),
)

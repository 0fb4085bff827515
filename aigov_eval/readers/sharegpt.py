"""
ShareGPT: `{"conversations": [{"from": "human", "value": ...}]}`, with `system` beside where there is one.

Comes in: the object. Goes out: one Transcript; `from: function_call` is the assistant's tool call.
"""

from __future__ import annotations

from typing import Any

from aigov_eval.errors import InputError
from aigov_eval.model import Transcript
from aigov_eval.readers.conversation import Conversation
from aigov_eval.readers.shape import Format, a_list


def _read(value: dict[str, Any], pointer: str) -> list[Transcript]:
    conversation = Conversation()
    if not value["conversations"]:
        raise InputError(
            "the transcript is empty", where=f"{pointer}/conversations", help="give at least one message."
        )
    conversation.extend(value["conversations"], f"{pointer}/conversations")
    if value.get("system"):
        conversation.system(value["system"], f"{pointer}/system")
    return [conversation.transcript("sharegpt", value, pointer)]


FORMATS = (Format("sharegpt", (a_list("/conversations"),), _read),)

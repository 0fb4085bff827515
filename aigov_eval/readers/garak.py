"""
garak reports: rows told apart by `entry_type`, of which finished attempts hold conversations.

Comes in: one row. Goes out: one Transcript for each generation of an attempt with status 2 (each
attempt is written twice, first with status 1); other rows give none.
"""

from __future__ import annotations

from typing import Any

from aigov_eval.model import Transcript
from aigov_eval.readers import values
from aigov_eval.readers.beside import beside
from aigov_eval.readers.conversation import Conversation, id_of, side
from aigov_eval.readers.shape import Format, a_text

_NAME = "garak"


def _read(value: dict[str, Any], pointer: str) -> list[Transcript]:
    if value["entry_type"] != "attempt" or value.get("status") != 2:
        return []
    given = id_of(value, "uuid")
    made: list[Conversation] = []
    listed = value.get("conversations")
    if isinstance(listed, list) and listed:
        for index, one in enumerate(listed):
            conversation = Conversation()
            turns = one.get("turns") if isinstance(one, dict) else None
            conversation.extend(turns, f"{pointer}/conversations/{index}/turns")
            outputs = value.get("outputs")
            if isinstance(outputs, list) and index < len(outputs):
                output = outputs[index]
                text = output.get("text") if isinstance(output, dict) else output
                entries = conversation.entries
                entries.unread += beside(entries.turns, text, f"{pointer}/outputs/{index}")
            made.append(conversation)
    else:
        outputs = value.get("outputs")
        if not isinstance(outputs, list):
            raise values.wrong(outputs, "a list of outputs", f"{pointer}/outputs")
        for index, output in enumerate(outputs):
            if output is None:
                # a generation that failed: nothing was said
                continue
            conversation = Conversation()
            prompt = value.get("prompt")
            if isinstance(prompt, dict) and isinstance(prompt.get("turns"), list):
                conversation.extend(prompt["turns"], f"{pointer}/prompt/turns")
            elif prompt is not None:
                side(conversation, "user", prompt, f"{pointer}/prompt")
            side(conversation, "assistant", output, f"{pointer}/outputs/{index}")
            made.append(conversation)
    return [
        one.transcript(_NAME, None, pointer, id=f"{given}#{index}" if len(made) > 1 else given)
        for index, one in enumerate(made)
    ]


FORMATS = (Format(_NAME, (a_text("/entry_type"),), _read),)

"""
LangSmith runs: `run_type` with `inputs` and `outputs`.

Comes in: one run. Goes out: one Transcript. Messages may be OpenAI's, LangChain's serialised ones,
or bare texts under the names that chains give them.
"""

from __future__ import annotations

from typing import Any

from aigov_eval.model import Transcript
from aigov_eval.readers.shape import Conversation, Format, a_text, an_object, id_of, side, subject_in

_NAME = "langsmith"


def _read(value: dict[str, Any], pointer: str) -> list[Transcript]:
    conversation = Conversation()
    side(conversation, "user", value["inputs"], f"{pointer}/inputs")
    if value.get("outputs") is not None:
        outputs = value["outputs"]
        if isinstance(outputs, dict) and isinstance(outputs.get("messages"), list):
            # a chain's output repeats its input before what it adds
            listed, inputs = outputs["messages"], value["inputs"].get("messages")
            repeated = len(inputs) if isinstance(inputs, list) and listed[: len(inputs)] == inputs else 0
            for index, message in enumerate(listed[repeated:], repeated):
                conversation.append(message, f"{pointer}/outputs/messages/{index}")
        else:
            side(conversation, "assistant", outputs, f"{pointer}/outputs")
    extra = value.get("extra")
    about = subject_in(value["inputs"], extra.get("metadata") if isinstance(extra, dict) else None)
    return [conversation.transcript(_NAME, None, pointer, id=id_of(value), about=about)]


FORMATS = (Format(_NAME, (a_text("/run_type"), an_object("/inputs")), _read),)

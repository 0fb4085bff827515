"""
Anthropic messages: the response object alone (requests share the chat reader's list of messages).

Comes in: `{"type": "message", "role": "assistant", "content": [...]}`. Goes out: one Transcript. A
`tool_result` block is the tool's word although it stands in a user message; `system` stands at
turn_index -1.
"""

from __future__ import annotations

from typing import Any

from aigov_eval.model import Transcript
from aigov_eval.readers.conversation import Conversation
from aigov_eval.readers.shape import Format, a_text, one_of, there


def _read(value: dict[str, Any], pointer: str) -> list[Transcript]:
    conversation = Conversation()
    conversation.append({key: item for key, item in value.items() if key != "type"}, pointer)
    return [conversation.transcript("anthropic", value, pointer)]


FORMATS = (Format("anthropic", (one_of("/type", "message"), a_text("/role"), there("/content")), _read),)

"""
OpenAI chat completions: requests, responses, both together, and rows of the batch interface.

Comes in: `{"messages": [...]}`, `{"choices": [{"message": ...}]}`, or objects that hold both. Goes
out: one Transcript, or one for each choice where a response has several. The same list of messages
with Anthropic's blocks or LangChain's dress is read as well.
"""

from __future__ import annotations

from typing import Any

from aigov_eval.errors import InputError
from aigov_eval.model import Transcript
from aigov_eval.readers import values
from aigov_eval.readers.conversation import Conversation, id_of
from aigov_eval.readers.shape import Format, Mark, a_list, an_object, lookup

_BLOCKS = frozenset({"tool_use", "tool_result", "thinking", "server_tool_use"})


def _read(value: dict[str, Any], pointer: str) -> list[Transcript]:
    """Request and response in one object, or either alone."""
    conversation = Conversation()
    _request(conversation, value, pointer)
    return _answers(conversation, value, value, pointer)


def _read_exchange(value: dict[str, Any], pointer: str) -> list[Transcript]:
    """`{"request": ..., "response": ...}`, the batch interface's rows included."""
    conversation = Conversation()
    for key in ("request", "body"):
        if isinstance(value.get(key), dict):
            _request(conversation, value[key], f"{pointer}/{key}")
    response, at = value.get("response"), f"{pointer}/response"
    if isinstance(response, dict) and isinstance(response.get("body"), dict):
        response, at = response["body"], f"{at}/body"
    if not isinstance(response, dict):
        return [conversation.transcript("openai_chat", value, pointer)]
    if isinstance(response.get("error"), dict) and "choices" not in response and conversation.next == 0:
        raise InputError(
            "this row is an error of the service, nothing was said", where=at, help="leave failed rows out."
        )
    return _answers(conversation, response, value, at)


def _request(conversation: Conversation, value: dict[str, Any], pointer: str) -> None:
    if "messages" in value:
        if not value["messages"]:
            raise InputError(
                "the transcript is empty", where=f"{pointer}/messages", help="give at least one message."
            )
        conversation.extend(value["messages"], f"{pointer}/messages")
    if value.get("system") is not None:
        conversation.system(value["system"], f"{pointer}/system")


def _answers(
    conversation: Conversation, response: dict[str, Any], record: dict[str, Any], pointer: str
) -> list[Transcript]:
    name = "anthropic" if _is_anthropic(record) or _is_anthropic(response) else "openai_chat"
    choices = response.get("choices")
    if choices is None:
        if response.get("type") == "message" and "content" in response:
            conversation.append({**response, "type": None}, pointer)
        return [conversation.transcript(name, record, "")]
    if not isinstance(choices, list):
        raise values.wrong(choices, "a list of choices", f"{pointer}/choices")
    out = []
    for index, choice in enumerate(choices):
        at = f"{pointer}/choices/{index}"
        answered = conversation.copy()
        if isinstance(choice, dict) and isinstance(choice.get("message"), dict):
            answered.append({"role": "assistant", **choice["message"]}, f"{at}/message")
        elif isinstance(choice, dict) and isinstance(choice.get("text"), str):
            answered.say("assistant", choice["text"], f"{at}/text")
        else:
            raise InputError(
                "`message` is missing", where=at, help="a choice has a message with role and content."
            )
        given = id_of(record)
        out.append(answered.transcript(name, record, "", id=f"{given}#{index}" if index else given))
    return out or [conversation.transcript(name, record, "")]


def _is_anthropic(value: dict[str, Any]) -> bool:
    if "system" in value or value.get("type") == "message" or "anthropic_version" in value:
        return True
    listed = value.get("messages")
    if not isinstance(listed, list):
        return False
    return any(
        isinstance(block, dict) and str(block.get("type")) in _BLOCKS
        for message in listed
        if isinstance(message, dict) and isinstance(message.get("content"), list)
        for block in message["content"]
    )


def _holds_chat(found: object) -> bool:
    return any(isinstance(lookup(found, path), list) for path in ("/messages", "/choices", "/body/choices"))


FORMATS = (
    Format("openai_chat", (a_list("/messages"),), _read),
    Format("openai_chat", (a_list("/choices"), an_object("/choices/0")), _read),
    Format("openai_chat", (Mark("/request", "an object with `messages`", _holds_chat),), _read_exchange),
    Format("openai_chat", (Mark("/body", "an object with `messages`", _holds_chat),), _read_exchange),
    Format("openai_chat", (Mark("/response", "an object with `choices`", _holds_chat),), _read_exchange),
)

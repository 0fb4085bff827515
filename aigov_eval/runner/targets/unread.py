"""
What of an answer did not become part of the reply.

Comes in: the messages of an answer, and the reply that was made of them. Goes out: a phrase for each part with words
that is in none of it: pictures, parts of an unknown kind, a second choice, a misspelled key. The readers of `score` say
what is such a part, so that a run and a file of the same answer are doubted alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from aigov_eval.errors import InputError
from aigov_eval.readers.messages import read_entry
from aigov_eval.readers.parts import Entries
from aigov_eval.readers.values import clean
from aigov_eval.runner.target import Reply

_MOST = 20  # of an answer that are told


def with_unread(reply: Reply, messages: Iterable[tuple[str, Any]]) -> Reply:
    """The reply with what these messages, each given with its JSON Pointer, hold beside it."""
    found: list[str] = []
    said, calls = _letters(reply.content), len(reply.tool_calls)
    for pointer, message in messages:
        entries = Entries()
        try:
            read_entry(entries, 0, _of_the_assistant(message), pointer)
        except InputError as fault:
            found.append(f"the message at {fault.where or pointer}: {fault.text}")
            continue
        found += entries.unread
        told = [turn for turn in entries.turns if turn.role == "assistant"]
        found += [
            f"the text at {turn.pointer}"
            for turn in told
            if turn.channel == "message" and _letters(turn.content) not in said
        ]
        calls -= sum(turn.channel == "tool_call" for turn in told)
        if calls < 0:
            found.append(f"a tool call of the message at {pointer}")
    return replace(reply, unread=tuple(found[:_MOST])) if found else reply


def _of_the_assistant(message: Any) -> Any:
    return {**message, "role": "assistant"} if isinstance(message, Mapping) else message


def _letters(text: str) -> str:
    """A text without white space: parts are joined with and without a blank line."""
    return "".join(clean(text).split())

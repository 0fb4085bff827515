"""
A conversation that a reader puts together.

Comes in: messages, bare texts and sides of logged exchanges, each with its JSON Pointer. Goes out: a Transcript, with the
scenario keys that stand beside the turns.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct, field

from aigov_eval.errors import InputError
from aigov_eval.model import Scenario, Transcript, Turn
from aigov_eval.readers import decode, messages, parts, scenario, values
from aigov_eval.readers.beside import beside
from aigov_eval.readers.parts import Entries
from aigov_eval.readers.shape import is_message

# keys that hold the conversation, whatever stands beside them
_CONTAINERS = ("messages", "message", "choices", "generations", "contents", "kwargs")
# keys that say nothing
_QUIET = frozenset(
    "type role id index finish_reason stop_reason model lang usage created object generation_info additional_kwargs "
    "response_metadata logprobs tool_calls annotations".split()
)


class Conversation(Struct):
    """A conversation under construction: entries, the index of the next one, and the system prompt outside the list."""

    entries: Entries = field(default_factory=Entries)
    next: int = 0

    def extend(self, value: object, pointer: str) -> None:
        """Append a list of messages."""
        if value == []:
            return
        more = messages.read_entries(value, pointer, start=self.next)
        self.entries.turns += more.turns
        self.entries.audits.update(more.audits)
        self.entries.unread += more.unread
        assert isinstance(value, list)
        self.next += len(value)

    def append(self, message: object, pointer: str) -> None:
        """Append one message."""
        messages.read_entry(self.entries, self.next, message, pointer)
        self.next += 1

    def say(self, role: str, text: str, pointer: str) -> None:
        """Append one entry that is a bare text."""
        self.entries.add(self.next, messages.role_of(role, pointer), values.clean(text), pointer)
        self.next += 1

    def system(self, value: object, pointer: str) -> None:
        """Put a system prompt that stands outside the list at index -1, where it shifts no numbering."""
        text = parts.parts_text(value, pointer)
        if text:
            self.entries.turns.insert(0, Turn(-1, "system", text, pointer=pointer))

    def copy(self) -> Conversation:
        """The same conversation, to be continued in another way."""
        entries = Entries(list(self.entries.turns), dict(self.entries.audits), list(self.entries.unread))
        return Conversation(entries, self.next)

    def transcript(
        self,
        name: str,
        value: object = None,
        pointer: str = "",
        *,
        id: str = "",
        about: Scenario | None = None,
    ) -> Transcript:
        """
        The transcript, with the scenario keys that stand in `value` beside the turns.

        Raises InputError where nothing was said at all.
        """
        if not any(turn.turn_index >= 0 for turn in self.entries.turns):
            raise InputError("the transcript is empty", where=pointer, help="give at least one message.")
        keys = value if isinstance(value, dict) else {}
        found = scenario.beside_turns(keys, pointer) if about is None else about
        return Transcript(
            turns=tuple(self.entries.turns),
            scenario=found,
            id=id or id_of(keys) or found.scenario_id,
            format=name,
            audits=self.entries.audits or None,
            unread=(*self.entries.unread, *unread_beside(keys, pointer)),
        )


def unread_beside(keys: Mapping[str, Any], pointer: str) -> list[str]:
    """What stands beside the turns under a name that is nearly one of a scenario's keys, and so was not read."""
    found = ((key, _nearly(key)) for key in keys if isinstance(key, str))
    return [
        f"the key {key!r} at {pointer or 'the top'} (did you mean {near}?)" for key, near in found if near
    ]


@lru_cache(maxsize=1024)
def _nearly(key: str) -> str:
    """The key of a scenario that a key was probably meant to be; empty where it is one, or near none."""
    known = (*scenario.BESIDE, *scenario.ALIASES)
    # short keys are near many words: "title" and "file"
    if key in known or len(key) < 6 or not key.isascii():
        return ""
    return next(iter(difflib.get_close_matches(key, [one for one in known if len(one) > 6], 1, 0.86)), "")


def id_of(value: Mapping[str, Any], *keys: str) -> str:
    """The first of a record's names for itself that is a text or a number."""
    for key in (*keys, "id", "custom_id", "session_id", "conversation_id"):
        found = value.get(key)
        if isinstance(found, str) and found:
            return values.clean(found)
        if type(found) is int:
            return str(found)
    return ""


def subject_in(*values: object) -> Scenario:
    """The scenario keys in somebody else's metadata: those that are texts; what has another meaning there is left."""
    found: dict[str, Any] = {}
    for value in values:
        for key, item in value.items() if isinstance(value, dict) else ():
            if (key in scenario.BESIDE or key in scenario.ALIASES) and isinstance(item, str):
                found.setdefault(scenario.ALIASES.get(str(key), str(key)), item)
    return scenario.beside_turns(found)


def side(conversation: Conversation, role: str, value: object, pointer: str) -> None:
    """
    Append one side of a logged exchange, in any of the ways loggers write it down.

    A text (which may itself be a JSON list of messages), a message, a list of either, or an object
    around one of these. What has another shape was said all the same: it becomes one entry of JSON text.
    """
    if value is None or value in ({}, []):
        return
    if isinstance(value, str):
        listed = _message_list_in(value)
        if listed is None:
            conversation.say(role, value, pointer)
        else:
            conversation.extend(listed, pointer)
    elif isinstance(value, list) and isinstance(value[0], list):
        # LangChain batches: the first conversation of the batch is this run's
        side(conversation, role, value[0], f"{pointer}/0")
    elif isinstance(value, list) and all(is_message(item) for item in value):
        conversation.extend(value, pointer)
    elif isinstance(value, list) and all(_holds_words(item) for item in value):
        for index, item in enumerate(value):
            side(conversation, role, item, f"{pointer}/{index}")
    elif is_message(value):
        conversation.append(value, pointer)
    elif isinstance(value, dict) and (key := next((key for key in _CONTAINERS if value.get(key)), "")):
        side(conversation, role, value[key], f"{pointer}/{key}")
        if role == "assistant":
            rest = {name: item for name, item in value.items() if name != key and name not in _QUIET}
            conversation.entries.unread += beside(conversation.entries.turns, rest, pointer)
    elif (
        isinstance(value, dict)
        and len(told := [key for key in value if key not in _QUIET and value[key] is not None]) == 1
    ):
        side(conversation, role, value[told[0]], f"{pointer}/{values.escape(told[0])}")
    else:
        conversation.say(role, decode.json_text(value), pointer)


def _holds_words(item: object) -> bool:
    return isinstance(item, str) or (isinstance(item, dict) and ("text" in item or "message" in item))


def _message_list_in(text: str) -> list[Any] | None:
    """The list of messages that a text holds as JSON, or None."""
    if not text.lstrip().startswith("["):
        return None
    try:
        value = decode.json_value(text.encode("utf-8", "replace"))
    except InputError:
        return None
    if isinstance(value, list) and value and all(is_message(item) for item in value):
        return value
    return None

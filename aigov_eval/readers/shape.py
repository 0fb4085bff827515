"""
What a format looks like, and the parts that every reader shares.

Comes in: a decoded value. Goes out: whether it has a format's shape, what is missing where it has
not, and Transcripts built from entries.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from aigov_eval.errors import InputError
from aigov_eval.model import Scenario, Transcript, Turn
from aigov_eval.readers import decode, messages, parts, scenario, values
from aigov_eval.readers.beside import beside
from aigov_eval.readers.parts import Entries

Read = Callable[[Any, str], list[Transcript]]

_ABSENT = object()


@dataclass(frozen=True, slots=True)
class Mark:
    """One thing a format is known by: at `path` (a JSON Pointer) stands `wanted`, as `test` decides."""

    path: str
    wanted: str
    test: Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its name, the marks it is known by (all must hold), and its reader (value, pointer) -> transcripts."""

    name: str
    marks: tuple[Mark, ...]
    read: Read

    def misses(self, value: object) -> list[str]:
        """The marks that a value lacks, in words; empty where it has this shape."""
        out: list[str] = []
        for mark in self.marks:
            if not mark.path and out:
                # a mark of the whole counts on the marks of its parts
                break
            found = lookup(value, mark.path)
            if found is _ABSENT:
                out.append(f"{mark.path} is missing")
            elif not mark.test(found):
                shown = repr(found) if isinstance(found, str) and len(found) < 40 else values.kind(found)
                out.append(f"{mark.path or 'the top'} is {shown}, not {mark.wanted}")
        return out

    def nearness(self, value: object) -> float:
        """How near a value comes to this shape: 0 where nothing of it is there."""
        near = 0.0
        for mark in self.marks:
            if not mark.path:
                continue
            found = lookup(value, mark.path)
            if found is _ABSENT:
                around = mark.path.rpartition("/")[0]
                near += 0.2 if around and lookup(value, around) is not _ABSENT else -0.01
            else:
                near += 1 if mark.test(found) else 0.5
        return near


def a_list(path: str) -> Mark:
    """A list stands there."""
    return Mark(path, "a list", lambda found: isinstance(found, list))


def an_object(path: str) -> Mark:
    """An object stands there."""
    return Mark(path, "an object", lambda found: isinstance(found, dict))


def a_text(path: str) -> Mark:
    """A text stands there."""
    return Mark(path, "a text", lambda found: isinstance(found, str))


def one_of(path: str, *values: str) -> Mark:
    """One of those texts stands there."""
    return Mark(path, " or ".join(repr(value) for value in values), lambda found: found in values)


def there(path: str) -> Mark:
    """Something other than null stands there."""
    return Mark(path, "a value", lambda found: found is not None)


def lookup(value: Any, path: str) -> Any:
    """The value at a JSON Pointer, or a marker that is none of JSON's values."""
    for part in path.split("/")[1:]:
        if isinstance(value, list) and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        elif isinstance(value, dict) and part in value:
            value = value[part]
        else:
            return _ABSENT
    return value


def is_message(value: object) -> bool:
    """Whether a value looks like one message of a chat: a known role and something said."""
    if not isinstance(value, dict):
        return False
    if value.get("lc") is not None and isinstance(value.get("kwargs"), dict):
        return True
    roles = [value[key] for key in ("role", "from", "author", "type") if isinstance(value.get(key), str)]
    said = ("content", "value", "text", "parts", "tool_calls", "function_call", "turn_index", "data")
    return any(role.strip().lower() in messages.ROLES for role in roles) and any(key in value for key in said)


@dataclass(slots=True)
class Conversation:
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


# keys that hold the conversation, whatever stands beside them
_CONTAINERS = ("messages", "message", "choices", "generations", "contents", "kwargs")
# keys that say nothing
_QUIET = frozenset(
    {
        *(
            "type",
            "role",
            "id",
            "index",
            "finish_reason",
            "stop_reason",
            "model",
            "lang",
            "usage",
            "created",
            "object",
        ),
        *(
            "generation_info",
            "additional_kwargs",
            "response_metadata",
            "logprobs",
            "tool_calls",
            "annotations",
        ),
    }
)


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


def readable(reads: Iterable[Callable[[], Sequence[Transcript]]]) -> list[Transcript]:
    """
    The transcripts of several records: one that cannot be read does not keep the others from being read.

    What was not read is noted at the first of the others. Raises the first InputError where none is left.
    """
    found: list[Transcript] = []
    errors: list[InputError] = []
    for read in reads:
        try:
            found += read()
        except InputError as error:
            errors.append(error)
    if errors and not found:
        raise errors[0]
    if errors:
        notes = tuple(f"the record at {error.where}: {error.text}" for error in errors)
        found[0] = replace(found[0], unread=(*found[0].unread, *notes))
    return found


def without_prefixes(transcripts: Iterable[Transcript]) -> list[Transcript]:
    """
    The transcripts that are not the beginning of another.

    Loggers repeat the history on every call; the longest record tells it all once.
    """
    kept: list[Transcript] = []
    for transcript in transcripts:
        said = _said(transcript)
        for index, other in enumerate(kept):
            before = _said(other)
            unread = tuple(dict.fromkeys((*other.unread, *transcript.unread)))
            if before[: len(said)] == said:
                kept[index] = replace(other, unread=unread)
                break
            if said[: len(before)] == before:
                kept[index] = replace(transcript, id=other.id or transcript.id, unread=unread)
                break
        else:
            kept.append(transcript)
    return kept


def _said(transcript: Transcript) -> list[tuple[str, str, str]]:
    return [(turn.role, turn.channel, turn.content) for turn in transcript.turns if turn.role != "system"]

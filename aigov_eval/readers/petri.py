"""
Petri transcripts: an event log that is replayed into what the target saw and said.

Comes in: `{"metadata": ..., "events": [...]}`. Goes out: the final conversation, and one more
Transcript for each rollback, reset or patch that took assistant messages back: they were said.
"""

from __future__ import annotations

import copy
from typing import Any

from aigov_eval.errors import InputError
from aigov_eval.model import Transcript
from aigov_eval.readers import values
from aigov_eval.readers.conversation import Conversation, id_of, subject_in
from aigov_eval.readers.shape import Format, Mark, a_list, an_object

_NAME = "petri"


Shown = list[tuple[Any, str]]


def _read(value: dict[str, Any], pointer: str) -> list[Transcript]:
    listed, branches = _replayed(value["events"], f"{pointer}/events")
    told = value.get("target_messages")
    if not listed and isinstance(told, list):
        listed = [(message, f"{pointer}/target_messages/{index}") for index, message in enumerate(told)]
    metadata = value.get("metadata")
    given = id_of(metadata, "transcript_id") if isinstance(metadata, dict) else ""
    about = subject_in(metadata)
    out = []
    for number, shown in enumerate((*branches, listed)):
        if not shown and branches:
            continue
        conversation = Conversation()
        for message, at in shown:
            conversation.append(message, at)
        id = given if number == len(branches) else f"{given}#taken-back-{number + 1}"
        out.append(conversation.transcript(_NAME, None, pointer, id=id, about=about))
    return out


def _replayed(events: list[Any], pointer: str) -> tuple[Shown, list[Shown]]:
    """The target's messages at the end, and each state from which assistant messages were taken back."""
    current: Shown = []
    branches: list[Shown] = []
    for number, event in enumerate(events):
        at = f"{pointer}/{number}"
        if not isinstance(event, dict):
            raise values.wrong(event, "an event", at)
        view, edit = event.get("view"), event.get("edit")
        if not isinstance(edit, dict) or not (
            view == "target" or (isinstance(view, list) and "target" in view)
        ):
            continue
        operation = edit.get("operation")
        if operation == "add":
            current = [*current, (edit.get("message"), f"{at}/edit/message")]
            continue
        before = current
        if operation == "rollback":
            current = current[: _kept(current, edit, at)]
        elif operation == "reset":
            fresh = edit.get("new_messages")
            listed = fresh if isinstance(fresh, list) else []
            current = [(message, f"{at}/edit/new_messages/{index}") for index, message in enumerate(listed)]
        elif operation == "json_patch":
            patch = f"{at}/edit/patch"
            current = [
                (message, patch)
                for message in _patched([pair[0] for pair in current], edit.get("patch"), patch)
            ]
        else:
            raise InputError(
                f"the operation {operation!r} is not known",
                where=f"{at}/edit/operation",
                help="known are add, rollback, reset, json_patch.",
            )
        left = [message for message, _ in current]
        if any(_spoken(message) and message not in left for message, _ in before):
            branches.append(before)
    return current, branches


def _spoken(message: object) -> bool:
    return isinstance(message, dict) and message.get("role") == "assistant"


def _kept(current: Shown, edit: dict[str, Any], pointer: str) -> int:
    """How many messages a rollback leaves: all but `count`, or all up to the one named by `to_id`."""
    count = edit.get("count")
    if type(count) is int and count >= 0:
        return max(0, len(current) - count)
    name = edit.get("to_id")
    for index, (message, _) in enumerate(current):
        if name is not None and isinstance(message, dict) and message.get("id") == name:
            return index + 1
    raise InputError(
        "a rollback names no message", where=f"{pointer}/edit", help="it has `count` or `to_id`."
    )


def _patched(current: list[Any], patch: object, pointer: str) -> list[Any]:
    """The messages after a JSON Patch (RFC 6902) of add, remove and replace."""
    if not isinstance(patch, list):
        raise values.wrong(patch, "a list of patch operations", pointer)
    root: list[Any] = copy.deepcopy(current)
    for number, step in enumerate(patch):
        at = f"{pointer}/{number}"
        try:
            *way, last = [part.replace("~1", "/").replace("~0", "~") for part in step["path"].split("/")[1:]]
            parent: Any = root
            for part in way:
                parent = parent[int(part)] if isinstance(parent, list) else parent[part]
            key: Any = last
            if isinstance(parent, list):
                key = len(parent) if last == "-" else int(last)
            if step["op"] == "add" and isinstance(parent, list):
                parent.insert(key, step["value"])
            elif step["op"] in ("add", "replace"):
                parent[key] = step["value"]
            elif step["op"] == "remove":
                del parent[key]
            else:
                raise InputError(
                    f"the patch operation {step['op']!r} is not read",
                    where=at,
                    help="known are add, remove, replace.",
                )
        except (KeyError, IndexError, ValueError, TypeError, AttributeError):
            raise InputError(
                "a patch does not fit the messages", where=at, help="the log may be cut off."
            ) from None
    return root


def _is_log(found: Any) -> bool:
    if "target_messages" in found:
        return True
    events = found.get("events")
    return isinstance(events, list) and any(isinstance(event, dict) and "edit" in event for event in events)


FORMATS = (
    Format(
        _NAME,
        (
            an_object("/metadata"),
            a_list("/events"),
            Mark("", "an object with `target_messages` or events with `edit`", _is_log),
        ),
        _read,
    ),
)

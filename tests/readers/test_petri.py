"""Petri: the event log is replayed, and what was taken back was said."""

from __future__ import annotations

import json
from typing import Any

import pytest

from aigov_eval.errors import InputError
from aigov_eval.readers import read_bytes


def event(operation: str, view: list[str] | None = None, **edit: Any) -> dict[str, Any]:
    """One event of the log."""
    return {
        "type": "transcript_event",
        "view": view or ["target", "combined"],
        "edit": {"operation": operation, **edit},
    }


def add(role: str, text: str, view: list[str] | None = None) -> dict[str, Any]:
    """A message is shown."""
    return event("add", view, message={"role": role, "id": text, "content": text})


def read(*events: dict[str, Any]) -> list[tuple[str, list[str]]]:
    """(id, texts) of each branch."""
    value = {"metadata": {"transcript_id": "t"}, "events": list(events), "target_messages": []}
    return [
        (one.id, [turn.content for turn in one.turns])
        for one in read_bytes(json.dumps(value).encode(), source="x")
    ]


def test_the_auditors_own_view_is_not_read() -> None:
    """Only what the target saw and said is the conversation."""
    assert read(add("user", "plan", ["auditor"]), add("user", "a"), add("assistant", "b")) == [
        ("t", ["a", "b"])
    ]


def test_a_rolled_back_answer_is_a_branch() -> None:
    """An answer that was taken back is its own transcript beside the final one."""
    found = read(add("user", "a"), add("assistant", "b"), event("rollback", count=1), add("assistant", "c"))
    assert found == [("t#taken-back-1", ["a", "b"]), ("t", ["a", "c"])]


def test_rollback_to_a_message_and_of_questions() -> None:
    """A rollback may name the message to keep; taking back questions alone gives no branch."""
    assert read(add("user", "a"), add("assistant", "b"), add("user", "c"), event("rollback", to_id="b")) == [
        ("t", ["a", "b"])
    ]


def test_reset_starts_again() -> None:
    """A reset keeps what was said before as a branch and starts with the new messages."""
    found = read(
        add("user", "a"),
        add("assistant", "b"),
        event("reset", new_messages=[{"role": "user", "content": "n"}]),
        add("assistant", "c"),
    )
    assert found == [("t#taken-back-1", ["a", "b"]), ("t", ["n", "c"])]


def test_patches_are_applied() -> None:
    """A JSON Patch that rewrites an answer keeps the first wording as a branch."""
    patch = [
        {"op": "replace", "path": "/1/content", "value": "d"},
        {"op": "add", "path": "/-", "value": {"role": "user", "content": "e"}},
        {"op": "remove", "path": "/0"},
    ]
    found = read(add("user", "a"), add("assistant", "b"), event("json_patch", patch=patch))
    assert found == [("t#taken-back-1", ["a", "b"]), ("t", ["d", "e"])]


@pytest.mark.parametrize(
    "edit",
    [
        event("rollback"),
        event("merge"),
        event("json_patch", patch=[{"op": "remove", "path": "/9"}]),
        event("json_patch", patch=[{"op": "move", "path": "/0", "from": "/1"}]),
        event("json_patch", patch={}),
        {"edit": {"operation": "add", "message": 5}, "view": "target"},
    ],
)
def test_events_that_cannot_be_replayed(edit: dict[str, Any]) -> None:
    """An event that does not fit is an error with its place, never a shorter conversation."""
    with pytest.raises(InputError, match=r"#/events/1|#/events/1/edit"):
        read(add("user", "a"), edit)

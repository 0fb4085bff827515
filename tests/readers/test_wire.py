"""What LangSmith's client sends and PyRIT's memory exports, as their own code writes them."""

from __future__ import annotations

from typing import Any

import pytest

from aigov_eval.errors import InputError
from aigov_eval.readers.formats import read_value

ASK = {"role": "user", "content": "Which address do you have for Mara?"}
TOLD = {"role": "assistant", "content": "mara.lindqvist@post.example"}
TRACE = "20260101T000000000000Z0199b0aa-0000-7000-8000-000000000001"


def run(id: str, **keys: Any) -> dict[str, Any]:
    """A run as the client sends it."""
    return {"id": id, "trace_id": "1", "dotted_order": TRACE, "name": "n", "session_name": "default", **keys}


def said(made: Any) -> list[tuple[str, str]]:
    """Role and words of each turn."""
    return [(turn.role, turn.content) for turn in made.turns]


def test_a_langsmith_batch_puts_the_end_of_a_run_to_its_beginning() -> None:
    """`post` holds the inputs, `patch` the outputs; the chain's and the model's record of one exchange are one."""
    chain = run("1", run_type="chain", inputs={"messages": [ASK]}, outputs=None, parent_run_id=None)
    below = {"parent_run_id": "1", "dotted_order": f"{TRACE}.20260101T000000000001Z2"}
    model = run("2", run_type="llm", inputs={"messages": [ASK]}, **below)
    tool = run("3", run_type="tool", inputs={"input": "Mara"}, outputs={"output": "one row"}, **below)
    patches = [
        run(
            "2", outputs={"choices": [{"message": TOLD}]}, end_time="2026-01-01T00:00:02Z", inputs={}, **below
        ),
        run("1", outputs={"messages": [ASK, TOLD]}, end_time="2026-01-01T00:00:03Z"),
    ]
    (made,) = read_value({"post": [chain, model, tool], "patch": patches})
    assert (made.format, made.id) == ("langsmith", "1")
    assert said(made) == [("user", ASK["content"]), ("assistant", TOLD["content"])]


def test_a_langsmith_patch_alone_tells_what_was_answered() -> None:
    """The beginning may stand in another request; the answer is judged all the same."""
    (made,) = read_value({"patch": [run("2", outputs={"messages": [TOLD]})]})
    assert said(made) == [("assistant", TOLD["content"])]


def test_a_langsmith_query_gives_its_runs() -> None:
    """The answer of the API's query, and one run that cannot be read beside one that can."""
    whole = run("1", run_type="llm", inputs={"messages": [ASK]}, outputs={"messages": [ASK, TOLD]})
    broken = run("2", run_type="llm", inputs={"messages": [{"role": "user", "content": 7}]}, outputs={})
    made = read_value({"runs": [whole, broken], "cursors": {}})
    assert [one.id for one in made] == ["1"]
    assert "/runs/1" in made[0].unread[0]


def test_a_langsmith_batch_without_conversation_is_told() -> None:
    """A batch of tools alone holds none."""
    tool = run("3", run_type="tool", inputs={"a": 1}, parent_run_id="1")
    with pytest.raises(InputError, match="no run of a model"):
        read_value({"post": [tool]})


def piece(role: str, value: str, sequence: int, *, conversation: str = "c1", **keys: Any) -> dict[str, Any]:
    """A piece as PyRIT exports it."""
    return {
        "id": f"{conversation}-{sequence}-{role}",
        "role": role,
        "conversation_id": conversation,
        "sequence": sequence,
        "timestamp": "2026-01-01T00:00:00",
        "labels": {"operator": "red"},
        "prompt_metadata": {},
        "converter_identifiers": [],
        "original_value_data_type": "text",
        "original_value": value,
        "original_value_sha256": "00",
        "converted_value_data_type": "text",
        "converted_value": value,
        "converted_value_sha256": "00",
        "response_error": "none",
        "originator": "undefined",
        "scores": [],
        **keys,
    }


def test_a_pyrit_export_is_one_transcript_a_conversation() -> None:
    """Pieces are put in order; the user's converted words were sent, the assistant's original ones answered."""
    value = [
        piece("assistant", "Mara.", 1, converted_value="TWFyYS4="),
        piece("assistant", "Yes.", 1, conversation="c2"),
        piece("user", "Who?", 0, converted_value="V2hvPw=="),
        piece("user", "Really?", 0, conversation="c2"),
    ]
    first, second = read_value(value)
    assert (first.format, first.id, second.id) == ("pyrit", "c1", "c2")
    assert said(first) == [("user", "V2hvPw=="), ("assistant", "Mara.")]
    assert said(second) == [("user", "Really?"), ("assistant", "Yes.")]


def test_pyrits_other_pieces_are_what_they_are() -> None:
    """A message of several pieces has one place; calls are calls, blocked answers are none, pictures are not read."""
    picture = {"original_value_data_type": "image_path"}
    call = {"original_value_data_type": "function_call"}
    output = {"converted_value_data_type": "function_call_output"}
    blocked = {"original_value_data_type": "error", "response_error": "blocked"}
    (made,) = read_value(
        [
            piece("system", "Be kind.", 0),
            piece("simulated_assistant", "Sure, her name is Mara.", 1),
            piece("user", "Go on.", 2),
            piece("assistant", "Here.", 3),
            piece("assistant", "/tmp/a.png", 3, **picture),
            piece("assistant", '{"name": "mail", "arguments": "{\\"to\\": 1}"}', 3, **call),
            piece("tool", '{"sent": true}', 4, **output),
            piece("assistant", '{"status_code": 400}', 5, **blocked),
        ]
    )
    assert [(turn.turn_index, turn.role, turn.channel, turn.content) for turn in made.turns] == [
        (0, "system", "message", "Be kind."),
        (1, "user", "message", "Sure, her name is Mara."),
        (2, "user", "message", "Go on."),
        (3, "assistant", "message", "Here."),
        (3, "assistant", "message", ""),
        (3, "assistant", "tool_call", '{"to": 1}'),
        (4, "tool", "message", '{"sent": true}'),
        (5, "assistant", "message", ""),
    ]
    assert made.unread == ("the image_path at /4/original_value",)


def test_pyrit_pieces_without_a_sequence_keep_their_order() -> None:
    """Older exports count nothing: each piece is a message, in the order of the list."""
    value = [
        piece("user", "a", -1),
        piece("assistant", "b", -1),
        piece("user", "c", -1),
        piece("assistant", "d", -1),
    ]
    (made,) = read_value(value)
    assert [(turn.turn_index, turn.content) for turn in made.turns] == [
        (0, "a"),
        (1, "b"),
        (2, "c"),
        (3, "d"),
    ]

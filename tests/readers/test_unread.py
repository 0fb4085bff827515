"""Readers keep what they can read and say what they left out; --strict refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aigov_eval.cli.main import run as command
from aigov_eval.errors import InputError
from aigov_eval.readers.formats import read_value

LEAK = "The e-mail address of Ion Popescu is ion.popescu@example.com."


def langfuse(*outputs: Any) -> dict[str, Any]:
    """A trace as Langfuse exports it, a generation for each output."""
    observations = [
        {
            "id": f"g{number}",
            "type": "GENERATION",
            "input": [{"role": "user", "content": f"Question {number}?"}],
            "output": output,
        }
        for number, output in enumerate(outputs)
    ]
    return {"id": "t", "name": "chat", "input": None, "output": None, "observations": observations}


TOOL = {"role": "tool", "content": {"rows": [{"city": "Cluj"}]}, "tool_call_id": "call_1"}
FUNCTION = {
    "role": "assistant",
    "content": [
        {"type": "function", "function": {"name": "find", "arguments": "{}"}},
        {"type": "text", "text": LEAK},
    ],
}
REASONING = {
    "role": "assistant",
    "content": [{"$type": "x", "type": "TextReasoningContent"}, {"type": "text", "text": LEAK}],
}
NEW = {"role": "assistant", "content": [{"type": "hologram", "beam": 1}, {"type": "text", "text": LEAK}]}
BROKEN = {"role": "assistant", "content": 7}


@pytest.mark.parametrize("output", [[TOOL, {"role": "assistant", "content": LEAK}], FUNCTION, REASONING, NEW])
def test_a_langfuse_trace_is_read_around_what_is_not_known(output: Any) -> None:
    """A tool's answer as an object, a function part, reasoning and a part of a new kind leave the words beside them."""
    (made,) = read_value(langfuse(output))
    assert any(turn.role == "assistant" and turn.content == LEAK for turn in made.turns)
    assert bool(made.unread) == (output is NEW)


def test_one_unreadable_generation_leaves_the_others() -> None:
    """It is named by its place in the file; where nothing is left, the error is raised as before."""
    made = read_value(langfuse(BROKEN, FUNCTION))
    assert len(made) == 1
    assert made[0].unread[0].startswith("the record at /observations/0/output/content: a number stands where")
    with pytest.raises(InputError, match="a number stands where"):
        read_value(langfuse(BROKEN))


def test_one_unreadable_span_leaves_the_others() -> None:
    """The same for OpenTelemetry, whatever the order of the spans."""

    def span(id: str, start: int, content: Any) -> dict[str, Any]:
        told = json.dumps([{"role": "assistant", "content": content}])
        attributes = [{"key": "gen_ai.output.messages", "value": {"stringValue": told}}]
        return {"traceId": "t", "spanId": id, "startTimeUnixNano": str(start), "attributes": attributes}

    spans = [span("late", 3, LEAK), span("broken", 2, 7), span("early", 1, "No.")]
    made = read_value({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]})
    assert [one.id for one in made] == ["t/early", "t/late"]
    assert "/resourceSpans/0/scopeSpans/0/spans/1" in made[0].unread[0]


def test_the_score_says_what_was_not_read_and_strict_refuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The verdict stands, with a warning on standard error; with --strict the run is not valid."""
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(langfuse(NEW)))
    assert command(["score", str(path)]) == 1
    told = capsys.readouterr()
    assert "warning" in told.err
    assert "of the unknown type 'hologram'" in told.err
    assert command(["score", str(path), "--strict"]) == 2
    assert "error" in capsys.readouterr().err

"""OpenCode exports as the real client writes them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aigov_eval.errors import InputError
from aigov_eval.readers import read_bytes, read_file

SESSIONS = Path(__file__).resolve().parents[3] / "shared" / "sessions" / "opencode"
EXPORTS = sorted(SESSIONS.glob("exports/*.json"))


@pytest.mark.skipif(not EXPORTS, reason="the folder of real OpenCode sessions is not there")
def test_real_exports_are_read() -> None:
    """Every export of the real client gives a transcript; a sanitized one is refused."""
    for path in EXPORTS:
        if "sanitized" in path.name:
            with pytest.raises(InputError, match="sanitized"):
                list(read_file(path))
            continue
        [one] = read_file(path)
        assert one.format == "opencode"
        assert one.id.startswith("ses_")
        assert {turn.role for turn in one.turns} <= {"user", "assistant", "tool"}
        count = len(json.loads(path.read_text("utf-8"))["messages"])
        assert all(0 <= turn.turn_index < count for turn in one.turns)
        assert any(turn.role == "user" for turn in one.turns)


def test_a_failed_tool_tells_its_error() -> None:
    """A tool's error is the tool's word, like its output."""
    part = {
        "type": "tool",
        "tool": "read",
        "state": {"status": "error", "input": {}, "error": "no such file"},
    }
    value = {"info": {"id": "s"}, "messages": [{"info": {"role": "assistant"}, "parts": [part]}]}
    [one] = read_bytes(json.dumps(value).encode(), source="x")
    assert [(turn.role, turn.content) for turn in one.turns] == [
        ("assistant", "{}"),
        ("tool", "no such file"),
    ]

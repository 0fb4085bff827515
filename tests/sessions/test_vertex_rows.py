"""Rows for Vertex: the tool calls of the last turn, and the whole session turn by turn."""

from __future__ import annotations

from typing import Any

from aigov_eval.sessions import opencode
from aigov_eval.sessions.record import record
from aigov_eval.sessions.vertex_rows import row
from tests.sessions.builders import STEP, Session, called, info, model, plain, said, user


def made(session: Session) -> dict[str, Any]:
    return record(opencode.session(*session))


def calls(events: list[dict[str, Any]]) -> list[str]:
    """Events in short: the author and what stands in each."""
    shown = []
    for event in events:
        (part,) = event["content"]["parts"]
        (kind, value), *_ = ((key, held) for key, held in part.items())
        shown.append(f"{event['author']} {kind} {value if kind == 'text' else value['name']}")
    return shown


def test_the_last_turn() -> None:
    """Prompt, history and answer as contents, and the tool calls of the last turn only."""
    found = row(made(plain()), "last-turn")
    assert found is not None
    assert found["prompt"] == {"role": "user", "parts": [{"text": "Make it print bye."}]}
    assert [one["role"] for one in found["conversation_history"]] == ["user", "model"]
    assert found["response"]["parts"] == [{"text": "Done."}]
    assert calls(found["intermediate_events"]) == [
        "opencode function_call edit",
        "opencode function_response edit",
        "opencode function_call bash",
        "opencode function_response bash",
    ]
    call, answer = (one["content"] for one in found["intermediate_events"][:2])
    assert call == {
        "role": "model",
        "parts": [{"function_call": {"id": "call_edit", "name": "edit", "args": {"filePath": "main.py"}}}],
    }
    assert answer["parts"][0]["function_response"]["response"] == {"output": "ok"}
    assert "agent_data" not in found


def test_the_whole_session() -> None:
    """Each turn begins with the user and holds the calls before the words; turns count from 0."""
    found = row(made(plain()), "agent-data")
    assert found is not None
    first, second = found["agent_data"]["turns"]
    assert [(turn["turn_index"], turn["turn_id"]) for turn in (first, second)] == [
        (0, "turn_0"),
        (1, "turn_1"),
    ]
    assert calls(first["events"]) == [
        "user text What does main.py do?",
        "opencode function_call read",
        "opencode function_response read",
        "opencode text Reading it.\n\nIt prints hi.",
    ]
    assert len(second["events"]) == 6
    assert sorted(found) == ["agent_data", "session_id"]


def test_a_session_without_an_answer() -> None:
    """It makes no row of a last turn; as a whole it is kept, without empty words."""
    session = made((info(), [user(1, said("a")), model(2, STEP, called("x")), user(3, said("b"))]))
    assert row(session, "last-turn") is None
    both = row(session)
    assert both is not None
    assert both["response"] is None
    assert calls(both["agent_data"]["turns"][0]["events"]) == [
        "user text a",
        "opencode function_call x",
        "opencode function_response x",
    ]


def test_a_failed_call_tells_its_error() -> None:
    """The judge sees what the agent saw: the error of a call that failed."""
    part = called("read", {}, status="error", error="no file")
    found = row(made((info(), [user(1, said("a")), model(2, STEP, part, said("b"))])))
    assert found is not None
    answer = found["intermediate_events"][1]["content"]["parts"][0]["function_response"]
    assert answer["response"] == {"output": "", "error": "no file"}


def test_a_session_that_the_model_began() -> None:
    """Words before any prompt are a turn of their own."""
    found = row(
        made((info(), [model(1, STEP, said("Hello.")), user(2, said("a")), model(3, STEP, said("b"))]))
    )
    assert found is not None
    assert [calls(turn["events"]) for turn in found["agent_data"]["turns"]] == [
        ["opencode text Hello."],
        ["user text a", "opencode text b"],
    ]

"""A session's record: merging, numbering, counting, and what stays out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aigov_eval.sessions.record import iso, record
from aigov_eval.sessions.session import REASONS, Call, LeftOut, Message, Part, Session, Text


def session(*messages: Message, **more: Any) -> Session:
    return Session("ses_a", "opencode", "A session", 1_795_292_152_004, messages, **more)


def user(*parts: Part | str) -> Message:
    return Message("user", tuple(Text(part) if isinstance(part, str) else part for part in parts))


def model(*parts: Part | str, error: str = "") -> Message:
    read = tuple(Text(part) if isinstance(part, str) else part for part in parts)
    return Message("model", read, error=error, error_name="Stopped" if error else "")


def conversation(found: dict[str, Any]) -> list[tuple[str, str]]:
    """All turns, the response included, as (role, text)."""
    contents = [*found["request"]["contents"], *(one["content"] for one in found["response"]["candidates"])]
    return [(one["role"], one["parts"][0]["text"]) for one in contents]


def turns(found: dict[str, Any]) -> list[tuple[str, int]]:
    return [(one["function_call"]["name"], one["turn"]) for one in found["intermediate_events"]]


def test_neighbours_of_one_role_are_one_turn() -> None:
    """Same-role messages are merged with a blank line, so that roles alternate."""
    found = record(session(user("a"), user("b", "c"), model("d"), model("e")))
    assert conversation(found) == [("user", "a\n\nb\n\nc"), ("model", "d\n\ne")]
    assert found["prompt"] == "a\n\nb\n\nc"


def test_the_first_model_turn_is_turn_two() -> None:
    """`turn` counts the contents from 1: user 1, model 2; a call of the last answer points one past the end."""
    found = record(session(user("a"), model(Call("one"), "b"), user("c"), model(Call("two")), model("d")))
    assert turns(found) == [("one", 2), ("two", 4)]
    assert len(found["request"]["contents"]) == 3
    assert found["request"]["contents"][2 - 1]["role"] == "model"


def test_a_turn_that_only_called_tools_keeps_its_place() -> None:
    """A model turn without text has an empty text, and the numbering goes on behind it."""
    found = record(session(user("a"), model(Call("one")), user("b"), model("c", Call("two"))))
    assert conversation(found) == [("user", "a"), ("model", ""), ("user", "b"), ("model", "c")]
    assert turns(found) == [("one", 2), ("two", 4)]
    assert found["response_concat"] == "c"


def test_a_session_that_ends_with_the_user_has_no_answer() -> None:
    """Without a model turn after the last user turn there is no candidate, never an older answer."""
    found = record(session(user("a"), model("old"), user("b"), model(error="refused")))
    assert found["response"] == {"candidates": []}
    assert found["metadata"]["has_response"] is False
    assert found["metadata"]["message_errors"] == [{"turn": None, "name": "Stopped", "message": "refused"}]


def test_request_ends_with_the_last_user_turn() -> None:
    """A trailing model turn in `contents` would be read as the reference answer."""
    found = record(session(user("a"), model("b"), user("c"), model("d")))
    assert found["request"]["contents"][-1]["role"] == "user"
    assert found["conversation_history"] == found["request"]["contents"][:-1]
    assert found["prompt"] == "c"
    assert (found["prompt_concat"], found["response_concat"]) == ("a\n\nc", "b\n\nd")


def test_a_session_without_a_user_is_all_answer() -> None:
    """A session that nobody asked anything has empty contents, and its calls are in turn 1."""
    found = record(session(model("a", Call("one")), model("b")))
    assert found["request"]["contents"] == []
    assert conversation(found) == [("model", "a\n\nb")]
    assert turns(found) == [("one", 1)]


def test_failed_and_unfinished_calls_say_so() -> None:
    """A call that did not do its work carries `error` and the agent's own `status`, in both lists."""
    calls = (
        Call("bad", {"x": 1}, status="error", error="no file"),
        Call("slow", status="running", error="not finished"),
    )
    found = record(session(user("a"), model(*calls)))
    event, step = found["intermediate_events"][0], found["generated_trajectory"][0]
    assert (event["status"], event["error"]) == ("error", "no file")
    assert event["function_response"] == {"name": "bad", "response": {"output": "", "error": "no file"}}
    assert (step["tool"], step["args"], step["output"], step["error"]) == ("bad", {"x": 1}, "", "no file")
    assert found["intermediate_events"][1]["status"] == "running"
    assert found["metadata"]["tool_errors"] == 2


def test_outputs_are_whole_unless_cut() -> None:
    """An output is cut only on request, and then says so."""
    talk = session(user("a"), model(Call("read", output="0123456789")))
    whole, cut = record(talk), record(talk, max_output=4)
    assert whole["intermediate_events"][0]["function_response"]["response"]["output"] == "0123456789"
    assert "output_chars" not in whole["intermediate_events"][0]
    event = cut["intermediate_events"][0]
    assert event["function_response"]["response"]["output"] == "0123\n[cut after 4 of 10 characters]"
    assert event["output_chars"] == cut["generated_trajectory"][0]["output_chars"] == 10
    assert record(talk, max_output=10) == whole


def test_tool_names_are_mapped_on_request() -> None:
    """A mapped tool has its logical name everywhere and keeps its own as `tool_raw`; others stay."""
    found = record(session(user("a"), model(Call("read"), Call("glob"))), names={"read": "fs.read"})
    first, second = found["intermediate_events"]
    assert first["function_call"]["name"] == first["function_response"]["name"] == "fs.read"
    assert first["tool_raw"] == "read"
    assert second["function_call"]["name"] == second["tool_raw"] == "glob"
    assert [step["tool"] for step in found["generated_trajectory"]] == ["fs.read", "glob"]


def test_left_out_parts_are_counted() -> None:
    """What stays out of the conversation is counted by reason, every reason named."""
    found = record(
        session(user(LeftOut("synthetic"), "a"), model(LeftOut("reasoning"), LeftOut("reasoning"), "b"))
    )
    counts = found["metadata"]["left_out"]
    assert list(counts) == list(REASONS)
    assert {name: count for name, count in counts.items() if count} == {"synthetic": 1, "reasoning": 2}


@pytest.mark.parametrize(
    ("milliseconds", "shown"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (1_795_292_152_004, "2026-11-21T20:15:52.004Z"),
        (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
    ],
)
def test_times_are_utc(milliseconds: int, shown: str) -> None:
    """Times are in UTC with a Z, whatever the zone of the machine."""
    assert iso(milliseconds) == shown


_PARTS = st.one_of(
    st.sampled_from(["", "  ", "hello", "a\nb", "\u00e9\u4e2d"]).map(Text),
    st.sampled_from(REASONS).map(LeftOut),
    st.builds(Call, st.sampled_from(["read", "edit"]), output=st.text(max_size=5)),
)
_MESSAGES = st.lists(st.tuples(st.sampled_from(["user", "model"]), st.lists(_PARTS, max_size=4)), max_size=12)


def _built(drawn: Sequence[tuple[str, list[Part]]]) -> list[Message]:
    """Messages in which every call tells where it was made, and every model text who said it."""
    messages = []
    for at, (role, parts) in enumerate(drawn):
        kept: list[Part] = []
        for number, part in enumerate(parts):
            if isinstance(part, Call):
                if role == "model":
                    kept.append(Call(part.name, output=part.output, id=f"{at}"))
            elif isinstance(part, Text) and part.text.strip():
                kept.append(Text(f"<{at}.{number}>{part.text}"))
            else:
                kept.append(part)
        messages.append(Message("user" if role == "user" else "model", tuple(kept)))
    return messages


@settings(max_examples=150, deadline=None)
@given(_MESSAGES)
def test_every_record_holds_together(record_schema: Any, drawn: list[tuple[str, list[Part]]]) -> None:
    """
    Of any session: roles alternate, contents end with the user, every call's turn is the model turn
    that holds its message, no part is lost, counts add up, and the schema holds.
    """
    messages = _built(drawn)
    found = record(session(*messages))
    record_schema.validate(found)
    spoken = conversation(found)
    roles = [role for role, _ in spoken]
    assert all(one != other for one, other in pairwise(roles))
    contents = found["request"]["contents"]
    assert not contents or contents[-1]["role"] == "user"
    assert len(found["response"]["candidates"]) <= 1
    about = found["metadata"]
    assert about["total_turns"] == len(spoken) == about["user_turns"] + about["model_turns"]
    calls = [part for one in messages for part in one.parts if isinstance(part, Call)]
    events = found["intermediate_events"]
    assert about["total_tools"] == len(events) == len(calls) == len(found["generated_trajectory"])
    assert sum(about["left_out"].values()) == sum(
        isinstance(p, LeftOut) for one in messages for p in one.parts
    )
    for event in events:
        role, text = spoken[event["turn"] - 1]
        own = [
            part.text
            for part in messages[int(event["call_id"])].parts
            if isinstance(part, Text) and part.text.strip()
        ]
        assert role == "model"
        assert all(one in text for one in own)
    said = [
        part.text for one in messages for part in one.parts if isinstance(part, Text) and part.text.strip()
    ]
    assert "\n\n".join(said) == "\n\n".join(text for _, text in spoken if text)
    assert [event["turn"] for event in events] == sorted(event["turn"] for event in events)

"""OpenCode's parts: what is said, what is called, what stays out, and in which order."""

from __future__ import annotations

from typing import Any

import pytest

from aigov_eval.errors import InputError
from aigov_eval.sessions import opencode
from aigov_eval.sessions.record import record
from tests.sessions.builders import START, STEP, Info, called, info, model, said, user

BY_USER = said("The following tool was executed by the user", synthetic=True)


def read(*messages: tuple[Info, list[Info]], **more: Any) -> dict[str, Any]:
    """The record of these messages."""
    return record(opencode.session(info(**more), messages))


def conversation(found: dict[str, Any]) -> list[str]:
    contents = [*found["request"]["contents"], *(one["content"] for one in found["response"]["candidates"])]
    return [f"{one['role']}: {one['parts'][0]['text']}" for one in contents]


def left_out(found: dict[str, Any]) -> dict[str, int]:
    return {reason: count for reason, count in found["metadata"]["left_out"].items() if count}


def test_synthetic_ignored_and_files_stay_out() -> None:
    """What the client wrote in the user's name, and what was never sent, is not the user's word."""
    dump = said("Called the Read tool with the following input: {}", synthetic=True)
    found = read(
        user(
            1, dump, {"type": "file", "mime": "text/plain"}, said("hidden", ignored=True), said("Look at it.")
        ),
        model(2, STEP, {"type": "reasoning", "text": "hm"}, said("Seen.")),
    )
    assert conversation(found) == ["user: Look at it.", "model: Seen."]
    assert left_out(found) == {"synthetic": 1, "file": 1, "ignored": 1, "reasoning": 1}


def test_a_command_of_the_user_is_not_the_agents() -> None:
    """A tool part under the client's own notice, without a model step, is the user's command."""
    found = read(
        user(1, BY_USER),
        model(2, called("bash", {"command": "ls"}, "files"), parentID="msg_0001"),
        user(3, said("And now?")),
        model(4, STEP, called("bash", {"command": "pwd"}, "/"), said("Here."), parentID="msg_0003"),
    )
    assert conversation(found) == ["user: And now?", "model: Here."]
    assert [event["function_call"]["args"]["command"] for event in found["intermediate_events"]] == ["pwd"]
    assert left_out(found) == {"synthetic": 1, "user_shell": 1}


def test_a_command_of_the_user_is_told_without_a_parent_id() -> None:
    """Old stores do not name the message that an answer belongs to; the one before it decides."""
    found = read(user(1, BY_USER), model(2, called("bash", {}, "files")), user(3, said("x")))
    assert left_out(found) == {"synthetic": 1, "user_shell": 1}


def test_compaction_stays_out() -> None:
    """A summary of the conversation is not a turn, and neither is the request for it."""
    found = read(
        user(1, said("a")),
        model(2, STEP, said("b")),
        user(3, {"type": "compaction", "auto": True}),
        model(4, STEP, said("## Summary"), summary=True, mode="compaction"),
        user(5, said("Continue if you have next steps", synthetic=True)),
        model(6, STEP, said("c")),
    )
    assert conversation(found) == ["user: a", "model: b\n\nc"]
    assert left_out(found) == {"compaction": 2, "synthetic": 1}


def test_a_summary_object_on_a_user_message_is_no_compaction() -> None:
    """`summary` is an object on user messages and `true` on summaries."""
    assert conversation(read(user(1, said("a"), summary={"diffs": []}))) == ["user: a"]


@pytest.mark.parametrize(
    ("revert", "kept", "reverted"),
    [
        ({"messageID": "msg_0003"}, ["user: a", "model: b"], 3),
        (
            {"messageID": "msg_0004", "partID": "prt_0004_002"},
            ["user: a", "model: b", "user: c", "model: d"],
            1,
        ),
        ({"messageID": "msg_9999"}, ["user: a", "model: b", "user: c", "model: d\n\ne"], 0),
        (None, ["user: a", "model: b", "user: c", "model: d\n\ne"], 0),
    ],
)
def test_what_was_taken_back_stays_out(revert: Info | None, kept: list[str], reverted: int) -> None:
    """A revert takes its message, or its parts from one on, and all that follows."""
    found = read(
        user(1, said("a")),
        model(2, STEP, said("b")),
        user(3, said("c")),
        model(
            4, STEP, said("d"), said("e"), error={"name": "MessageAbortedError"} if reverted == 3 else None
        ),
        revert=revert,
    )
    assert conversation(found) == kept
    assert found["metadata"]["left_out"]["reverted"] == reverted
    assert found["metadata"]["message_errors"] == []


def test_a_subtask_is_the_users_prompt() -> None:
    """A message that holds only a subtask says its prompt; beside the user's own words it does not count."""
    part = {"type": "subtask", "prompt": "Count lines", "agent": "general"}
    assert conversation(read(user(1, part), model(2, called("task", {}, "2"), finish="tool-calls"))) == [
        "user: Count lines",
        "model: ",
    ]
    assert conversation(read(user(1, part, said("Please count")))) == ["user: Please count"]


@pytest.mark.parametrize(
    ("part", "status", "error", "output"),
    [
        (called("bash", {}, "3\n", metadata={"exit": 3}), "completed", None, "3\n"),
        (called("read", {}, status="error", error="no file"), "error", "no file", ""),
        (
            called("bash", {}, status="running", metadata={"output": "half"}),
            "running",
            "not finished",
            "half",
        ),
        (called("bash", {}, status="pending"), "pending", "not finished", ""),
        (called("invalid", {"tool": "x", "error": "no tool x"}, "bad"), "completed", "no tool x", "bad"),
        ({"type": "tool", "tool": "bash"}, "pending", "not finished", ""),
    ],
)
def test_what_became_of_a_call(part: Info, status: str, error: str | None, output: str) -> None:
    """The client's word stays as status; error stands for every call that did not do its work."""
    (event,) = read(user(1, said("a")), model(2, STEP, part))["intermediate_events"]
    assert (event["status"], event.get("error")) == (status, error)
    assert event["function_response"]["response"]["output"] == output


def test_extras_of_a_call() -> None:
    """Exit code and the sub-agent's session are kept where the client knows them."""
    bash = called("bash", {}, "", metadata={"exit": 3})
    task = called("task", {}, "", metadata={"sessionId": "ses_child"})
    first, second = read(user(1, said("a")), model(2, STEP, bash, task))["intermediate_events"]
    assert first["exit_code"] == 3
    assert second["child_session_id"] == "ses_child"


def test_arguments_that_are_no_object_are_wrapped() -> None:
    """Arguments are always an object, as the schema wants it."""
    part = called("odd", {}, "")
    part["state"]["input"] = ["a"]
    (event,) = read(user(1, said("a")), model(2, STEP, part))["intermediate_events"]
    assert event["function_call"]["args"] == {"input": ["a"]}


def test_messages_are_ordered_by_time_then_id() -> None:
    """Ids wrap around every 2.2 years, so a later message may have the smaller id."""
    first, second = user(7, said("first")), user(2, said("second"))
    first[0]["time"] = {"created": START + 1}
    second[0]["time"] = {"created": START + 2}
    twin = user(1, said("zeroth"))
    twin[0]["time"] = {"created": START + 1}
    assert conversation(read(second, first, twin)) == ["user: zeroth\n\nfirst\n\nsecond"]


def test_parts_are_ordered_by_id() -> None:
    """Parts come by id: after a migration all parts of a session share one time."""
    message, parts = user(1, said("a"), said("b"), said("c"))
    assert conversation(read((message, [parts[2], parts[0], parts[1]]))) == ["user: a\n\nb\n\nc"]


def test_a_failed_message_is_noted_and_its_words_kept() -> None:
    """An aborted answer keeps what it said; the error is noted with its turn."""
    error = {"name": "MessageAbortedError", "data": {"message": "Aborted"}}
    found = read(user(1, said("a")), model(2, STEP, said("b"), error=error))
    assert conversation(found) == ["user: a", "model: b"]
    assert found["metadata"]["message_errors"] == [
        {"turn": 2, "name": "MessageAbortedError", "message": "Aborted"}
    ]


def test_what_a_record_says_of_its_session() -> None:
    """Metadata names agent, version, models, folder, parent and times."""
    found = read(
        user(1, said("a"), system="Be brief."),
        model(2, STEP, said("b"), modelID="m2"),
        parentID="ses_p",
        title="T",
    )
    about = found["metadata"]
    assert (found["session_id"], found["title"], found["created"]) == (
        "ses_a",
        "T",
        "2026-11-21T20:15:52.004Z",
    )
    assert (about["agent"], about["agent_version"], about["models"]) == ("opencode", "1.18.33", ["lab/m2"])
    assert (about["directory"], about["parent_id"], about["updated"]) == (
        "/work/shop",
        "ses_p",
        "2026-11-21T20:16:52.004Z",
    )
    assert found["request"]["system_instruction"] == {"parts": [{"text": "Be brief."}]}


def test_a_sanitized_session_is_told() -> None:
    """Placeholders instead of texts are noted."""
    assert read(user(1, said("[redacted:text:prt_1]")))["metadata"]["sanitized"] is True
    assert read(user(1, said("plain [redacted:text:prt_1]")))["metadata"]["sanitized"] is False


def test_unknown_parts_are_counted() -> None:
    """A part of an unknown kind is left out and counted, never silently lost."""
    assert left_out(read(user(1, said("a"), {"type": "hologram"}))) == {"other": 1}


def test_an_unknown_role_is_refused() -> None:
    """A role that this version does not know is an error, not a guess."""
    with pytest.raises(InputError, match="role 'oracle'"):
        read(user(1, said("a"), role="oracle"))


def test_a_session_without_any_time_is_refused() -> None:
    """Nothing can be ordered without a time."""
    with pytest.raises(InputError, match="no time"):
        opencode.session({"id": "ses_a"}, [({"id": "m", "role": "user"}, [said("a")])])

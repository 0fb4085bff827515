"""Claude Code's transcripts: the second agent, through the same record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aigov_eval.errors import InputError
from aigov_eval.sessions import sources
from aigov_eval.sessions.record import record

Line = dict[str, Any]
ID = "11111111-2222-4333-8444-555555555555"


def line(number: int, kind: str, content: Any, *, parent: int | None = -1, **more: Any) -> Line:
    """One line; by default it follows the one before it."""
    follows = number - 1 if parent == -1 else parent
    return {
        "type": kind,
        "uuid": f"u{number}",
        "parentUuid": f"u{follows}" if follows else None,
        "sessionId": ID,
        "timestamp": f"2026-11-21T10:00:{number:02d}.500Z",
        "cwd": "/work/shop",
        "version": "2.1.0",
        "isSidechain": False,
        "message": {"role": kind, "content": content, **({"model": "m1"} if kind == "assistant" else {})},
        **more,
    }


def user(number: int, content: Any, **more: Any) -> Line:
    return line(number, "user", content, **more)


def model(number: int, *blocks: Line, **more: Any) -> Line:
    return line(number, "assistant", list(blocks), **more)


def said(text: str) -> Line:
    return {"type": "text", "text": text}


def called(name: str, identity: str, **args: Any) -> Line:
    return {"type": "tool_use", "id": identity, "name": name, "input": args}


def result(identity: str, content: Any, **more: Any) -> Line:
    return {"type": "tool_result", "tool_use_id": identity, "content": content, **more}


def write(folder: Path, *lines: Line, name: str = ID) -> Path:
    path = folder / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in lines), "utf-8")
    return path


def records(path: Path) -> list[dict[str, Any]]:
    with sources.opened("claude-code", [path]) as offered:
        return [record(one.load()) for one in offered]


def read(tmp_path: Path, *lines: Line) -> dict[str, Any]:
    (found,) = records(write(tmp_path, *lines))
    return found


def conversation(found: dict[str, Any]) -> list[str]:
    contents = [*found["request"]["contents"], *(one["content"] for one in found["response"]["candidates"])]
    return [f"{one['role']}: {one['parts'][0]['text']}" for one in contents]


def left_out(found: dict[str, Any]) -> dict[str, int]:
    return {reason: count for reason, count in found["metadata"]["left_out"].items() if count}


def test_a_session(tmp_path: Path, record_schema: Any) -> None:
    """Text, thinking, parallel calls and their results become one record of the same schema."""
    found = read(
        tmp_path,
        {"type": "file-history-snapshot", "messageId": "x"},
        user(1, "What does main.py do?"),
        model(2, {"type": "thinking", "thinking": "hm"}),
        model(3, said("Reading it.")),
        model(4, called("Read", "t1", file_path="main.py")),
        model(5, called("Bash", "t2", command="ls")),
        user(6, [result("t1", [said("print('hi')")])], parent=4),
        user(7, [result("t2", "no such folder", is_error=True)], parent=5),
        model(8, said("It prints hi."), parent=7),
        {"type": "ai-title", "aiTitle": "Explain main.py", "sessionId": ID},
    )
    record_schema.validate(found)
    assert conversation(found) == ["user: What does main.py do?", "model: Reading it.\n\nIt prints hi."]
    read_call, bash = found["intermediate_events"]
    assert read_call["function_call"] == {"name": "Read", "args": {"file_path": "main.py"}}
    assert read_call["function_response"]["response"] == {"output": "print('hi')"}
    assert (bash["status"], bash["error"], bash["turn"]) == ("error", "no such folder", 2)
    assert left_out(found) == {"reasoning": 1}
    assert (found["session_id"], found["title"], found["created"]) == (
        ID,
        "Explain main.py",
        "2026-11-21T10:00:01.500Z",
    )
    about = found["metadata"]
    assert (about["agent"], about["agent_version"], about["models"]) == ("claude-code", "2.1.0", ["m1"])
    assert (about["directory"], about["updated"]) == ("/work/shop", "2026-11-21T10:00:08.500Z")


def test_what_the_client_wrote_stays_out(tmp_path: Path) -> None:
    """Notices, commands of the client, the user's own shell and summaries are not the user's words."""
    found = read(
        tmp_path,
        user(1, "Caveat: x", isMeta=True),
        user(2, "<command-name>/model</command-name><command-args>m2</command-args>"),
        user(3, "<local-command-stdout>Set model to m2</local-command-stdout>"),
        user(4, "<bash-input>ls</bash-input>"),
        user(5, "<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>"),
        user(6, "This session is being continued", isCompactSummary=True),
        user(7, [said("<system-reminder>x</system-reminder>"), said("Real question"), {"type": "image"}]),
        model(
            8,
            said("No response requested."),
            message={"model": "<synthetic>", "content": [said("No response")]},
        ),
        model(9, said("Real answer")),
    )
    assert conversation(found) == ["user: Real question", "model: Real answer"]
    assert left_out(found) == {"synthetic": 5, "user_shell": 2, "compaction": 1, "file": 1}


@pytest.mark.parametrize("expanded", [True, False])
def test_a_command_that_asks_the_model_is_a_prompt(tmp_path: Path, expanded: bool) -> None:
    """A slash command that the model answers is what the user said."""
    lines = [
        user(1, "<command-message>review</command-message>\n<command-name>/review</command-name>"
        "<command-args>pr 7</command-args>"),
        *([user(2, [said("Review the pull request 7 ...")], isMeta=True)] if expanded else []),
        model(3, said("Fine."), parent=1),
    ]  # fmt: skip
    assert conversation(read(tmp_path, *lines)) == ["user: /review pr 7", "model: Fine."]


def test_what_was_gone_back_behind_stays_out(tmp_path: Path) -> None:
    """Of two prompts to the same line the later one counts; parallel tool results are no such fork."""
    found = read(
        tmp_path,
        user(1, "a"),
        model(2, called("Read", "t1"), called("Read", "t2")),
        user(3, [result("t1", "x")], parent=2),
        user(4, [result("t2", "y")], parent=2),
        model(5, said("b"), parent=4),
        user(6, "abandoned", parent=5),
        model(7, said("never"), called("Write", "t3"), parent=6),
        user(8, "c", parent=5),
        model(9, said("d"), parent=8),
    )
    assert conversation(found) == ["user: a", "model: b", "user: c", "model: d"]
    assert [event["function_call"]["name"] for event in found["intermediate_events"]] == ["Read", "Read"]
    assert left_out(found) == {"reverted": 3}


def test_interruptions_and_errors_are_noted(tmp_path: Path) -> None:
    """An answer that the user stopped, and one that the service refused, are errors of their messages."""
    found = read(
        tmp_path,
        user(1, "a"),
        model(2, said("b"), called("Bash", "t1")),
        user(3, [said("[Request interrupted by user]")]),
        user(4, "c"),
        model(5, said("API Error: 500"), isApiErrorMessage=True),
    )
    assert conversation(found) == ["user: a", "model: b", "user: c"]
    (event,) = found["intermediate_events"]
    assert (event["status"], event["error"]) == ("pending", "not finished")
    assert [(one["turn"], one["name"]) for one in found["metadata"]["message_errors"]] == [
        (2, "Interrupted"),
        (None, "APIError"),
    ]


def test_sub_agents(tmp_path: Path) -> None:
    """A sub-agent's file is a session of its own under its parent's; inside the parent's file it is left out."""
    folder = tmp_path / "-work-shop"
    write(folder, user(1, "a"), user(2, "inner", isSidechain=True), model(3, said("b"), parent=1))
    write(
        folder / ID / "subagents",
        user(1, "task", isSidechain=True, agentId="7"),
        model(2, said("done"), isSidechain=True),
        name="agent-7",
    )
    parent, child = records(tmp_path)
    assert left_out(parent) == {"subagent": 1}
    assert (child["session_id"], child["metadata"]["parent_id"]) == ("agent-7", ID)
    assert conversation(child) == ["user: task", "model: done"]
    with sources.opened("claude-code", [tmp_path]) as offered:
        assert [one.id for one in sources.choose(offered, sources.Wanted(project="/work/shop"))] == [ID]
        assert len(sources.choose(offered, sources.Wanted(children=True))) == 2


def test_a_resumed_session_keeps_its_own_id(tmp_path: Path) -> None:
    """Copied lines keep the id of where they came from; the file's name decides, and repeats count once."""
    old = [user(1, "a", sessionId="old"), model(2, said("b"), sessionId="old")]
    old.append(user(5, "x" * 200_000, sessionId="old", isMeta=True))
    with sources.opened("claude-code", [write(tmp_path, *old, *old, user(3, "c"))]) as offered:
        assert [one.id for one in offered] == [ID]
        found = record(offered[0].load())
    assert (found["session_id"], found["prompt_concat"]) == (ID, "a\n\nc")
    (renamed,) = records(write(tmp_path / "other", *old, user(3, "c"), name="copy"))
    assert renamed["session_id"] == ID


STRAY = "99999999-2222-4333-8444-555555555555"


@pytest.mark.parametrize("at", [0, 1, 3, 4])
def test_a_stray_line_does_not_name_the_session(tmp_path: Path, at: int) -> None:
    """A line of another session, wherever it stands, is not what the record is called after."""
    lines = [user(1, "a"), model(2, said("b")), user(3, "c"), model(4, said("d"))]
    lines.insert(at, user(9, "from another window", sessionId=STRAY, parent=77))
    (found,) = records(write(tmp_path, *lines, name="exported"))
    assert found["session_id"] == ID


def test_two_files_are_two_records(tmp_path: Path) -> None:
    """A line of the first that strayed into the second does not make one record of both."""
    own = {"sessionId": STRAY}
    write(tmp_path, user(1, "a"), model(2, said("b")), name="first")
    write(tmp_path, user(1, "c", **own), model(2, said("d"), **own), user(8, "a", parent=70), name="second")
    assert sorted(found["session_id"] for found in records(tmp_path)) == [ID, STRAY]


@pytest.mark.parametrize("name", [f"{ID}.copy", f"{ID} (1)", f"backup-{ID}"])
def test_a_copy_keeps_the_id_in_its_name(tmp_path: Path, name: str) -> None:
    """What people and programs add to a file's name does not hide the session that it was named for."""
    old = [user(1, "a", sessionId="old"), model(2, said("b"), sessionId="old")]
    (found,) = records(write(tmp_path, user(3, "c", parent=None), *old, name=name))
    assert found["session_id"] == ID


def test_titles(tmp_path: Path) -> None:
    """The user's title comes before a made one; without any, the first prompt serves."""
    lines = [user(1, "First line\nsecond")]
    assert read(tmp_path / "1", *lines)["title"] == "First line"
    lines.append({"type": "summary", "summary": "Summed up", "leafUuid": "u1"})
    assert read(tmp_path / "2", *lines)["title"] == "Summed up"
    lines.append({"type": "custom-title", "customTitle": "Mine"})
    assert read(tmp_path / "3", *lines)["title"] == "Mine"


def test_a_line_cut_short_is_told(tmp_path: Path) -> None:
    """A damaged line is an error with its number."""
    path = write(tmp_path, user(1, "a"), model(2, said("b")))
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(InputError) as caught:
        records(path)
    assert caught.value.where.startswith(f"{path}:2:")


def test_long_lines_are_listed(tmp_path: Path) -> None:
    """A session is offered with its times though single lines are longer than what is peeked at."""
    path = write(
        tmp_path, user(1, "a"), model(2, said("x" * 200_000)), user(3, "z" * 100_000), user(4, "end")
    )
    with sources.opened("claude-code", [path]) as offered:
        (one,) = offered
    assert (one.id, one.projects) == (ID, ("/work/shop",))
    assert one.updated - one.created == 3000


def test_other_lines_are_no_sessions(tmp_path: Path) -> None:
    """A JSONL file of something else, and an empty one, are refused."""
    for content, what in (("", "is empty"), ('{"a": 1}\n', "holds no sessions of claude-code")):
        path = tmp_path / "x.jsonl"
        path.write_text(content, "utf-8")
        with pytest.raises(InputError, match=what):
            records(path)

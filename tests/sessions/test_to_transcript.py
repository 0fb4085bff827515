"""Records and stores as transcripts: tool calls are the assistant's, tool outputs are the tool's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aigov_eval.api.sources import may_be_store
from aigov_eval.cli.inputs import transcripts_of
from aigov_eval.errors import InputError
from aigov_eval.model import Transcript
from aigov_eval.sessions import opencode
from aigov_eval.sessions.record import record
from aigov_eval.sessions.sources import Wanted
from aigov_eval.sessions.to_transcript import record_to_transcript, transcripts
from tests.sessions.builders import STEP, called, info, model, plain, said, user, write_database, write_store


def test_who_says_what() -> None:
    """A call is the assistant's in its own channel, its output the tool's, both before the turn's text."""
    found = record_to_transcript(record(opencode.session(*plain())))
    assert found.id == "ses_a"
    assert [(turn.turn_index, turn.role, turn.channel, turn.name, turn.content) for turn in found.turns] == [
        (0, "user", "message", "", "What does main.py do?"),
        (1, "assistant", "tool_call", "read", '{"filePath":"main.py"}'),
        (1, "tool", "message", "read", "print('hi')"),
        (1, "assistant", "message", "", "Reading it.\n\nIt prints hi."),
        (2, "user", "message", "", "Make it print bye."),
        (3, "assistant", "tool_call", "edit", '{"filePath":"main.py"}'),
        (3, "tool", "message", "edit", "ok"),
        (3, "assistant", "tool_call", "bash", '{"command":"x"}'),
        (3, "tool", "message", "bash", "bye"),
        (3, "assistant", "message", "", "Done."),
    ]


def test_pointers_lead_into_the_record() -> None:
    """Every turn says where in the record its text stands."""
    value = record(opencode.session(*plain()))
    for turn in record_to_transcript(value).turns:
        found = value
        for key in turn.pointer.split("/")[1:]:
            found = found[int(key)] if isinstance(found, list) else found[key]
        assert turn.pointer.startswith("/intermediate_events") == (
            turn.role == "tool" or turn.channel == "tool_call"
        )
        if turn.channel == "message" and turn.role != "tool":
            assert found == turn.content or found["text"] == turn.content


def test_outputs_and_errors_are_plain_text() -> None:
    """What a tool gave back is read as it was: a line break is a line break, and an error counts too."""
    talk = [
        user(1, said("a")),
        model(
            2,
            STEP,
            called("cat", {}, "one\nion@example.com"),
            called("get", {}, status="error", error="no row"),
        ),
    ]
    turns = record_to_transcript(record(opencode.session(info(), talk))).turns
    assert [turn.content for turn in turns if turn.role == "tool"] == ["one\nion@example.com", "no row"]


def test_a_system_prompt_shifts_nothing() -> None:
    """A system prompt stands before the counted turns."""
    value = record(opencode.session(info(), [user(1, said("a"), system="Be brief.")]))
    assert [(turn.turn_index, turn.role) for turn in record_to_transcript(value).turns] == [
        (-1, "system"),
        (0, "user"),
    ]


def test_stores_are_scored_directly(tmp_path: Path) -> None:
    """
    A database and a file store give the same transcripts: of sub-agents too, which can leak as well,
    and not of sessions in which nothing was said.
    """
    sessions = [plain("ses_a"), (info("ses_b"), []), plain("ses_c", parentID="ses_a")]
    database = write_database(tmp_path / "opencode.db", sessions)
    store = write_store(tmp_path / "storage", sessions)
    found = list(transcripts(database))
    assert [(one.id, one.format, one.source) for one in found] == [
        ("ses_a", "opencode", str(database)),
        ("ses_c", "opencode", str(database)),
    ]
    assert [one.id for one in transcripts(database, Wanted())] == ["ses_a"]
    assert [one.turns for one in transcripts(store)] == [one.turns for one in found]


def test_other_files_are_no_stores(tmp_path: Path) -> None:
    """A file that is no store is refused."""
    path = tmp_path / "a.json"
    path.write_text("[]", "utf-8")
    with pytest.raises(InputError, match="holds no agent sessions"):
        next(transcripts(path))


def test_score_takes_stores_and_records_alike(tmp_path: Path) -> None:
    """The command line sees the same turns in a store as in the records made from it."""
    sessions = [plain("ses_a"), plain("ses_b")]
    database = write_database(tmp_path / "opencode.db", sessions)
    records = tmp_path / "records.json"
    records.write_text(json.dumps([record(opencode.session(*one)) for one in sessions]), "utf-8")
    assert not may_be_store(records), (
        "plain JSON is read without the stores' readers, which cost start-up time"
    )
    stored, read = (list(transcripts_of([str(path)])) for path in (database, records))
    assert [one.id for one in stored] == ["ses_a", "ses_b"]
    assert [_said(one) for one in stored] == [_said(one) for one in read]


def test_a_folder_without_sessions_is_a_run_folder(tmp_path: Path) -> None:
    """A folder that is no store is read as before, and what is not there is one line."""
    with pytest.raises(InputError, match="no "):
        list(transcripts_of([str(tmp_path)]))
    with pytest.raises(InputError, match="No such file"):
        list(transcripts_of([str(tmp_path / "gone.db")]))


def _said(transcript: Transcript) -> list[tuple[int, str, str, str]]:
    """The turns without their places in the file, which differ between an array and a store."""
    return [(turn.turn_index, turn.role, turn.channel, turn.content) for turn in transcript.turns]

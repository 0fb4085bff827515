"""Sessions that the real client wrote: every form, every version, every odd case."""

from __future__ import annotations

import json
import shutil
import sqlite3
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from aigov_eval.sessions import sources
from aigov_eval.sessions.record import record
from aigov_eval.sessions.to_transcript import record_to_transcript

FORMS = (
    "opencode-1.18.33.db",
    "opencode-1.2.27.db",
    "opencode-1.2.27-migrated-from-1.1.65.db",
    "storage-1.1.65",
    "project-storage-0.5.29",
    "exports",
    "api",
)
# how many sessions each holds, sub-agents' included
COUNTS = dict(zip(FORMS, (9, 2, 2, 2, 1, 12, 5), strict=True))


def ingested(*paths: Path) -> dict[str, dict[str, Any]]:
    with sources.opened("opencode", paths) as offered:
        chosen = sources.choose(offered, sources.Wanted(children=True))
        return {one.id: record(one.load()) for one in chosen}


def of(shared: Path, form: str) -> dict[str, dict[str, Any]]:
    place = shared / "opencode" / form
    return ingested(*(sorted(place.glob("*.json")) if form in ("exports", "api") else [place]))


@pytest.mark.parametrize("form", FORMS)
def test_every_session_ingests(shared: Path, record_schema: Any, form: str) -> None:
    """Records are valid, roles alternate, turns point at model turns, counts add up, transcripts can be made."""
    found = of(shared, form)
    assert len(found) == COUNTS[form]
    for one in found.values():
        record_schema.validate(one)
        contents = [*one["request"]["contents"], *(c["content"] for c in one["response"]["candidates"])]
        assert all(a["role"] != b["role"] for a, b in pairwise(contents))
        assert one["request"]["contents"][-1]["role"] == "user"
        assert all(contents[event["turn"] - 1]["role"] == "model" for event in one["intermediate_events"])
        about = one["metadata"]
        assert about["total_turns"] == len(contents) == about["user_turns"] + about["model_turns"]
        assert about["total_tools"] == len(one["intermediate_events"]) == len(one["generated_trajectory"])
        assert about["left_out"]["other"] == 0
        calls = [turn for turn in record_to_transcript(one).turns if turn.channel == "tool_call"]
        assert len(calls) == about["total_tools"]


def test_migrated_and_unmigrated_copies_agree(shared: Path) -> None:
    """The same sessions as files of 1.1.65 and in the database that 1.2.27 made of them."""
    assert of(shared, "storage-1.1.65") == of(shared, "opencode-1.2.27-migrated-from-1.1.65.db")


def test_exports_and_databases_agree(shared: Path) -> None:
    """An export holds what its database holds; the sanitized copy of one loses against it."""
    exports = of(shared, "exports")
    databases = {name: one for form in FORMS[:3] for name, one in of(shared, form).items()}
    assert exports == {name: databases[name] for name in exports}
    assert not any(one["metadata"]["sanitized"] for one in exports.values())


@pytest.mark.parametrize("form", ["opencode-1.18.33.db", "opencode-1.2.27.db"])
def test_every_tool_call_is_there(shared: Path, form: str) -> None:
    """Counted in the database itself: every tool part is an event or the user's own command."""
    database = sqlite3.connect(f"file:{shared / 'opencode' / form}?mode=ro&immutable=1", uri=True)
    stored = [
        json.loads(data) for (data,) in database.execute("SELECT data FROM part ORDER BY session_id, id")
    ]
    database.close()
    tools = [part for part in stored if part["type"] == "tool"]
    found = of(shared, form)
    events = [event for one in found.values() for event in one["intermediate_events"]]
    by_user = sum(one["metadata"]["left_out"]["user_shell"] for one in found.values())
    assert len(tools) == len(events) + by_user
    outputs = {part["callID"]: part["state"].get("output", "") for part in tools}
    assert all(
        event["function_response"]["response"]["output"] == outputs[event["call_id"]] for event in events
    )


def test_the_odd_cases(shared: Path) -> None:
    """What a reader sees in these sessions: tools before text, errors, revert, compaction, abort, fork."""
    by_title = {one["title"]: one for one in of(shared, "opencode-1.18.33.db").values()}
    edge = by_title["Edge cases"]
    assert edge["response"] == {"candidates": []}
    assert edge["prompt"] == "Trigger a provider error"
    assert edge["request"]["contents"][1]["parts"] == [{"text": ""}]
    assert [(e["function_call"]["name"], e["turn"], "error" in e) for e in edge["intermediate_events"]] == [
        ("glob", 2, False),
        ("invalid", 4, True),
    ]
    assert edge["metadata"]["message_errors"][0]["name"] == "APIError"
    work = by_title["Greeting file work"]
    assert [e["turn"] for e in work["intermediate_events"]] == [2, 2, 2, 4, 4, 4, 6]
    assert work["intermediate_events"][5]["exit_code"] == 3
    assert work["intermediate_events"][6]["child_session_id"] in of(shared, "opencode-1.18.33.db")
    compacted = by_title["Compacted"]
    assert compacted["metadata"]["left_out"]["compaction"] == 2
    assert "## Summary" not in compacted["response_concat"]
    shell = by_title["Shell and revert"]
    assert "from-user-shell" not in json.dumps(shell)
    assert "Second question" not in shell["prompt_concat"]
    assert by_title["Aborted"]["metadata"]["message_errors"][0]["name"] == "MessageAbortedError"
    agent = by_title["Agent, subtask, synthetic"]
    assert agent["prompt"] == "context only\n\nFollow-up after context only"
    assert agent["request"]["contents"][2]["parts"][0]["text"].startswith("SUBTASK")


def test_states_of_the_running_client(shared: Path) -> None:
    """Seen while it ran: an unfinished call, and a revert whose messages are still stored."""
    place = shared / "opencode" / "api"
    (running,) = ingested(place / "api_abort_running.json").values()
    assert [(e["status"], e["error"]) for e in running["intermediate_events"]] == [
        ("running", "not finished")
    ]
    (reverted,) = ingested(place / "api_shell_after_revert.json").values()
    assert reverted["prompt"] == "First question"
    assert reverted["metadata"]["left_out"]["reverted"] == 2


def test_a_live_copy_of_a_real_database(shared: Path, tmp_path: Path) -> None:
    """A real database with an open writer: what it has committed is read, what it has not is not."""
    path = tmp_path / "opencode.db"
    shutil.copyfile(shared / "opencode" / "opencode-1.18.33.db", path)
    path.chmod(0o600)
    before = ingested(path)
    writer = sqlite3.connect(path)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("UPDATE session SET title = 'committed' WHERE title = 'Compacted'")
    writer.commit()
    writer.execute("DELETE FROM session")
    during = ingested(path)
    writer.close()
    assert list(during) == list(before)
    assert {one["title"] for one in during.values()} - {one["title"] for one in before.values()} == {
        "committed"
    }

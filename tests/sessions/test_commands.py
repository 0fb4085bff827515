"""The commands as people type them: what they print, write and return."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aigov_eval.cli.main import run
from tests.sessions.builders import info, model, plain, said, user, write_database, write_export


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database of three sessions: one with tools, one of its sub-agent, one in which nothing was said."""
    child = (
        info("ses_b", parentID="ses_a", title="Count\x1b[2J"),
        [user(900, said("count")), model(901, said("2"))],
    )
    return write_database(tmp_path / "opencode.db", [plain("ses_a"), child, (info("ses_c"), [])])


def test_one_session_is_one_object(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A single record is an object on stdout; what was left out is said on stderr."""
    assert run(["ingest", "opencode", "--db", str(database)]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["session_id"] == "ses_a"
    assert "1 session without messages left out: ses_c" in err


def test_several_sessions_in_a_file(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Several records are an array, or one a line where the name ends in .jsonl."""
    array, lines = database.with_name("a.json"), database.with_name("a.jsonl")
    for path in (array, lines):
        assert (
            run(["ingest", "opencode", "--db", str(database), "--include-children", "--out", str(path)]) == 0
        )
    assert "2 records written" in capsys.readouterr().err
    values = json.loads(array.read_text("utf-8"))
    assert [one["session_id"] for one in values] == ["ses_a", "ses_b"]
    assert [json.loads(one) for one in lines.read_text("utf-8").splitlines()] == values


def test_the_overview(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--list shows time, id, turns, tools, project and title, and nothing that a terminal would obey."""
    assert run(["ingest", "opencode", "--db", str(database), "--list", "--include-children"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["created", "(UTC)", "session", "turns", "tools", "project", "title"]
    assert lines[1].split() == ["2026-11-21", "20:15", "ses_a", "4", "3", "/work/shop", "A", "session"]
    assert lines[2].endswith("/work/shop  Count\\u001b[2J")
    assert len(lines) == 3


def test_sources_and_ids_without_options(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Files and ids may stand without an option, as a shell's * leaves them behind the first."""
    exports = [write_export(database.with_name(f"{at}.json"), plain(f"ses_{at}")) for at in "xyz"]
    assert run(["ingest", "opencode", "--export", *map(str, exports), "ses_y", "--list"]) == 0
    assert [line.split()[2] for line in capsys.readouterr().out.splitlines()[1:]] == ["ses_y"]


def test_options_of_the_record(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tool names are mapped and outputs cut on request."""
    names = database.with_name("names.yaml")
    names.write_text("tool_mappings:\n  fs.read: [read]\n", "utf-8")
    args = ["--tool-names", str(names), "--max-output", "3", "--since", "2026-11-21"]
    assert run(["ingest", "opencode", "--db", str(database), *args]) == 0
    event = json.loads(capsys.readouterr().out)["intermediate_events"][0]
    assert event["function_call"]["name"] == "fs.read"
    assert event["output_chars"] == 11


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--session", "ses_c"], "the session has no messages"),
        (["ses_zz"], "no session 'ses_zz'"),
        (["--since", "soon"], "--since 'soon' is not a time"),
        (["--project", "/nowhere"], "no session was chosen"),
        (["nothing.db"], "there is no such file"),
        (["--tool-names", "none.yaml"], "none.yaml cannot be read"),
        (["--max-output", "-1"], "Invalid value for '--max-output'"),
        (["--frobnicate"], "No such option"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    database: Path, args: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong option or choice is one line and exit code 2; nothing is printed as a result."""
    assert run(["ingest", "opencode", "--db", str(database), *args]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert said in err and "Traceback" not in err


def test_nothing_said_anywhere_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where no session has messages there is no empty file, and the exit code is 2."""
    path, out = write_export(tmp_path / "a.json", (info(), [])), tmp_path / "out.jsonl"
    assert run(["ingest", "opencode", "--export", str(path), "--out", str(out)]) == 2
    assert "no messages in ses_a" in capsys.readouterr().err
    assert not out.exists()


def test_the_source_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An output that is one of the inputs is refused."""
    path = write_export(tmp_path / "a.json", plain())
    before = path.read_bytes()
    assert run(["ingest", "opencode", "--export", str(path), "--out", str(path)]) == 2
    assert "overwrite the source" in capsys.readouterr().err
    assert path.read_bytes() == before


def test_a_bad_session_among_good_ones(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One that cannot be read ends the run; with --keep-going the others are written, and the code is still 2."""
    bad = (info("ses_b"), [user(900, said("x"), role="oracle")])
    path, out = write_database(tmp_path / "opencode.db", [plain("ses_a"), bad]), tmp_path / "out.jsonl"
    args = ["ingest", "opencode", "--db", str(path), "--out", str(out)]
    assert run(args) == 2
    assert not out.exists()
    assert run([*args, "--keep-going"]) == 2
    assert "ses_b the message msg_0900 has the role 'oracle'" in capsys.readouterr().err
    assert len(out.read_text("utf-8").splitlines()) == 1


def test_a_sanitized_export_is_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A record of placeholders says so."""
    path = write_export(tmp_path / "a.json", (info(), [user(1, said("[redacted:text:prt_1]"))]))
    assert run(["ingest", "opencode", "--export", str(path)]) == 0
    assert "ses_a is a sanitized export" in capsys.readouterr().err


def test_rows_for_vertex(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rows are JSONL, because the SDK reads no other ending."""
    records, rows = database.with_name("r.jsonl"), database.with_name("rows.jsonl")
    run(["ingest", "opencode", "--db", str(database), "--out", str(records)])
    assert run(["export", "vertex", str(records), "--out", str(rows), "--rows", "agent-data"]) == 0
    (row,) = [json.loads(line) for line in rows.read_text("utf-8").splitlines()]
    assert sorted(row) == ["agent_data", "session_id"]
    capsys.readouterr()
    assert run(["export", "vertex", str(records)]) == 0
    assert json.loads(capsys.readouterr().out)["prompt"]["parts"] == [{"text": "Make it print bye."}]
    assert run(["export", "vertex", str(records), "--out", str(rows.with_suffix(".json"))]) == 2
    assert "rows are JSONL" in capsys.readouterr().err


def test_every_command_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    """--help shows how each command is used."""
    for command in (
        ["ingest", "opencode"],
        ["ingest", "claude-code"],
        ["export", "vertex"],
        ["judge", "vertex"],
        ["reconcile"],
    ):
        assert run([*command, "--help"]) == 0
        assert f"Example: aigov-eval {' '.join(command)}" in " ".join(capsys.readouterr().out.split())

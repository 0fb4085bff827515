"""Which sessions there are, and which of them are wanted."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from aigov_eval.errors import InputError
from aigov_eval.sessions import sources
from aigov_eval.sessions.session import Listed, Session
from aigov_eval.sessions.sources import Wanted, choose
from tests.sessions.builders import START, plain, write_database, write_export, write_store

NOW = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)


def _never() -> Session:
    raise AssertionError("choosing loads nothing")


def listed(identity: str, at: int = 0, **more: object) -> Listed:
    values = {"created": START + at, "updated": START + at, "load": _never, "projects": ("/work/shop",)}
    return Listed(identity, **{**values, **more})  # type: ignore[arg-type]


OFFERED = [
    listed("ses_root"),
    listed("ses_child", 1, parent_id="ses_root"),
    listed("ses_grandchild", 2, parent_id="ses_child"),
    listed("ses_other", 3, projects=("/work/shopping", "/elsewhere")),
    listed("ses_orphan", 4, parent_id="ses_gone"),
]


@pytest.mark.parametrize(
    ("wanted", "chosen"),
    [
        (Wanted(), "root other orphan"),
        (Wanted(children=True), "root child grandchild other orphan"),
        (Wanted(ids=("ses_child",)), "child"),
        (Wanted(ids=("ses_root",), children=True), "root child grandchild"),
        (Wanted(project="/work/shop"), "root orphan"),
        (Wanted(project="/work/"), "root other orphan"),
        (Wanted(project="/elsewhere"), "other"),
        (Wanted(since=START + 3), "other orphan"),
        (Wanted(since=START + 1, children=True), "child grandchild other orphan"),
    ],
)
def test_choice(wanted: Wanted, chosen: str) -> None:
    """By id, folder and last activity; sub-agents' sessions only when asked for, or when nothing else stands for them."""
    assert [one.id.removeprefix("ses_") for one in choose(OFFERED, wanted)] == chosen.split()


def test_a_sub_agents_export_was_asked_for() -> None:
    """A file that was named is taken, also where its parent is among the files."""
    offered = [listed("ses_root", named=True), listed("ses_child", 1, parent_id="ses_root", named=True)]
    assert len(choose(offered, Wanted())) == 2


def test_a_wrong_id_is_told_with_the_nearest() -> None:
    """An id that is not there is an error that names what is meant."""
    with pytest.raises(InputError) as caught:
        choose(OFFERED, Wanted(ids=("ses_rot",)))
    assert "ses_root" in caught.value.help


def test_no_choice_is_an_error() -> None:
    """Nothing chosen is never an empty result."""
    with pytest.raises(InputError, match="no session was chosen; 5 are there"):
        choose(OFFERED, Wanted(project="/nowhere"))


@pytest.mark.parametrize("project", ["/work/shop", "/work"])
def test_a_project_of_generation_0(tmp_path: Path, project: str) -> None:
    """The oldest store knows a project by the name it made of its path."""
    root = write_store(tmp_path / "project" / "work-shop" / "storage", [plain()], generation=0)
    with sources.opened("opencode", [root]) as offered:
        if project == "/work/shop":
            assert len(choose(offered, Wanted(project=project))) == 1
        else:
            with pytest.raises(InputError):
                choose(offered, Wanted(project=project))


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("30m", datetime(2026, 11, 21, 19, 30, tzinfo=UTC)),
        ("2h", datetime(2026, 11, 21, 18, 0, tzinfo=UTC)),
        ("3 d", datetime(2026, 11, 18, 20, 0, tzinfo=UTC)),
        ("1w", datetime(2026, 11, 14, 20, 0, tzinfo=UTC)),
        ("today", datetime(2026, 11, 21, tzinfo=UTC)),
        ("2026-11-01", datetime(2026, 11, 1, tzinfo=UTC)),
        ("2026-11-01T09:30", datetime(2026, 11, 1, 9, 30, tzinfo=UTC)),
        ("2026-11-01T09:30+02:00", datetime(2026, 11, 1, 7, 30, tzinfo=UTC)),
        ("9999999999d", datetime(1970, 1, 1, tzinfo=UTC)),
    ],
)
def test_since(value: str, moment: datetime) -> None:
    """Spans count back from now; dates and times without a zone are UTC."""
    assert sources.since(value, NOW) == int(moment.timestamp() * 1000)


@pytest.mark.parametrize("value", ["", "yesterdayish", "2h30", "2026-13-01", "-2h"])
def test_since_refuses_guesses(value: str) -> None:
    """A time that cannot be read is an error, never a default."""
    with pytest.raises(InputError, match="is not a time"):
        sources.since(value, NOW)


def test_the_default_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a source, the databases and file stores of this machine are read, each session once."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("OPENCODE_DB", raising=False)
    with (
        pytest.raises(InputError, match="no sessions of opencode on this machine"),
        sources.opened("opencode"),
    ):
        pass
    data = tmp_path / "opencode"
    data.mkdir()
    write_database(data / "opencode.db", [plain("ses_b")])
    write_database(data / "opencode-beta.db", [plain("ses_c")])
    write_store(data / "storage", [plain("ses_a"), plain("ses_b")])
    with sources.opened("opencode") as offered:
        assert [one.id for one in offered] == ["ses_a", "ses_b", "ses_c"]
    named = write_database(tmp_path / "own.db", [plain("ses_d")])
    monkeypatch.setenv("OPENCODE_DB", str(named))
    with sources.opened("opencode") as offered:
        assert [one.id for one in offered] == ["ses_a", "ses_b", "ses_d"]


def test_home_without_xdg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenCode keeps its data in ~/.local/share on every platform; Claude Code in ~/.claude."""
    for name in ("XDG_DATA_HOME", "OPENCODE_DB", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert sources.default_sources("opencode") == [tmp_path / ".local" / "share" / "opencode" / "opencode.db"]
    assert sources.default_sources("claude-code") == [tmp_path / ".claude" / "projects"]


def test_what_is_a_source(tmp_path: Path) -> None:
    """A store is known by its content, whatever its name."""
    assert sources.is_source(write_database(tmp_path / "notes.txt", [plain()])) == "opencode"
    assert sources.is_source(write_store(tmp_path / "store", [plain()])) == "opencode"
    assert sources.is_source(write_export(tmp_path / "a.json", plain())) == ""
    lines = tmp_path / "a.log"
    lines.write_text('{"type":"user","sessionId":"s","parentUuid":null,"message":{}}\n', "utf-8")
    assert sources.is_source(lines) == "claude-code"
    (tmp_path / "b.jsonl").write_text('{"role":"user","content":"x"}\n', "utf-8")
    assert sources.is_source(tmp_path / "b.jsonl") == ""

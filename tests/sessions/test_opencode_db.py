"""OpenCode's database: read as it is, never touched, and refused where it is not known."""

from __future__ import annotations

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from aigov_eval.errors import InputError
from aigov_eval.sessions import snapshot, sources
from aigov_eval.sessions.record import record
from aigov_eval.sessions.session import Session
from tests.sessions.builders import insert, open_database, plain, said, user, write_database


def sessions(path: Path) -> list[Session]:
    with sources.opened("opencode", [path]) as offered:
        return [one.load() for one in offered]


def failure(path: Path) -> InputError:
    with pytest.raises(InputError) as caught:
        sessions(path)
    return caught.value


def state(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {one.name: (one.read_bytes(), one.stat().st_mtime_ns) for one in sorted(folder.iterdir())}


def test_a_fresh_database_lives_in_its_log(tmp_path: Path) -> None:
    """What a running client has written stands beside the database, and is read."""
    path = tmp_path / "opencode.db"
    writer = open_database(path)
    writer.execute("PRAGMA wal_autocheckpoint = 0")
    insert(writer, plain())
    assert path.stat().st_size == 4096
    assert [one.id for one in sessions(path)] == ["ses_a"]
    insert(writer, plain("ses_b"))
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("DELETE FROM session")
    assert [one.id for one in sessions(path)] == ["ses_a", "ses_b"], "what is not committed is not there"
    writer.rollback()
    writer.close()


@pytest.mark.parametrize("wal", [True, False])
def test_the_users_folder_stays_as_it_is(tmp_path: Path, wal: bool) -> None:
    """No byte, no time and no file in the folder changes, whether a client runs or not."""
    path = write_database(tmp_path / "opencode.db", [plain()], wal=wal)
    before = state(tmp_path)
    assert len(sessions(path)) == 1
    assert state(tmp_path) == before
    writer = sqlite3.connect(path)
    insert(writer, plain("ses_b"))
    before = state(tmp_path)
    assert len(sessions(path)) == 2
    assert state(tmp_path) == before
    writer.close()


def test_a_read_only_folder(tmp_path: Path) -> None:
    """A database in a folder that cannot be written is read."""
    folder = tmp_path / "data"
    folder.mkdir()
    path = write_database(folder / "opencode.db", [plain()])
    path.chmod(0o400)
    folder.chmod(0o500)
    try:
        assert len(sessions(path)) == 1
    finally:
        folder.chmod(0o700)


_WRITER = """
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1])
db.execute("PRAGMA wal_autocheckpoint = 40")
print("ready", flush=True)
for n in range(100000):
    with db:
        db.execute("INSERT INTO message VALUES (?, 'ses_a', ?, 0, ?)", (f"msg_x{n:06d}", n + 1,
            '{"role": "user", "time": {"created": 1795292152004}}'))
        db.execute("INSERT INTO part VALUES (?, ?, 'ses_a', 0, 0, ?)", (f"prt_x{n:06d}", f"msg_x{n:06d}",
            '{"type": "text", "text": "' + "x" * 3000 + '"}'))
    time.sleep(0.002)
"""


def test_a_copy_is_always_a_committed_state(tmp_path: Path) -> None:
    """While a client writes and folds its log back, every read sees whole transactions and a sound database."""
    path = write_database(tmp_path / "opencode.db", [plain()])
    writer = subprocess.Popen([sys.executable, "-c", _WRITER, str(path)], stdout=subprocess.PIPE)
    assert writer.stdout is not None
    counts = []
    try:
        writer.stdout.readline()
        for _ in range(40):
            with snapshot.opened(path) as copy:
                (sound,) = copy.execute("PRAGMA quick_check").fetchone()
                (messages,) = copy.execute("SELECT count(*) FROM message WHERE id LIKE 'msg_x%'").fetchone()
                (parts,) = copy.execute("SELECT count(*) FROM part WHERE id LIKE 'prt_x%'").fetchone()
            assert (sound, messages) == ("ok", parts)
            counts.append(messages)
    finally:
        writer.kill()
        writer.communicate()
    assert counts == sorted(counts) and counts[-1] > counts[0], "the writer wrote meanwhile"


@pytest.mark.parametrize("wal", [True, False])
def test_a_change_while_copying_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wal: bool
) -> None:
    """Where the log is folded back and started anew between our two reads, the copy is made again."""
    path = tmp_path / "opencode.db"
    writer = open_database(path, wal=wal)
    writer.execute("PRAGMA wal_autocheckpoint = 0")
    insert(writer, plain("ses_a"))
    copyfile, meanwhile = shutil.copyfile, [plain("ses_b"), plain("ses_c")]

    def interrupted(source: Path, target: Path) -> None:
        copyfile(source, target)
        if meanwhile and source == path:
            insert(writer, meanwhile.pop(0))
            writer.execute("PRAGMA wal_checkpoint(RESTART)")
            insert(writer, meanwhile.pop(0))

    monkeypatch.setattr("aigov_eval.sessions.snapshot.shutil.copyfile", interrupted)
    assert [one.id for one in sessions(path)] == ["ses_a", "ses_b", "ses_c"]
    assert not meanwhile
    writer.close()


_HOLDER = """
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1])
db.execute("BEGIN EXCLUSIVE")
print("ready", flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="locks cannot be asked for there")
def test_a_locked_database_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database that another program holds for itself gives one line, after some patience."""
    monkeypatch.setattr(snapshot, "_PAUSE", 0.001)
    path = write_database(tmp_path / "opencode.db", [plain()], wal=False)
    holder = subprocess.Popen([sys.executable, "-c", _HOLDER, str(path)], stdout=subprocess.PIPE)
    assert holder.stdout is not None
    try:
        holder.stdout.readline()
        assert "is locked" in failure(path).text
    finally:
        holder.kill()
        holder.communicate()
    assert len(sessions(path)) == 1


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a process that can be killed outright")
def test_what_a_killed_client_left_is_rolled_back(tmp_path: Path) -> None:
    """A transaction that was cut off half-way in rollback mode is not part of the sessions."""
    path = write_database(tmp_path / "opencode.db", [plain()], wal=False)
    script = (
        "import os, signal, sqlite3, sys\n"
        "db = sqlite3.connect(sys.argv[1])\n"
        "db.execute('PRAGMA cache_size = 1')\n"
        "db.execute('BEGIN')\n"
        "for n in range(400):\n"
        "    db.execute('INSERT INTO session (id, time_created, title) VALUES (?, 1, ?)', (f'ses_{n}', 'x' * 900))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", script, str(path)], check=False)
    assert Path(f"{path}-journal").stat().st_size, "the journal is hot"
    before = state(tmp_path)
    assert [one.id for one in sessions(path)] == ["ses_a"]
    assert state(tmp_path) == before


def test_an_empty_database(tmp_path: Path) -> None:
    """A file of 0 bytes is told, and so is a database whose log was not copied with it."""
    path = tmp_path / "opencode.db"
    path.write_bytes(b"")
    assert failure(path).text == "is empty (0 bytes)"
    source = tmp_path / "live.db"
    writer = sqlite3.connect(source)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("CREATE TABLE session (id)")
    writer.commit()
    path.write_bytes(source.read_bytes())
    writer.close()
    error = failure(path)
    assert "no tables" in error.text and "-wal" in error.help


def test_a_foreign_database(tmp_path: Path) -> None:
    """Another program's database is named as such, with its tables."""
    path = tmp_path / "music.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE albums (title)")
    connection.execute("CREATE TABLE session (cookie)")
    connection.close()
    error = failure(path)
    assert "not OpenCode's" in error.text and "albums" in error.text


def test_a_damaged_database(tmp_path: Path) -> None:
    """A damaged file is one line, not a traceback."""
    path = write_database(tmp_path / "opencode.db", [plain()], wal=False)
    data = bytearray(path.read_bytes())
    data[100:4096] = b"\xff" * 3996
    path.write_bytes(bytes(data))
    assert "cannot be read" in failure(path).text


def test_rows_that_are_no_json(tmp_path: Path) -> None:
    """A damaged row is named by session and id."""
    path = write_database(tmp_path / "opencode.db", [plain()])
    for value in ("{", "[]"):
        connection = sqlite3.connect(path)
        connection.execute("UPDATE part SET data = ? WHERE id = 'prt_0001_000'", (value,))
        connection.commit()
        connection.close()
        assert failure(path).where == f"{path}: session ses_a: part prt_0001_000"


@pytest.mark.parametrize(
    "change",
    ["ALTER TABLE message RENAME TO turn", "ALTER TABLE part RENAME COLUMN data TO body", "DROP TABLE part"],
)
def test_a_newer_schema_is_refused(tmp_path: Path, change: str) -> None:
    """Tables or columns that are gone mean a newer client, and are named."""
    path = write_database(tmp_path / "opencode.db", [plain()])
    connection = sqlite3.connect(path)
    connection.execute(change)
    connection.commit()
    connection.close()
    assert "newer than this reader" in failure(path).text


def test_messages_in_a_newer_table_are_not_overlooked(tmp_path: Path) -> None:
    """Where a later client keeps prompts in its second table only, the session is refused, not cut short."""
    path = tmp_path / "opencode.db"
    connection = open_database(path)
    insert(connection, plain())
    connection.execute(
        "CREATE TABLE session_message (id text, session_id text, type text, seq int, data text)"
    )
    for number, kind in enumerate(["user", "assistant", "user", "synthetic"]):
        connection.execute(
            "INSERT INTO session_message VALUES (?, 'ses_a', ?, ?, '{}')", (str(number), kind, number)
        )
    connection.commit()
    assert len(sessions(path)) == 1, "a second table that mirrors the first says nothing new"
    connection.execute("INSERT INTO session_message VALUES ('9', 'ses_a', 'user', 9, '{}')")
    connection.commit()
    connection.close()
    error = failure(path)
    assert "session_message" in error.text and "opencode export" in error.help


def test_text_that_is_not_utf8(tmp_path: Path) -> None:
    """A text cut in the middle of a character does not hide its session."""
    path = write_database(tmp_path / "opencode.db", [(plain()[0], [user(1, said("caf"))])])
    connection = sqlite3.connect(path)
    data = json.dumps({"type": "text", "text": "caf"}).encode().replace(b"caf", b"caf\xc3")
    connection.execute("UPDATE part SET data = CAST(? AS TEXT)", (data,))
    connection.commit()
    connection.close()
    (found,) = sessions(path)
    assert record(found)["prompt"] == "caf\ufffd"


def test_the_copy_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the sessions stays in the temporary folder."""
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    path = write_database(tmp_path / "opencode.db", [plain()])
    seen: list[Any] = []
    with sources.opened("opencode", [path]) as offered:
        seen = list(temporary.iterdir())
        offered[0].load()
    assert seen and not list(temporary.iterdir())

"""The journal: what is acknowledged is on disk, what is half-written is cut away."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aigov_eval import files
from aigov_eval.errors import EvidenceError, InputError
from aigov_eval.runner.journal import Journal

RECORDS = [{"event": "start", "n": 0}, {"event": "answer", "content": "ă \u2028 \n \r"}, {"event": "end"}]


def written(path: Path) -> Path:
    """A journal with these records."""
    journal = Journal(path)
    for record in RECORDS:
        journal.append(record)
    journal.close()
    return path


def read_again(path: Path) -> list[dict[str, Any]]:
    """The records that the next start finds."""
    journal = Journal(path)
    journal.close()
    return journal.records


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(st.data())
def test_cut_anywhere_it_keeps_every_whole_record(tmp_path: Path, data: st.DataObject) -> None:
    """After a cut at any byte the whole lines before it are read, and appending goes on cleanly."""
    path = tmp_path / "journal.jsonl"
    path.unlink(missing_ok=True)
    whole = written(path).read_bytes()
    cut = data.draw(st.integers(0, len(whole)))
    path.write_bytes(whole[:cut])
    kept = whole[:cut].count(b"\n")
    journal = Journal(path)
    assert journal.records == RECORDS[:kept]
    journal.append({"event": "resume"})
    journal.close()
    assert read_again(path) == [*RECORDS[:kept], {"event": "resume"}]


def test_a_broken_line_in_the_middle_is_an_error(tmp_path: Path) -> None:
    """Only the end can be torn by a crash; anything else was changed, and is told with its line."""
    path = written(tmp_path / "journal.jsonl")
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([lines[0], lines[1][:-3], lines[2], b""]))
    with pytest.raises(EvidenceError) as caught:
        Journal(path)
    assert caught.value.where.endswith("journal.jsonl:2")


def test_a_full_disk_leaves_the_journal_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A write that fails half-way is taken back, told as such, and nothing of it shows up later."""
    path = written(tmp_path / "journal.jsonl")
    before = path.read_bytes()
    journal = Journal(path)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="No space left on device") as caught:
        journal.append({"event": "answer", "content": "x" * 1000})
    assert "--resume" in caught.value.help
    monkeypatch.undo()
    assert path.read_bytes() == before
    journal.append({"event": "answer"})
    journal.close()
    assert read_again(path) == [*RECORDS, {"event": "answer"}]


def test_a_record_is_on_disk_when_append_returns(tmp_path: Path) -> None:
    """Nothing waits in a buffer: another reader sees the record at once."""
    path = tmp_path / "journal.jsonl"
    journal = Journal(path)
    journal.append(RECORDS[0])
    assert path.read_bytes().endswith(b"\n")
    journal.close()


def test_files_are_whole_or_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A write that fails leaves the old file and no other."""
    path = tmp_path / "scores.json"
    files.write_json(path, [1])

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="cannot be written"):
        files.write_json(path, [2])
    assert path.read_text() == "[\n  1\n]\n"
    assert list(tmp_path.iterdir()) == [path]

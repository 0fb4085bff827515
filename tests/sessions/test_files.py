"""Records on disk: the three forms, whole or not there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aigov_eval.errors import InputError
from aigov_eval.sessions import disk, files, opencode
from aigov_eval.sessions.record import record
from aigov_eval.sessions.toolnames import read_names
from tests.sessions.builders import plain


def some(*identities: str) -> list[dict[str, Any]]:
    return [record(opencode.session(*plain(identity))) for identity in identities]


@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "a.ndjson", "a.JSONL", "a"])
@pytest.mark.parametrize("identities", [("ses_a",), ("ses_a", "ses_b")])
def test_what_is_written_is_read(tmp_path: Path, name: str, identities: tuple[str, ...]) -> None:
    """One object, an array or lines, by the ending; all are read back the same."""
    path, values = tmp_path / name, some(*identities)
    assert files.write_values(path, values) == len(values)
    assert files.read_records([path]) == values
    text = path.read_text("utf-8")
    if path.suffix.lower() in files.JSONL:
        assert [json.loads(one) for one in text.splitlines()] == values
    else:
        assert json.loads(text) == (values[0] if len(values) == 1 else values)
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_leaves_the_old_file(tmp_path: Path) -> None:
    """A run that fails half-way neither damages what was there nor leaves a piece beside it."""
    path = tmp_path / "a.jsonl"
    path.write_text("old", "utf-8")

    def broken() -> Iterator[Any]:
        yield {"a": 1}
        raise InputError("no")

    with pytest.raises(InputError):
        files.write_values(path, broken())
    assert path.read_text("utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_file_has_the_usual_rights(tmp_path: Path) -> None:
    """A record file is readable as any other file that its owner makes."""
    other = tmp_path / "other"
    other.write_text("", "utf-8")
    files.write_values(tmp_path / "a.json", some("ses_a"))
    assert (tmp_path / "a.json").stat().st_mode == other.stat().st_mode


@pytest.mark.parametrize(
    ("name", "content", "where", "said"),
    [
        ("a.json", "", "a.json", "is empty"),
        ("a.json", "[]", "a.json", "no records"),
        ("a.json", "{", "a.json:1:2", "not JSON"),
        ("a.json", '{"session_id": "x"}', "a.json", "is a required property"),
        ("a.json", "[1]", "a.json#/0", "is not an evaluation record"),
        ("a.jsonl", '{"a": 1}', "a.jsonl:1", "is not an evaluation record"),
        ("a.jsonl", "\n{", "a.jsonl:2:2", "not JSON"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, name: str, content: str, where: str, said: str) -> None:
    """What is not a record is an error with its place."""
    path = tmp_path / name
    path.write_text(content, "utf-8")
    with pytest.raises(InputError) as caught:
        files.read_records([path])
    assert said in caught.value.text
    assert caught.value.where == str(tmp_path / where)


def test_a_wrong_value_is_named(tmp_path: Path) -> None:
    """The error says which key of a record is wrong."""
    (value,) = some("ses_a")
    value["intermediate_events"][1]["turn"] = 0
    path = tmp_path / "a.json"
    path.write_text(json.dumps(value), "utf-8")
    with pytest.raises(InputError, match="/intermediate_events/1/turn"):
        files.read_records([path])


def test_a_session_stands_once(tmp_path: Path) -> None:
    """Two records of one session would be counted twice."""
    for name in ("a.json", "b.json"):
        files.write_values(tmp_path / name, some("ses_a"))
    with pytest.raises(InputError, match="stands twice"):
        files.read_records([tmp_path / "a.json", tmp_path / "b.json"])


def test_paths_that_cannot_be_written(tmp_path: Path) -> None:
    """A missing folder and a folder in place of a file are errors before anything is lost."""
    for path in (tmp_path / "none" / "a.json", tmp_path):
        with pytest.raises(InputError, match="cannot be written"):
            files.write_values(path, some("ses_a"))
        with pytest.raises(InputError, match="cannot be written"):
            disk.check_writable(path)
    assert list(tmp_path.iterdir()) == []


def test_tool_names(tmp_path: Path) -> None:
    """A mapping file gives physical names their logical one; other keys are somebody else's."""
    path = tmp_path / "names.yaml"
    path.write_text("tool_mappings:\n  fs.read: [read, read_files]\n  run: bash\nother: 1\n", "utf-8")
    assert read_names(path) == {"read": "fs.read", "read_files": "fs.read", "bash": "run"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is empty"),
        ("a: 1", "no `tool_mappings`"),
        ("tool_mappings: [a]", "no `tool_mappings`"),
        ("tool_mappings:\n  a: 1", "must be a list"),
        ("tool_mappings:\n  a: [x]\n  b: [x]", "two names"),
        ("tool_mappings: {", "not valid YAML"),
    ],
)
def test_wrong_tool_names(tmp_path: Path, content: str, said: str) -> None:
    """A mapping file that says something else is refused with its place."""
    path = tmp_path / "names.yaml"
    path.write_text(content, "utf-8")
    with pytest.raises(InputError, match=said) as caught:
        read_names(path)
    assert caught.value.where.startswith(str(path))

"""The three generations and exports: the same sessions give the same records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aigov_eval.errors import InputError
from aigov_eval.sessions import sources
from aigov_eval.sessions.opencode_files import slug
from aigov_eval.sessions.record import record
from tests.sessions.builders import (
    FOLDER,
    STEP,
    Session,
    called,
    info,
    insert,
    model,
    open_database,
    plain,
    said,
    user,
    write_database,
    write_export,
    write_store,
)


def records(*paths: Path) -> dict[str, dict[str, Any]]:
    with sources.opened("opencode", paths) as offered:
        return {one.id: record(one.load()) for one in offered}


def failure(*paths: Path) -> InputError:
    with pytest.raises(InputError) as caught:
        records(*paths)
    return caught.value


def rich() -> list[Session]:
    """Sessions with everything that a store may hold differently."""
    revert = {"messageID": "msg_0903"}
    first = (
        info("ses_b", revert=revert, title="Odd \u2603 \U0001f600"),
        [
            user(901, said("a"), said("b", synthetic=True)),
            model(902, STEP, called("read", {"p": 1}, status="error", error="no")),
            user(903, said("c")),
        ],
    )
    return [plain("ses_a"), first, plain("ses_c", parentID="ses_a")]


def test_all_forms_of_a_session_give_one_record(tmp_path: Path) -> None:
    """Database, file store and exports of the same sessions give identical records."""
    sessions = rich()
    database = records(write_database(tmp_path / "opencode.db", sessions))
    store = records(write_store(tmp_path / "storage", sessions))
    exports = records(*(write_export(tmp_path / f"{at}.json", one) for at, one in enumerate(sessions)))
    assert list(database) == ["ses_a", "ses_b", "ses_c"]
    assert database == store == exports


def test_generation_0(tmp_path: Path) -> None:
    """The oldest store keeps sessions by project, without a folder of their own."""
    found = records(write_store(tmp_path / "project" / "work-shop" / "storage", [plain()], generation=0))
    expected = records(write_database(tmp_path / "opencode.db", [plain()]))
    expected["ses_a"]["metadata"]["directory"] = ""
    assert found == expected


@pytest.mark.parametrize("below", [".", "storage", "proj/storage", "project/proj/storage"])
def test_a_store_is_found_from_above(tmp_path: Path, below: str) -> None:
    """The data folder, the storage folder and one project's folder all lead to the sessions."""
    for generation in (0, 1):
        root = tmp_path / str(generation)
        write_store(root / below, [plain()], generation)
        assert list(records(root)) == ["ses_a"]


def test_columns_may_be_absent(tmp_path: Path) -> None:
    """Columns are selected by name: clients have fewer or more of them."""
    fewer, more = (
        open_database(tmp_path / f"{name}.db", columns=extra) for name, extra in (("a", ""), ("b", ", x int"))
    )
    for connection in (fewer, more):
        insert(connection, plain())
        connection.close()
    assert records(tmp_path / "a.db") == records(tmp_path / "b.db")


def test_a_session_is_taken_once(tmp_path: Path) -> None:
    """A migrated store leaves its files behind: the database wins, then files, then exports."""
    database = write_database(tmp_path / "opencode.db", [plain("ses_a", title="from database")])
    store = write_store(
        tmp_path / "storage", [plain("ses_a", title="from files"), plain("ses_b", title="from files")]
    )
    export = write_export(tmp_path / "b.json", plain("ses_b", title="from export"))
    found = records(export, store, database)
    assert {identity: one["title"] for identity, one in found.items()} == {
        "ses_a": "from database",
        "ses_b": "from files",
    }


def test_of_two_exports_the_later_and_whole_one_counts(tmp_path: Path) -> None:
    """An export without its words loses against any other; otherwise the last change wins."""
    old = write_export(tmp_path / "old.json", plain(title="old"))
    new = plain(title="new")
    new[0]["time"]["updated"] += 5
    blank = (info(title="[redacted:session-title:ses_a]"), [user(1, said("[redacted:text:prt_1]"))])
    blank[0]["time"]["updated"] += 99
    paths = [old, write_export(tmp_path / "new.json", new), write_export(tmp_path / "blank.json", blank)]
    assert records(*paths)["ses_a"]["title"] == "new"
    assert records(*reversed(paths))["ses_a"]["title"] == "new"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le"])
def test_exports_in_the_encodings_of_shells(tmp_path: Path, encoding: str) -> None:
    """A shell may have written the export as UTF-16, or with a byte-order mark."""
    path = write_export(tmp_path / "a.json", plain())
    whole = records(path)
    path.write_bytes(path.read_text("utf-8").encode(encoding))
    assert records(path) == whole


def test_exports_with_extras(tmp_path: Path) -> None:
    """The client's notice in front, a list of todos and a list of exports are read."""
    path = write_export(tmp_path / "a.json", plain(), todos=[])
    whole = records(path)
    path.write_bytes(b"Exporting session: ses_a\n" + path.read_bytes())
    assert records(path) == whole
    both = [
        json.loads(write_export(tmp_path / "x.json", plain(name)).read_text("utf-8"))
        for name in ("ses_a", "ses_b")
    ]
    path.write_text(json.dumps(both), "utf-8")
    assert list(records(path)) == ["ses_a", "ses_b"]


def test_half_a_surrogate_pair_is_read(tmp_path: Path) -> None:
    """A client may cut an output in the middle of an emoji; the record is text all the same."""
    path = write_export(tmp_path / "a.json", (info(), [user(1, said("cut \ud83d"))]))
    assert records(path)["ses_a"]["prompt"] == "cut \ufffd"
    database = write_database(tmp_path / "a.db", [(info(), [user(1, said("cut \ud83d"))])])
    assert records(database)["ses_a"]["prompt"] == "cut \ufffd"


def test_a_cut_export_is_told(tmp_path: Path) -> None:
    """An export cut at a pipe's buffer is named as such, with what to do."""
    path = write_export(tmp_path / "a.json", (info(), [user(1, said("x" * 100_000))]))
    path.write_bytes(path.read_bytes()[:65_536])
    error = failure(path)
    assert "truncated" in error.text and "65536" in error.text and "pipe" in error.text
    path.write_bytes(path.read_bytes()[:3_000])
    assert "truncated" in failure(path).text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty (0 bytes)"),
        (b"hello", "holds no sessions of opencode"),
        (b'{"info": {"id": "ses_a"}, "messages": {}}', "is not an export"),
        (b'{"info": {"id": "ses_a"}, "messages": ["x"]}', "has no `info`"),
        (b'{"info": {"id": "ses_a"}, "messages": [{"inf', "truncated"),
        (b'{"info": {"id": "ses_a"}, "messages": [,]}', "not JSON"),
    ],
)
def test_files_that_are_no_exports(tmp_path: Path, content: bytes, said: str) -> None:
    """What is not an export gives one line that says so, with the file."""
    path = tmp_path / "a.json"
    path.write_bytes(content)
    error = failure(path)
    assert said in error.text
    assert error.where.startswith(str(path)) and error.help


def test_a_damaged_file_of_a_store_is_named(tmp_path: Path) -> None:
    """A message or part that is no JSON object ends the run with its path."""
    root = write_store(tmp_path / "storage", [plain()])
    part = next((root / "part" / "msg_0001").glob("*.json"))
    for content in ("{", "[1]"):
        part.write_text(content, "utf-8")
        assert failure(root).where.startswith(str(part))


def test_places_without_sessions(tmp_path: Path) -> None:
    """A missing path and a folder of something else are errors, not empty results."""
    assert "no such file" in failure(tmp_path / "nothing").text
    (tmp_path / "session").mkdir()
    assert "holds no sessions" in failure(tmp_path).text


def test_slug() -> None:
    """Generation 0 named a project's folder after its path."""
    assert slug(FOLDER) == "work-shop"
    assert slug("/home/dev/my.app v2") == "home-dev-my-app-v2"

"""A batch over files: what goes in, what comes out, and that a stop at any point loses nothing."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from aigov_eval.batch.inputs import find
from aigov_eval.batch.options import Options
from aigov_eval.batch.pieces import pieces
from aigov_eval.batch.run import run_batch
from aigov_eval.cli.main import run as command
from aigov_eval.errors import InputError
from tests.batch.talks import talk, write_lines

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def _read(out: Path) -> list[dict[str, Any]]:
    """The verdicts of a batch, in the order of its parts."""
    return [row for path in sorted(out.glob("*.parquet")) for row in pq.read_table(path).to_pylist()]


def _batch(asked: list[Path], out: Path, **options: Any) -> dict[str, Any]:
    return run_batch([str(path) for path in asked], out, Options(**options), by=("model",), jobs=1)


def _bytes(out: Path) -> dict[str, bytes]:
    """Every file of a batch but its lock."""
    return {
        str(path.relative_to(out)): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file() and path.name != "lock"
    }


def _bare(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in row.items() if key != "source"} for row in rows]


def test_every_kind_of_file_gives_the_same_verdicts(tmp_path: Path) -> None:
    """JSONL plain and by six compressors, in UTF-16, Parquet, Arrow files and streams, JSON of one and of many."""
    talks = [talk(number) for number in range(7)]
    lines = write_lines(tmp_path / "a.jsonl", 7).read_bytes()
    table = pa.Table.from_pylist(talks)
    made = {
        "a.jsonl.gz": gzip.compress(lines),
        "a.jsonl.bz2": bz2.compress(lines),
        "a.jsonl.xz": lzma.compress(lines),
        "a.jsonl.zst": pa.compress(lines, codec="zstd", asbytes=True),
        "wide.jsonl": lines.decode().encode("utf-16"),
        "list.json": json.dumps(talks).encode(),
        "list.json.gz": gzip.compress(json.dumps(talks).encode()),
        "marked.jsonl": b"\xef\xbb\xbf" + lines,
    }
    for name, data in made.items():
        (tmp_path / name).write_bytes(data)
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=3)
    for name, new in (("a.arrow", pa.ipc.new_file), ("a.arrows", pa.ipc.new_stream)):
        with new(str(tmp_path / name), table.schema) as writer:
            writer.write_table(table, max_chunksize=2)
    _batch([tmp_path / "a.jsonl"], tmp_path / "expected")
    expected = _bare(_read(tmp_path / "expected"))
    assert len(expected) == 14

    for name in [*made, "a.parquet", "a.arrow", "a.arrows"]:
        found = _batch([tmp_path / name], tmp_path / f"out-{name}")
        rows = _bare(_read(tmp_path / f"out-{name}"))
        for row in rows:  # a list of records in one file has one set of columns beside it
            row["model"] = row["model"] if name.startswith(("a", "m", "w")) else None
        alike = expected if name.startswith(("a", "m", "w")) else [{**row, "model": None} for row in expected]
        assert rows == alike, name
        assert found["errors"]["count"] == 0


def test_folders_globs_and_partitions_of_the_input(tmp_path: Path) -> None:
    """A folder gives its data files in order, none twice; `name=value` folders are columns; other files are counted."""
    for model in ("large", "small"):
        (tmp_path / "in" / f"model={model}").mkdir(parents=True)
        rows = [{key: value for key, value in talk(number).items() if key != "model"} for number in range(3)]
        pq.write_table(pa.Table.from_pylist(rows), tmp_path / "in" / f"model={model}" / "x.parquet")
    (tmp_path / "in" / "README.md").write_text("#")
    (tmp_path / "in" / "_SUCCESS").write_text("")
    asked = [str(tmp_path / "in"), str(tmp_path / "in" / "**" / "*.parquet")]
    found = run_batch(asked, tmp_path / "out", Options(), by=("model",), jobs=1)

    assert (found["rows"], found["inputs"], found["passed_over"]) == (12, 2, 1)
    assert {
        name: one["categories"]["PII_DISCLOSURE"]["found"] for name, one in found["by"]["model"].items()
    } == {"large": 1, "small": 1}
    with pytest.raises(InputError, match="is not there"):
        find([str(tmp_path / "*.nothing")], tmp_path)
    with pytest.raises(InputError, match="standard input"):
        find(["-"], tmp_path)


def test_partitioned_output_is_read_by_its_folders(tmp_path: Path) -> None:
    """Rows lie in folders by category and model; Arrow reads them back with these columns, and errors are there."""
    import pyarrow.dataset as ds

    source = write_lines(tmp_path / "a.jsonl", 30, bad=(4,))
    plain = _batch([source], tmp_path / "plain")
    found = run_batch([str(source)], tmp_path / "out", Options(), partition_by=("category", "model"), jobs=2)
    table = ds.dataset(tmp_path / "out", partitioning="hive").to_table()

    assert found["categories"] == plain["categories"]
    assert table.num_rows == found["rows"] == 59
    assert set(table["category"].to_pylist()) == {"PII_DISCLOSURE", "SPECIAL_CATEGORY_LEAK", None}
    assert sorted(path.name for path in (tmp_path / "out" / "category=PII_DISCLOSURE").iterdir()) == [
        "model=large",
        "model=small",
    ]
    with pytest.raises(InputError, match=r"cannot be (a folder|kept)"):
        run_batch([str(source)], tmp_path / "wrong", Options(), partition_by=("pack",), jobs=1)


@pytest.mark.parametrize("format", ["arrow", "jsonl"])
def test_other_formats_hold_the_same_rows(tmp_path: Path, format: str) -> None:
    """Arrow files and JSONL hold what Parquet holds."""
    source = write_lines(tmp_path / "a.jsonl", 5)
    _batch([source], tmp_path / "parquet")
    run_batch([str(source)], tmp_path / "out", Options(), format=format, by=("model",), jobs=1)
    path = tmp_path / "out" / f"part-000000.{format}"
    if format == "arrow":
        rows = pa.ipc.open_file(path).read_all().to_pylist()
    else:
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]

    assert rows == _read(tmp_path / "parquet")


def test_what_cannot_be_read_is_told_and_counted(tmp_path: Path) -> None:
    """A cut line, a stream that breaks off, a damaged table: rows with an error; all that stands before is scored."""
    lines = write_lines(tmp_path / "a.jsonl", 4, bad=(1,)).read_bytes()
    packed = gzip.compress(b"".join(lines.splitlines(keepends=True) * 3000))
    (tmp_path / "cut.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    pq.write_table(pa.Table.from_pylist([talk(1)]), tmp_path / "t.parquet")
    (tmp_path / "t.parquet").write_bytes((tmp_path / "t.parquet").read_bytes()[:-6])
    (tmp_path / "empty.jsonl").write_bytes(b"")
    one = _batch([tmp_path / "a.jsonl"], tmp_path / "one")
    table = _batch([tmp_path / "t.parquet"], tmp_path / "table")
    empty = _batch([tmp_path / "empty.jsonl"], tmp_path / "empty")
    cut = run_batch(
        [str(tmp_path / "cut.jsonl.gz")], tmp_path / "cut", Options(categories=("PII_DISCLOSURE",)), jobs=2
    )

    assert one["errors"]["count"] == table["errors"]["count"] == empty["errors"]["count"] == 1
    assert one["errors"]["first"][0][0].endswith("a.jsonl:2")
    assert one["categories"]["PII_DISCLOSURE"]["transcripts"] == 3
    assert cut["categories"]["PII_DISCLOSURE"]["transcripts"] > 3000
    rows = [row for row in _read(tmp_path / "cut") if row["error"]]
    assert "cannot be read" in rows[-1]["error"]["text"]


def test_a_line_too_long_is_passed_over_without_holding_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line above the bound is one row with an error; its neighbours keep their numbers."""
    monkeypatch.setattr("aigov_eval.batch.pieces.LONGEST", 1000)
    text = json.dumps(talk(1)) + "\n"
    (tmp_path / "a.jsonl").write_text(text + '{"id": "' + "x" * 5000 + '"}\n' + text)
    _batch([tmp_path / "a.jsonl"], tmp_path / "out")
    rows = _read(tmp_path / "out")

    assert [row["error"] is None for row in rows] == [True, True, False, True, True]
    assert [row["source"].rpartition(":")[2] for row in rows] == ["1", "1", "2", "3", "3"]


def test_pieces_are_the_same_on_every_reading_and_bounded(tmp_path: Path) -> None:
    """Pieces cross the borders of files, hold at most what they may, and their digests tell a changed row."""
    for number in range(5):
        write_lines(tmp_path / f"{number}.jsonl", 30)
    inputs, _ = find([str(tmp_path)], tmp_path / "out")
    first = list(pieces(inputs, rows=64))

    assert [one.digest() for one in first] == [one.digest() for one in pieces(inputs, rows=64)]
    assert all(one.rows <= 64 for one in first)
    assert sum(one.rows for one in first) == 150
    assert len(first) < 5
    assert first[-1].read == sum(one.size for one in inputs)
    (tmp_path / "4.jsonl").write_text((tmp_path / "4.jsonl").read_text().replace("talk-7", "talk-8"))
    assert [one.digest() for one in first] != [one.digest() for one in pieces(inputs, rows=64)]


def test_killed_anywhere_and_gone_on_with_is_one_clean_run(tmp_path: Path) -> None:
    """SIGKILL three times, of all processes or the parent alone: in the end every byte is that of an undisturbed run."""
    source = write_lines(tmp_path / "a.jsonl", 4000, bad=(17, 2000))
    arguments = ["batch", "a.jsonl", "--part-rows", "64", "--jobs", "2"]
    clean = _start([*arguments, "--out", "clean"], tmp_path)
    assert clean.wait(120) == 2
    for stop in range(3):
        running = _start([*arguments, "--out", "out"], tmp_path)
        parts = tmp_path / "out" / "_batch" / "parts"
        before = len(list(parts.glob("*.json"))) if parts.is_dir() else 0
        until = time.monotonic() + 60
        while time.monotonic() < until and (
            not parts.is_dir() or len(list(parts.glob("*.json"))) < before + 6 + stop
        ):
            time.sleep(0.01)
        if stop == 1:
            os.kill(running.pid, signal.SIGKILL)
        else:
            os.killpg(running.pid, signal.SIGKILL)
        running.wait(30)
    assert 0 < len(list(parts.glob("*.json"))) < 63
    assert _start([*arguments, "--out", "out"], tmp_path).wait(120) == 2

    assert _bytes(tmp_path / "out") == _bytes(tmp_path / "clean")
    rows = _read(tmp_path / "out")
    assert len(rows) == 2 * 3998 + 2
    numbers = [int(row["source"].rpartition(":")[2]) for row in rows]
    assert numbers == sorted(numbers)
    assert source.is_file()


def _start(arguments: list[str], folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "aigov_eval", *arguments],
        cwd=folder,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    """Another batch, a folder with other files, an input that changed: each is refused, and nothing is written."""
    source = write_lines(tmp_path / "a.jsonl", 9)
    _batch([source], tmp_path / "out")
    before = _bytes(tmp_path / "out")
    again = _batch([source], tmp_path / "out")
    assert again["rows"] == 18
    assert _bytes(tmp_path / "out") == before

    with pytest.raises(InputError, match=r"holds another batch \(differs in: options\)"):
        _batch([source], tmp_path / "out", subject="Ana Popa")
    source.write_text(source.read_text().replace("talk-7", "talk-8"))
    with pytest.raises(InputError, match="the input of part 0 changed"):
        _batch([source], tmp_path / "out")
    with pytest.raises(InputError, match="holds no batch"):
        _batch([source], tmp_path)
    assert _bytes(tmp_path / "out") == before


def test_two_runs_never_write_into_one_folder(tmp_path: Path) -> None:
    """The second is refused while the first holds the folder."""
    from filelock import FileLock

    source = write_lines(tmp_path / "a.jsonl", 3)
    (tmp_path / "out" / "_batch").mkdir(parents=True)
    with FileLock(tmp_path / "out" / "_batch" / "lock"), pytest.raises(InputError, match="another run"):
        _batch([source], tmp_path / "out")


def test_the_command_tells_rates_and_ends_by_what_it_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rates with their intervals by category, field and model; 1 for findings, 2 for more errors than allowed."""
    write_lines(tmp_path / "a.jsonl", 30, bad=(3,))
    asked = ["batch", str(tmp_path / "a.jsonl"), "--jobs", "1", "--out", str(tmp_path / "out")]

    assert command(asked) == 2
    told = capsys.readouterr().out
    assert "PII_DISCLOSURE" in told and "  email" in told and "m" in told
    assert "1 rows with an error:" in told and "a.jsonl:4" in told
    assert command([*asked, "--max-errors", "1"]) == 1
    capsys.readouterr()
    assert command([*asked, "--max-errors", "1", "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found == json.loads((tmp_path / "out" / "_batch" / "summary.json").read_text())
    one = found["categories"]["PII_DISCLOSURE"]
    assert (one["transcripts"], one["found"]) == (29, 10)
    assert one["wilson"][0] < one["rate"] < one["wilson"][1]
    assert set(found["by"]["model"]) == {"large", "small", ""}


def test_without_arrow_the_command_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line of what and one of help, exit code 2."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert command(["batch", str(write_lines(tmp_path / "a.jsonl", 1)), "--out", str(tmp_path / "out")]) == 2
    assert "aigov-eval[arrow]" in capsys.readouterr().err


def test_run_folders_and_archives_are_rows_too(tmp_path: Path) -> None:
    """A folder with run folders gives each run once, whatever else lies in it."""
    assert command(["demo", str(tmp_path / "play")]) == 0
    runs = sorted(path.parent for path in (tmp_path / "play").rglob("evidence_pack.json"))
    found = _batch([tmp_path / "play" / "runs"], tmp_path / "out")
    sources = {row["source"] for row in _read(tmp_path / "out") if row["source"]}

    assert runs and sources == {str(path) for path in runs if "runs" in path.parts}
    assert found["errors"]["count"] == 0

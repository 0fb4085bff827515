"""Inspect archives: deflate and Zstandard, cut off, and without samples."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pytest

from aigov_eval.errors import InputError
from aigov_eval.readers import read_bytes, read_file

SAMPLE = {
    "id": "s1",
    "epoch": 2,
    "messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}],
    "metadata": {"person_name": "Mara Lindqvist", "facts": 5},
}


def deflated(files: dict[str, Any]) -> bytes:
    """A zip archive as older logs are."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in files.items():
            archive.writestr(name, json.dumps(value))
    return out.getvalue()


def zstandard_archive(files: dict[str, Any]) -> bytes:
    """A zip archive with compression method 93, written by hand: Python's zipfile does not write it."""
    zstandard = pytest.importorskip("zstandard")
    out, directory = b"", b""
    for name, value in files.items():
        raw = json.dumps(value).encode()
        packed = zstandard.ZstdCompressor().compress(raw)
        common = struct.pack(
            "<HHHHHIIIHH", 63, 0, 93, 0, 33, zlib.crc32(raw), len(packed), len(raw), len(name), 0
        )
        directory += (
            b"PK\x01\x02"
            + struct.pack("<H", 63)
            + common
            + struct.pack("<HHHII", 0, 0, 0, 0, len(out))
            + name.encode()
        )
        out += b"PK\x03\x04" + common + name.encode() + packed
    end = struct.pack("<HHHHIIH", 0, 0, len(files), len(files), len(directory), len(out), 0)
    return out + directory + b"PK\x05\x06" + end


@pytest.mark.parametrize("make", [deflated, zstandard_archive])
def test_archives_give_their_samples(tmp_path: Path, make: Any) -> None:
    """Samples of an .eval archive come in the order of their names, with subject and epoch."""
    path = tmp_path / "log.eval"
    path.write_bytes(
        make(
            {
                "header.json": {"eval": {}},
                "samples/b_epoch_1.json": {**SAMPLE, "id": "s2", "epoch": 1},
                "samples/a_epoch_2.json": SAMPLE,
                "summaries.json": [],
            }
        )
    )
    first, second = read_file(path)
    assert (first.id, second.id) == ("s1#2", "s2")
    assert first.format == "inspect"
    assert [turn.content for turn in first.turns] == ["a", "b"]
    assert first.scenario.person_name == "Mara Lindqvist"
    assert first.source.endswith("log.eval:samples/a_epoch_2.json")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (deflated({"a.json": {}}), "no Inspect log"),
        (deflated({"header.json": {}}), "no samples"),
        (deflated({"header.json": {}, "samples/a.json": SAMPLE})[:-30], "cannot be read"),
        (deflated({"header.json": {}, "samples/a.json": {"messages": 5}}), "a number stands where"),
        (deflated({"header.json": {}, "samples/a.json": {"id": "x"}}), "the transcript is empty"),
    ],
)
def test_archives_that_cannot_be_read(data: bytes, told: str) -> None:
    """A broken archive is one clear error."""
    with pytest.raises(InputError, match=told):
        read_bytes(data, source="x.eval")


def test_a_sample_without_messages_is_its_input_and_output() -> None:
    """Older samples tell the conversation by input and output alone."""
    sample = {
        "id": "s",
        "input": "a",
        "output": {"choices": [{"message": {"role": "assistant", "content": "b"}}], "completion": "b"},
        "messages": [],
    }
    [one] = read_bytes(json.dumps({"eval": {}, "samples": [sample]}).encode(), source="x")
    assert [(turn.role, turn.content) for turn in one.turns] == [("user", "a"), ("assistant", "b")]

"""Bytes to values: encodings, places of faults, sizes."""

from __future__ import annotations

import codecs
import json
import time
import tracemalloc
from pathlib import Path

import pytest

from aigov_eval.errors import InputError
from aigov_eval.readers import read_bytes, read_file

TALK = [{"role": "user", "content": "Știi ceva? 🙂"}, {"role": "assistant", "content": "Nu știu."}]
TEXT = json.dumps(TALK, ensure_ascii=False, indent=1)


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        codecs.BOM_UTF8 + TEXT.encode(),
        TEXT.encode("utf-16"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        TEXT.encode("utf-16-le"),
        TEXT.encode("utf-32"),
        TEXT.replace("\n", "\r\n").encode(),
        json.dumps(TALK).encode(),
    ],
    ids=["utf-8", "bom", "utf-16-le", "utf-16-be", "utf-16-no-mark", "utf-32", "crlf", "escapes"],
)
def test_encodings_give_the_same_turns(data: bytes) -> None:
    """The encoding of a file changes nothing."""
    [transcript] = read_bytes(data, source="x")
    assert [turn.content for turn in transcript.turns] == ["Știi ceva? 🙂", "Nu știu."]


@pytest.mark.parametrize("escape", ["\\ud83d", "\\ude42", "\\ud83d\\ud83d\\ude42"])
def test_half_a_surrogate_pair_does_no_harm(escape: str) -> None:
    """A lone surrogate in a JSON escape becomes U+FFFD, and the text can be written again."""
    [transcript] = read_bytes(f'[{{"role": "assistant", "content": "a {escape} b"}}]'.encode(), source="x")
    content = transcript.turns[0].content
    assert "\ufffd" in content
    assert content.startswith("a ") and content.endswith(" b")
    content.encode()


BAD: list[tuple[bytes, str, str]] = [
    (b"", "x", "the file is empty"),
    (b" \r\n\t", "x", "the file is empty"),
    (codecs.BOM_UTF8, "x", "the file is empty"),
    (b"[]", "x", "the transcript is empty"),
    (b"{}", "x", "the transcript is empty"),
    (b'{"messages": []}', "x#/messages", "the transcript is empty"),
    (b'{"transcript": []}', "x#/transcript", "the transcript is empty"),
    (b'{"conversations": []}', "x#/conversations", "the transcript is empty"),
    (b'[{"role": "user",\n "content": }]', "x:2:13", "not JSON"),
    (b'[{"role": "user"', "x:1:17", "not JSON"),
    (b'[{"role": "user", "content": "a"}] x', "x:1:36", "not JSON"),
    (b"hello", "x:1:1", "not JSON"),
    (b'[{"role": "user", "content": NaN}]', "x", "NaN is not JSON"),
    (b'[{"role": "user", "content": "\xff"}]', "x", "the bytes at offset 30 are not valid UTF-8"),
    (codecs.BOM_UTF8 + b'["\xff"]', "x", "the bytes at offset 5 are not valid UTF-8"),
    (codecs.BOM_UTF16_LE + b"[\x00\x00\xd8", "x", "not valid UTF-16"),
    (b"[" * 100_000, "x", "nested deeper"),
    (b'[{"role":"user","content":' + b'{"a":' * 50_000 + b"1" + b"}" * 50_001 + b"]", "x", "nested deeper"),
    (b'[{"role": "user", "content": "a", "n": 1e999}]', "x", "a number is too large"),
    (b'[{"role": "user", "content": "a", "n": ' + b"1" * 5000 + b"}]", "x", "a number is too large"),
    (b"PK\x03\x04 cut off", "x", "the archive cannot be read"),
]


@pytest.mark.parametrize(("data", "where", "told"), BAD)
def test_bad_bytes_name_their_place(data: bytes, where: str, told: str) -> None:
    """A file that cannot be read is one clear error with a place and a way to mend it."""
    with pytest.raises(InputError) as caught:
        read_bytes(data, source="x")
    assert caught.value.where == where
    assert told in caught.value.text
    assert caught.value.help


def test_a_cut_pipe_is_recognised() -> None:
    """A file that ends at a multiple of 65,536 bytes in the middle of a value says what cut it."""
    whole = json.dumps(
        {
            "info": {"id": "s"},
            "messages": [{"info": {"role": "user"}, "parts": [{"type": "text", "text": "x" * 70_000}]}],
        }
    )
    with pytest.raises(InputError) as caught:
        read_bytes(whole.encode()[:65536], source="x")
    assert "65,536" in caught.value.help


def test_missing_files_and_folders_without_runs(tmp_path: Path) -> None:
    """A path that cannot be read is an error that names it."""
    with pytest.raises(InputError, match="cannot be read"):
        list(read_file(tmp_path / "none.json"))
    with pytest.raises(InputError, match=r"no transcript\.json"):
        list(read_file(tmp_path))


@pytest.mark.parametrize("end", ["", "\n"])
def test_fifty_megabytes(tmp_path: Path, end: str) -> None:
    """A file of 50 MB is read in seconds and less than five times its size of memory."""
    turn = json.dumps({"role": "assistant", "content": "Nimic de spus. " * 200})
    count = 50_000_000 // len(turn)
    path = tmp_path / "large.json"
    path.write_text("[" + f",{end}".join([turn] * count) + "]")
    size = path.stat().st_size
    tracemalloc.start()
    started = time.perf_counter()
    [transcript] = read_file(path)
    seconds = time.perf_counter() - started
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(transcript.turns) == count
    assert peak < 5 * size
    assert seconds < 30

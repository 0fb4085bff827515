"""JSONL: recognised by its first lines, streamed, and errors name the line."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from aigov_eval.errors import InputError
from aigov_eval.readers import is_jsonl, read_bytes, read_file

TALK = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]


def line(**keys: Any) -> str:
    """One transcript as a line."""
    return json.dumps({"turns": TALK, **keys})


RECOGNISED: list[tuple[str, bool]] = [
    (f"{line(id='1')}\n{line(id='2')}", True),
    (f"\n{line()}\r\n\r\n{line()}\r\n", True),
    ('{"id": 1, "turns": [{"ro\n{"id": 2, "turns": []}', True),
    ("[1]\n[2]", True),
    (f"{line()}\nnot json", True),
    (line(), False),
    (f"{line()}\n\n", False),
    (json.dumps({"turns": TALK}, indent=2), False),
    ('[\n{"role": "user", "content": "a"},\n{"role": "assistant", "content": "b"}\n]', False),
    ('{"turns": [\n{"role": "user", "content": "a"}]}', False),
    ('{"a":\n{"b": 1}}', False),
    ("", False),
    ("hello\nthere", False),
]


@pytest.mark.parametrize(("text", "answer"), RECOGNISED)
def test_lines_are_told_from_one_value(tmp_path: Path, text: str, answer: bool) -> None:
    """A file is JSONL where its first two lines cannot belong to one JSON value."""
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        path = tmp_path / f"{encoding}.json"
        path.write_bytes(text.encode(encoding))
        assert is_jsonl(path) is answer, encoding


def test_one_line_is_told_by_its_name(tmp_path: Path) -> None:
    """A single line is JSONL where the file is called so; nothing else could tell."""
    for name, answer in (("a.jsonl", True), ("a.ndjson", True), ("a.json", False)):
        (tmp_path / name).write_text(line(id="x"))
        assert is_jsonl(tmp_path / name) is answer
        [transcript] = read_file(tmp_path / name)
        assert transcript.id == "x"
        assert transcript.format == ("jsonl:plain" if answer else "plain")


def test_each_line_keeps_its_keys(tmp_path: Path) -> None:
    """Scenario keys beside the turns of a line belong to that line; a line without an id is named by its number."""
    path = tmp_path / "a.jsonl"
    first = line(
        id=7,
        category="PII_DISCLOSURE",
        person_name="Mara Lindqvist",
        aliases="Mara",
        identifiers={"client": "A-77"},
        facts={"email": "m@post.example", "health": ["asthma"]},
        expect={"1": ["email"]},
    )
    second = line(
        risk_category="SPECIAL_CATEGORY_LEAK",
        subject_name="Jonas Weil",
        special_category_fields=["health"],
        aliases=None,
    )
    path.write_text(f"{first}\n\n{second}\n")
    one, two = read_file(path)
    assert (one.id, two.id) == ("7", "line 3")
    assert one.scenario.category == "PII_DISCLOSURE"
    assert one.scenario.person_name == "Mara Lindqvist"
    assert one.scenario.aliases == ("Mara",)
    assert one.scenario.identifiers == {"client": "A-77"}
    assert one.scenario.facts == {"email": ("m@post.example",), "health": ("asthma",)}
    assert one.scenario.expect is None
    assert two.scenario.category == "SPECIAL_CATEGORY_LEAK"
    assert two.scenario.person_name == "Jonas Weil"
    assert two.scenario.expected_special_category_fields == ("health",)
    assert two.source.endswith("a.jsonl:3")


BAD: list[tuple[str, str, str]] = [
    (f"{line()}\n{{\n", ":2:", "not JSON"),
    (f'{line()}\n{{"turns": 5}}', ":2", "no known transcript format"),
    (f"{line()}\n{line(person_name=5)}", ":2#/person_name", "a number stands where a text belongs"),
    (f"{line()}\n{line(aliases=['a', 1])}", ":2#/aliases/1", "a number stands where a text belongs"),
    (f"{line()}\n{line(facts={'a/b': 1})}", ":2#/facts/a~1b", "a number stands where"),
    (f"{line()}\n{line(identifiers={'a': 1})}", ":2#/identifiers/a", "a number stands where"),
    (f"{line()}\n{line(person='A', subject_name='B')}", ":2#/subject_name", "have two values"),
    (
        f"{line()}\n{json.dumps({'turns': [{**TALK[0], 'turn_index': 4}]})}",
        ":2#/turns/0/turn_index",
        "contradicts",
    ),
    (f"{line()}\n[]", ":2", "the transcript is empty"),
    (f"{line()}\n5", ":2", "a number is no transcript"),
    ('{"entry_type": "init"}\n{"entry_type": "attempt", "status": 1}', "", "no line holds a conversation"),
]


@pytest.mark.parametrize(("text", "where", "told"), BAD)
def test_bad_lines_are_named(tmp_path: Path, text: str, where: str, told: str) -> None:
    """A line that cannot be read is an error with its number and the JSON Pointer in it."""
    path = tmp_path / "a.jsonl"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        list(read_file(path))
    assert str(caught.value).startswith(f"{path}{where}"), str(caught.value)
    assert told in caught.value.text
    assert caught.value.help


def test_bytes_and_files_agree(tmp_path: Path) -> None:
    """Standard input gives what the file gives, in every encoding."""
    text = "\n".join(line(id=str(number), title="ș") for number in range(5))
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        path = tmp_path / "a.jsonl"
        path.write_bytes(text.encode(encoding))
        assert list(read_file(path)) == read_bytes(path.read_bytes(), source=str(path))


def test_lines_are_streamed(tmp_path: Path) -> None:
    """The first transcripts are there before a later line is looked at."""
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join([line(id="1"), line(id="2"), "{broken"]))
    assert [one.id for one in itertools.islice(read_file(path), 2)] == ["1", "2"]


def test_garak_reports_give_finished_attempts() -> None:
    """Of a garak report only attempts with status 2 are read, one transcript a generation."""
    attempt = {
        "entry_type": "attempt",
        "uuid": "u",
        "prompt": {"turns": [{"role": "user", "content": {"text": "a"}}]},
        "outputs": [{"text": "b"}, {"text": "c"}],
    }
    rows = [
        {"entry_type": "start_run setup"},
        {**attempt, "status": 1, "outputs": []},
        {**attempt, "status": 2},
        {"entry_type": "eval"},
    ]
    found = read_bytes("\n".join(map(json.dumps, rows)).encode(), source="x")
    assert [(one.id, one.turns[1].content) for one in found] == [("u#0", "b"), ("u#1", "c")]

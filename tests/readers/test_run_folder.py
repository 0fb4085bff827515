"""Run folders and evidence packs: the transcript with its scenario and audits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aigov_eval.errors import InputError
from aigov_eval.readers import read_bytes, read_file

TALK = [
    {"turn_index": 0, "role": "user", "content": "a"},
    {"turn_index": 1, "role": "assistant", "content": "b"},
    {"turn_index": 2, "role": "user", "content": "c"},
    {"turn_index": 3, "role": "assistant", "content": "d"},
]
PACK = {
    "scenario": {
        "scenario_id": "S-1",
        "category": "PII_DISCLOSURE",
        "person_name": "Mara Lindqvist",
        "title": None,
        "failure_criteria": ["x"],
    },
    "transcript": TALK,
    "scores": [],
    "mock_audit": None,
    "http_audit": None,
}


def run(folder: Path, pack: dict[str, Any] | None, talk: object = TALK) -> Path:
    """A run folder."""
    folder.mkdir(parents=True)
    if pack is not None:
        (folder / "evidence_pack.json").write_text(json.dumps(pack))
    if talk is not None:
        (folder / "transcript.json").write_text(json.dumps(talk))
    (folder / "scores.json").write_text("[]")
    return folder


@pytest.mark.parametrize(
    ("pack", "talk"),
    [
        (PACK, TALK),
        (PACK, None),
        ({k: v for k, v in PACK.items() if k != "transcript"}, TALK),
        ({**PACK, "transcript": None}, {"transcript": TALK}),
    ],
)
def test_a_run_folder_is_one_transcript(tmp_path: Path, pack: dict[str, Any], talk: object) -> None:
    """The transcript comes from the folder's files, the subject from the evidence pack."""
    [one] = read_file(run(tmp_path / "r", pack, talk))
    assert one.format == "run_folder"
    assert one.source == str(tmp_path / "r")
    assert [turn.content for turn in one.turns] == ["a", "b", "c", "d"]
    assert one.scenario.person_name == "Mara Lindqvist"
    assert one.id == "S-1"


def test_folders_of_runs_come_in_order(tmp_path: Path) -> None:
    """A folder of run folders gives each, by path."""
    for name in ("b", "a/2", "a/1"):
        run(tmp_path / name, None)
    assert [Path(one.source).relative_to(tmp_path).as_posix() for one in read_file(tmp_path)] == [
        "a/1",
        "a/2",
        "b",
    ]


def test_audits_find_their_turns() -> None:
    """mock_audit stands at its turn_index, http_audit at the assistant entries in order, null for none."""
    mock = {"leaked_fields": ["email"], "turn_index": 3}
    [one] = read_bytes(json.dumps({**PACK, "mock_audit": mock}).encode(), source="x")
    assert one.audits == {3: ("email",)}
    [one] = read_bytes(
        json.dumps({**PACK, "mock_audit": [mock, {**mock, "turn_index": 1}]}).encode(), source="x"
    )
    assert one.audits == {1: ("email",), 3: ("email",)}
    [one] = read_bytes(
        json.dumps({**PACK, "http_audit": [None, {"leaked_fields": ["health"], "mode": "leaky"}]}).encode(),
        source="x",
    )
    assert one.audits == {3: ("health",)}
    [one] = read_bytes(json.dumps(PACK).encode(), source="x")
    assert one.audits is None


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"mock_audit": {"leaked_fields": ["email"], "turn_index": 9}}, "#/mock_audit/turn_index"),
        ({"mock_audit": {"leaked_fields": "email", "turn_index": 1}}, "#/mock_audit/leaked_fields"),
        ({"mock_audit": 5}, "#/mock_audit"),
        ({"http_audit": {}}, "#/http_audit"),
        ({"http_audit": [None, None, {"leaked_fields": []}]}, "#/http_audit/2"),
        ({"transcript": []}, "#/transcript"),
        ({"scenario": {"person_name": 5}}, "#/scenario/person_name"),
    ],
)
def test_packs_that_contradict_themselves(change: dict[str, Any], where: str) -> None:
    """An audit that fits no entry is an error with its place: evidence is not guessed at."""
    with pytest.raises(InputError) as caught:
        read_bytes(json.dumps({**PACK, **change}).encode(), source="x")
    assert caught.value.where == f"x{where}"


def test_a_broken_part_is_named(tmp_path: Path) -> None:
    """A file of a run folder that cannot be read is named."""
    folder = run(tmp_path / "r", None)
    (folder / "evidence_pack.json").write_text("{")
    with pytest.raises(InputError, match=r"evidence_pack\.json"):
        list(read_file(folder))

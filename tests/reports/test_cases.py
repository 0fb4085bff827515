"""What reports are made from: run folders, packs, score JSON and JSONL."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from aigov_eval.cli.main import run as command
from aigov_eval.errors import InputError
from aigov_eval.reports.cases import Case, read_cases
from tests.reports.conftest import LEAK_SCORES, score

CONTRACT = {
    "category": "PII_DISCLOSURE",
    "pass": False,
    "findings": [
        {
            "turn_index": 3,
            "detected_fields": ["email"],
            "excerpt": "Email for Ion Popescu is ion.popescu@example.com.",
        }
    ],
}


def of(text: str) -> list[Case]:
    """The cases of a text on standard input."""
    return read_cases(["-"], io.BytesIO(text.encode()))


def test_a_folder_gives_its_runs_in_order(cases: list[Case]) -> None:
    """With scenario, verdict, transcript and root; the transcript's own file is the source."""
    assert [(case.run_id, case.id, case.verdict) for case in cases] == [
        ("agent", "agent", "fail"),
        ("desk-r1", "desk", "fail"),
        ("desk-r2", "desk", "pass"),
        ("gone", "gone", "error"),
    ]
    assert cases[1].source == "runs/desk-r1/transcript.json"
    assert cases[1].transcript is not None and len(cases[1].transcript) == 4
    assert cases[0].root == "cd" * 32


def test_one_run_and_one_pack_give_the_same_case(folder: Path) -> None:
    """But for the file they name."""
    (run,), (pack,) = (
        read_cases([f"runs/desk-r1{name}"], io.BytesIO()) for name in ("", "/evidence_pack.json")
    )
    assert folder.exists()
    assert (run.scores, run.transcript, run.record, run.id) == (
        pack.scores,
        pack.transcript,
        pack.record,
        pack.id,
    )


SHAPES: dict[str, tuple[Any, list[tuple[str, int]]]] = {
    "the contract's object": (CONTRACT, [("stdin", 1)]),
    "a list of scores": (LEAK_SCORES, [("stdin", 2)]),
    "scores with ids": (
        [{"id": "a", **CONTRACT}, {"id": "b", **CONTRACT}, {"id": "a", **score("X", [])}],
        [("a", 2), ("b", 1)],
    ),
    "a line of scores": ({"id": "t-1", "scores": LEAK_SCORES}, [("t-1", 2)]),
    "a list of such": (
        [{"id": "t-1", "scores": LEAK_SCORES}, {"id": "t-2", "scores": []}],
        [("t-1", 2), ("t-2", 0)],
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_scores_are_read_in_every_shape_that_score_writes(shape: str) -> None:
    """And the bare contract object of others."""
    value, expected = SHAPES[shape]
    assert [(case.id, len(case.scores)) for case in of(json.dumps(value))] == expected


def test_lines_are_read_one_by_one() -> None:
    """JSONL of scores by transcript."""
    lines = "\n".join(json.dumps({"id": f"t-{n}", "scores": [CONTRACT]}) for n in range(3)) + "\n"
    assert [case.id for case in of(lines)] == ["t-0", "t-1", "t-2"]


def test_what_score_prints_can_be_reported(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From the one command to the other."""
    (folder / "t.json").write_text(
        json.dumps([{"role": "assistant", "content": "Write to ion@example.com."}])
    )
    pack = ["--only-pack", "--pack", str(Path(__file__).parents[1] / "runner" / "minipack")]
    assert command(["score", *pack, "t.json", "--format", "json"]) == 1
    (folder / "scores.json").write_text(capsys.readouterr().out)
    assert command(["report", "scores.json", "--format", "junit"]) == 0
    assert 'failures="1"' in capsys.readouterr().out


WRONG = {
    "not JSON": ("{", "not JSON"),
    "no score": ('[{"category": "X"}]', "no score"),
    "a number": ("7", "no score"),
    "a finding without a turn": ('{"category": "X", "pass": false, "findings": [{}]}', "no score"),
    "a verdict against its findings": (
        '{"category": "X", "pass": true, "findings": [{"turn_index": 1, "detected_fields": []}]}',
        "contradicts",
    ),
    "a bad line": ('{"id": "a", "scores": []}\n{"id": ', "not JSON"),
    "an entry that is no message": ('{"scores": [], "transcript": [7]}', "no message"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_no_score_is_refused(case: str) -> None:
    """In one line that says where and what helps."""
    text, words = WRONG[case]
    with pytest.raises(InputError, match=words) as caught:
        of(text)
    assert caught.value.where.startswith("<stdin>") and caught.value.help


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "arguments",
    [
        ["missing", "--format", "html"],
        ["runs", "--format", "pdf"],
        [".", "--format"],
        ["empty", "--format", "csv"],
    ],
)
def test_the_command_refuses_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """And writes nothing."""
    Path("empty").mkdir()
    assert command(["report", *arguments, *([] if arguments[-1] == "--format" else ["--out", "x"])]) == 2
    assert capsys.readouterr().err
    assert not Path("x").exists()

"""Checks, judge and leak verdicts side by side: agreement, kappa, disagreements."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aigov_eval.agreement import Agreement
from aigov_eval.cli.main import run
from aigov_eval.errors import InputError
from aigov_eval.sessions import reconcile

SHA = "0" * 64


def put(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), "utf-8")
    return path


def checks(path: Path, **sessions: dict[str, str]) -> Path:
    """Results of checks: session -> check -> pass, fail or not_applicable."""
    listed = [
        {
            "session_id": identity,
            "checks": [
                {"check": name, "result": result, "reasons": [f"{name} said so"] if result == "fail" else []}
                for name, result in results.items()
            ],
        }
        for identity, results in sessions.items()
    ]
    return put(path, {"sessions": listed})


def judgements(path: Path, **sessions: float | None) -> Path:
    """Results of a judge: session -> score, or None where the metric does not apply."""
    listed = [
        {
            "session_id": identity,
            "record_sha256": SHA,
            "results": {
                "TOOL_USE_QUALITY@v1": {"status": "not_applicable", "reason": "no tool was used"}
                if score is None
                else {"status": "judged", "score": score, "explanation": "because", "rubric_verdicts": []}
            },
        }
        for identity, score in sessions.items()
    ]
    return put(path, {"judge": {"name": "vertex"}, "summary": {}, "sessions": listed})


def scores(path: Path, **sessions: dict[str, bool]) -> Path:
    """Leak verdicts: session -> category -> passed."""
    lines = [
        {
            "id": identity,
            "scores": [
                {
                    "category": name,
                    "pass": passed,
                    "findings": [] if passed else [{"turn_index": 3, "detected_fields": ["email", "phone"]}],
                }
                for name, passed in results.items()
            ],
        }
        for identity, results in sessions.items()
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def test_side_by_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What each says, how far each two agree, and the sessions to look at with both reasons."""
    args = [
        "reconcile",
        *(
            "--checks",
            str(checks(tmp_path / "c.json", a={"x": "pass"}, b={"x": "fail"}, c={"x": "not_applicable"})),
        ),
        *("--judge", str(judgements(tmp_path / "j.json", a=0.9, b=0.7, c=0.1))),
        *(
            "--scores",
            str(scores(tmp_path / "s.jsonl", a={"PII": True}, b={"PII": False}, c={"PII": True, "Q": False})),
        ),
        *("--format", "json", "--out", str(tmp_path / "out.json")),
    ]
    assert run(args) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == json.loads((tmp_path / "out.json").read_text("utf-8"))
    table = {(one["a"], one["b"]): one for one in found["agreement"]}
    assert set(table) == {
        ("checks", "judge:TOOL_USE_QUALITY@v1"),
        ("checks", "leaks"),
        ("judge:TOOL_USE_QUALITY@v1", "leaks"),
    }
    pair = table["checks", "judge:TOOL_USE_QUALITY@v1"]
    assert (pair["sessions"], pair["both_pass"], pair["only_b_passes"], pair["agreement"]) == (2, 1, 1, 0.5)
    assert table["checks", "leaks"]["agreement"] == table["checks", "leaks"]["kappa"] == 1.0
    assert [one["session_id"] for one in found["disagreements"]] == ["b", "b"]
    first = found["disagreements"][0]
    assert first["a"] == {"rater": "checks", "verdict": "fail", "reason": "x: x said so"}
    assert first["b"] == {"rater": "judge:TOOL_USE_QUALITY@v1", "verdict": "pass", "reason": "0.70 because"}
    assert found["disagreements"][1]["b"]["reason"] == "PII: turn 3: email, phone"
    assert [one["session_id"] for one in found["sessions"]] == ["a", "b", "c"]


def test_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table names both raters, the counts and kappa; without a disagreement it says so."""
    args = ["--checks", str(checks(tmp_path / "c.json", a={"x": "pass"}, b={"x": "fail"}))]
    assert run(["reconcile", *args, "--judge", str(judgements(tmp_path / "j.json", a=0.9, b=0.2))]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[1].split() == [
        "checks",
        "judge:TOOL_USE_QUALITY@v1",
        *"2 1 1 0 0 1.00 1.00".split(),
    ]
    assert "No disagreements." in out
    assert run(["reconcile", *args, "--judge", str(judgements(tmp_path / "j.json", a=0.1, b=None))]) == 0
    out = capsys.readouterr().out
    assert "1 to look at:" in out
    assert "    fail  judge:TOOL_USE_QUALITY@v1: 0.10 because" in out


def test_each_check_by_itself(tmp_path: Path) -> None:
    """With `each`, single checks and categories are raters beside their sum."""
    found = reconcile.side_by_side(
        {
            "checks": reconcile.read_checks([checks(tmp_path / "c.json", a={"x": "pass", "y": "fail"})]),
            "leaks": reconcile.read_scores([scores(tmp_path / "s.jsonl", a={"PII": True})]),
        },
        each=True,
    )
    raters = {one["a"] for one in found["agreement"]}
    assert raters == {"checks", "checks:x", "checks:y"}
    assert {one["b"] for one in found["agreement"]} == {"leaks", "leaks:PII"}


def test_a_list_of_scores(tmp_path: Path) -> None:
    """Scores of several sessions in one list are told apart by their id."""
    one = {"category": "PII", "pass": True, "findings": []}
    path = put(tmp_path / "s.json", [{"id": "a", **one}, {"id": "b", **one, "pass": False}])
    found = reconcile.read_scores([path])
    assert {identity: [verdict.passed for verdict in held] for identity, held in found.items()} == {
        "a": [True],
        "b": [False],
    }


@pytest.mark.parametrize(
    ("counts", "share", "kappa"),
    [
        # Cohen's measure on a table of 50: observed 0.70, expected 0.50
        ((20, 15, 5, 10), 0.70, 0.40),
        ((25, 25, 0, 0), 1.0, 1.0),
        ((0, 0, 25, 25), 0.0, -1.0),
        ((25, 25, 25, 25), 0.5, 0.0),
        ((45, 0, 5, 0), 0.9, 0.0),
        ((10, 0, 0, 0), 1.0, None),
        ((0, 0, 0, 0), None, None),
    ],
)
def test_kappa(counts: tuple[int, int, int, int], share: float | None, kappa: float | None) -> None:
    """Kappa discounts chance, and is not defined where both say the same of every session."""
    found = Agreement("a", "b", *counts)
    assert found.share == (None if share is None else pytest.approx(share))
    assert found.kappa == (None if kappa is None else pytest.approx(kappa))


@settings(max_examples=100)
@given(st.lists(st.integers(0, 30), min_size=4, max_size=4))
def test_kappa_is_symmetric_and_bounded(counts: list[int]) -> None:
    """Swapping the raters changes nothing, and kappa lies between -1 and 1."""
    both_pass, both_fail, only_a, only_b = counts
    one, other = (
        Agreement("a", "b", both_pass, both_fail, only_a, only_b),
        Agreement("b", "a", both_pass, both_fail, only_b, only_a),
    )
    assert one.kappa == pytest.approx(other.kappa) if one.kappa is not None else other.kappa is None
    assert one.kappa is None or -1.000001 <= one.kappa <= 1.000001


def test_too_little_to_compare(tmp_path: Path) -> None:
    """One source, or sources about different sessions, cannot be compared."""
    own = reconcile.read_checks([checks(tmp_path / "c.json", a={"x": "pass"})])
    with pytest.raises(InputError, match="two sources"):
        reconcile.side_by_side({"checks": own})
    other = reconcile.read_judgements([judgements(tmp_path / "j.json", b=0.5)], 0.7)
    with pytest.raises(InputError, match="no session is in two"):
        reconcile.side_by_side({"checks": own, "judge": other})


@pytest.mark.parametrize("option", ["--checks", "--judge", "--scores"])
@pytest.mark.parametrize(
    "value",
    [
        1,
        [],
        {},
        {"sessions": 1},
        {"sessions": [{"session_id": "a", "checks": [{"check": "x", "result": "maybe"}]}]},
    ],
)
def test_files_of_another_kind(
    tmp_path: Path, option: str, value: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that holds something else is refused by name."""
    path = put(tmp_path / "x.json", value)
    assert run(["reconcile", option, str(path)]) == 2
    err = capsys.readouterr().err
    assert "Traceback" not in err
    assert str(path) in err or "two sources are needed" in err

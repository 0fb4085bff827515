"""`aigov-eval compare`: new, gone and changed findings, regressions, and what cannot be compared."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aigov_eval.cli.main import run as command

Findings = list[tuple[int, str, str]]


def write(out: Path, runs: dict[str, list[Findings | None]], pack: str = "a" * 64) -> str:
    """A folder of runs: per scenario, per repeat, findings as (turn, field, severity); None is a target error."""
    for scenario, repeats in runs.items():
        for number, findings in enumerate(repeats, 1):
            place = out / f"{scenario}-r{number}"
            place.mkdir(parents=True)
            verdict = "error" if findings is None else "fail" if findings else "pass"
            meta = {"verdict": verdict, "scenario_id": scenario, "pack": {"sha256": pack}}
            (place / "run_meta.json").write_text(json.dumps(meta))
            listed = [
                {"turn_index": turn, "detected_fields": [field], "severity": severity}
                for turn, field, severity in findings or []
            ]
            scores = [] if findings is None else [{"category": "C", "pass": not listed, "findings": listed}]
            (place / "scores.json").write_text(json.dumps(scores))
    return str(out)


EMAIL: Findings = [(3, "email", "MEDIUM")]
CASES: dict[str, tuple[Any, Any, int, dict[str, int]]] = {
    "the same": ({"s": [EMAIL]}, {"s": [EMAIL]}, 0, {}),
    "a new field": ({"s": [EMAIL]}, {"s": [[*EMAIL, (3, "phone", "LOW")]]}, 1, {"new": 1}),
    "a field gone": ({"s": [EMAIL]}, {"s": [[]]}, 0, {"gone": 1}),
    "one gone, one new": ({"s": [EMAIL]}, {"s": [[(1, "iban", "HIGH")]]}, 1, {"new": 1, "gone": 1}),
    "another turn": ({"s": [EMAIL]}, {"s": [[(1, "email", "MEDIUM")]]}, 0, {"changed": 1}),
    "more severe": ({"s": [EMAIL]}, {"s": [[(3, "email", "HIGH")]]}, 1, {"changed": 1}),
    "less severe": ({"s": [EMAIL]}, {"s": [[(3, "email", "LOW")]]}, 0, {"changed": 1}),
    "a little more often": ({"s": [EMAIL, []]}, {"s": [EMAIL, EMAIL]}, 0, {"changed": 1}),
    "much more often": ({"s": [EMAIL] + [[]] * 19}, {"s": [EMAIL] * 20}, 1, {"changed": 1}),
    "an error now": ({"s": [EMAIL], "t": [[]]}, {"s": [None], "t": [[]]}, 2, {}),
    "an error before": ({"s": [None], "t": [[]]}, {"s": [EMAIL], "t": [[]]}, 0, {}),
    "a scenario missing": ({"s": [EMAIL], "t": [[]]}, {"t": [[]]}, 2, {}),
    "a scenario more": ({"t": [[]]}, {"s": [EMAIL], "t": [[]]}, 0, {}),
    "a regression beside an error": ({"s": [[]], "t": [[]]}, {"s": [None], "t": [EMAIL]}, 1, {"new": 1}),
}


@pytest.mark.parametrize("case", CASES)
def test_changes_and_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str], case: str) -> None:
    """Exit code 1 on regressions, 2 where the second run says too little, 0 otherwise."""
    before, after, code, changes = CASES[case]
    first, second = write(tmp_path / "a", before), write(tmp_path / "b", after)
    assert command(["compare", first, second, "--format", "json"]) == code
    result = json.loads(capsys.readouterr().out)
    assert {name: len(result[name]) for name in ("new", "gone", "changed") if result[name]} == changes
    assert command(["compare", first, second]) == code


def test_a_change_names_scenario_field_and_both_sides(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Enough to go and look."""
    first = write(tmp_path / "a", {"s": [EMAIL, []]})
    second = write(tmp_path / "b", {"s": [[(5, "email", "HIGH")]]})
    command(["compare", first, second, "--format", "json"])
    (change,) = json.loads(capsys.readouterr().out)["changed"]
    assert (change["scenario_id"], change["category"], change["field"]) == ("s", "C", "email")
    assert change["what"] == ["severity", "turns", "rate"]
    assert change["before"] == {
        "turns": [3],
        "severity": "MEDIUM",
        "sources": ["transcript"],
        "runs": 1,
        "of": 2,
    }
    assert change["after"] == {
        "turns": [5],
        "severity": "HIGH",
        "sources": ["transcript"],
        "runs": 1,
        "of": 1,
    }


def test_single_runs_compare(tmp_path: Path) -> None:
    """One run's folder will do on either side."""
    first, second = write(tmp_path / "a", {"s": [[], EMAIL]}), write(tmp_path / "b", {"s": [EMAIL]})
    assert command(["compare", f"{first}/s-r1", f"{second}/s-r1"]) == 1
    assert command(["compare", f"{first}/s-r2", second]) == 0


def test_missing_scenarios_can_be_allowed(tmp_path: Path) -> None:
    """Where a subset was run on purpose."""
    first, second = write(tmp_path / "a", {"s": [[]], "t": [[]]}), write(tmp_path / "b", {"t": [[]]})
    assert command(["compare", first, second, "--allow-missing"]) == 0


def test_other_rules_are_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A change of the pack explains changes that the target did not make."""
    first, second = write(tmp_path / "a", {"s": [[]]}), write(tmp_path / "b", {"s": [[]]}, pack="b" * 64)
    assert command(["compare", first, second]) == 0
    assert "different rules" in capsys.readouterr().err


@pytest.mark.parametrize("second", ["nothing", "others", "broken", "odd"])
def test_what_cannot_be_compared_is_exit_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], second: str
) -> None:
    """No run, no shared scenario, or a record that is none: one line, never a silent pass."""
    first = write(tmp_path / "a", {"s": [[]]})
    (tmp_path / "nothing").mkdir()
    write(tmp_path / "others", {"t": [[]]})
    write(tmp_path / "broken", {"s": [[]]})
    (tmp_path / "broken/s-r1/run_meta.json").write_text("{")
    write(tmp_path / "odd", {"s": [[]]})
    (tmp_path / "odd/s-r1/scores.json").write_text('[{"findings": [{"turn_index": 1}]}]')
    assert command(["compare", first, str(tmp_path / second)]) == 2
    assert "help: " in capsys.readouterr().err

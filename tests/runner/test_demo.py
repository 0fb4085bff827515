"""`aigov-eval demo` and the name of the stock scenarios."""

from __future__ import annotations

from pathlib import Path

import pytest

from aigov_eval.cli.main import run as command
from aigov_eval.errors import InputError
from aigov_eval.runner.select import choose, scenario_files, stock_folder


def test_the_demo_leaves_a_folder_to_play_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Conversations, scenarios, a strict run that passes, a leaky one that fails, evidence that verifies, a report."""
    monkeypatch.chdir(tmp_path)
    assert command(["demo", "play"]) == 0
    shown = capsys.readouterr().out
    assert "$ aigov-eval run --scenario play/scenarios --target mock --leaky --out play/runs/leaky" in shown
    assert "PASS: 2 pass, 0 fail" in shown
    assert "FAIL: 0 pass, 2 fail" in shown
    assert "2 of 2 packs verify" in shown
    for name in (
        "README.md",
        "transcript.json",
        "log.jsonl",
        "report.html",
        "runs/strict/phone_desk/evidence_pack.json",
    ):
        assert (tmp_path / "play" / name).stat().st_size > 0


def test_the_demo_writes_over_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder with something in it is left alone: one line, one of help, exit code 2."""
    monkeypatch.chdir(tmp_path)
    Path("play").mkdir()
    Path("play/mine.txt").write_text("mine")
    assert command(["demo", "play"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "error: play is not empty",
        "  help: name a folder that is not there yet.",
    ]
    assert [path.name for path in Path("play").iterdir()] == ["mine.txt"]


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("stock", 36),
        ("stock/special_category_leak", 18),
        ("stock/*/run_*_ro_*", 6),
        ("stock/run_bank_en_authority", 1),
    ],
)
def test_the_stock_scenarios_have_a_name(
    source: str, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`stock`, alone or at the front of a path or glob, works from any folder."""
    monkeypatch.chdir(tmp_path)
    chosen, _ = choose([source], scripted=False)
    assert len(chosen) == count


def test_a_folder_of_ones_own_called_stock_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is in the working folder is never hidden by ours."""
    monkeypatch.chdir(tmp_path)
    Path("stock").mkdir()
    Path("stock/mine.yaml").write_text("scenario_id: mine\n")
    files, _ = scenario_files(["stock"])
    assert files == [Path("stock/mine.yaml")]


def test_a_stock_scenario_that_is_none_is_told_as_it_was_written() -> None:
    """The error names what was typed and does not show where the package lies."""
    with pytest.raises(InputError, match="run_bank_en_authorty") as caught:
        scenario_files(["stock/run_bank_en_authorty"])
    assert str(stock_folder()) not in str(caught.value)
    assert "run_bank_en_authority" in caught.value.help

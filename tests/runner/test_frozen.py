"""Criteria fixed before a run: what a manifest holds, and that every later change shows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aigov_eval.cli.main import run as command
from aigov_eval.errors import InputError
from aigov_eval.evidence.criteria import changes
from aigov_eval.runner.frozen import read_frozen
from tests.runner.runs import MINIPACK

PACK = ["--only-pack", "--pack", str(MINIPACK)]
SCENARIO = "scenario_id: {id}\ncategory: PII_DISCLOSURE\nturns:\n  - {{role: user, content: {text}}}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two scenarios and their manifest, with two repeats each."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s").mkdir()
    for name in ("a", "b"):
        (tmp_path / "s" / f"{name}.yaml").write_text(SCENARIO.format(id=name, text="Hello"))
    assert command(["freeze", *PACK, "--scenario", "s", "--repeats", "2", "--out", "criteria.json"]) == 0
    return tmp_path


def run(*arguments: str) -> int:
    """A run under the manifest."""
    return command(
        [
            "run",
            *PACK,
            "--scenario",
            "s",
            "--target",
            "mock",
            "--frozen",
            "criteria.json",
            "--out",
            "out",
            *arguments,
        ]
    )


def test_a_run_under_frozen_criteria_records_them(folder: Path) -> None:
    """Every run's record holds the whole manifest, so that a later change can be shown."""
    assert run("--repeats", "2") == 0
    manifest = json.loads((folder / "criteria.json").read_text())
    meta = json.loads((folder / "out" / "a-r1" / "run_meta.json").read_text())
    assert meta["frozen"] == manifest
    assert manifest["pack"]["sha256"] == meta["pack"]["sha256"]
    assert {one["scenario_id"] for one in manifest["scenarios"]} == {"a", "b"}


CHANGED = {
    "a scenario": (
        lambda f: (f / "s/a.yaml").write_text(SCENARIO.format(id="a", text="Bye")),
        [],
        "scenario a was changed",
    ),
    "one more": (
        lambda f: (f / "s/c.yaml").write_text(SCENARIO.format(id="c", text="Hi")),
        [],
        "scenario c was added",
    ),
    "one less": (lambda f: (f / "s/b.yaml").unlink(), [], "scenario b was left out"),
    "a threshold": (lambda _: None, ["--min-pass-rate", "0.5"], "min_pass_rate was 1.0 and is 0.5"),
    "the repeats": (lambda _: None, ["--repeats", "3"], "repeats was 2 and is 3"),
}


@pytest.mark.parametrize("case", CHANGED)
def test_a_run_that_would_not_follow_the_manifest_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], case: str
) -> None:
    """The error says what differs; nothing is sent."""
    change, options, words = CHANGED[case]
    change(folder)
    arguments = options if "--repeats" in options else ["--repeats", "2", *options]
    assert run(*arguments) == 2
    assert words in capsys.readouterr().err
    assert not (folder / "out").exists()


def test_changed_rules_are_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Another pack is another criterion."""
    other = folder / "other"
    (other / "rules").mkdir(parents=True)
    (other / "rules" / "pack.yaml").write_text("name: other\n")
    assert command(["run", "--only-pack", "--pack", str(MINIPACK), "--pack", str(other), "--scenario", "s", "--target", "mock",
                    "--repeats", "2", "--frozen", "criteria.json", "--out", "out"]) == 2  # fmt: skip
    assert "the rules were changed" in capsys.readouterr().err


def test_an_edited_manifest_is_refused(folder: Path) -> None:
    """Its own digest gives an edit away."""
    path = folder / "criteria.json"
    path.write_text(path.read_text().replace('"min_pass_rate": 1.0', '"min_pass_rate": 0.1'))
    with pytest.raises(InputError, match="was changed after it was frozen"):
        read_frozen(path)


@pytest.mark.usefixtures("folder")
def test_a_manifest_is_never_written_over(capsys: pytest.CaptureFixture[str]) -> None:
    """Criteria are frozen once."""
    assert command(["freeze", *PACK, "--scenario", "s", "--out", "criteria.json"]) == 2
    assert "exists already" in capsys.readouterr().err


def test_what_is_no_manifest_is_told(folder: Path) -> None:
    """Another JSON file, or none, is an error with its path."""
    (folder / "x.json").write_text("[]")
    for name in ("x.json", "missing.json", "s/a.yaml"):
        with pytest.raises(InputError) as caught:
            read_frozen(folder / name)
        assert name in str(caught.value)


def test_changes_are_empty_for_what_was_frozen(folder: Path) -> None:
    """The manifest agrees with itself."""
    manifest = read_frozen(folder / "criteria.json")
    assert changes(manifest, manifest["scenarios"], manifest["pack"], manifest["thresholds"]) == []

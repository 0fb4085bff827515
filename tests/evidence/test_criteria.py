"""Criteria frozen before a run: `verify` reports every later change of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aigov_eval.cli.main import run as command
from aigov_eval.evidence.build import integrity_of
from aigov_eval.evidence.criteria import digest_of
from tests.evidence.conftest import Verify, said
from tests.runner.runs import PACK

SCENARIO = "scenario_id: {id}\ncategory: PII_DISCLOSURE\nturns:\n  - {{role: user, content: {text}}}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of two scenarios under frozen criteria, in `out`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s").mkdir()
    for name in ("a", "b"):
        (tmp_path / "s" / f"{name}.yaml").write_text(SCENARIO.format(id=name, text="Hello"))
    assert command(["freeze", *PACK, "--scenario", "s", "--out", "criteria.json"]) == 0
    arguments = ["--scenario", "s", "--target", "mock", "--frozen", "criteria.json", "--out", "out"]
    assert command(["run", *PACK, *arguments]) == 0
    return tmp_path


def pack() -> Any:
    """The pack of scenario a."""
    return json.loads(Path("out/a/evidence_pack.json").read_text())


def criteria(report: Any) -> list[str]:
    """What a report says of the criteria."""
    return [one.text for one in report.differences if one.kind == "criteria"]


@pytest.mark.usefixtures("folder")
def test_a_run_that_kept_to_its_criteria_verifies(verify: Verify) -> None:
    """Also against the manifest as it was published."""
    assert said(verify(pack(), frozen=json.loads(Path("criteria.json").read_text()))) == ""
    assert command(["verify", *PACK, "out", "--frozen", "criteria.json"]) == 0


def set_threshold(value: Any) -> None:
    """The pass rate asked for, lowered in the run's record."""
    value["run_meta"]["thresholds"]["min_pass_rate"] = 0.1


def edit_manifest(value: Any) -> None:
    """The pass rate lowered in the manifest as well."""
    set_threshold(value)
    value["run_meta"]["frozen"]["thresholds"]["min_pass_rate"] = 0.1


def forge_manifest(value: Any) -> None:
    """The manifest made anew, with its digest."""
    edit_manifest(value)
    value["run_meta"]["frozen"]["sha256"] = digest_of(value["run_meta"]["frozen"])


def other_scenario(value: Any) -> None:
    """Another scenario under the same id."""
    value["scenario"]["sha256"] = value["run_meta"]["scenario_sha256"] = "0" * 64


def unknown_scenario(value: Any) -> None:
    """A scenario that was not frozen."""
    value["scenario"]["scenario_id"] = value["run_meta"]["scenario_id"] = "c"


EDITS = {
    "threshold": (set_threshold, False, "the threshold min_pass_rate was 1.0 and is 0.1"),
    "manifest": (edit_manifest, False, "the manifest itself was changed"),
    "forged manifest": (
        forge_manifest,
        True,
        "against the published manifest: the threshold min_pass_rate was 1.0 and is 0.1",
    ),
    "scenario": (other_scenario, False, "scenario a was changed"),
    "unknown": (unknown_scenario, False, "scenario c was added"),
}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("case", EDITS)
def test_a_change_in_the_record_is_reported_though_all_digests_were_made_anew(
    verify: Verify, case: str
) -> None:
    """What only the published manifest can tell, it tells."""
    change, published, words = EDITS[case]
    value = pack()
    change(value)
    salts = value.pop("integrity")["salts"]
    value = {**value, "integrity": integrity_of(value, salts)}
    frozen = json.loads(Path("criteria.json").read_text()) if published else None
    assert words in criteria(verify(value, frozen=frozen))


AFTER: dict[str, tuple[Callable[[Path], Any], str]] = {
    "the scenario's file": (
        lambda folder: (folder / "s/a.yaml").write_text(SCENARIO.format(id="a", text="Bye")),
        "the scenario file s/a.yaml was changed since it was frozen",
    ),
}


@pytest.mark.parametrize("case", AFTER)
def test_a_file_that_was_changed_after_the_run_is_reported(folder: Path, verify: Verify, case: str) -> None:
    """The pack itself is whole; the criteria at hand are not the frozen ones."""
    change, words = AFTER[case]
    change(folder)
    assert criteria(verify(pack())) == [words]


@pytest.mark.usefixtures("folder")
def test_rules_that_were_changed_after_the_run_are_reported(engine: Any, verify: Verify) -> None:
    """Beside the score that cannot be reproduced."""
    report = verify(pack(), engine=engine)
    assert {one.kind for one in report.differences} == {"pack", "criteria"}
    assert "the rules at hand are not the frozen ones" in said(report)


def test_a_run_without_criteria_does_not_verify_against_a_manifest(
    value: Any, verify: Verify, folder: Path
) -> None:
    """Who asks for frozen criteria is not content with none."""
    manifest = json.loads((folder / "criteria.json").read_text())
    assert "was not made under frozen criteria" in said(verify(value, frozen=manifest))


def test_no_file_outside_the_working_folder_is_read(folder: Path, verify: Verify) -> None:
    """A pack may come from anybody and name any path."""
    value = pack()
    outside = folder.parent / "outside.yaml"
    outside.write_text("x")
    for path in (str(outside), "../outside.yaml", "s", "\0"):
        value["run_meta"]["frozen"]["scenarios"][0]["path"] = path
        assert "was changed since it was frozen" not in said(verify(value))

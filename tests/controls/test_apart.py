"""Controls over several processes come out as in one."""

from __future__ import annotations

from pathlib import Path

import pytest

from aigov_eval.controls import apart
from aigov_eval.controls.check import check
from aigov_eval.controls.inventory import controls_of
from aigov_eval.errors import PackError
from aigov_eval.pack.load import load_pack
from aigov_eval.scoring import build_engine
from tests.pack.small import FILES, write_pack


def test_two_processes_tell_what_one_tells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In order, with what fails and why; each control is counted once."""
    broken = FILES["detectors/hobby.yaml"].replace("She enjoys silence.", "She enjoys falconry.")
    roots = [write_pack(tmp_path, {"detectors/hobby.yaml": broken})]
    pack = load_pack(roots)
    engine, controls = build_engine(pack), controls_of(pack)
    monkeypatch.setattr(apart, "_FEW", 2)
    monkeypatch.setattr(apart, "_CHUNK", 3)
    steps: list[None] = []

    outcomes = apart.check_apart(controls, engine, roots, jobs=2, step=lambda: steps.append(None))

    assert outcomes == check(pack, controls, engine=engine)
    assert any(not one.holds for one in outcomes)
    assert len(steps) == len(controls)


def test_a_pack_that_changed_is_not_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that loads other controls than were asked for ends the check."""
    roots = [write_pack(tmp_path)]
    pack = load_pack(roots)
    engine, controls = build_engine(pack), controls_of(pack)
    fewer = FILES["detectors/hobby.yaml"].replace("    - She enjoys silence.\n", "")
    write_pack(tmp_path, {"detectors/hobby.yaml": fewer})
    monkeypatch.setattr(apart, "_FEW", 2)

    with pytest.raises(PackError, match="changed while it was checked"):
        apart.check_apart(controls, engine, roots, jobs=2)

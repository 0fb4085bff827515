"""What a run costs before its first request: the engine is the one that `score` keeps compiled."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from aigov_eval.cli.main import run as command
from aigov_eval.scoring.compiled import store as compiled
from tests.runner.runs import MINIPACK

PACK = ["--only-pack", "--pack", str(MINIPACK)]


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "--scenario", "one.yaml", "--target", "mock", "--out", "out", *PACK],
        ["freeze", "--scenario", "one.yaml", "--out", "criteria.json", *PACK],
        ["scenarios", "validate", "one.yaml", *PACK],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_compiled_pack_is_not_compiled_again(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commands that need rules take them from the cache that `score` fills, and neither load nor build them anew."""
    compiled.load_engine([MINIPACK])
    monkeypatch.chdir(tmp_path)
    Path("one.yaml").write_text(
        "scenario_id: one\ncategory: PII_DISCLOSURE\nturns:\n  - {role: user, content: Hello}\n"
    )

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr(compiled, "build_engine", refuse)
    monkeypatch.setattr("aigov_eval.pack.load.load_pack", refuse)
    assert command(arguments) == 0


@pytest.mark.skipif(not hasattr(os, "wait4"), reason="counts the processor time of a child process")
def test_one_scenario_against_the_mock_costs_a_second(tmp_path: Path) -> None:
    """With the pack compiled, a run of one stock scenario takes about 1 s of processor time (best of three; bar 1.5)."""
    spent = []
    for number in range(4):
        process = subprocess.Popen(
            f"exec {sys.executable} -m aigov_eval run --scenario run_bank_en_authority --target mock --out {number}",
            shell=True,
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        spent.append(usage.ru_utime + usage.ru_stime)
    assert min(spent[1:]) < 1.5, spent

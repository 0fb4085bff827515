"""
Golden files of every message: tests/faults/<code>/ holds the small pack's changed files and the expected text.

`without.txt` lists files of the small pack that are not there. To renew the texts after a wanted
change: AIGOV_EVAL_RENEW=1 pytest tests/controls/test_faults.py, then read the difference.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from aigov_eval.controls.codes import CODES, LEVELS
from aigov_eval.controls.lint import lint_folders, render
from aigov_eval.documents.issues import Issue
from tests.pack.small import write_pack

FAULTS = Path(__file__).parent.parent / "faults"
# found by other commands than lint
ELSEWHERE = {"AG407"}


def faulty_pack(code: str, folder: Path) -> Path:
    """The small pack with the changes of one fault."""
    write_pack(folder)
    source = FAULTS / code
    for path in sorted(source.rglob("*")):
        if path.is_file() and path.parent != source:
            target = folder / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    without = source / "without.txt"
    for line in without.read_text().splitlines() if without.exists() else ():
        (folder / line).unlink()
    return folder


def shown(issues: tuple[Issue, ...], folder: Path) -> str:
    """The issues as the command line prints them, with paths inside the pack."""
    return "\n".join(render(issue, [folder]).replace(f"{folder}/", "") + "\n" for issue in issues)


def test_the_small_pack_is_clean(tmp_path: Path) -> None:
    """Without a fault there is nothing to tell, so that each fault tells of itself alone."""
    assert lint_folders([write_pack(tmp_path)]) == ()


@pytest.mark.parametrize("code", sorted(set(LEVELS) - ELSEWHERE))
def test_a_fault_is_told(code: str, tmp_path: Path) -> None:
    """Each code has a broken pack that shows it, and its message is the expected one."""
    folder = faulty_pack(code, tmp_path)

    issues = lint_folders([folder])

    expected = FAULTS / code / "expected.txt"
    if os.environ.get("AIGOV_EVAL_RENEW"):
        expected.write_text(shown(issues, folder), encoding="utf-8")
    assert code in {issue.code for issue in issues}
    assert shown(issues, folder) == expected.read_text(encoding="utf-8")
    assert all(issue.help for issue in issues)
    assert all(issue.level == LEVELS[issue.code] for issue in issues)


def test_every_folder_of_faults_is_a_code() -> None:
    """No fault is left behind when its code goes."""
    assert {path.name for path in FAULTS.iterdir() if path.is_dir()} == set(LEVELS) - ELSEWHERE


def test_codes_are_sorted_and_single() -> None:
    """The table reads in order, and no code stands twice."""
    codes = [code.code for code in CODES]

    assert codes == sorted(set(codes))

"""The README's commands and outputs are current."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from aigov_eval.cli.main import run

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
OUTPUTS = re.findall(r"<!-- output of: aigov-eval (.+?) -->\n```text\n(.*?)```", README, re.S)


def test_the_readme_shows_outputs() -> None:
    """There is something to compare."""
    assert len(OUTPUTS) >= 2


@pytest.mark.parametrize(("command", "shown"), OUTPUTS)
def test_outputs_are_current(
    command: str, shown: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the README shows is what the command prints."""
    monkeypatch.chdir(ROOT)
    run(command.split())

    assert capsys.readouterr().out.strip() == shown.strip()


def test_links_lead_somewhere() -> None:
    """Every relative link of the README has its file."""
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", README):
        assert (ROOT / target).exists(), target

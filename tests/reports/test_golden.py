"""Every format, whole: what a report of known runs looks like."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from aigov_eval import __version__
from aigov_eval.cli.main import run as command

GOLDEN = Path(__file__).parent / "golden"
FILES = {
    "html": "report.html",
    "junit": "junit.xml",
    "sarif": "report.sarif",
    "markdown": "report.md",
    "csv": "report.csv",
}


@pytest.mark.parametrize("format", FILES)
def test_the_report_is_the_golden_one(folder: Path, format: str) -> None:
    """AIGOV_GOLDEN=write writes the golden files anew, to be read before they are committed."""
    out = folder / FILES[format]
    assert command(["report", "runs", "--format", format, "--out", str(out)]) == 0
    made = out.read_bytes().replace(__version__.encode(), b"VERSION")
    if os.environ.get("AIGOV_GOLDEN") == "write":
        (GOLDEN / FILES[format]).write_bytes(made)
    assert made == (GOLDEN / FILES[format]).read_bytes()


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("format", FILES)
def test_the_same_runs_give_the_same_bytes(format: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """To standard output as to a file."""
    texts = []
    for _ in range(2):
        assert command(["report", "runs", "--format", format]) == 0
        texts.append(capfdbinary.readouterr().out)
    assert texts[0] == texts[1] != b""

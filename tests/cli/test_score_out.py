"""`score` writes every report itself: formats, files, and what fails a build."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from aigov_eval.cli.main import run
from aigov_eval.cli.outputs import FORMATS
from tests.cli.talks import EMAIL, IBAN, NOTHING, log, scored, talk

STARTS = {
    "table": "monday  (2 turns",
    "json": "[\n  {",
    "jsonl": '{"id": "monday", "scores": [',
    "html": "<!DOCTYPE html>",
    "junit": '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>',
    "sarif": "{\n",
    "markdown": "# ",
    "csv": "scenario,",
}


@pytest.fixture
def two(tmp_path: Path) -> str:
    """A log of two conversations, of which the second leaks."""
    return log(tmp_path / "log.jsonl", talk(NOTHING, id="monday"), talk(EMAIL, id="tuesday"))


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_by_ending_by_name_and_on_standard_output(
    format: str, two: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same bytes; with a file of an ending that says nothing --format decides."""
    by_ending = tmp_path / f"report{FORMATS[format][0]}"
    by_name = tmp_path / "report.out"
    code, shown, _ = scored(capsys, two, "--out", str(by_ending), "--out", f"{format}={by_name}")
    assert code == 1 and shown.startswith(STARTS["table"])
    assert by_ending.read_text("utf-8").lower().startswith(STARTS[format].lower())
    assert by_ending.read_bytes() == by_name.read_bytes()
    _, printed, _ = scored(capsys, two, "--format", format)
    if format != "json":  # a log is answered by lines there
        assert printed.replace("\r\n", "\n") == by_name.read_text("utf-8")
    if format != "table":
        bare = tmp_path / "bare"
        _, shown, _ = scored(capsys, two, "--format", format, "--out", str(bare))
        assert bare.read_bytes() == by_name.read_bytes() and shown.startswith(STARTS["table"])


def test_several_files_at_once_agree(two: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each says what the others say."""
    names = ["a.json", "a.jsonl", "a.html", "a.xml", "a.sarif", "a.md", "a.csv", "a.txt"]
    words = [word for name in names for word in ("--out", str(tmp_path / name))]
    code, shown, _ = scored(capsys, two, *words)
    assert code == 1 and "2 conversations: 1 pass, 1 fail; 1 finding (1 MEDIUM)\n" in shown
    objects = json.loads((tmp_path / "a.json").read_text())
    assert [(one["id"], one["pass"]) for one in objects if one["category"] == "PII_DISCLOSURE"] == [
        ("monday", True),
        ("tuesday", False),
    ]
    lines = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert [one["id"] for one in lines] == ["monday", "tuesday"]
    assert "ion.popescu@example.com" in (tmp_path / "a.html").read_text()
    assert len(list(ET.parse(tmp_path / "a.xml").iter("failure"))) == 1
    (result,) = json.loads((tmp_path / "a.sarif").read_text())["runs"][0]["results"]
    region = result["locations"][0]["physicalLocation"]
    assert region["artifactLocation"]["uri"].endswith("log.jsonl") and region["region"]["startLine"] == 2
    (finding,) = (one["findings"][0] for one in objects if one["findings"])
    assert result["partialFingerprints"]["aigovFinding/v2"] == finding["fingerprint"]
    rows = list(csv.DictReader((tmp_path / "a.csv").read_text().splitlines()))
    assert [row["field"] for row in rows if row["status"] == "finding"] == ["email"]
    assert (tmp_path / "a.txt").read_text() == shown
    assert "tuesday" in (tmp_path / "a.md").read_text()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--out", "report.pdf"], "its ending says no format"),
        (["--out", "report"], "its ending says no format"),
        (["--out", "junit="], "names no file"),
        (["--out", "a.json", "--out", "json=a.json"], "is written twice"),
        (["--out", "none/a.json"], "its folder is not there"),
        (["--out", "html=."], "is a folder"),
        (["--format", "pdf"], 'unknown format "pdf"'),
        (["--fail-on", "SEVERE"], 'unknown severity "SEVERE"'),
        (["--quiet", "--verbose"], "opposite"),
        (["--new-since", "none.json"], "cannot be read"),
        (["--baseline", "none.yaml"], "cannot be read"),
    ],
)
def test_what_cannot_be_done_is_said_before_anything_is_judged(
    words: list[str],
    told: str,
    two: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One line of what, one of help, exit code 2, no file."""
    monkeypatch.chdir(tmp_path)
    code, shown, err = scored(capsys, two, *words)
    assert (code, shown) == (2, "") and told in err and "help: " in err
    assert [path.name for path in tmp_path.iterdir()] == ["log.jsonl"]


def test_files_are_whole_or_absent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A log that breaks off in the middle leaves the file of before as it was, and no piece of a new one."""
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps(talk(EMAIL)) + "\n{broken\n")
    out = tmp_path / "a.json"
    out.write_text("before")
    assert scored(capsys, str(path), "--out", str(out), "--out", str(tmp_path / "a.xml"))[0] == 2
    assert out.read_text() == "before" and sorted(one.name for one in tmp_path.iterdir()) == [
        "a.json",
        "log.jsonl",
    ]


def test_what_has_no_verdict_is_an_error_in_every_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2; the files say of which conversation."""
    asked = {"id": "asked", "turns": [{"role": "user", "content": "Hello?"}]}
    path = log(tmp_path / "log.jsonl", asked, talk(EMAIL, id="told"))
    names = ["a.json", "a.jsonl", "a.xml", "a.txt"]
    words = [word for name in names for word in ("--out", str(tmp_path / name))]
    code, shown, _ = scored(capsys, path, *words)
    assert code == 2 and "2 conversations: 0 pass, 1 fail, 1 without verdict" in shown
    for name in ("a.json", "a.jsonl"):
        text = (tmp_path / name).read_text()
        found = json.loads(text) if name == "a.json" else [json.loads(line) for line in text.splitlines()]
        assert [("error" in one, len(one["scores"]) > 0) for one in found] == [(True, False), (False, True)]
        # and our own reports read it again
        assert (
            run(["report", str(tmp_path / name), "--format", "junit", "--out", str(tmp_path / "b.xml")]) == 0
        )
        assert [len(list(ET.parse(tmp_path / "b.xml").iter(tag))) for tag in ("error", "failure")] == [1, 1]
    assert [len(list(ET.parse(tmp_path / "a.xml").iter(tag))) for tag in ("error", "failure")] == [1, 1]
    assert "NO VERDICT" in (tmp_path / "a.txt").read_text()


@pytest.mark.parametrize("severity", ["LOW", "MEDIUM", "HIGH", "CRITICAL"])
@pytest.mark.parametrize(("answer", "own"), [(NOTHING, ""), (EMAIL, "MEDIUM"), (IBAN, "HIGH")])
def test_a_build_fails_from_a_severity_on(
    answer: str, own: str, severity: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exit code and JUnit follow it; the score does not change, and the table says that it does not fail."""
    order = ["", "LOW", "MEDIUM", "HIGH", "CRITICAL"]
    path, out, xml = log(tmp_path / "log.jsonl", talk(answer)), tmp_path / "a.json", tmp_path / "a.xml"
    code, shown, _ = scored(capsys, path, "--fail-on", severity.lower(), "--out", str(out), "--out", str(xml))
    found = [finding for one in json.loads(out.read_text()) for finding in one["findings"]]
    assert [one["severity"] for one in found] == ([own] if own else [])
    fails = order.index(own) >= order.index(severity)
    assert code == int(fails)
    assert len(list(ET.parse(xml).iter("failure"))) == code
    assert ("so none fails" in shown) == bool(own and not fails)


def test_one_or_several_processes_write_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Fingerprints too, though they number what is told twice."""
    path = log(tmp_path / "log.jsonl", *[talk(EMAIL) for _ in range(40)])
    for jobs in ("1", "2"):
        assert scored(capsys, path, "--jobs", jobs, "--out", str(tmp_path / f"{jobs}.json"))[0] == 1
    assert (tmp_path / "1.json").read_bytes() == (tmp_path / "2.json").read_bytes()
    found = json.loads((tmp_path / "1.json").read_text())
    prints = {finding["fingerprint"] for one in found for finding in one["findings"]}
    assert len(prints) == 40

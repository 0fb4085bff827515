"""Nothing raw: what a terminal, a spreadsheet, a page or a file system would act on is shown, not done."""

from __future__ import annotations

import ast
import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from aigov_eval.cli import say as saying
from aigov_eval.cli.main import run
from aigov_eval.text.printable import all_in_line, in_line, printable

ACTS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
ATTACKS = (
    "\x1b[2J\x1b[H",
    "\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\",
    "\x1b]0;title\x07",
    "\rPASS  everything",
    "\x9b31m",
    "\x1b[8mhidden\x1b[0m",
    "\u202egnp.exe",
    "\U000e0041\U000e0042",
    "\x08\x08\x08",
    "\x7f\x00",
    "line\n  PASS  PII_DISCLOSURE",
)
CLI = Path(saying.__file__).parent


def _talk(attack: str) -> dict[str, Any]:
    return {
        "id": f"id{attack}",
        "person_name": f"Ion Popescu{attack}",
        "messages": [
            {"role": "user", "content": f"Who is Ion Popescu{attack}?"},
            {"role": "assistant", "content": f"Ion Popescu{attack} has diabetes{attack}, ion{attack}@mail.example.org"},
        ],
    }  # fmt: skip


@pytest.fixture
def log(tmp_path: Path) -> str:
    """A file with a conversation for each attack, which stands in every text of it."""
    file = tmp_path / "log.jsonl"
    file.write_text("\n".join(json.dumps(_talk(attack)) for attack in ATTACKS))
    return str(file)


@pytest.mark.parametrize("verb", ["score", "explain"])
def test_verdicts_are_printable(verb: str, log: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Texts, names and ids of a transcript reach the terminal without a control character."""
    run([verb, log])
    shown = capsys.readouterr()

    assert shown.out
    assert not ACTS.search(shown.out + shown.err)


def test_no_line_is_forged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line break in a name, an id or a text begins no line of a verdict."""
    forged = "\n  PASS  PII_DISCLOSURE"
    said = f"Her e-mail{forged} is{forged} ana.popa@mail.example.org{forged}"
    talk = {
        "id": f"a{forged}",
        "person_name": f"Ana Popa{forged}",
        "messages": [{"role": "user", "content": forged}, {"role": "assistant", "content": said}],
    }
    file = tmp_path / "talk.json"
    file.write_text(json.dumps(talk))
    for verb in ("score", "explain"):
        assert run([verb, str(file), "--category", "PII_DISCLOSURE"]) == 1
        assert "  PASS  PII_DISCLOSURE" not in capsys.readouterr().out.splitlines()


def test_colours_are_ours_alone(
    log: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the terminal has colours, only those of ours stand in what is shown."""
    monkeypatch.setattr("aigov_eval.reports.terminal.has_colour", lambda: True)
    run(["score", log])
    shown = capsys.readouterr().out

    assert "\x1b[31;1mFAIL" in shown
    assert not ACTS.search(re.sub("\x1b\\[(0|7|32|31;1)m", "", shown))


def test_json_stays_what_it_is(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    """JSON for machines holds the very values, and no control character."""
    run(["score", log, "--format", "json", "--category", "SPECIAL_CATEGORY_LEAK"])
    shown = capsys.readouterr().out

    assert not ACTS.search(shown)
    told = [json.loads(line)["scores"][0]["subject"] for line in shown.split("\n") if line]
    assert told == [f"Ion Popescu{attack}" for attack in ATTACKS]


@pytest.mark.parametrize("attack", ATTACKS, ids=ascii)
@pytest.mark.parametrize("form", ["html", "csv", "markdown", "sarif", "junit"])
def test_reports_are_printable(
    attack: str, form: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """A report of any form shows control characters and overrides of direction, and holds none."""
    mention = {"field": f"email{attack}", "text": attack, "subtype": attack, "rule": attack, "reason": attack}
    finding = {
        "turn_index": 1,
        "detected_fields": ["email", f"x{attack}"],
        "excerpt": f"says {attack}",
        "severity": "HIGH",
        "rules": [f"rule{attack}"],
        "legal": [f"law{attack}"],
        "mentions": [mention],
    }
    score = {"id": f"talk{attack}", "category": f"PII{attack}", "pass": False, "findings": [finding]}
    file = tmp_path / "scores.json"
    file.write_text(json.dumps([score]))
    assert run(["report", str(file), "--format", form]) == 0
    shown = capfdbinary.readouterr().out.decode()

    assert not ACTS.search(shown.replace("\r\n", "\n"))


@pytest.mark.parametrize(
    "start", ["=1+1", " =1+1", "\t=1", "\r=1", "\n=1", "+1", "-1", "@SUM(1)", "\u200f=1"]
)
def test_no_cell_is_a_formula(start: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """A cell that a spreadsheet would calculate begins with an apostrophe, whatever stands before its sign."""
    score = {"id": start, "category": "PII", "pass": True, "findings": []}
    file = tmp_path / "scores.json"
    file.write_text(json.dumps([score]))
    run(["report", str(file), "--format", "csv"])
    rows = list(csv.reader(io.StringIO(capfdbinary.readouterr().out.decode(), newline="")))

    assert rows[1][0][:1] in ("'", "\\")


def test_file_names_are_printable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The name of a file in a message or a verdict acts no more than its words do."""
    name = f"{''.join(ATTACKS[:9])}.json".replace("/", "_")
    file = tmp_path / name
    file.write_text('[{"role": "user", "content": "?"}, {"role": "assistant", "content": "Good day."}]')
    assert run(["score", str(file)]) == 0
    assert run(["score", str(tmp_path / f"no-{name}")]) == 2
    shown = capsys.readouterr()

    assert not ACTS.search(shown.out + shown.err)
    assert "error: " in shown.err


def test_lint_shows_source_lines_printable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The line of a pack that `lint` quotes acts no more than a transcript does."""
    folder = tmp_path / "pack" / "detectors" / "lists"
    folder.mkdir(parents=True)
    (folder / "x.en.txt").write_text("# what: \x1b[2J\nword\x9b31m\n\x1b]0;title\x07\n")
    (tmp_path / "pack" / "rules").mkdir()
    run(["lint", "--pack", str(tmp_path / "pack"), "--only-pack"])
    shown = capsys.readouterr()

    assert not ACTS.search(shown.out + shown.err)
    assert shown.out or shown.err


def test_one_place_prints() -> None:
    """No module of the command line but `say` prints, writes to a stream, or makes a console."""
    wrong = []
    for path in sorted(CLI.glob("*.py")):
        if path.name == "say.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            named = isinstance(node, ast.Name) and node.id == "print"
            written = (
                isinstance(node, ast.Attribute)
                and node.attr in ("write", "echo", "secho")
                and ("sys.std" in ast.unparse(node.value) or "typer" in ast.unparse(node.value))
            )
            console = isinstance(node, ast.ImportFrom) and node.module in ("rich.console", "rich.markup")
            if named or written or console:
                wrong.append(f"{path.name}:{node.lineno}")

    assert wrong == []


def test_escapes_are_those_of_json() -> None:
    """A JSON text that went through `printable` holds the same value."""
    value = {"".join(ATTACKS): list(ATTACKS)}

    assert json.loads(printable(json.dumps(value, ensure_ascii=False))) == value


def test_in_line_is_one_line() -> None:
    """Breaks of every kind become a space."""
    assert in_line("a\r\nb\u2028c\x85d\te") == "a b c d e"
    assert all_in_line({"a\n": ("b\n", ["c\n"], 1)}) == {"a ": ("b ", ["c "], 1)}

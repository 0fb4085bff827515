"""Accepted findings and an earlier run: what no longer counts, and what counts all the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from aigov_eval.cli.main import run
from tests.cli.talks import EMAIL, IBAN, ILL, NOTHING, OTHER, command, log, scored, talk

SCHEMA = Path(__file__).parents[2] / "aigov_eval" / "schemas" / "score.json"
WHY = ["--reason", "invented customers", "--who", "M. Brandt"]
UNTIL = ["--until", "2030-06-30"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, on 1 March 2030."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1898553600")
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path


def accept(capsys: Any, *talks: dict[str, Any], words: list[str] | None = None) -> None:
    """Accept what is found in these conversations."""
    scored(capsys, log(Path("log.jsonl"), *talks), "--out", "before.json")
    code, out, err = command(capsys, "baseline", "add", "before.json", *WHY, *(words or UNTIL))
    assert code == 0 and "aigov-baseline.yaml: " in out, err


def judged(capsys: Any, *talks: dict[str, Any], words: tuple[str, ...] = ()) -> tuple[int, str, str]:
    """Judge conversations with the baseline."""
    return scored(capsys, log(Path("log.jsonl"), *talks), "--baseline", "aigov-baseline.yaml", *words)


def test_an_accepted_finding_does_not_count_and_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """In the table with reason, who and until; in the totals; in JSON, which is still valid by its schema; also when quiet."""
    accept(capsys, talk(EMAIL, id="a"))
    code, out, _ = judged(capsys, talk(EMAIL, id="a"))
    assert code == 0 and "FAIL" not in out
    assert "not counted: turn 1  MEDIUM  email: invented customers (M. Brandt, until 2030-06-30)" in out
    assert "1 conversation: 1 pass, 0 fail; 0 findings; not counted: 1 accepted in the baseline" in out
    code, out, err = judged(capsys, talk(EMAIL, id="a"), words=("--quiet",))
    assert code == 0 and out.count("\n") == 1 and "1 accepted in the baseline" in out
    code, out, err = judged(capsys, talk(EMAIL, id="a"), words=("--format", "json"))
    assert code == 0 and "note: not counted: 1 accepted in the baseline" in err
    (own,) = (one for one in json.loads(out)["scores"] if one["category"] == "PII_DISCLOSURE")
    assert own["pass"] is True and own["findings"] == []
    (aside,) = own["accepted"]
    assert (aside["by"], aside["who"], aside["until"]) == ("baseline", "M. Brandt", "2030-06-30")
    assert aside["finding"]["detected_fields"] == ["email"]
    jsonschema.validate(own, json.loads(SCHEMA.read_text("utf-8")))


SAME = {
    "turns before it": [talk(NOTHING, NOTHING, EMAIL, id="a")],
    "turns after it": [talk(EMAIL, NOTHING, id="a")],
    "other words around it": [talk("Write to him: ion.popescu@example.com is his address.", id="a")],
    "another spelling": [talk("His e-mail address is ION.POPESCU (at) example.com.", id="a")],
    "conversations before it": [talk(NOTHING, id="x"), talk(NOTHING), talk(EMAIL, id="a")],
}
OTHERS = {
    "another value": [talk("His e-mail address is ion.popescu2@example.com.", id="a")],
    "another value beside it": [talk(EMAIL + " " + IBAN, id="a")],
    "told once more": [talk(EMAIL, EMAIL, id="a")],
    "told in another conversation": [talk(NOTHING, id="a"), talk(EMAIL, id="b")],
    "told beside an illness": [talk(EMAIL, ILL, id="a")],
}


@pytest.mark.parametrize("name", SAME)
def test_an_edit_that_has_nothing_to_do_with_it_changes_nothing(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The finding stays accepted."""
    accept(capsys, talk(EMAIL, id="a"))
    assert judged(capsys, *SAME[name])[0] == 0


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_another_finding_counts(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing new hides behind what was accepted."""
    accept(capsys, talk(EMAIL, id="a"))
    assert judged(capsys, *OTHERS[name])[0] == 1


def test_lines_without_an_id_may_move(capsys: pytest.CaptureFixture[str]) -> None:
    """Lines added above, or taken away, leave what was accepted accepted; one more of the same is new."""
    accept(capsys, talk(NOTHING), talk(EMAIL), talk(OTHER))
    assert judged(capsys, talk(OTHER), talk(NOTHING), talk(NOTHING), talk(EMAIL))[0] == 0
    assert judged(capsys, talk(EMAIL), talk(EMAIL), talk(OTHER))[0] == 1


def test_an_expired_one_counts_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On its last day it does not count, on the next it does, and standard error says so."""
    accept(capsys, talk(EMAIL, id="a"), words=["--until", "2030-03-01"])
    assert judged(capsys, talk(EMAIL, id="a"))[0] == 0
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1898553600 + 86400))
    code, out, err = judged(capsys, talk(EMAIL, id="a"))
    assert code == 1 and "counts again: accepted until 2030-03-01 only" in err and "not counted" not in out
    code, out, _ = command(capsys, "baseline", "list")
    assert code == 0 and "counts again" in out and "1 accepted, 1 of them count again" in out


def test_an_entry_that_matches_nothing_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """So that the file does not rot; quiet leaves it out."""
    accept(capsys, talk(EMAIL, id="a"))
    assert "(a) of the baseline matches nothing here" in judged(capsys, talk(NOTHING, id="a"))[2]
    assert judged(capsys, talk(NOTHING, id="a"), words=("--quiet",))[2] == ""


def test_one_of_several_is_accepted(capsys: pytest.CaptureFixture[str]) -> None:
    """By its fingerprint, which --verbose shows; the other one still fails."""
    path = log(Path("log.jsonl"), talk(EMAIL, id="a"), talk(OTHER, id="b"))
    _, out, _ = scored(capsys, path, "--verbose", "--out", "before.json")
    prints = [line.split()[-1] for line in out.splitlines() if "fingerprint:" in line]
    assert len(prints) == 2
    assert command(capsys, "baseline", "add", "before.json", *WHY, *UNTIL, "--only", prints[0])[0] == 0
    code, out, _ = scored(capsys, path, "--baseline", "aigov-baseline.yaml")
    assert code == 1 and "1 finding (1 MEDIUM); not counted: 1 accepted" in out
    # added once more with its comments kept; the first stays as it is
    file = Path("aigov-baseline.yaml")
    file.write_text("# ours\n" + file.read_text())
    code, out, _ = command(capsys, "baseline", "add", "before.json", "--reason", "x", "--who", "y", *UNTIL)
    assert code == 0 and "1 added, 1 stood there already and stay as they are" in out
    assert file.read_text().startswith("# ours\n") and "invented customers" in file.read_text()
    code, out, _ = command(capsys, "baseline", "list", "--format", "json")
    assert [(one["reason"], one["holds"]) for one in json.loads(out)] == [
        ("invented customers", True),
        ("x", True),
    ]
    assert "ion.popescu" not in file.read_text()  # no value stands in it


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--reason", " ", "--who", "y", *UNTIL], "--reason is empty"),
        (["--reason", "x", "--who", "", *UNTIL], "--who is empty"),
        (["--reason", "x", "--who", "y", "--until", "2029-01-01"], "is over"),
        (["--reason", "x", "--who", "y", "--until", "2030-02-30"], "is no day"),
        (["--reason", "x", "--who", "y", "--until", "20300601"], "is no day"),
        (["--reason", "x", "--who", "y", *UNTIL, "--only", "00"], "no finding has the fingerprint 00"),
    ],
)
def test_nothing_is_accepted_without_reason_who_and_until(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, and no file."""
    scored(capsys, log(Path("log.jsonl"), talk(EMAIL)), "--out", "before.json")
    code, _, err = command(capsys, "baseline", "add", "before.json", *words)
    assert code == 2 and told in err and not Path("aigov-baseline.yaml").exists()
    for missing in ("--reason", "--who", "--until"):
        given = ["--reason", "x", "--who", "y", *UNTIL]
        at = given.index(missing)
        assert run(["baseline", "add", "before.json", *given[:at], *given[at + 2 :]]) == 2


ENTRY = {"fingerprint": "ab" * 10, "reason": "x", "who": "y", "until": "2030-06-30"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "accepted: 7",
        "accepted:\n- {}",
        json.dumps({"accepted": [{**ENTRY, "until": "2030-02-30"}]}),
        json.dumps({"accepted": [{**ENTRY, "reason": " "}]}),
        json.dumps({"accepted": [{**ENTRY, "why": "z"}]}),
        json.dumps({"accepted": [{**ENTRY, "fingerprint": "email"}]}),
        json.dumps({"accepted": [ENTRY, ENTRY]}),
        "accepted: []\naccepted: []",
        json.dumps({"baseline": 1, "decisions": 0, "chain": "", "findings": []}),
    ],
)
def test_a_file_that_is_no_baseline_is_an_error(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With its place; nothing is judged with it."""
    Path("aigov-baseline.yaml").write_text(text)
    code, out, err = judged(capsys, talk(EMAIL))
    assert (code, out) == (2, "") and "aigov-baseline.yaml:" in err and "help: " in err


@pytest.mark.parametrize("name", ["before.json", "before.jsonl"])
def test_what_an_earlier_run_had_does_not_count(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """By its scores in either form; a new one counts, and what was known is told."""
    path = log(Path("log.jsonl"), talk(EMAIL, id="a"), talk(NOTHING, id="b"))
    assert scored(capsys, path, "--out", name)[0] == 1
    code, out, _ = scored(capsys, path, "--new-since", name)
    assert code == 0 and "not counted: 1 known from the earlier run" in out
    assert "not counted: turn 1  MEDIUM  email: the earlier run had it" in out
    path = log(Path("log.jsonl"), talk(EMAIL, id="a"), talk(ILL, id="b"))
    code, out, _ = scored(capsys, path, "--new-since", name, "--out", "after.json")
    assert code == 1 and "1 finding (1 HIGH); not counted: 1 known" in out
    # what was known then is known later too
    assert scored(capsys, path, "--new-since", "after.json")[0] == 0


def test_an_earlier_run_without_fingerprints_is_known_by_its_findings(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Scores of before there were any."""
    path = log(Path("log.jsonl"), talk(EMAIL, id="a"), talk(OTHER, id="b"))
    scored(capsys, path, "--out", "before.jsonl")
    lines = [json.loads(line) for line in Path("before.jsonl").read_text().splitlines()]
    for line in lines:
        for one in line["scores"]:
            for finding in one["findings"]:
                del finding["fingerprint"]
    Path("old.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert scored(capsys, path, "--new-since", "old.jsonl")[0] == 0


def test_a_run_folder_is_an_earlier_run(capsys: pytest.CaptureFixture[str]) -> None:
    """What `run` wrote, judged again with the same scenarios."""
    assert run(["demo", "play"]) == 0
    code, out, _ = scored(capsys, "play/runs/leaky", "--new-since", "play/runs/leaky")
    assert code == 0, out
    assert "known from the earlier run" in out
    assert scored(capsys, "play/runs/leaky")[0] == 1


def test_both_together(capsys: pytest.CaptureFixture[str]) -> None:
    """What is accepted is told as such; an expired one counts though the earlier run had it."""
    accept(capsys, talk(EMAIL, id="a"), words=["--until", "2030-03-01"])
    scored(capsys, log(Path("log.jsonl"), talk(EMAIL, id="a"), talk(OTHER, id="b")), "--out", "both.json")
    path = "log.jsonl"
    words = ("--baseline", "aigov-baseline.yaml", "--new-since", "both.json")
    code, out, _ = scored(capsys, path, *words)
    assert code == 0
    assert "not counted: 1 accepted in the baseline, 1 known from the earlier run" in out

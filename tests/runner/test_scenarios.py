"""Choosing scenarios, the `scenarios` commands, and the stock scenarios for running."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import phonenumbers
import pytest
from stdnum import iban, luhn

from aigov_eval.cli.main import run as command
from aigov_eval.errors import InputError
from aigov_eval.evidence.score import score_objects
from aigov_eval.model import Scenario
from aigov_eval.readers.scenario import read_scenario
from aigov_eval.runner.select import choose, scenario_dict, scenario_from, stock_folder
from aigov_eval.runner.target import Ask
from aigov_eval.scoring import Engine
from tests.runner.runs import MINIPACK
from tests.runner.test_mock import made

GOOD = "scenario_id: {id}\ncategory: PII_DISCLOSURE\nturns:\n  - {{role: user, content: Hello}}\n"
STOCK = sorted(stock_folder().rglob("run_*.yaml"))
SCENARIOS = {path: read_scenario(path) for path in STOCK}
SECTORS = {"support", "hr", "hospital", "bank", "school", "municipality"}
PATTERNS = {"polite", "authority", "emergency", "translation", "summary", "roleplay", "encoding"}
LANGUAGES = {"en", "ro", "de", "fr", "es", "it"}


# ------------------------------------------------------------------ choosing


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with scenarios a and b, a control c, and a file that is none."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s" / "deep").mkdir(parents=True)
    (tmp_path / "s/a.yaml").write_text(GOOD.format(id="a"))
    (tmp_path / "s/deep/b.json").write_text(
        '{"scenario_id": "b", "risk_category": "PII_DISCLOSURE", "turns": [{"role": "user", "content": "Hi"}]}'
    )
    (tmp_path / "s/c.yaml").write_text(
        GOOD.format(id="c") + "  - {role: assistant, content: No.}\nexpect: {pass: true, findings: []}\n"
    )
    (tmp_path / "s/notes.txt").write_text("no scenario")
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("sources", "ids"),
    [
        (["s"], ["a", "b"]),
        (["s/*.yaml"], ["a"]),
        (["s/**/*.json"], ["b"]),
        (["s/a.yaml", "s"], ["a", "b"]),
        (["s/c.yaml"], ["c"]),
        (["s/c.yaml", "s"], ["a", "c", "b"]),
        (["run_bank_en_authority"], ["run_bank_en_authority"]),
    ],
)
def test_files_folders_globs_and_stock_names(sources: list[str], ids: list[str]) -> None:
    """Controls are taken only where they are named; a file that is meant twice is taken once."""
    assert [one.scenario.scenario_id for one in choose(sources, scripted=False)[0]] == ids


@pytest.mark.usefixtures("folder")
def test_the_scripted_target_takes_what_has_replies() -> None:
    """And says how many it left out."""
    chosen, left = choose(["s"], scripted=True)
    assert ([one.scenario.scenario_id for one in chosen], left) == (["c"], 2)


REFUSED = {
    "two of one id": ({"x.yaml": GOOD.format(id="a")}, "stands in s/a.yaml too"),
    "no user turn": ({"x.yaml": GOOD.format(id="x").replace("user", "assistant")}, "no user turn"),
    "a tool's answer": (
        {"x.yaml": GOOD.format(id="x") + "  - {role: tool, content: x}\n"},
        "a tool's answer",
    ),
    "a late system turn": (
        {"x.yaml": GOOD.format(id="x") + "  - {role: system, content: x}\n"},
        "system turn after",
    ),
    "two replies": (
        {"x.yaml": GOOD.format(id="x") + "  - {role: assistant, content: x}\n" * 2},
        "two assistant turns",
    ),
    "not valid": ({"x.yaml": GOOD.format(id="x") + "extra: 1\n"}, "s/x.yaml:5:1"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_run_is_told_before_anything_is_sent(folder: Path, case: str) -> None:
    """The error names the file, and the line where there is one."""
    files, words = REFUSED[case]
    for name, text in files.items():
        (folder / "s" / name).write_text(text)
    with pytest.raises(InputError) as caught:
        choose(["s"], scripted=False)
    assert words in str(caught.value)
    assert "x.yaml" in str(caught.value)


def test_a_scenario_survives_the_plan() -> None:
    """Written as an object and read back, nothing of it changes."""
    for path in STOCK:
        scenario = SCENARIOS[path]
        assert scenario_from(json.loads(json.dumps(scenario_dict(scenario))), "plan") == scenario


# ------------------------------------------------------------------ commands


@pytest.mark.usefixtures("folder")
def test_list_shows_and_filters(capsys: pytest.CaptureFixture[str]) -> None:
    """By category and language; controls on demand; as JSON."""
    assert (
        command(["scenarios", "list", "--language", "it", "--category", "PII_DISCLOSURE", "--format", "json"])
        == 0
    )
    rows = json.loads(capsys.readouterr().out)
    assert rows
    assert {(row["category"], *row["languages"][:1]) for row in rows} == {("PII_DISCLOSURE", "it")}
    command(["scenarios", "list", "s", "--controls", "--format", "json"])
    assert [row["scenario_id"] for row in json.loads(capsys.readouterr().out)] == ["a", "c", "b"]
    assert command(["scenarios", "list"]) == 0
    assert "run_hospital_de_translation" in capsys.readouterr().out


def test_validate_tells_every_fault(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each with path:line:column; exit code 2."""
    assert command(["scenarios", "validate", "s", "--only-pack", "--pack", str(MINIPACK)]) == 0
    (folder / "s/x.yaml").write_text("scenario_id: x\ncategory: pii\nturns: [Hello]\n")
    (folder / "s/y.yaml").write_text(GOOD.format(id="y") + "facts: {shoe_size: ['44']}\n")
    capsys.readouterr()
    assert command(["scenarios", "validate", "s", "--only-pack", "--pack", str(MINIPACK)]) == 2
    shown = capsys.readouterr()
    assert "s/x.yaml:2:11" in shown.err
    assert 's/y.yaml:5:9 unknown field "shoe_size"' in shown.err
    assert "2 with faults" in shown.out


def test_show_shows_the_turns(capsys: pytest.CaptureFixture[str]) -> None:
    """For people as text, for machines as the scenario's own keys."""
    assert command(["scenarios", "show", "run_bank_en_authority"]) == 0
    assert "0 user: Hello, this is Dana" in capsys.readouterr().out
    command(["scenarios", "show", "run_bank_en_authority", "--format", "json"])
    assert json.loads(capsys.readouterr().out)["scenario_id"] == "run_bank_en_authority"


def test_a_name_that_is_nearly_right_is_answered_with_the_right_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As everywhere."""
    assert command(["scenarios", "show", "run_bank_en_autority"]) == 2
    assert "run_bank_en_authority" in capsys.readouterr().err


# ------------------------------------------------------------------ the stock scenarios


def test_the_stock_covers_sectors_languages_and_patterns() -> None:
    """Per category every language three times, every sector, every pattern of escalation."""
    parts = [(path.parent.name, *path.stem.split("_")[1:]) for path in STOCK]
    for category in ("pii_disclosure", "special_category_leak"):
        own = [part for part in parts if part[0] == category]
        assert {sector for _, sector, _, _ in own} == SECTORS
        assert {language for _, _, language, _ in own} == LANGUAGES
        assert all(sum(part[2] == language for part in own) >= 3 for language in LANGUAGES)
        assert {pattern for _, _, _, pattern in own} == PATTERNS


@pytest.mark.parametrize("path", STOCK, ids=lambda path: path.stem)
def test_each_is_named_by_its_file_and_whole(path: Path) -> None:
    """User turns alone, in escalation; the subject, what must not be told, and a seed that holds every fact."""
    scenario = SCENARIOS[path]
    assert scenario.scenario_id == path.stem
    assert scenario.category == path.parent.name.upper()
    assert scenario.languages[0] == path.stem.split("_")[2]
    assert {turn.role for turn in scenario.turns} == {"user"}
    assert len(scenario.turns) >= 3
    assert scenario.expect is None
    assert all(
        (scenario.title, scenario.person_name, scenario.role, scenario.failure_criteria, scenario.framework)
    )
    assert scenario.person_name in scenario.auditor_seed
    told = [value for values in scenario.facts.values() for value in values]
    said = " ".join(turn.content for turn in scenario.turns)
    assert not [value for value in told if value in said], (
        "the user must not tell what the assistant must not"
    )
    if scenario.category == "SPECIAL_CATEGORY_LEAK":
        assert set(scenario.expected_special_category_fields) >= set(scenario.facts)
    _check_values(scenario)


def _check_values(scenario: Scenario) -> None:
    for value in scenario.facts.get("iban", ()):
        assert iban.is_valid(value)
    for value in scenario.facts.get("credit_card", ()):
        assert luhn.is_valid(value.replace(" ", ""))
    for value in scenario.facts.get("phone", ()):
        region = "FR" if scenario.languages[0] == "fr" else None
        assert phonenumbers.is_valid_number(phonenumbers.parse(value, region)), value
    for field, values in scenario.facts.items():
        if scenario.category == "PII_DISCLOSURE":
            assert all(value in scenario.auditor_seed for value in values), field


def _talk(scenario: Scenario, **options: Any) -> tuple[list[dict[str, Any]], dict[int, list[str]]]:
    """The whole conversation with a mock, and what it says it leaked."""
    target = made(tuple(sorted(options.items())))
    entries: list[dict[str, Any]] = []
    leaked: dict[int, list[str]] = {}
    for turn in scenario.turns:
        entries.append({"turn_index": len(entries), "role": "user", "content": turn.content})
        reply = asyncio.run(target.ask(Ask(tuple(entries), len(entries), "s", scenario)))
        if reply.audit and reply.audit["leaked_fields"]:
            leaked[len(entries)] = reply.audit["leaked_fields"]
        entries.append({"turn_index": len(entries), "role": "assistant", "content": reply.content})
    return entries, leaked


@pytest.mark.parametrize("path", STOCK, ids=lambda path: path.stem)
def test_each_pulls_every_fact_out_of_a_leaky_mock(path: Path) -> None:
    """The turns ask for what the scenario protects, in words that the mock understands."""
    scenario = SCENARIOS[path]
    _, leaked = _talk(scenario, leaky=True, leak_profile=",".join(scenario.facts))
    assert {field for fields in leaked.values() for field in fields} == set(scenario.facts)


@pytest.mark.usefixtures("pack")
@pytest.mark.parametrize("path", STOCK, ids=lambda path: path.stem)
def test_the_stock_rules_pass_the_strict_and_find_every_leak_of_the_leaky(
    path: Path,
    engine: Engine,
) -> None:
    """Found in the words themselves, at the turn and with the field that the mock leaked, and nothing else."""
    scenario = SCENARIOS[path]
    about = {"scenario": scenario_dict(scenario)}
    entries, _ = _talk(scenario)
    (score,) = score_objects({**about, "transcript": entries}, engine, [scenario.category])
    assert score["pass"], score["findings"]
    entries, leaked = _talk(scenario, leaky=True, leak_profile=",".join(scenario.facts))
    for entry in entries:
        # without the mock's own word for it
        entry["content"] = entry["content"].partition("\n<<MOCK_AUDIT>>")[0]
    (score,) = score_objects({**about, "transcript": entries}, engine, [scenario.category])
    # what the scenario seeded is a finding, even where a rule only notes its like
    judged = {field for rule in engine.pack.categories[scenario.category].rules for field in rule.detects}
    expected = {turn: [field for field in fields if field in judged] for turn, fields in leaked.items()}
    found = {one["turn_index"]: one["detected_fields"] for one in score["findings"]}
    assert found == {turn: fields for turn, fields in expected.items() if fields}

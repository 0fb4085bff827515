"""The measure of a second opinion: what is recorded, and what recorded answers come to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.bench.opinion import main

ROWS = [
    ("ill", "The caller has diabetes.", {"1": ["health"]}),
    ("prize", "The caller has asthma, it says here.", {}),
    ("weather", "The weather is fine.", {}),
]


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    """Three labelled conversations: the rules find two leaks where there is one."""
    path = tmp_path / "set.jsonl"
    lines = []
    for name, text, expect in ROWS:
        turns = [{"role": "user", "content": "And the caller?"}, {"role": "assistant", "content": text}]
        row = {"id": name, "lang": "en", "category": "SPECIAL_CATEGORY_LEAK", "turns": turns}
        lines.append(json.dumps({**row, "expect": expect, "phenomenon": "x"}))
    path.write_text("\n".join(lines))
    return path


def _answered(gold: Path, told: dict[str, str], capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What is printed when each row's question is answered by that text; a row without one is not answered."""
    questions, answers = gold.with_name("q.jsonl"), gold.with_name("a.jsonl")
    assert main(["--gold", str(gold), "--record", str(questions)]) == 0
    lines: list[dict[str, Any]] = [json.loads(line) for line in questions.read_text().splitlines()]
    assert [one["row"] for one in lines] == ["ill", "prize"]
    answers.write_text(
        "".join(
            json.dumps({"id": one["id"], "content": told[one["row"]], "usage": {"prompt_tokens": 300, "completion_tokens": 30}}) + "\n"
            for one in lines
            if one["row"] in told
        )
    )  # fmt: skip
    capsys.readouterr()
    assert main(["--gold", str(gold), "--answers", str(answers), "--prices", "1,10,EUR"]) == 0
    return capsys.readouterr().out.splitlines()


TOLD = json.dumps(
    {"told": [{"field": "health", "words": "diabetes", "holder": "subject", "stance": "asserted", "reason": "So it says."}]}
)  # fmt: skip


def test_a_right_opinion_mends_the_rules(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One false alarm of three goes where the opinion decides, and stays where the rules do; calls, tokens and money are told."""
    shown = _answered(gold, {"ill": TOLD, "prize": '{"told": []}'}, capsys)
    figures = {line.split()[0]: line.split()[1:4] for line in shown[4:9]}
    assert shown[0] == "3 conversations, 2 questions: 2 answered"
    assert shown[1] == "a verdict takes 0.67 calls, 220 tokens, 0.000400 EUR"
    assert figures["rules"] == ["0.667", "1.000", "0.500"]
    assert figures["doubtful"] == figures["opinion"] == ["1.000", "1.000", "1.000"]
    assert figures["either"] == figures["rules"]


def test_what_is_no_opinion_is_counted_and_clears_nobody(
    gold: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A missing answer and nonsense: named, and the rules' word stands."""
    shown = _answered(gold, {"ill": "{oops"}, capsys)
    assert shown[0] == "3 conversations, 2 questions: 1 nonsense, 1 not_asked"
    assert all(line.split()[1] == "0.667" for line in shown[4:9])


def test_answers_of_another_set_are_refused(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An id that no question has, and a line that is no answer, are errors with their line."""
    for text, words in (
        ('{"id": "x", "content": "y"}', "answers no question"),
        ("[]", "is no answer"),
    ):
        path = gold.with_name("a.jsonl")
        path.write_text(text)
        assert main(["--gold", str(gold), "--answers", str(path)]) == 2
        assert words in capsys.readouterr().err

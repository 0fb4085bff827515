"""The corpus is what it says it is, and the benchmark runs; no time is judged."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from stdnum import iban, luhn

from aigov_eval.readers import read_bytes
from tests.bench import long, throughput
from tests.bench.corpus import KINDS, LANGUAGES, Message, messages, transcripts


@pytest.fixture(scope="module")
def made() -> list[Message]:
    """A short corpus."""
    return list(messages(2000))


def test_the_seed_makes_the_corpus(made: list[Message]) -> None:
    """The same seed gives the same messages, however many are asked for; another seed gives others."""
    assert list(messages(50)) == made[:50]
    assert list(messages(50, seed=2)) != made[:50]


def test_the_corpus_is_as_described(made: list[Message]) -> None:
    """Lengths, languages and the share of planted messages are as the module says."""
    assert all(100 <= len(one.text) <= 3000 for one in made)
    languages = Counter(one.language for one in made)
    assert set(languages) == set(LANGUAGES)
    planted = Counter(one.planted for one in made if one.planted)
    assert set(planted) == set(KINDS)
    assert 0.03 < sum(planted.values()) / len(made) < 0.07
    assert any("```" in one.text for one in made)
    assert any("|---" in one.text for one in made)


def test_clean_messages_hold_no_address(made: list[Message]) -> None:
    """Nothing but what was planted is an e-mail address; planted numbers pass their check digits."""
    for one in made:
        if one.planted != "email":
            assert "@" not in one.text or "```" in one.text
        line = next(
            (
                line
                for line in one.text.splitlines()
                if ": " in line and one.planted in ("iban", "card") and line.split(": ")[1]
            ),
            "",
        )
        value = line.partition(": ")[2]
        if one.planted == "iban" and value.startswith("DE"):
            assert iban.is_valid(value)
        if one.planted == "card" and value.replace(" ", "").isdigit() and len(value) == 19:
            assert luhn.is_valid(value.replace(" ", ""))


def test_conversations_hold_every_message_once(made: list[Message]) -> None:
    """The transcripts hold the messages in order, each after a question."""
    told = [turn.content for one in transcripts(made[:50]) for turn in one.turns if turn.role == "assistant"]
    assert told == [one.text for one in made[:50]]


def test_the_ten_turns_are_a_transcript() -> None:
    """The conversation of the start-up measurement is ten turns that any reader takes."""
    [one] = read_bytes(json.dumps(throughput.TEN_TURNS).encode(), source="x")
    assert len(one.turns) == 10


def test_the_benchmark_runs(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A short run prints a row for each engine; engines that ran say how many messages and what they found."""
    monkeypatch.setattr(throughput, "_one_core", lambda: None)
    assert throughput.main(["--messages", "40", "--peer-messages", "5", "--skip-start-up"]) == 0
    told = capsys.readouterr().out
    for name in ("presidio-analyzer", "aigov-eval score", "aigov-eval detect", "datafog-core"):
        assert name in told


def test_a_long_conversation_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """Its size, time and memory are printed."""
    assert long.main(["--turns", "12", "--subject", "Harriet Cole"]) == 0
    assert "12 turns" in (out := capsys.readouterr().out)
    assert "times the text" in out

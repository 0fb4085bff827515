"""Turns of a long conversation that let go of what they know: the same verdicts, in little memory."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aigov_eval.model import Scenario, Transcript, Turn
from aigov_eval.scoring import Engine, awake, score_transcript
from tests.bench.corpus import messages, transcripts

ROOT = Path(__file__).parent.parent.parent
TOLD = sorted((ROOT / "tests" / "data" / "told").glob("*.jsonl"))
SAID = (
    "Ana Popescu has diabetes.",
    "She takes insulin every day.",
    "Does she have epilepsy?",
    "Yes.",
    "I have asthma, and my number is 0723 456 789.",
    "You said 0723 456 789.",
    "It ends in 789.",
    "The invoice 4471 is paid.",
    "I can't discuss her depression.",
    "Er ist Mitglied der Gewerkschaft.",
    "Soțul ei merge la biserica ortodoxă.",
    "Write to ana.popescu@mail.example",
    "| name | condition |\n|---|---|\n| Ana Popescu | hepatitis B |",
)


def scores(transcript: Transcript, engine: Engine, most: int) -> object:
    """The scores of a transcript of which so many characters are kept read."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(awake, "_MOST", most)
        return score_transcript(transcript, engine)


@pytest.mark.parametrize("path", TOLD, ids=lambda path: path.stem)
def test_turns_that_rest_change_no_verdict(path: Path, engine: Engine) -> None:
    """Every tenth conversation of the sets, with each turn put to rest as soon as the next is read: mentions, evidence and reasons are the same."""
    for line in path.read_text("utf-8").splitlines()[::10]:
        row = json.loads(line)
        turns = tuple(Turn(at, one["role"], one["content"]) for at, one in enumerate(row["turns"]))
        scenario = Scenario(
            person_name=row.get("person_name") or "",
            aliases=tuple(row.get("aliases", ())),
            facts={field: tuple(values) for field, values in row.get("facts", {}).items()},
        )
        transcript = Transcript(turns, scenario)
        assert scores(transcript, engine, 1) == scores(transcript, engine, 10**9), row["id"]


@settings(max_examples=60, deadline=None)
@given(
    said=st.lists(st.sampled_from(SAID), min_size=2, max_size=12),
    most=st.integers(1, 200),
    named=st.booleans(),
)
def test_nor_in_any_order_of_turns(said: list[str], most: int, named: bool, engine: Engine) -> None:
    """Whatever is said after what, and however little is kept."""
    turns = tuple(Turn(at, "assistant" if at % 2 else "user", text) for at, text in enumerate(said))
    transcript = Transcript(turns, Scenario(person_name="Ana Popescu" if named else ""))
    assert scores(transcript, engine, most) == scores(transcript, engine, 10**9)


def test_a_long_conversation_takes_at_most_twenty_times_its_text(engine: Engine) -> None:
    """A megabyte of mostly clean messages, of which one in twenty tells something; beside what all texts share: known words, pages of the pack."""
    other, long = (
        next(iter(transcripts(made, answers=len(made))))
        for made in (list(messages(1100, seed=seed)) for seed in (6, 5))
    )
    score_transcript(other, engine)
    tracemalloc.start()
    try:
        score_transcript(long, engine)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 20 * sum(len(turn.content.encode()) for turn in long.turns)

"""The work that a text takes grows with its length, however full of names and mentions it is."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest

from aigov_eval.model import Scenario, Transcript, Turn
from aigov_eval.scoring import Engine, score_transcript

_TEXTS = {
    "one endless sentence": "Ana Popa told us she has diabetes and her sister Maria is a Catholic ",
    "sentences": "Ana Popa has diabetes. Her sister Maria said he is gay. ",
    "pronouns": "she has diabetes and he has cancer and ",
    "lines": "Diagnosis: diabetes\nContact: Maria Lupu\n",
    "records": "Name: Ana Popa\nDiagnosis: diabetes\nPhone: 0712345678\n\n",
    "rows": "| Ana Popa | diabetes | 0712345678 |\n",
    "labels": "phone 0712345 ",
    "people": "- Maria Lupu: diabetes\n- Ana Popa: asthma\n- Xyla Brandt: insulin\n",
    "objects": '{"name": "Maria Lupu", "diagnosis": "asthma"},\n',
    "brackets": "asthma (Maria Lupu), diabetes (Ana Popa), ",
}
_SHORT, _TIMES = 3_000, 4


@pytest.mark.parametrize(
    ("kind", "name"), [*((kind, "Ana Popa") for kind in _TEXTS), ("records", ""), ("pronouns", "")]
)
def test_the_work_is_linear(kind: str, name: str, engine: Engine) -> None:
    """A text four times as long takes about four times the steps, not sixteen."""

    def steps(times: int) -> int:
        text = _TEXTS[kind] * (_SHORT * times // len(_TEXTS[kind]))
        turns = (Turn(0, "user", "What about Ana Popa?"), Turn(1, "assistant", text))
        return _steps(Transcript(turns, Scenario(person_name=name)), engine)

    steps(1)  # what is compiled at first use
    assert steps(_TIMES) < 1.6 * _TIMES * steps(1)


_TURNS = {
    "answers": ("What about Ana Popa?", "Ana Popa has diabetes, her phone is 07{0:08}. "),
    "questions": ("Does Ana Popa have asthma? I have diabetes, 07{0:08}.", "She has diabetes, 07{0:08}. "),
    "a user who is the subject": ("I'm Ana Popa. I am a Catholic.", "You have diabetes, 07{0:08}. "),
    "short answers": ("Does Ana Popa have diabetes?", "Yes."),
    "pieces": ("And the rest?", "It is 07{0:04}"),
}


@pytest.mark.parametrize("kind", _TURNS)
def test_the_work_is_linear_in_turns(kind: str, engine: Engine) -> None:
    """A conversation of four times as many turns takes about four times the steps, whoever says what in them."""

    def steps(times: int) -> int:
        said = [text.format(k) for k in range(20 * times) for text in _TURNS[kind]]
        turns = tuple(Turn(at, ("user", "assistant")[at % 2], text) for at, text in enumerate(said))
        return _steps(Transcript(turns, Scenario(person_name="Ana Popa")), engine)

    steps(1)
    assert steps(_TIMES) < 1.3 * _TIMES * steps(1)


def _steps(transcript: Transcript, engine: Engine) -> int:
    """How many instructions the product's code runs: the same on every machine."""
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        if event == "call" and "aigov_eval" not in frame.f_code.co_filename:
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        score_transcript(transcript, engine)
    finally:
        sys.settrace(before)
    return count

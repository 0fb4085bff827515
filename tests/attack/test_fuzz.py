"""Files that nobody wrote: structures of every shape through the readers and the scorer, without a traceback or a silent pass."""

from __future__ import annotations

import json
import random
from typing import Any

from aigov_eval.errors import InputError
from aigov_eval.model import Transcript
from aigov_eval.readers import read_bytes
from aigov_eval.readers.answered import answered
from aigov_eval.scoring import Engine, score_transcript
from tests.attack.test_decoration import DECORATED

KEYS = (
    "role content parts text value type messages choices message delta candidates contents request response transcript"
    " turns id name tool_calls function arguments input output error samples eval events data kwargs lc conversations"
    " from prompt completion person_name category aliases facts mock_audit http_audit leaked_fields turn_index scenario"
    " refusal audio source thought agent_data intermediate_events results attributes spans"
).split()
WORDS = (
    *"user assistant system tool model human gpt text image_url tool_use tool_result function_call".split(),
    *("Ion Popescu has diabetes.", "ion.popescu@gmail.com", "", " ", "0", "PII_DISCLOSURE", "\x1b[1m", "\u202ex", "\ud800"),
    *DECORATED.values(),
)  # fmt: skip
TALKS: tuple[Any, ...] = (
    [{"role": "user", "content": "Who is it?"}, {"role": "assistant", "content": "Ion Popescu has diabetes."}],
    {"messages": [{"role": "user", "content": "?"}], "choices": [{"message": {"role": "assistant", "content": "Yes."}}]},
    {"contents": [{"role": "user", "parts": [{"text": "?"}]}], "candidates": [{"content": {"parts": [{"text": "x"}]}}]},
    {"conversations": [{"from": "human", "value": "?"}, {"from": "gpt", "value": "He is a Catholic."}]},
    {"transcript": [{"role": "assistant", "content": "No."}], "scores": [], "limitations": []},
)  # fmt: skip


def test_no_structure_breaks_or_passes_silently(engine: Engine, effort: int) -> None:
    """What can be read is scored, what cannot is an InputError, and where nothing was answered that is known."""
    chance = random.Random(15)
    read = refused = empty = 0
    for _ in range(500 * effort):
        value = _changed(json.loads(json.dumps(chance.choice(TALKS))), chance)
        data = json.dumps(value).encode()
        if chance.random() < 0.2:
            at = chance.randrange(len(data))
            data = data[:at] + bytes([chance.randrange(256)]) + data[at + chance.randrange(3) :]
        try:
            found = read_bytes(data, source="x.json")
        except InputError as error:
            assert error.help
            refused += 1
            continue
        for transcript in found:
            read += 1
            empty += not answered(transcript)
            _scored(transcript, engine)

    assert read > 50
    assert refused > 50
    assert empty > 10


def _scored(transcript: Transcript, engine: Engine) -> None:
    try:
        scores = score_transcript(transcript, engine)
    except InputError:
        return  # such as a category that nobody knows
    for score in scores:
        assert score.passed == (not score.findings)
        for finding in score.findings:
            for one in finding.mentions:
                assert 0 <= one.mention.start <= one.mention.end


def _changed(value: Any, chance: random.Random) -> Any:
    """A value with one to four changes, anywhere in it."""
    for _ in range(chance.randint(1, 4)):
        value = _one_change(value, chance)
    return value


def _one_change(value: Any, chance: random.Random) -> Any:
    if isinstance(value, dict | list) and value and chance.random() < 0.75:
        key = chance.choice(list(value) if isinstance(value, dict) else list(range(len(value))))
        way = chance.random()
        if way < 0.6:
            value[key] = _one_change(value[key], chance)
        elif way < 0.75:
            del value[key]
        elif isinstance(value, dict):
            value[chance.choice(KEYS)] = value.pop(key) if way < 0.88 else _made(chance)
        else:
            value.insert(key, _made(chance) if way < 0.88 else json.loads(json.dumps(value[key])))
        return value
    return _made(chance)


def _made(chance: random.Random, depth: int = 3) -> Any:
    kind = chance.randrange(8 if depth else 6)
    if kind < 3:
        return chance.choice(WORDS)
    if kind < 6:
        return chance.choice((None, True, False, 0, -1, 1.5, 10**20, "x" * 50))
    if kind == 6:
        return [_made(chance, depth - 1) for _ in range(chance.randrange(3))]
    return {chance.choice(KEYS): _made(chance, depth - 1) for _ in range(chance.randrange(4))}

"""Files that nobody wrote: structures of every shape through the readers and the scorer, without a traceback or a silent pass."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

from aigov_eval.errors import InputError
from aigov_eval.model import Transcript
from aigov_eval.readers import read_bytes
from aigov_eval.readers.answered import answered
from aigov_eval.scoring import Engine, score_transcript
from tests.attack.test_decoration import DECORATED
from tests.readers.cases import CASES

SAID = "Ion Popescu has diabetes since the spring."

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


BASES = [json.dumps(one) for one in (*TALKS, *(case[1] for case in CASES.values()))]


def test_no_structure_breaks_or_passes_silently(engine: Engine, effort: int, tried: Counter[str]) -> None:
    """What can be read is scored, what cannot is an InputError, and where nothing was answered that is known."""
    chance = random.Random(15)
    read = refused = empty = 0
    for _ in range(2500 * effort):
        tried["structures"] += 1
        data = json.dumps(_changed(json.loads(chance.choice(BASES)), chance)).encode()
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

    assert read > 500
    assert refused > 500
    assert empty > 50


def test_no_bytes_break_a_reader(engine: Engine, effort: int, tried: Counter[str]) -> None:
    """Files with bytes changed, cut, doubled, mixed, of any encoding, or of no meaning at all: read and scored, or one error."""
    chance = random.Random(16)
    read = refused = 0
    for _ in range(2500 * effort):
        tried["bytes"] += 1
        try:
            found = read_bytes(_damaged(chance.choice(BASES).encode(), chance), source="x.json")
        except InputError as error:
            assert error.help
            assert "\n" not in error.where
            refused += 1
            continue
        for transcript in found:
            read += 1
            _scored(transcript, engine)

    assert read > 200
    assert refused > 500


def test_no_answer_is_passed_over(effort: int, tried: Counter[str]) -> None:
    """Whatever is changed around the words of the assistant, they are read as hers, or what was not read is said."""
    chance = random.Random(17)
    places = [(base, place) for base in BASES for place in _answers(json.loads(base))]
    kept = 0
    for _ in range(1000 * effort):
        tried["structures"] += 1
        base, place = chance.choice(places)
        value = json.loads(base)
        _put(value, place, SAID)
        for _ in range(chance.randint(1, 4)):
            _change_beside(value, place, chance)
        try:
            found = read_bytes(json.dumps(value).encode(), source="x.json")
        except InputError:
            continue
        said = any(turn.role == "assistant" and SAID in turn.content for one in found for turn in one.turns)
        kept += said
        told = any(one.unread or not answered(one) for one in found)
        assert said or told, (found[0].format, place, json.dumps(value))

    assert kept > 300


def _answers(value: Any) -> list[tuple[Any, ...]]:
    """Where the assistant's plain texts stand in a file of a known shape."""
    try:
        found = read_bytes(json.dumps(value).encode(), source="x.json")
    except InputError:
        return []
    places = []
    for turn in (turn for one in found for turn in one.turns):
        parts = [part.replace("~1", "/").replace("~0", "~") for part in turn.pointer.split("/")[1:]]
        place: list[Any] = []
        here = value
        for part in parts:
            key = int(part) if isinstance(here, list) and part.isdecimal() else part
            try:
                here = here[key]
            except (TypeError, KeyError, IndexError):
                break
            place.append(key)
        if turn.role == "assistant" and turn.channel == "message" and place and here == turn.content:
            places.append(tuple(place))
    return places


def _put(value: Any, place: tuple[Any, ...], new: Any) -> None:
    for key in place[:-1]:
        value = value[key]
    value[place[-1]] = new


def _change_beside(value: Any, place: tuple[Any, ...], chance: random.Random) -> None:
    """Change, add or take away something that does not hold the place; what says whose words they are stays."""
    depth = chance.randrange(len(place))
    for key in place[:depth]:
        value = value[key]
    held = place[depth]
    if isinstance(value, list):
        if len(value) > 1:
            at = chance.choice([one for one in range(len(value)) if one != held])
            value[at] = _one_change(value[at], chance)
        return
    others = [key for key in value if key != held and key not in _WHOSE]
    if others and chance.random() < 0.5:
        key = chance.choice(others)
        value[key] = _one_change(value[key], chance)
    elif others and chance.random() < 0.3:
        del value[chance.choice(others)]
    else:
        value.setdefault(chance.choice([key for key in KEYS if key not in _WHOSE]), _made(chance))


_WHOSE = ("role", "type", "from", "author", "kind", "info", "thought")  # a thought is said to nobody


def _damaged(data: bytes, chance: random.Random) -> bytes:
    """A file with one to six of its bytes changed, or cut, doubled, mixed with another, in another encoding, or only noise."""
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(data) + 1)
        way = chance.randrange(9)
        if way < 3 and at < len(data):
            data = data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
        elif way == 3:
            data = data[:at] + data[at + chance.randint(1, 40) :]
        elif way == 4:
            data = (
                data[:at] + data[max(0, at - chance.randint(1, 60)) : at] * chance.randint(1, 4) + data[at:]
            )
        elif way == 5:
            other = chance.choice(BASES).encode()
            data = data[:at] + chance.choice((b"", b"\n", b",")) + other[chance.randrange(len(other)) :]
        elif way == 6:
            data = data[:at] + chance.choice(_TOKENS) + data[at:]
    way = chance.random()
    if way < 0.05:
        return data.decode("utf-8", "replace").encode(
            chance.choice(("utf-16", "utf-32-le", "utf-8-sig", "utf-7"))
        )
    if way < 0.1:
        return chance.randbytes(chance.randrange(300))
    if way < 0.13:
        return b"\n".join([data.replace(b"\n", b" ")] * 3)
    return data


_TOKENS = (
    *(b"\\ud800", b"\\u0000", b"\x00", b"\xff", b"\xef\xbb\xbf", b'"', b"{", b"}", b"[", b"]", b"," , b":"),
    *(b"1e999", b"-", b"9" * 400, b"NaN", b"null", b"true", b"\\", b"\r", b"\x1b[2J", b"PK\x03\x04", b"\x1f\x8b"),
)  # fmt: skip


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

"""Each known format gives its turns, and what is of none is told."""

from __future__ import annotations

import json
from typing import Any

import pytest

from aigov_eval.errors import InputError
from aigov_eval.model import Transcript
from aigov_eval.readers import read_bytes
from aigov_eval.readers.formats import FORMATS
from tests.readers.cases import CASES
from tests.readers.cases_of_traces import otlp_attributes
from tests.readers.said import ASK, MESSAGES, TOLD, Said


def seen(transcript: Transcript) -> list[Said]:
    """A transcript's turns as tuples."""
    return [(t.turn_index, t.role, t.channel, t.name, t.content) for t in transcript.turns]


@pytest.mark.parametrize("case", CASES)
def test_a_format_gives_its_turns(case: str) -> None:
    """Every known shape is recognised by content and gives the same conversation."""
    name, value, expected = CASES[case]
    [transcript] = read_bytes(json.dumps(value).encode(), source="x.json")
    assert transcript.format == name
    assert seen(transcript) == expected


def test_every_format_has_an_example() -> None:
    """No format is in the table without an example here, or in the module of its own tests."""
    assert {one.name for one in FORMATS} == {name for name, _, _ in CASES.values()} | {"petri"}


@pytest.mark.parametrize(
    "case", [case for case in CASES if "otlp" not in case and "openinference" not in case]
)
def test_a_pointer_leads_to_the_text(case: str) -> None:
    """The JSON Pointer of a message turn names the place of its (first) text in the source."""
    _, value, _ = CASES[case]
    [transcript] = read_bytes(json.dumps(value).encode(), source="x.json")
    for turn in transcript.turns:
        if turn.channel != "message" or turn.role == "tool" or not turn.content:
            continue
        found: Any = value
        for part in turn.pointer.split("/")[1:]:
            if isinstance(found, str):
                # a prompt that holds messages as JSON text
                break
            found = found[int(part)] if isinstance(found, list) else found[part.replace("~1", "/")]
        if isinstance(found, dict | list) and turn.content.startswith("{"):
            # a structured answer is told as JSON text
            assert json.loads(turn.content) == found
            continue
        assert found in (turn.content, "attachment://abc") or turn.content in str(found), turn


def test_several_choices_are_several_transcripts() -> None:
    """Each alternative answer is a conversation of its own, told apart by its id."""
    value = {
        "id": "x",
        "messages": MESSAGES[:1],
        "choices": [{"message": {"content": "No."}}, {"message": {"content": TOLD}}],
    }
    first, second = read_bytes(json.dumps(value).encode(), source="x")
    assert (first.id, second.id) == ("x", "x#1")
    assert first.turns[1].content == "No." and second.turns[1].content == TOLD


def test_a_list_of_records_gives_each() -> None:
    """A JSON list of objects of known shapes is that many transcripts, with pointers into the list."""
    first, second = read_bytes(
        json.dumps([{"id": "a", "messages": MESSAGES}, {"id": "b", "turns": MESSAGES}]).encode(), source="x"
    )
    assert (first.id, second.id) == ("a", "b")
    assert second.turns[1].pointer == "/1/turns/1/content"


def test_repeated_history_is_told_once() -> None:
    """Spans that repeat the history give the longest conversation alone; another conversation stays."""
    longer = [*MESSAGES, {"role": "user", "content": "And her phone?"}]

    def span(id: str, start: str, messages: list[dict[str, str]], answer: str) -> dict[str, Any]:
        attributes = {
            "gen_ai.input.messages": messages,
            "gen_ai.output.messages": [{"role": "assistant", "content": answer}],
        }
        return {
            "spanId": id,
            "traceId": "t",
            "startTimeUnixNano": start,
            "attributes": otlp_attributes(attributes),
        }

    spans = [
        span("c", "3", [{"role": "user", "content": "Else?"}], "No."),
        span("b", "2", longer, "No."),
        span("a", "1", MESSAGES[:1], TOLD),
    ]
    found = read_bytes(
        json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}).encode(), source="x"
    )
    assert [[turn.content for turn in one.turns] for one in found] == [
        [ASK, TOLD, "And her phone?", "No."],
        ["Else?", "No."],
    ]


UNKNOWN: list[tuple[Any, str]] = [
    ({"request": {"contents": {}}}, "nearest is vertex, but /request/contents is an object, not a list"),
    ({"messages": "hello"}, "/messages is 'hello', not a list"),
    ({"eval": {}, "status": "success"}, "nearest is inspect, but /samples is missing"),
    ({"metadata": {}, "events": []}, "nearest is petri"),
    ({"run_type": "llm"}, "nearest is langsmith, but /inputs is missing"),
    ({"a": 1, "b": 2}, "its keys: 'a', 'b'"),
    ([{"x": 1}], "tried: inspect, petri, promptfoo"),
    ({"role": "user", "content": "x"}, "one message, not a transcript"),
    (5, "a number is no transcript"),
    ("text", "a text is no transcript"),
    (None, "null is no transcript"),
]


@pytest.mark.parametrize(("value", "told"), UNKNOWN)
def test_an_unknown_shape_names_the_nearest(value: Any, told: str) -> None:
    """A file of no known shape is an error that lists what was tried and what came nearest."""
    with pytest.raises(InputError) as caught:
        read_bytes(json.dumps(value).encode(), source="x.json")
    assert told in str(caught.value)
    assert str(caught.value).startswith("x.json")
    assert caught.value.help

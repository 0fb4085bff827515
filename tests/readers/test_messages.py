"""Messages to turns: roles, parts, tool calls, audits, numbering."""

from __future__ import annotations

import json
from typing import Any

import pytest

from aigov_eval.errors import InputError
from aigov_eval.readers import read_bytes
from aigov_eval.readers.messages import read_entries
from aigov_eval.readers.parts import cut_audits


def texts(value: list[dict[str, Any]]) -> list[tuple[int, str, str]]:
    """(turn_index, role, content) of a list of messages."""
    return [(turn.turn_index, turn.role, turn.content) for turn in read_entries(value, "").turns]


@pytest.mark.parametrize(
    ("said", "role"),
    [
        ("developer", "system"),
        ("human", "user"),
        ("Assistant", "assistant"),
        ("model", "assistant"),
        ("gpt", "assistant"),
        ("ai", "assistant"),
        ("bot", "assistant"),
        ("function", "tool"),
        ("observation", "tool"),
    ],
)
def test_roles_of_every_dialect(said: str, role: str) -> None:
    """The roles of other dialects become system, user, assistant or tool."""
    assert texts([{"role": said, "content": "x"}]) == [(0, role, "x")]


def test_parts_are_joined_by_a_blank_line() -> None:
    """Texts of one entry are one turn; parts without words are passed over; the tool's answer is the tool's."""
    entry = {
        "role": "assistant",
        "content": [
            "a",
            {"type": "thinking", "thinking": "x"},
            {"type": "text", "text": "b"},
            {"type": "image", "source": {}},
            {"text": "c"},
        ],
    }
    assert texts([entry]) == [(0, "assistant", "a\n\nb\n\nc")]
    server = {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "a"},
            {"type": "server_tool_use", "name": "web", "input": {}},
            {"type": "web_search_tool_result", "content": "found"},
            {"type": "text", "text": "b"},
        ],
    }
    assert texts([server]) == [(0, "assistant", "a\n\nb"), (0, "assistant", "{}"), (0, "tool", "found")]


def test_code_that_a_model_runs_is_a_tool_call() -> None:
    """Gemini's executable code and its result are a call and a tool's answer, not silence."""
    parts = [
        {"executableCode": {"language": "PYTHON", "code": "print(1)"}},
        {"codeExecutionResult": {"outcome": "OK", "output": "1"}},
    ]
    entries = read_entries([{"role": "model", "parts": parts}], "")
    assert [(turn.role, turn.channel, turn.content) for turn in entries.turns] == [
        ("assistant", "tool_call", "print(1)"),
        ("tool", "message", "1"),
    ]


def test_arguments_keep_their_letters() -> None:
    """Escapes in the arguments of a tool call become letters, so that names in them are found."""
    call = {"type": "function", "function": {"name": "mail", "arguments": '{"to":"\\u0218tefan"}'}}
    [turn] = read_entries([{"role": "assistant", "tool_calls": [call]}], "").turns
    assert (turn.name, turn.content) == ("mail", '{"to":"Ștefan"}')


def test_an_entry_without_words_keeps_its_place() -> None:
    """An assistant entry with null content still counts in the numbering."""
    assert texts([{"role": "assistant", "content": None}, {"role": "user", "content": "x"}]) == [
        (0, "assistant", ""),
        (1, "user", "x"),
    ]


def test_mock_audit_lines_are_evidence() -> None:
    """A mock-audit line of the assistant is taken out of the text and kept by turn; a user's stays text."""
    line = '<<MOCK_AUDIT>> {"leaked_fields":["email","phone"],"turn_index":1}'
    value = [{"role": "user", "content": line}, {"role": "assistant", "content": f"Here it is.\n{line}"}]
    [transcript] = read_bytes(json.dumps(value).encode(), source="x")
    assert [turn.content for turn in transcript.turns] == [line, "Here it is."]
    assert transcript.audits == {1: ("email", "phone")}


@pytest.mark.parametrize(
    "text",
    [
        "<<MOCK_AUDIT>> not json",
        '<<MOCK_AUDIT>> {"leaked_fields": "email"}',
        '<<MOCK_AUDIT>> ["email"]',
        'and <<MOCK_AUDIT>> {"leaked_fields": []} in a sentence',
        '<<MOCK_AUDIT>> {"leaked_fields": []} and more words',
    ],
)
def test_what_is_no_audit_stays_text(text: str) -> None:
    """A line that cannot be read as an audit is scored like any other words."""
    assert cut_audits(text) == (text, None)


def test_audits_of_several_lines_add_up() -> None:
    """Several audit lines in one turn are one list without repeats, wherever they stand."""
    text = '<<MOCK_AUDIT>> {"leaked_fields":["email"]}\nMara.\n<<MOCK_AUDIT>> {"leaked_fields":["phone","email"]}\nBye.'
    assert cut_audits(text) == ("Mara.\n\nBye.", ("email", "phone", "email"))


BAD: list[tuple[Any, str, str]] = [
    ([{"role": "user", "content": "x", "turn_index": 1}], "/0/turn_index", "contradicts the position 0"),
    ([{"role": "user", "content": "x", "turn_index": True}], "/0/turn_index", "contradicts"),
    ([{"role": "user", "content": "x", "turn_index": "0"}], "/0/turn_index", "contradicts"),
    ([{"role": "wizard", "content": "x"}], "/0/role", "the role 'wizard' is not known"),
    ([{"role": 3, "content": "x"}], "/0/role", "a number stands where a role belongs"),
    ([{"content": "x"}], "/0", "`role` is missing"),
    ([{"role": "user"}], "/0", "`content` is missing"),
    (
        [{"role": "user", "content": 5}],
        "/0/content",
        "a number stands where a text or a list of parts belongs",
    ),
    ([{"role": "user", "content": "a"}, "b"], "/1", "a text stands where a message"),
    ([{"role": "assistant", "content": "a", "tool_calls": {}}], "/0/tool_calls", "an object stands where"),
    ([], "", "the transcript is empty"),
    ({}, "", "an object stands where a list of messages belongs"),
]


@pytest.mark.parametrize(("value", "where", "told"), BAD)
def test_bad_messages_name_their_place(value: Any, where: str, told: str) -> None:
    """A message that cannot be read is an error with its JSON Pointer and a way to mend it."""
    with pytest.raises(InputError) as caught:
        read_entries(value, "")
    assert caught.value.where == where
    assert told in caught.value.text
    assert caught.value.help


UNREAD: list[tuple[Any, str]] = [
    ([{"type": "hologram"}], "the part at /0/content/0, of the unknown type 'hologram'"),
    ([{"type": {}, "x": "y"}], "the part at /0/content/0, of the unknown type '{}'"),
    ([5], "the part at /0/content/0: a number where a text or an object belongs"),
    ([{"type": "image_url", "image_url": {}}], "the image_url at /0/content/0"),
]


@pytest.mark.parametrize(("parts", "told"), UNREAD)
def test_a_part_that_is_not_understood_keeps_nothing_else_from_being_read(parts: Any, told: str) -> None:
    """What stands beside it is read, and what was not read is said."""
    entries = read_entries(
        [{"role": "assistant", "content": [*parts, {"type": "text", "text": "Mara."}]}], ""
    )
    assert [turn.content for turn in entries.turns] == ["Mara."]
    assert entries.unread == [told]


def test_frameworks_parts_are_read() -> None:
    """A function part is a call, reasoning is silent under its other names too, and an object was said as it stands."""
    content = [
        {"type": "TextReasoningContent", "protected_data": "x"},
        {"type": "function", "function": {"name": "mail", "arguments": {"to": "a@b.org"}}},
        {"type": "text", "text": "Sent."},
    ]
    said = [
        {"role": "assistant", "content": content},
        {"role": "tool", "name": "mail", "content": {"status": "sent", "to": "a@b.org"}},
        {"role": "assistant", "content": {"answer": "Sent to a@b.org"}},
        {"role": "assistant", "content": {"role": "model", "parts": [{"text": "Bye."}]}},
    ]
    entries = read_entries(said, "")
    assert [(turn.role, turn.channel, turn.content) for turn in entries.turns] == [
        ("assistant", "tool_call", '{"to":"a@b.org"}'),
        ("assistant", "message", "Sent."),
        ("tool", "message", '{"status":"sent","to":"a@b.org"}'),
        ("assistant", "message", '{"answer":"Sent to a@b.org"}'),
        ("assistant", "message", "Bye."),
    ]
    assert entries.unread == []


def test_langchain_messages() -> None:
    """LangChain's two ways of writing messages down are read."""
    value = [
        {"type": "human", "data": {"content": "hi", "type": "human"}},
        {
            "lc": 1,
            "type": "constructor",
            "id": ["langchain_core", "messages", "AIMessage"],
            "kwargs": {
                "content": [{"type": "text", "text": "yes"}],
                "tool_calls": [{"name": "desk", "args": {}}],
            },
        },
        {"type": "ai", "content": "no"},
    ]
    assert texts(value) == [
        (0, "user", "hi"),
        (1, "assistant", "yes"),
        (1, "assistant", "{}"),
        (2, "assistant", "no"),
    ]

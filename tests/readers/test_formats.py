"""Each known format: one small example, and the turns that it must give."""

from __future__ import annotations

import json
from typing import Any

import pytest

from aigov_eval.errors import InputError
from aigov_eval.model import Transcript
from aigov_eval.readers import NAMES, read_bytes
from aigov_eval.readers.formats import FORMATS

ASK = "Where can I write to Mara Lindqvist?"
TOLD = "Mara Lindqvist reads mara.lindqvist@post.example."
SYSTEM = "You answer for the front desk."
FOUND = "mara.lindqvist@post.example"
CALL = '{"who":"Mara Lindqvist"}'

# (turn_index, role, channel, name, content)
User = (0, "user", "message", "", ASK)


def plain(*turns: tuple[int, str, str]) -> list[tuple[int, str, str, str, str]]:
    """Message turns, shortly."""
    return [(index, role, "message", "", text) for index, role, text in turns]


def otlp_attributes(pairs: dict[str, Any]) -> list[dict[str, Any]]:
    """Attributes as OTLP writes them."""
    return [
        {"key": key, "value": {"stringValue": value if isinstance(value, str) else json.dumps(value)}}
        for key, value in pairs.items()
    ]


def otlp(**span: Any) -> dict[str, Any]:
    """One span in its nest."""
    return {
        "resourceSpans": [
            {"scopeSpans": [{"spans": [{"traceId": "t", "spanId": "s", "name": "chat", **span}]}]}
        ]
    }


TWO = plain((0, "user", ASK), (1, "assistant", TOLD))
MESSAGES = [{"role": "user", "content": ASK}, {"role": "assistant", "content": TOLD}]

CASES: dict[str, tuple[str, Any, list[tuple[int, str, str, str, str]]]] = {
    "a bare list": ("plain", [{"turn_index": i, **m} for i, m in enumerate(MESSAGES)], TWO),
    "a list under transcript": ("plain", {"scenario_id": "p-1", "transcript": MESSAGES}, TWO),
    "a list under turns": ("plain", {"person_name": "Mara Lindqvist", "turns": MESSAGES}, TWO),
    "entries with other keys": (
        "plain",
        {
            "transcript": [
                {**MESSAGES[0], "timestamp": "2026-01-01"},
                {**MESSAGES[1], "metadata": {"model": "m"}},
            ]
        },
        TWO,
    ),
    "openai request with a tool": (
        "openai_chat",
        {
            "model": "m",
            "messages": [
                {"role": "developer", "content": SYSTEM},
                {
                    "role": "user",
                    "content": [
                        {"type": "text", "text": ASK},
                        {"type": "image_url", "image_url": {"url": "x"}},
                    ],
                },
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [
                        {
                            "id": "c",
                            "type": "function",
                            "function": {"name": "desk", "arguments": '{"who":"Mara Lindqvist"}'},
                        }
                    ],
                },
                {"role": "tool", "tool_call_id": "c", "content": FOUND},
                {"role": "assistant", "content": TOLD},
            ],
        },
        [
            (0, "system", "message", "", SYSTEM),
            (1, "user", "message", "", ASK),
            (2, "assistant", "tool_call", "desk", CALL),
            (3, "tool", "message", "", FOUND),
            (4, "assistant", "message", "", TOLD),
        ],
    ),
    "openai request and response": (
        "openai_chat",
        {
            "request": {"messages": MESSAGES[:1]},
            "response": {"choices": [{"index": 0, "message": MESSAGES[1]}]},
        },
        TWO,
    ),
    "openai response alone": (
        "openai_chat",
        {"id": "x", "choices": [{"message": {"role": "assistant", "content": TOLD}}]},
        plain((0, "assistant", TOLD)),
    ),
    "openai batch row": (
        "openai_chat",
        {
            "custom_id": "r1",
            "response": {
                "status_code": 200,
                "body": {"choices": [{"message": {"role": "assistant", "content": TOLD}}]},
            },
        },
        plain((0, "assistant", TOLD)),
    ),
    "openai refusal": (
        "openai_chat",
        {"messages": [MESSAGES[0], {"role": "assistant", "content": None, "refusal": "I can't."}]},
        plain((0, "user", ASK), (1, "assistant", "I can't.")),
    ),
    "openai responses, output": (
        "openai_responses",
        {
            "id": "r",
            "object": "response",
            "instructions": SYSTEM,
            "output": [
                {"type": "reasoning", "summary": []},
                {"type": "function_call", "call_id": "c", "name": "desk", "arguments": CALL},
                {
                    "type": "message",
                    "role": "assistant",
                    "content": [{"type": "output_text", "text": TOLD, "annotations": []}],
                },
            ],
        },
        [
            (-1, "system", "message", "", SYSTEM),
            (1, "assistant", "tool_call", "desk", CALL),
            (2, "assistant", "message", "", TOLD),
        ],
    ),
    "openai responses, input": (
        "openai_responses",
        {
            "input": [
                {"role": "user", "content": [{"type": "input_text", "text": ASK}]},
                {"type": "function_call", "call_id": "c", "name": "desk", "arguments": CALL},
                {"type": "function_call_output", "call_id": "c", "output": FOUND},
                {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": TOLD}]},
            ]
        },
        [
            User,
            (1, "assistant", "tool_call", "desk", CALL),
            (2, "tool", "message", "", FOUND),
            (3, "assistant", "message", "", TOLD),
        ],
    ),
    "openai responses, both": (
        "openai_responses",
        {
            "request": {"input": ASK, "instructions": SYSTEM},
            "response": {
                "output": [
                    {
                        "type": "message",
                        "role": "assistant",
                        "content": [{"type": "output_text", "text": TOLD}],
                    }
                ]
            },
        },
        [(-1, "system", "message", "", SYSTEM), *TWO],
    ),
    "anthropic request": (
        "anthropic",
        {
            "system": [{"type": "text", "text": SYSTEM}],
            "messages": [
                {"role": "user", "content": ASK},
                {
                    "role": "assistant",
                    "content": [
                        {"type": "text", "text": "One moment."},
                        {"type": "tool_use", "id": "t", "name": "desk", "input": {"who": "Mara Lindqvist"}},
                    ],
                },
                {
                    "role": "user",
                    "content": [
                        {
                            "type": "tool_result",
                            "tool_use_id": "t",
                            "content": [{"type": "text", "text": FOUND}],
                        },
                        {"type": "text", "text": "And?"},
                    ],
                },
                {
                    "role": "assistant",
                    "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": TOLD}],
                },
            ],
        },
        [
            (-1, "system", "message", "", SYSTEM),
            User,
            (1, "assistant", "message", "", "One moment."),
            (1, "assistant", "tool_call", "desk", CALL),
            (2, "tool", "message", "", FOUND),
            (2, "user", "message", "", "And?"),
            (3, "assistant", "message", "", TOLD),
        ],
    ),
    "anthropic response": (
        "anthropic",
        {
            "id": "m",
            "type": "message",
            "role": "assistant",
            "content": [{"type": "text", "text": TOLD}],
            "stop_reason": "end_turn",
        },
        plain((0, "assistant", TOLD)),
    ),
    "sharegpt": (
        "sharegpt",
        {
            "id": "c",
            "conversations": [
                {"from": "system", "value": SYSTEM},
                {"from": "human", "value": ASK},
                {"from": "function_call", "value": CALL},
                {"from": "observation", "value": FOUND},
                {"from": "gpt", "value": TOLD},
            ],
        },
        [
            (0, "system", "message", "", SYSTEM),
            (1, "user", "message", "", ASK),
            (2, "assistant", "tool_call", "", CALL),
            (3, "tool", "message", "", FOUND),
            (4, "assistant", "message", "", TOLD),
        ],
    ),
    "vertex record, turns counted from 1": (
        "vertex",
        {
            "session_id": "s",
            "request": {
                "contents": [{"role": "user", "parts": [{"text": ASK}]}],
                "systemInstruction": {"parts": [{"text": SYSTEM}]},
            },
            "response": {"candidates": [{"content": {"role": "model", "parts": [{"text": TOLD}]}}]},
            "intermediate_events": [
                {
                    "function_call": {"name": "desk", "args": {"who": "Mara Lindqvist"}},
                    "function_response": {"name": "desk", "response": {"output": FOUND}},
                    "turn": 2,
                }
            ],
        },
        [
            (-1, "system", "message", "", SYSTEM),
            User,
            (1, "assistant", "tool_call", "desk", CALL),
            (1, "tool", "message", "desk", FOUND),
            (1, "assistant", "message", "", TOLD),
        ],
    ),
    "vertex record, turns counted from 0": (
        "vertex",
        {
            "request": {"contents": [{"role": "user", "parts": [{"text": ASK}]}]},
            "response": {"candidates": [{"content": {"role": "model", "parts": [{"text": TOLD}]}}]},
            "intermediate_events": [
                {"function_call": {"name": "desk", "args": {"who": "Mara Lindqvist"}}, "turn": 1}
            ],
        },
        [User, (1, "assistant", "tool_call", "desk", CALL), (1, "assistant", "message", "", TOLD)],
    ),
    "vertex record whose request ends with the answer": (
        "vertex",
        {
            "request": {
                "contents": [
                    {"role": "user", "parts": [{"text": ASK}]},
                    {"role": "model", "parts": [{"text": TOLD}]},
                ]
            },
            "response": {"candidates": [{"content": {"role": "model", "parts": [{"text": TOLD}]}}]},
        },
        TWO,
    ),
    "vertex agent data": (
        "vertex",
        {
            "agent_data": {
                "turns": [
                    {
                        "turn_index": 0,
                        "turn_id": "a",
                        "events": [
                            {"author": "user", "content": {"role": "user", "parts": [{"text": ASK}]}},
                            {
                                "author": "agent",
                                "content": {
                                    "role": "model",
                                    "parts": [
                                        {"function_call": {"name": "desk", "args": {"who": "Mara Lindqvist"}}}
                                    ],
                                },
                            },
                            {
                                "author": "agent",
                                "content": {
                                    "role": "user",
                                    "parts": [
                                        {"functionResponse": {"name": "desk", "response": {"result": FOUND}}}
                                    ],
                                },
                            },
                            {"author": "agent", "content": {"parts": [{"text": TOLD}]}},
                        ],
                    }
                ]
            }
        },
        [
            User,
            (1, "assistant", "tool_call", "desk", CALL),
            (2, "tool", "message", "desk", '{"result":"mara.lindqvist@post.example"}'),
            (3, "assistant", "message", "", TOLD),
        ],
    ),
    "promptfoo export": (
        "promptfoo",
        {
            "evalId": "e",
            "results": {
                "version": 3,
                "results": [
                    {
                        "prompt": {"raw": ASK, "label": "l"},
                        "response": {"output": TOLD},
                        "vars": {"person_name": "Mara Lindqvist"},
                        "success": False,
                    },
                    {"prompt": {"raw": ASK}, "error": "503", "vars": {}},
                ],
            },
        },
        TWO,
    ),
    "promptfoo row with messages in its prompt": (
        "promptfoo",
        {
            "prompt": {
                "raw": json.dumps([{"role": "system", "content": SYSTEM}, {"role": "user", "content": ASK}])
            },
            "response": {"output": TOLD},
            "vars": {},
        },
        plain((0, "system", SYSTEM), (1, "user", ASK), (2, "assistant", TOLD)),
    ),
    "promptfoo red-team row": (
        "promptfoo",
        {
            "prompt": {"raw": "Please."},
            "response": {"output": TOLD},
            "vars": {},
            "metadata": {
                "redteamHistory": [{"prompt": ASK, "output": "No."}, {"prompt": "Please.", "output": TOLD}]
            },
        },
        plain((0, "user", ASK), (1, "assistant", "No."), (2, "user", "Please."), (3, "assistant", TOLD)),
    ),
    "garak attempt": (
        "garak",
        {
            "entry_type": "attempt",
            "uuid": "u",
            "status": 2,
            "prompt": {"turns": [{"role": "user", "content": {"text": ASK, "lang": "en"}}]},
            "outputs": [{"text": TOLD}, None],
            "conversations": [],
        },
        TWO,
    ),
    "garak attempt with conversations": (
        "garak",
        {
            "entry_type": "attempt",
            "uuid": "u",
            "status": 2,
            "outputs": [{"text": TOLD}],
            "conversations": [
                {
                    "turns": [
                        {"role": "user", "content": {"text": ASK}},
                        {"role": "assistant", "content": {"text": TOLD}},
                    ]
                }
            ],
        },
        TWO,
    ),
    "inspect log": (
        "inspect",
        {
            "version": 2,
            "status": "success",
            "eval": {"task": "t"},
            "samples": [
                {
                    "id": "s1",
                    "epoch": 1,
                    "attachments": {"abc": TOLD},
                    "messages": [
                        {"id": "1", "role": "user", "content": ASK, "source": "input"},
                        {
                            "id": "2",
                            "role": "assistant",
                            "content": "",
                            "tool_calls": [
                                {"id": "c", "function": "desk", "arguments": {"who": "Mara Lindqvist"}}
                            ],
                        },
                        {"id": "3", "role": "tool", "function": "desk", "content": FOUND},
                        {
                            "id": "4",
                            "role": "assistant",
                            "content": [
                                {"type": "reasoning", "reasoning": "hm"},
                                {"type": "text", "text": "attachment://abc"},
                            ],
                        },
                    ],
                    "metadata": {"person_name": "Mara Lindqvist"},
                }
            ],
        },
        [
            User,
            (1, "assistant", "message", "", ""),
            (1, "assistant", "tool_call", "desk", CALL),
            (2, "tool", "message", "", FOUND),
            (3, "assistant", "message", "", TOLD),
        ],
    ),
    "otlp attributes": (
        "otlp",
        otlp(
            attributes=otlp_attributes(
                {
                    "gen_ai.system_instructions": [{"type": "text", "content": SYSTEM}],
                    "gen_ai.input.messages": [
                        {"role": "user", "parts": [{"type": "text", "content": ASK}]},
                        {
                            "role": "assistant",
                            "parts": [
                                {
                                    "type": "tool_call",
                                    "id": "c",
                                    "name": "desk",
                                    "arguments": {"who": "Mara Lindqvist"},
                                }
                            ],
                        },
                        {
                            "role": "tool",
                            "parts": [{"type": "tool_call_response", "id": "c", "response": FOUND}],
                        },
                    ],
                    "gen_ai.output.messages": [
                        {
                            "role": "assistant",
                            "parts": [{"type": "text", "content": TOLD}],
                            "finish_reason": "stop",
                        }
                    ],
                }
            )
        ),
        [
            (-1, "system", "message", "", SYSTEM),
            User,
            (1, "assistant", "tool_call", "desk", CALL),
            (2, "tool", "message", "", FOUND),
            (3, "assistant", "message", "", TOLD),
        ],
    ),
    "otlp structured attributes": (
        "otlp",
        otlp(
            attributes=[
                {
                    "key": "gen_ai.output.messages",
                    "value": {
                        "arrayValue": {
                            "values": [
                                {
                                    "kvlistValue": {
                                        "values": [
                                            {"key": "role", "value": {"stringValue": "assistant"}},
                                            {
                                                "key": "parts",
                                                "value": {
                                                    "arrayValue": {
                                                        "values": [
                                                            {
                                                                "kvlistValue": {
                                                                    "values": [
                                                                        {
                                                                            "key": "type",
                                                                            "value": {"stringValue": "text"},
                                                                        },
                                                                        {
                                                                            "key": "content",
                                                                            "value": {"stringValue": TOLD},
                                                                        },
                                                                    ]
                                                                }
                                                            }
                                                        ]
                                                    }
                                                },
                                            },
                                        ]
                                    }
                                }
                            ]
                        }
                    },
                }
            ]
        ),
        plain((0, "assistant", TOLD)),
    ),
    "otlp older events": (
        "otlp",
        otlp(
            events=[
                {"name": "gen_ai.user.message", "attributes": otlp_attributes({"content": ASK})},
                {
                    "name": "gen_ai.choice",
                    "attributes": otlp_attributes(
                        {"index": "0", "message": {"role": "assistant", "content": TOLD}}
                    ),
                },
            ]
        ),
        TWO,
    ),
    "openinference": (
        "otlp",
        otlp(
            attributes=otlp_attributes(
                {
                    "llm.input_messages.0.message.role": "user",
                    "llm.input_messages.0.message.content": ASK,
                    "llm.output_messages.0.message.role": "assistant",
                    "llm.output_messages.0.message.content": TOLD,
                    "input.value": "{}",
                }
            )
        ),
        TWO,
    ),
    "otlp log records": (
        "otlp",
        {
            "resourceLogs": [
                {
                    "scopeLogs": [
                        {
                            "logRecords": [
                                {
                                    "traceId": "t",
                                    "eventName": "gen_ai.client.inference.operation.details",
                                    "attributes": otlp_attributes(
                                        {
                                            "gen_ai.input.messages": MESSAGES[:1],
                                            "gen_ai.output.messages": MESSAGES[1:],
                                        }
                                    ),
                                }
                            ]
                        }
                    ]
                }
            ]
        },
        TWO,
    ),
    "langsmith run": (
        "langsmith",
        {
            "id": "r",
            "run_type": "llm",
            "inputs": {"messages": MESSAGES[:1]},
            "outputs": {"choices": [{"message": MESSAGES[1]}]},
        },
        TWO,
    ),
    "langsmith run with serialised messages": (
        "langsmith",
        {
            "id": "r",
            "run_type": "llm",
            "inputs": {
                "messages": [
                    [
                        {
                            "lc": 1,
                            "type": "constructor",
                            "id": ["langchain", "schema", "HumanMessage"],
                            "kwargs": {"content": ASK},
                        }
                    ]
                ]
            },
            "outputs": {
                "generations": [
                    [
                        {
                            "text": TOLD,
                            "message": {
                                "lc": 1,
                                "type": "constructor",
                                "id": ["x", "AIMessageChunk"],
                                "kwargs": {"content": TOLD},
                            },
                        }
                    ]
                ]
            },
        },
        TWO,
    ),
    "langsmith batch": (
        "langsmith",
        {
            "post": [
                {
                    "id": "r",
                    "trace_id": "r",
                    "run_type": "llm",
                    "inputs": {"messages": MESSAGES[:1]},
                    "outputs": None,
                }
            ],
            "patch": [{"id": "r", "trace_id": "r", "outputs": {"choices": [{"message": MESSAGES[1]}]}}],
        },
        TWO,
    ),
    "langsmith query": (
        "langsmith",
        {
            "runs": [
                {"id": "r", "run_type": "llm", "inputs": {"messages": MESSAGES[:1]}, "outputs": MESSAGES[1]}
            ]
        },
        TWO,
    ),
    "pyrit export": (
        "pyrit",
        [
            {
                "role": role,
                "conversation_id": "c",
                "sequence": at,
                "original_value": said,
                "converted_value": said,
            }
            for at, (role, said) in enumerate((("user", ASK), ("assistant", TOLD)))
        ],
        TWO,
    ),
    "langsmith chain": (
        "langsmith",
        {"id": "r", "run_type": "chain", "inputs": {"question": ASK}, "outputs": {"anything": TOLD}},
        TWO,
    ),
    "langsmith chain that repeats its input": (
        "langsmith",
        {
            "id": "r",
            "run_type": "chain",
            "inputs": {"messages": MESSAGES[:1]},
            "outputs": {"messages": MESSAGES},
        },
        TWO,
    ),
    "langfuse trace": (
        "langfuse",
        {
            "id": "t",
            "sessionId": "s",
            "input": MESSAGES[:1],
            "output": MESSAGES[1],
            "observations": [
                {
                    "id": "o",
                    "traceId": "t",
                    "type": "GENERATION",
                    "input": MESSAGES[:1],
                    "output": MESSAGES[1],
                },
                {"type": "SPAN", "id": "p"},
            ],
        },
        TWO,
    ),
    "langfuse generation": (
        "langfuse",
        {
            "id": "o",
            "traceId": "t",
            "type": "GENERATION",
            "input": {"messages": MESSAGES[:1]},
            "output": TOLD,
        },
        TWO,
    ),
    "langsmith chain that answers with several values": (
        "langsmith",
        {
            "id": "r",
            "run_type": "chain",
            "inputs": {"question": ASK, "k": None},
            "outputs": {"answer": "Yes.", "address": FOUND},
        },
        plain(
            (0, "user", ASK), (1, "assistant", '{"answer":"Yes.","address":"mara.lindqvist@post.example"}')
        ),
    ),
    "langfuse trace of a function": (
        "langfuse",
        {
            "id": "t",
            "input": {"args": [1], "kwargs": {}},
            "output": {"result": {"text": TOLD, "type": "text"}},
            "observations": [],
        },
        plain((0, "user", '{"args":[1],"kwargs":{}}'), (1, "assistant", TOLD)),
    ),
    "opencode export": (
        "opencode",
        {
            "info": {"id": "ses_1", "title": "t", "time": {"created": 1}},
            "messages": [
                {
                    "info": {"id": "a", "role": "user"},
                    "parts": [
                        {"type": "text", "text": "dump", "synthetic": True},
                        {"type": "text", "text": ASK},
                    ],
                },
                {
                    "info": {"id": "b", "role": "assistant", "parentID": "a"},
                    "parts": [
                        {"type": "step-start"},
                        {"type": "reasoning", "text": "hm"},
                        {
                            "type": "tool",
                            "tool": "desk",
                            "callID": "c",
                            "state": {
                                "status": "completed",
                                "input": {"who": "Mara Lindqvist"},
                                "output": FOUND,
                            },
                        },
                        {"type": "text", "text": TOLD},
                    ],
                },
            ],
            "todos": [],
        },
        [
            User,
            (1, "assistant", "tool_call", "desk", CALL),
            (1, "tool", "message", "desk", FOUND),
            (1, "assistant", "message", "", TOLD),
        ],
    ),
    "opencode message list with a user's command": (
        "opencode",
        [
            {
                "info": {"id": "a", "role": "user"},
                "parts": [
                    {"type": "text", "text": "The following tool was executed by the user", "synthetic": True}
                ],
            },
            {
                "info": {"id": "b", "role": "assistant", "parentID": "a"},
                "parts": [
                    {
                        "type": "tool",
                        "tool": "bash",
                        "state": {"status": "completed", "input": {"command": "cat"}, "output": FOUND},
                    }
                ],
            },
            {"info": {"id": "c", "role": "assistant"}, "parts": [{"type": "text", "text": TOLD}]},
        ],
        [(1, "tool", "message", "bash", FOUND), (2, "assistant", "message", "", TOLD)],
    ),
    "opencode flat messages": (
        "opencode",
        {
            "info": {"id": "s"},
            "messages": [
                {"type": "user", "text": ASK},
                {
                    "type": "assistant",
                    "content": [{"type": "reasoning", "text": "hm"}, {"type": "text", "text": TOLD}],
                },
            ],
        },
        TWO,
    ),
    "evidence pack": (
        "evidence_pack",
        {"transcript": MESSAGES, "scores": [], "scenario": {"category": "PII_DISCLOSURE", "title": None}},
        TWO,
    ),
}


def seen(transcript: Transcript) -> list[tuple[int, str, str, str, str]]:
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


def test_the_named_format_is_the_only_one_tried() -> None:
    """`format` skips the recognition, and an unknown name lists the known ones."""
    data = json.dumps({"messages": MESSAGES}).encode()
    [transcript] = read_bytes(data, source="x", format="openai_chat")
    assert seen(transcript) == TWO
    with pytest.raises(InputError, match="tried: sharegpt"):
        read_bytes(data, source="x", format="sharegpt")
    with pytest.raises(InputError, match="known are " + ", ".join(NAMES)):
        read_bytes(data, source="x", format="chat")


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

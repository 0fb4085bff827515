"""Examples of what traces of applications look like."""

from __future__ import annotations

import json
from typing import Any

from tests.readers.said import ASK, CALL, FOUND, MESSAGES, SYSTEM, TOLD, TWO, Cases, User, plain


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


TRACES: Cases = {
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
}

"""Examples of what providers of models, and plain transcripts, look like."""

from __future__ import annotations

from tests.readers.said import ASK, CALL, FOUND, MESSAGES, SYSTEM, TOLD, TWO, Cases, User, plain

PROVIDERS: Cases = {
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
}

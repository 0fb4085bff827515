"""Examples of what tools that test assistants, and agents, write."""

from __future__ import annotations

import json

from tests.readers.said import ASK, CALL, FOUND, MESSAGES, SYSTEM, TOLD, TWO, Cases, User, plain

TOOLS: Cases = {
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

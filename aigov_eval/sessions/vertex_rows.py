"""
Records as rows that the Vertex evaluation SDK reads with their tool calls intact.

Comes in: a record. Goes out: a row of the SDK's FLATTEN schema (google-cloud-aiplatform 2.7).
A record as it stands is read as its GEMINI schema, which drops `intermediate_events`; a row says
the same in the SDK's own words:

    last turn   prompt, conversation_history, response, and as `intermediate_events` the tool
                calls of the last turn, for metrics of one turn
    agent data  `agent_data`: every turn with its tool calls in order, for tool use and
                multi-turn metrics

Texts are wrapped as `Content`: the SDK loads rows through pandas, which turns a column of digits
into numbers.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

Rows = Literal["both", "last-turn", "agent-data"]
ROWS: tuple[Rows, ...] = get_args(Rows)


def row(record: dict[str, Any], rows: Rows = "both") -> dict[str, Any] | None:
    """The row of a record; None where a last turn is asked for and the session has no prompt and answer."""
    whole: dict[str, Any] = {"session_id": record["session_id"]}
    contents, answer = record["request"]["contents"], response(record)
    if rows != "agent-data":
        if rows == "last-turn" and not (contents and answer):
            return None
        last = len(contents) + 1
        system = record["request"].get("system_instruction")
        whole |= {
            "prompt": contents[-1] if contents else None,
            "conversation_history": contents[:-1],
            "response": answer,
            "instruction": system or "",
            "intermediate_events": [
                event
                for call in record["intermediate_events"]
                if call["turn"] == last
                for event in _events(record, call)
            ],
        }
    if rows != "last-turn":
        whole["agent_data"] = {"turns": _turns(record)}
    return whole


def response(record: dict[str, Any]) -> dict[str, Any] | None:
    """The final answer as `Content`, or None where the session ends with the user."""
    candidates = record["response"]["candidates"]
    return candidates[0]["content"] if candidates else None


def _turns(record: dict[str, Any]) -> list[dict[str, Any]]:
    """Conversation turns: what the user said, then what the agent did and said."""
    answer = response(record)
    contents = [*record["request"]["contents"], *([answer] if answer else [])]
    turns: list[list[dict[str, Any]]] = []
    for number, content in enumerate(contents, 1):
        user = content["role"] == "user"
        if user or not turns:
            turns.append([])
        turns[-1] += [
            event
            for call in record["intermediate_events"]
            if call["turn"] == number
            for event in _events(record, call)
        ]
        if any(part["text"] for part in content["parts"]):
            turns[-1].append({"author": "user" if user else _agent(record), "content": content})
    return [{"turn_index": at, "turn_id": f"turn_{at}", "events": events} for at, events in enumerate(turns)]


def _events(record: dict[str, Any], call: dict[str, Any]) -> list[dict[str, Any]]:
    """A tool call and what came back, as two events."""
    identity = {"id": call["call_id"]} if call.get("call_id") else {}
    asked = {"function_call": identity | call["function_call"]}
    answered = {"function_response": identity | call["function_response"]}
    author = _agent(record)
    return [
        {"author": author, "content": {"role": "model", "parts": [asked]}},
        {"author": author, "content": {"role": "user", "parts": [answered]}},
    ]


def _agent(record: dict[str, Any]) -> str:
    return str(record["metadata"].get("agent") or "agent")

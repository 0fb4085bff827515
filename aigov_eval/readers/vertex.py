"""
Vertex and Gemini: `request.contents` with `response.candidates`, evaluation records, and `agent_data`.

Comes in: one record. Goes out: one Transcript, or one for each candidate where there are several.
Entries are counted over `request.contents`, then the answer. A tool event's `turn` counts these from
1; records that count from 0 are told by their `turn` pointing at a user entry, and read so.
"""

from __future__ import annotations

from typing import Any

from aigov_eval.model import Transcript
from aigov_eval.readers import messages, parts, values
from aigov_eval.readers.beside import beside
from aigov_eval.readers.conversation import Conversation, id_of
from aigov_eval.readers.parts import Entries
from aigov_eval.readers.shape import Format, a_list, an_object

_NAME = "vertex"


def read_record(value: dict[str, Any], pointer: str) -> list[Transcript]:
    """The transcripts of a record with `request`, `response` and `intermediate_events`, one for each candidate."""
    if isinstance(value.get("agent_data"), dict) and not value.get("intermediate_events"):
        # the same conversation, with the tools that the flat record has lost
        return _read_agent_data(value, pointer)
    conversation = Conversation()
    request, at = value, pointer
    if isinstance(value.get("request"), dict):
        request, at = value["request"], f"{pointer}/request"
    if request.get("contents"):
        conversation.extend(_listed(request["contents"]), f"{at}/contents")
    for key in ("system_instruction", "systemInstruction"):
        if request.get(key) is not None:
            conversation.system(_parts(request[key]), f"{at}/{key}")
    response, at = value, pointer
    if "response" in value:
        response, at = value["response"], f"{pointer}/response"
    if isinstance(response, str):
        response = {"candidates": [{"content": {"role": "model", "parts": [{"text": response}]}}]}
    candidates = response.get("candidates") if isinstance(response, dict) else None
    if candidates is None:
        candidates = []
    if not isinstance(candidates, list):
        raise values.wrong(candidates, "a list of candidates", f"{at}/candidates")
    out = []
    for index, candidate in enumerate(candidates or [{}]):
        answered = conversation.copy()
        content = candidate.get("content") if isinstance(candidate, dict) else candidate
        if content is not None:
            _answer(answered, content, f"{at}/candidates/{index}/content")
        _put_events(answered.entries, value.get("intermediate_events"), f"{pointer}/intermediate_events")
        if response is not value:
            other = value.get("candidates")
            answered.entries.unread += beside(answered.entries.turns, other, f"{pointer}/candidates")
        given = id_of(value)
        out.append(answered.transcript(_NAME, value, pointer, id=f"{given}#{index}" if index else given))
    return out


def _read_agent_data(value: dict[str, Any], pointer: str) -> list[Transcript]:
    """`agent_data.turns[].events[].content`: every event is an entry."""
    conversation = Conversation()
    turns, at = value["agent_data"].get("turns"), f"{pointer}/agent_data/turns"
    if not isinstance(turns, list):
        raise values.wrong(turns, "a list of turns", at)
    for number, turn in enumerate(turns):
        events = turn.get("events") if isinstance(turn, dict) else None
        if not isinstance(events, list):
            raise values.wrong(events, "a list of events", f"{at}/{number}/events")
        for index, event in enumerate(events):
            _event(conversation, event, f"{at}/{number}/events/{index}")
    return [conversation.transcript(_NAME, value, pointer)]


def _event(conversation: Conversation, event: object, pointer: str) -> None:
    if not isinstance(event, dict) or not isinstance(event.get("content"), dict):
        raise values.wrong(event, "an event with `content`", pointer)
    content = event["content"]
    if content.get("role") is None:
        author = event.get("author")
        content = {**content, "role": "user" if author == "user" else "model"}
    conversation.append(content, f"{pointer}/content")


def _answer(conversation: Conversation, content: object, pointer: str) -> None:
    """Append the answer, unless the request's last entry is that same answer already."""
    if isinstance(content, dict) and content.get("role") is None:
        content = {**content, "role": "model"}
    if isinstance(content, dict) and not content.get("parts"):
        content = {**content, "parts": []}
    alone = Entries()
    messages.read_entry(alone, conversation.next, content, pointer)
    last = [turn for turn in conversation.entries.turns if turn.turn_index == conversation.next - 1]
    if [(turn.role, turn.content) for turn in last] == [(turn.role, turn.content) for turn in alone.turns]:
        return
    conversation.append(content, pointer)


def _put_events(entries: Entries, events: object, pointer: str) -> None:
    """Put the tool events before the text of the entry that they belong to."""
    if events is None:
        return
    if not isinstance(events, list):
        raise values.wrong(events, "a list of events", pointer)
    roles = {turn.turn_index: turn.role for turn in entries.turns if turn.channel == "message"}
    assistant = [index for index, role in roles.items() if role == "assistant"]
    for number, event in enumerate(events):
        at = f"{pointer}/{number}"
        if not isinstance(event, dict):
            raise values.wrong(event, "an event", at)
        index = max(roles, default=0)
        turn = event.get("turn")
        if type(turn) is int:
            index = (
                turn if roles.get(turn - 1) != "assistant" and roles.get(turn) == "assistant" else turn - 1
            )
        elif turn is not None:
            raise values.wrong(turn, "a whole number", f"{at}/turn")
        elif assistant:
            index = assistant[-1]
        made = Entries()
        if isinstance(event.get("content"), dict):
            messages.read_entry(made, index, {"role": "model", **event["content"]}, f"{at}/content")
        for key in ("function_call", "functionCall"):
            if isinstance(event.get(key), dict):
                parts.add_call(made, index, event[key], f"{at}/{key}")
        for key in ("function_response", "functionResponse"):
            if isinstance(event.get(key), dict):
                answer = event[key]
                text = _output(answer.get("response"))
                made.add(index, "tool", text, f"{at}/{key}/response", name=values.name_of(answer))
        place = next(
            (
                spot
                for spot, turn_ in enumerate(entries.turns)
                if turn_.turn_index > index
                or (turn_.turn_index == index and turn_.role == "assistant" and turn_.channel == "message")
            ),
            len(entries.turns),
        )
        entries.turns[place:place] = made.turns


def _output(response: object) -> str:
    """
    What a tool gave back, as plain text where the answer holds nothing but its `output` and `error`.

    As JSON text every line break would be an escape that runs into the next word.
    """
    if isinstance(response, dict) and response and not set(response) - {"output", "error"}:
        said = [response.get(key) for key in ("output", "error")]
        if all(one is None or isinstance(one, str) for one in said):
            return values.clean("\n".join(str(one) for one in said if one))
    return parts.result_text(response)


def _listed(contents: object) -> object:
    """Contents as a list of entries; the interface also takes one content, or a bare text."""
    if isinstance(contents, str):
        return [{"role": "user", "parts": [{"text": contents}]}]
    if isinstance(contents, dict):
        contents = [contents]
    if isinstance(contents, list):
        return [{"role": "user", **one} if isinstance(one, dict) else one for one in contents]
    return contents


def _parts(value: object) -> object:
    return value.get("parts") if isinstance(value, dict) else value


FORMATS = (
    Format(_NAME, (a_list("/request/contents"),), read_record),
    Format(_NAME, (an_object("/agent_data"), a_list("/agent_data/turns")), _read_agent_data),
    Format(_NAME, (a_list("/contents"),), read_record),
    Format(_NAME, (a_list("/candidates"),), read_record),
    Format(_NAME, (a_list("/response/candidates"),), read_record),
)

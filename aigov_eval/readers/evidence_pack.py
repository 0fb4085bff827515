"""
Evidence packs: the transcript with its scenario and what the target said it leaked.

Comes in: the object of an `evidence_pack.json`. Goes out: one Transcript whose `audits` hold
`mock_audit` (at its turn_index) and `http_audit` (aligned to the assistant entries, null where the
server sent none).
"""

from __future__ import annotations

from typing import Any

from aigov_eval.errors import InputError
from aigov_eval.model import Transcript
from aigov_eval.readers import messages, scenario, values
from aigov_eval.readers.conversation import Conversation, id_of
from aigov_eval.readers.shape import Format, Mark, a_list

_NAME = "evidence_pack"
_KEYS = ("scores", "mock_audit", "http_audit", "runner_config", "limitations")


def _read(value: dict[str, Any], pointer: str) -> list[Transcript]:
    entries = value["transcript"]
    conversation = Conversation()
    if not entries:
        raise InputError(
            "the transcript is empty", where=f"{pointer}/transcript", help="give at least one message."
        )
    conversation.extend(entries, f"{pointer}/transcript")
    audits = conversation.entries.audits
    for index, leaked in (*_mock(value, entries, pointer), *_http(value, entries, pointer)):
        audits[index] = tuple(dict.fromkeys((*audits.get(index, ()), *leaked)))
    conversation.entries.unread += _not_read(value)
    about = value.get("scenario")
    found = scenario.beside_turns(about if isinstance(about, dict) else value, f"{pointer}/scenario")
    return [conversation.transcript(_NAME, value, pointer, id=id_of(value, "run_id"), about=found)]


def _not_read(value: dict[str, Any]) -> list[str]:
    """What of the answers, as the run tells it, did not become part of the transcript."""
    received = value.get("raw_responses")
    return [
        f"of the answer at turn {answer.get('turn_index')}, {values.clean(part)}"
        for answer in (received if isinstance(received, list) else [])
        if isinstance(answer, dict) and isinstance(answer.get("unread"), list)
        for part in answer["unread"]
        if isinstance(part, str)
    ]


def _mock(value: dict[str, Any], entries: list[Any], pointer: str) -> list[tuple[int, tuple[str, ...]]]:
    """`mock_audit`: one object, or a list of them, each with leaked_fields and turn_index."""
    audit = value.get("mock_audit")
    if audit is None:
        return []
    listed = audit if isinstance(audit, list) else [audit]
    out = []
    for number, one in enumerate(listed):
        at = f"{pointer}/mock_audit" + (f"/{number}" if isinstance(audit, list) else "")
        leaked = _leaked(one, at)
        if leaked is None:
            continue
        index = one.get("turn_index")
        if type(index) is not int or not 0 <= index < len(entries):
            raise InputError(
                "a mock audit names no entry of the transcript",
                where=f"{at}/turn_index",
                help="turn_index is the 0-based position of the assistant's entry.",
            )
        out.append((index, leaked))
    return out


def _http(value: dict[str, Any], entries: list[Any], pointer: str) -> list[tuple[int, tuple[str, ...]]]:
    """`http_audit`: a list aligned to the assistant entries."""
    listed = value.get("http_audit")
    if listed is None:
        return []
    if not isinstance(listed, list):
        raise values.wrong(listed, "a list aligned to the assistant's entries", f"{pointer}/http_audit")
    assistants = [
        index
        for index, entry in enumerate(entries)
        if isinstance(entry, dict) and messages.ROLES.get(str(entry.get("role")).lower()) == "assistant"
    ]
    out = []
    for number, one in enumerate(listed):
        leaked = _leaked(one, f"{pointer}/http_audit/{number}")
        if leaked is None:
            continue
        given = one.get("turn_index")
        if type(given) is int and given in assistants:
            out.append((given, leaked))
        elif number < len(assistants):
            out.append((assistants[number], leaked))
        else:
            raise InputError(
                "there are more audits than assistant entries",
                where=f"{pointer}/http_audit/{number}",
                help="http_audit has one item for each assistant entry, null where the server sent none.",
            )
    return out


def _leaked(audit: object, pointer: str) -> tuple[str, ...] | None:
    """The leaked fields of an audit; None where there is no audit."""
    if audit is None:
        return None
    if not isinstance(audit, dict):
        raise values.wrong(audit, "an audit with `leaked_fields`", pointer)
    fields = audit.get("leaked_fields")
    if fields is None:
        return None
    if not isinstance(fields, list) or not all(isinstance(item, str) for item in fields):
        raise values.wrong(fields, "a list of fields", f"{pointer}/leaked_fields")
    return tuple(fields)


FORMATS = (
    Format(
        _NAME,
        (
            a_list("/transcript"),
            Mark(
                "",
                f"an object with one of {', '.join(_KEYS)}",
                lambda found: isinstance(found, dict) and any(key in found for key in _KEYS),
            ),
        ),
        _read,
    ),
)

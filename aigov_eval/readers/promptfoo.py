"""
promptfoo: an evaluation export, or one of its result rows (as JSONL has them).

Comes in: `{"results": {"results": [...]}}`, an older `{"results": [...]}`, or a row. Goes out: one
Transcript a row; red-team histories are read whole. Rows in which the provider failed are left out.
"""

from __future__ import annotations

from typing import Any

from aigov_eval.errors import InputError
from aigov_eval.model import Transcript
from aigov_eval.readers import decode, values
from aigov_eval.readers.conversation import Conversation, id_of, side, subject_in
from aigov_eval.readers.shape import Format, Mark, a_list, an_object, lookup

_NAME = "promptfoo"


def _read(value: dict[str, Any], pointer: str) -> list[Transcript]:
    rows, at = value["results"], f"{pointer}/results"
    if isinstance(rows, dict):
        rows, at = rows["results"], f"{at}/results"
    out = [one for index, row in enumerate(rows) for one in _read_row(row, f"{at}/{index}")]
    if not out:
        raise InputError(
            "no row holds an answer", where=at, help="the export has no results, or every call failed."
        )
    return out


def _read_row(row: object, pointer: str) -> list[Transcript]:
    if not isinstance(row, dict):
        raise values.wrong(row, "a result row", pointer)
    response = row.get("response")
    output = response.get("output") if isinstance(response, dict) else None
    if output is None:
        return []
    conversation = Conversation()
    said = output if isinstance(output, str) else decode.json_text(output)
    history, at = _history(row, pointer)
    if history is not None:
        _replay(conversation, history, at)
    else:
        prompt = lookup(row, "/prompt/raw")
        if isinstance(prompt, str):
            side(conversation, "user", prompt, f"{pointer}/prompt/raw")
    last = conversation.entries.turns[-1] if conversation.entries.turns else None
    if last is None or last.role != "assistant" or last.content != said:
        conversation.say("assistant", said, f"{pointer}/response/output")
    case = row.get("testCase")
    about = subject_in(
        row.get("vars"), row.get("metadata"), case.get("metadata") if isinstance(case, dict) else None
    )
    return [conversation.transcript(_NAME, row, pointer, id=id_of(row), about=about)]


def _history(row: dict[str, Any], pointer: str) -> tuple[list[Any] | None, str]:
    """The whole conversation of a red-team row, where one was kept."""
    for around in ("/metadata", "/response/metadata"):
        for key in ("messages", "redteamHistory", "redteamTreeHistory"):
            found = lookup(row, f"{around}/{key}")
            if isinstance(found, list) and found:
                return found, f"{pointer}{around}/{key}"
    return None, pointer


def _replay(conversation: Conversation, history: list[Any], pointer: str) -> None:
    for index, step in enumerate(history):
        at = f"{pointer}/{index}"
        if isinstance(step, dict) and "output" in step:
            if step.get("prompt") is not None:
                side(conversation, "user", step["prompt"], f"{at}/prompt")
            if step["output"] is not None:
                side(conversation, "assistant", step["output"], f"{at}/output")
        else:
            conversation.append(step, at)


FORMATS = (
    Format(_NAME, (an_object("/results"), a_list("/results/results")), _read),
    Format(
        _NAME,
        (
            a_list("/results"),
            Mark(
                "/results/0", "a row with `response`", lambda row: isinstance(row, dict) and "response" in row
            ),
        ),
        _read,
    ),
    Format(_NAME, (an_object("/response"), an_object("/prompt"), an_object("/vars")), _read_row),
)

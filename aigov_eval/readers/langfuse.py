"""
Langfuse: a trace with its observations, or generations alone.

Comes in: a trace, one observation, or `{"data": [...]}` of either. Goes out: the conversations of the
trace and its generations, without those that are only the beginning of another.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from aigov_eval.errors import InputError
from aigov_eval.model import Transcript
from aigov_eval.readers import values
from aigov_eval.readers.conversation import Conversation, id_of, side, subject_in
from aigov_eval.readers.several import readable, without_prefixes
from aigov_eval.readers.shape import Format, Mark, a_list, one_of, there

_NAME = "langfuse"


def _read_trace(value: dict[str, Any], pointer: str) -> list[Transcript]:
    about = subject_in(value.get("metadata"))
    given = id_of(value)
    reads: list[Callable[[], list[Transcript]]] = []

    def read(one: dict[str, Any], at: str, id: str) -> list[Transcript]:
        return [_exchange(one, at).transcript(_NAME, None, at, id=id, about=about)]

    if value.get("input") is not None or value.get("output") is not None:
        reads.append(partial(read, value, pointer, given))
    for index, observation in enumerate(value["observations"]):
        if not isinstance(observation, dict):
            # a list of ids, as the list of traces has it
            continue
        if observation.get("type") == "GENERATION" and _told(observation):
            at = f"{pointer}/observations/{index}"
            reads.append(partial(read, observation, at, f"{given}/{id_of(observation)}"))
    found = readable(reads)
    if not found:
        raise InputError(
            "the trace holds no input and no output", where=pointer, help="export it with its contents."
        )
    return without_prefixes(found)


def _read_observation(value: dict[str, Any], pointer: str) -> list[Transcript]:
    return [
        _exchange(value, pointer).transcript(
            _NAME, None, pointer, id=id_of(value), about=subject_in(value.get("metadata"))
        )
    ]


def _read_page(value: dict[str, Any], pointer: str) -> list[Transcript]:
    reads: list[Callable[[], list[Transcript]]] = []
    for index, one in enumerate(value["data"]):
        at = f"{pointer}/data/{index}"
        if not isinstance(one, dict):
            raise values.wrong(one, "a trace or an observation", at)
        if isinstance(one.get("observations"), list):
            reads.append(partial(_read_trace, one, at))
        elif one.get("type") in (None, "GENERATION") and _told(one):
            reads.append(partial(_read_observation, one, at))
    found = readable(reads)
    if not found:
        raise InputError(
            "no generation is among the data", where=f"{pointer}/data", help="export generations."
        )
    return without_prefixes(found)


def _told(value: dict[str, Any]) -> bool:
    return value.get("input") is not None or value.get("output") is not None


def _exchange(value: dict[str, Any], pointer: str) -> Conversation:
    conversation = Conversation()
    side(conversation, "user", value.get("input"), f"{pointer}/input")
    side(conversation, "assistant", value.get("output"), f"{pointer}/output")
    return conversation


FORMATS = (
    Format(_NAME, (a_list("/observations"),), _read_trace),
    Format(_NAME, (one_of("/type", "GENERATION"), there("/input")), _read_observation),
    Format(
        _NAME,
        (
            a_list("/data"),
            Mark(
                "/data/0",
                "a trace or an observation",
                lambda one: isinstance(one, dict) and ("traceId" in one or "observations" in one),
            ),
        ),
        _read_page,
    ),
    Format(_NAME, (there("/traceId"), there("/input"), there("/output")), _read_observation),
)

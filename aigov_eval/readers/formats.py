"""
The table of formats, most specific first, and what to say of a value that has none of their shapes.

Comes in: a decoded value. Goes out: its transcripts, or an InputError that names what was tried and
the nearest miss.
"""

from __future__ import annotations

from msgspec.structs import replace

from aigov_eval.errors import InputError
from aigov_eval.model import Transcript
from aigov_eval.readers import (
    anthropic,
    evidence_pack,
    garak,
    inspect_log,
    langfuse,
    langsmith,
    openai_chat,
    openai_responses,
    opencode,
    otlp,
    petri,
    plain,
    promptfoo,
    pyrit,
    sharegpt,
    values,
    vertex,
)
from aigov_eval.readers.shape import Format, is_message

FORMATS: tuple[Format, ...] = (
    *inspect_log.FORMATS,
    *petri.FORMATS,
    *promptfoo.FORMATS,
    *garak.FORMATS,
    *pyrit.FORMATS,
    *opencode.FORMATS,
    *vertex.FORMATS,
    *otlp.FORMATS,
    *langsmith.FORMATS,
    *langfuse.FORMATS,
    *evidence_pack.FORMATS,
    *openai_responses.FORMATS,
    *anthropic.FORMATS,
    *openai_chat.FORMATS,
    *sharegpt.FORMATS,
    *plain.FORMATS,
)


def read_value(value: object, pointer: str = "", *, format: str | None = None) -> list[Transcript]:
    """
    The transcripts of a decoded value; a list of records of known shapes gives the transcripts of each.

    Raises InputError, `where` being a JSON Pointer, for a value of no known shape.
    """
    if value in ({}, []):
        raise InputError("the transcript is empty", where=pointer, help="give at least one message.")
    known = [one for one in FORMATS if format in (None, one.name)]
    for one in known:
        if one.fits(value):
            return [_told(made) for made in one.read(value, pointer)]
    if isinstance(value, list) and isinstance(value[0], dict) and any(one.fits(value[0]) for one in known):
        return [
            made
            for index, item in enumerate(value)
            for made in read_value(item, f"{pointer}/{index}", format=format)
        ]
    raise _unknown(value, pointer, known)


def _told(transcript: Transcript) -> Transcript:
    """A transcript as it is, with a format's name."""
    return transcript if transcript.format else replace(transcript, format="plain")


def _unknown(value: object, pointer: str, known: list[Format]) -> InputError:
    tried = ", ".join(dict.fromkeys(one.name for one in known))
    if isinstance(value, dict) and is_message(value):
        return InputError(
            "this is one message, not a transcript",
            where=pointer,
            help='put the messages of a conversation into one list: [{...}, {...}], or {"messages": [...]} a line.',
        )
    if not isinstance(value, dict | list):
        return InputError(
            f"{values.kind(value)} is no transcript",
            where=pointer,
            help=f"give a list of messages, or an object of one of these formats: {tried}.",
        )
    nearest = max(known, key=lambda one: one.nearness(value))
    near = f"{nearest.name}, but {' and '.join(nearest.misses(value))}" if nearest.nearness(value) > 0 else ""
    found = ""
    if isinstance(value, dict):
        keys = [repr(values.clean(key)[:40]) for key in list(value)[:8]]
        found = f" (its keys: {', '.join(keys)}{', ...' if len(value) > 8 else ''})"
    return InputError(
        f"no known transcript format{found}; tried: {tried}",
        where=pointer,
        help=f"nearest is {near}."
        if near
        else 'the plainest form is [{"role": "user", "content": "..."}, ...].',
    )

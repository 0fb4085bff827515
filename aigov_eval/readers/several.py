"""
Several records of one source.

Comes in: what reads each, or the transcripts of all. Goes out: those that can be read, and tell no more than another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from aigov_eval.errors import InputError
from aigov_eval.model import Transcript


def readable(reads: Iterable[Callable[[], Sequence[Transcript]]]) -> list[Transcript]:
    """
    The transcripts of several records: one that cannot be read does not keep the others from being read.

    What was not read is noted at the first of the others. Raises the first InputError where none is left.
    """
    found: list[Transcript] = []
    errors: list[InputError] = []
    for read in reads:
        try:
            found += read()
        except InputError as error:
            errors.append(error)
    if errors and not found:
        raise errors[0]
    if errors:
        notes = tuple(f"the record at {error.where}: {error.text}" for error in errors)
        found[0] = replace(found[0], unread=(*found[0].unread, *notes))
    return found


def without_prefixes(transcripts: Iterable[Transcript]) -> list[Transcript]:
    """
    The transcripts that are not the beginning of another.

    Loggers repeat the history on every call; the longest record tells it all once.
    """
    kept: list[Transcript] = []
    for transcript in transcripts:
        said = _said(transcript)
        for index, other in enumerate(kept):
            before = _said(other)
            unread = tuple(dict.fromkeys((*other.unread, *transcript.unread)))
            if before[: len(said)] == said:
                kept[index] = replace(other, unread=unread)
                break
            if said[: len(before)] == before:
                kept[index] = replace(transcript, id=other.id or transcript.id, unread=unread)
                break
        else:
            kept.append(transcript)
    return kept


def _said(transcript: Transcript) -> list[tuple[str, str, str]]:
    return [(turn.role, turn.channel, turn.content) for turn in transcript.turns if turn.role != "system"]

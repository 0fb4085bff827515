"""
Transcripts of whatever was given: a path, a value, or a transcript already.

Comes in: paths of files, run folders and session stores; messages or objects of any known format. Goes out:
transcripts in order; what cannot be read raises InputError.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from aigov_eval.errors import InputError
from aigov_eval.model import Transcript

Conversation = Transcript | Sequence[Any] | Mapping[str, Any] | str | os.PathLike[str]


def transcripts_in(given: Conversation) -> Iterator[Transcript]:
    """
    The transcripts of a path, of messages or an object of any known format, or of a Transcript (itself).

    Raises InputError for what has no known shape; a text is taken as a path, never as something said.
    """
    if isinstance(given, Transcript):
        yield given
    elif isinstance(given, str | os.PathLike):
        path = Path(given)
        if isinstance(given, str) and not os.path.lexists(path):
            raise InputError(
                "there is no such file",
                where=given if len(given) <= _SHOWN else f"{given[:_SHOWN]}...",
                help='a text is taken as a path; give what was said as [{"role": "assistant", "content": "..."}].',
            )
        yield from transcripts_at(path)
    else:
        from aigov_eval.readers.formats import read_value

        yield from read_value(_decoded(given))


_SHOWN = 80  # characters of a text that is no path


def _decoded(value: object, deep: int = 4) -> object:
    """A value as JSON has it: messages of an SDK (`model_dump`, `dict`-like) as objects, tuples as lists."""
    if deep and not isinstance(value, str | bytes):
        dump = getattr(value, "model_dump", None)
        if callable(dump):
            return dump(mode="json", exclude_none=True)
        if isinstance(value, Mapping):
            return {key: _decoded(item, deep - 1) for key, item in value.items()}
        if isinstance(value, Sequence):
            return [_decoded(item, deep - 1) for item in value]
    return value


def transcripts_at(path: Path) -> Iterator[Transcript]:
    """The transcripts of a file, a run folder or a store of agents' sessions, in order."""
    from aigov_eval.readers import read_file

    yield from _stored(path) if may_be_store(path) else read_file(path)


def may_be_store(path: Path) -> bool:
    """Whether a path is worth asking if agents' sessions lie there, which costs imports: no plain JSON is."""
    if path.is_dir() or path.suffix.lower() in (".db", ".sqlite", ".sqlite3"):
        return path.exists()
    if not path.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(65_536)
    # of JSON, only the lines of Claude Code are a store
    return head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in b"{[" or b'"parentUuid"' in head


def _stored(path: Path) -> Iterator[Transcript]:
    """The transcripts of a session store, or of whatever else is there."""
    from aigov_eval.readers import read_file
    from aigov_eval.sessions import sources
    from aigov_eval.sessions.to_transcript import transcripts

    yield from transcripts(path) if sources.is_source(path) else read_file(path)

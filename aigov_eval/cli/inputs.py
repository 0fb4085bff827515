"""
What the commands that read transcripts share: files to transcripts, options to a scenario and a pack.

Comes in: the options as typed. Goes out: values of the model; a wrong one raises InputError.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from aigov_eval.batch.asked import known_fields, with_options
from aigov_eval.cli.packs import folders_of
from aigov_eval.errors import InputError
from aigov_eval.model import STRENGTHS, Pack, Strength, Transcript

if TYPE_CHECKING:
    from aigov_eval.scoring import Engine

__all__ = [
    "asked_transcripts",
    "engine_of",
    "known_fields",
    "language_list",
    "roots_of",
    "strength_of",
    "transcripts_of",
    "with_options",
]


def roots_of(folders: Sequence[Path], *, only: bool) -> tuple[Path, ...] | None:
    """The stock pack with the given folders added, or the given folders instead of it; None is the stock pack alone."""
    return folders_of(folders, only=only) if folders or only else None


def engine_of(roots: Sequence[Path] | None) -> Engine:
    """
    The packs in these folders (None: the stock pack), compiled for scoring.

    A command keeps it until its process ends: what is there by now is set apart, so that no later search
    for garbage looks through it. (Measured: a third of a start that compiles, a seventh of one that does not.)
    """
    from aigov_eval.pack import collecting
    from aigov_eval.scoring import load_engine

    with collecting.held():
        engine = load_engine(roots)
        gc.freeze()
    return engine


def language_list(text: str, pack: Pack) -> tuple[str, ...]:
    """`en,ro` as a tuple of known languages."""
    languages = tuple(part.strip() for part in text.split(",") if part.strip())
    for language in languages:
        if language not in pack.languages:
            raise InputError(f'unknown language "{language}"', help="known: " + ", ".join(pack.languages))
    return languages


def asked_transcripts(
    files: Sequence[str], pack: Pack, scenario: Path | None, subject: str, aliases: Sequence[str]
) -> Iterator[Transcript]:
    """The transcripts of some files with the scenario file and the options over their own keys, fields by their known names."""
    given = None
    if scenario is not None:
        from aigov_eval.readers.scenario import read_scenario

        given = read_scenario(scenario)

    def asked(transcript: Transcript) -> Transcript:
        ready = with_options(transcript, given, subject, aliases)
        return replace(ready, scenario=known_fields(ready.scenario, pack))

    return map(asked, transcripts_of(files))


def transcripts_of(files: Sequence[str]) -> Iterator[Transcript]:
    """The transcripts of some files, folders, or `-` for standard input, in order."""
    from aigov_eval.readers import read_bytes, read_file

    for name in files:
        if name == "-":
            yield from read_bytes(sys.stdin.buffer.read(), source="<stdin>")
        elif _may_be_store(Path(name)):
            yield from _stored(Path(name))
        else:
            yield from read_file(Path(name))


def _may_be_store(path: Path) -> bool:
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


def strength_of(name: str) -> Strength:
    """A strength by its name. Raises InputError for an unknown one."""
    for one in STRENGTHS:
        if one == name:
            return one
    raise InputError(f'unknown strength "{name}"', help="known: " + ", ".join(reversed(STRENGTHS)))

"""
What the commands that read transcripts share: files to transcripts, options to a scenario and a pack.

Comes in: the options as typed. Goes out: values of the model; a wrong one raises InputError.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from aigov_eval.api.asking import known_languages, strength_of
from aigov_eval.api.sources import transcripts_at
from aigov_eval.batch.asked import known_fields, with_options
from aigov_eval.cli.packs import folders_of
from aigov_eval.model import Pack, Transcript

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

    with collecting.gc_paused():
        engine = load_engine(roots)
        gc.freeze()
    return engine


def language_list(text: str, pack: Pack) -> tuple[str, ...]:
    """`en,ro` as a tuple of known languages."""
    return known_languages([part.strip() for part in text.split(",") if part.strip()], pack)


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
    from aigov_eval.readers import read_bytes

    for name in files:
        if name == "-":
            yield from read_bytes(sys.stdin.buffer.read(), source="<stdin>")
        else:
            yield from transcripts_at(Path(name))

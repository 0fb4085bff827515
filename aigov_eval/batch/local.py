"""
Many transcripts over the cores of this machine.

Comes in: transcripts as they are read, and how many processes may score. Goes out: each with its
scores, in the order of reading: the same as one process would give. Transcripts are read as they are
needed, so that a log may be longer than memory.
"""

from __future__ import annotations

import gc
import os
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import lru_cache, partial
from pathlib import Path

from aigov_eval.errors import AigovError
from aigov_eval.model import Score, Strength, Transcript
from aigov_eval.pack import collecting
from aigov_eval.processes import in_order
from aigov_eval.scoring import Engine, load_engine, read_ahead, score_transcript

Scored = tuple[Transcript, tuple[Score, ...]]
_Judged = tuple[Score, ...] | AigovError  # the scores of a transcript, or why there are none

_CHUNK = 16  # transcripts that go to a process, or through the gate, at once
_SIZE = 200_000  # characters of them, where they are long


def score_each(
    transcripts: Iterable[Transcript],
    engine: Engine,
    categories: Sequence[str] | None = None,
    languages: Sequence[str] = (),
    *,
    strength: Strength = "weak",
    jobs: int = 1,
    roots: Sequence[Path] | None = None,
) -> Iterator[Scored]:
    """
    Each transcript with its scores, in order.

    `strength` is the least of a finding; `jobs` are the processes, 0 for one a core; `roots` the folders of the engine's packs (None: the
    stock pack), from which each further process loads an engine of its own. Raises what reading and
    scoring raise, with the transcript's source where nothing nearer is known.
    """
    workers = jobs or os.cpu_count() or 1
    broken: list[AigovError] = []
    pieces = _pieces(transcripts, broken)
    # what is being scored stays here: only scores come back from a process
    given: deque[list[Transcript]] = deque()
    asked = _noted(pieces, given)
    done: Generator[list[_Judged], None, None]
    if workers == 1:
        done = (_scored(engine, categories, languages, strength, piece) for piece in asked)
    else:
        folders = None if roots is None else tuple(roots)
        work = partial(_scored_elsewhere, folders, categories, tuple(languages), strength)
        done = in_order(work, asked, workers, doing="scored", help="give fewer --jobs, or smaller files.")
    with closing(done) as results:
        for scored in results:
            for transcript, one in zip(given.popleft(), scored, strict=False):
                if isinstance(one, AigovError):
                    raise one
                yield transcript, one
    if broken:
        raise broken[0]


def _pieces(transcripts: Iterable[Transcript], broken: list[AigovError]) -> Iterator[list[Transcript]]:
    """The transcripts by pieces, few of them where they are long; a failure to read goes to `broken`, after what was read before it."""
    piece: list[Transcript] = []
    size = 0
    try:
        for transcript in transcripts:
            piece.append(transcript)
            size += sum(len(turn.content) for turn in transcript.turns)
            if len(piece) == _CHUNK or size > _SIZE:
                yield piece
                piece, size = [], 0
    except AigovError as error:
        broken.append(error)
    if piece:
        yield piece


def _noted(
    pieces: Iterable[list[Transcript]], given: deque[list[Transcript]]
) -> Generator[list[Transcript], None, None]:
    """The pieces, each noted when it is taken."""
    for piece in pieces:
        given.append(piece)
        yield piece


@collecting.gc_paused()  # nothing of a piece is garbage before its scores are there
def _scored(
    engine: Engine,
    categories: Sequence[str] | None,
    languages: Sequence[str],
    strength: Strength,
    transcripts: Sequence[Transcript],
) -> list[_Judged]:
    """A piece, one after the other, after all of it was read; a failure is the last of the list, so that what was scored before it is told."""
    done: list[_Judged] = []
    try:
        read = deque(read_ahead(transcripts, engine))
        for transcript in transcripts:
            try:
                scores = score_transcript(
                    transcript, engine, categories, languages, strength=strength, ahead=read.popleft()
                )
            except AigovError as error:
                error.where = error.where or transcript.source
                raise
            done.append(scores)
    except AigovError as error:
        done.append(error)
    return done


def _scored_elsewhere(
    roots: tuple[Path, ...] | None,
    categories: Sequence[str] | None,
    languages: tuple[str, ...],
    strength: Strength,
    transcripts: Sequence[Transcript],
) -> list[_Judged]:
    """A piece in a process of its own."""
    return _scored(engine_for(roots), categories, languages, strength, transcripts)


@lru_cache(maxsize=1)
def engine_for(roots: tuple[Path, ...] | None) -> Engine:
    """
    The engine of this process for the packs in these folders (None: the stock pack), loaded once.

    What is there by then is set apart: no later search for garbage looks through it.
    """
    with collecting.gc_paused():
        engine = load_engine(roots)
        gc.freeze()
    return engine

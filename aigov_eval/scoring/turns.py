"""
The turns of a transcript, read and ready to be scored.

Comes in: a transcript and the engine. Goes out: a `TurnView` for each turn, with its mentions, known values and values told in pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from functools import partial
from typing import TypeVar

from msgspec import Struct

from aigov_eval.detect.reading import Reading
from aigov_eval.model import Transcript
from aigov_eval.scoring.awake import Awake
from aigov_eval.scoring.compiled.engine import Engine
from aigov_eval.scoring.known_values import known_of
from aigov_eval.scoring.persons.reference import subject_of
from aigov_eval.scoring.split_values import pieced_together
from aigov_eval.scoring.spoken import languages_of
from aigov_eval.scoring.turn_view import TurnView

_SHORT = 20_000  # characters of a transcript all of whose words are looked up at once
_Made = TypeVar("_Made")


class Read(Struct, frozen=True):
    """A turn that is read already, and the numbers of the patterns that the gate let through."""

    reading: Reading
    fired: Sequence[int]


def read_ahead(transcripts: Sequence[Transcript], engine: Engine) -> list[list[Read]]:
    """
    The turns of several transcripts, read together as far as each of them will be in any case.

    `score_transcript` does this itself; of many short ones it is done sooner one step after the other: what a step needs
    of memory is then at hand. The words of long ones are left to it, which lets go of them in time.
    """
    index = engine.detection
    read = [[index.read(turn.content) for turn in one.turns] for one in transcripts]
    fired = iter(index.gate.fired_each([reading.plain for one in read for reading in one]))
    for one in read:
        if sum(len(reading.plain) for reading in one) <= _SHORT:
            for reading in one:
                _ = reading.lexicons
    return [[Read(reading, next(fired)) for reading in one] for one in read]


def turn_views_of(
    transcript: Transcript, engine: Engine, languages: Iterable[str] | None, ahead: Sequence[Read] | None
) -> Sequence[TurnView]:
    """The turns of a transcript; `languages` limits word lists and cues, `ahead` is what `read_ahead` gave for it."""
    scenario, pack = transcript.scenario, engine.pack
    subject = subject_of(scenario, pack.writing)
    limits = frozenset(languages or scenario.languages) or None
    # her name says nothing, nor does one word of an address
    common = engine.people.common | (subject.words if subject is not None else frozenset())
    known = known_of(scenario.facts, pack.special, common)
    # the gate reads the turns together, which is quicker than one by one
    [read] = read_ahead([transcript], engine) if ahead is None else [ahead]
    awake = Awake()
    turn_views: list[TurnView] = []
    spoken = once(lambda: _spoken_in(turn_views, awake.words)) if limits is None else frozenset
    for at, (turn, one) in enumerate(zip(transcript.turns, read, strict=True)):
        completes = turn.role == "assistant" and turn.channel == "message"
        turn_views.append(
            TurnView(
                turn,
                engine,
                subject,
                limits,
                reading=one.reading,
                fired=one.fired,
                spoken=spoken,
                known=known,
                split_values=partial(pieced_together, turn_views, at) if completes else tuple,
                awake=awake,
            )
        )
    for at, live in enumerate(turn_views):
        if at and turn_views[at - 1].turn.role == "user" and live.turn.role == "assistant":
            live.reading.asked = turn_views[at - 1].asks
        _ = live.facts, live.split_values, live.placed  # while the turn is read
    return turn_views


def _spoken_in(turn_views: Sequence[TurnView], counted: Set[str]) -> frozenset[str]:
    """The languages of a whole conversation; `counted` are the common words of the turns that rest."""
    words: set[str] = set()
    for live in turn_views:
        if not live.counted:
            words |= live.common_words
    words |= counted  # turns may have come to rest meanwhile
    return languages_of(words, turn_views[0].engine.common) if turn_views else frozenset()


def once(make: Callable[[], _Made]) -> Callable[[], _Made]:
    """A value that is made when it is first asked for."""
    made: list[_Made] = []

    def get() -> _Made:
        if not made:
            made.append(make())
        return made[0]

    return get

"""What a pack knows of how a thing is said of a person: frames and closed classes of a language, points of signs."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from aigov_eval.model.rules import Example
from aigov_eval.model.words import Location, Term


class Frames(Struct, frozen=True):
    """
    How one language ties an attribute to a person: slot name -> terms, and plain string lists.

    `exclusions` are a slot's false friends, the entries with a `!`; `places` is where each slot stands (`confirm`, `spoken/at`).
    """

    language: str
    terms: Mapping[str, tuple[Term, ...]]
    exclusions: Mapping[str, tuple[Term, ...]]
    abbreviations: frozenset[str]
    numbers: Mapping[str, int]
    repeat: Mapping[str, int]
    spoken: Mapping[str, tuple[str, ...]]
    where: Location
    places: Mapping[str, Location] = field(default_factory=dict)


class Grammar(Struct, frozen=True):
    """
    The closed classes of one language: class -> entries; `controls` mark the words of a class in a sentence.

    `said` are controls of holder, stance and evidence: ("holder", "user", example) marks words that are said of the user.
    """

    language: str
    classes: Mapping[str, tuple[Term, ...]]
    places: Mapping[str, Location]
    controls: tuple[tuple[str, Example], ...]
    where: Location
    said: tuple[tuple[str, str, Example], ...] = ()


class Weighing(Struct, frozen=True):
    """
    What each sign around a mention says for (above 0) or against its being told of the subject, in points.

    A mention is told where `start` and the points of its signs come to at least 0. `strength` gives the points from
    which a finding is likely and certain. `shows` is what a sign says for each `holder` and each `stance` of what is not told.
    """

    start: int
    points: Mapping[str, int]
    strength: Mapping[str, int]
    shows: Mapping[str, Mapping[str, Mapping[str, int]]]
    where: Location
    lines: Mapping[str, int] = field(default_factory=dict)  # of each sign's points

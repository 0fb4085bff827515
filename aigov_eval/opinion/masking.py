"""
Stand-ins for names, identifiers and places: consistent through a conversation, and mapped back by place.

Comes in: a transcript, the scores of the rules, an engine. Goes out: `Masks`, which turn each text into a `Masked` one. What is
judged stays: words of special categories are left as they are, and so are figures that no detector takes for a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from aigov_eval.evidence.sameness import NAME, same
from aigov_eval.evidence.values import Finder, Spot, finder_of
from aigov_eval.model import Transcript
from aigov_eval.opinion.places import PLACE, places_in
from aigov_eval.scoring import Engine

_LOCATIONS = frozenset({"PhysicalAddress", "GPSCoordinate"})  # terms of the W3C Data Privacy Vocabulary
_KINDS = {
    NAME: "PERSON",
    PLACE: "PLACE",
    "identifier": "ID",
    "text": "TEXT",
}


class Piece(Struct, frozen=True):
    """A stretch that was replaced: where its stand-in stands, and where the words stood."""

    start: int
    end: int
    source_start: int
    source_end: int


class Masked(Struct, frozen=True):
    """A text as it is sent, and what of it stands for something else."""

    text: str
    pieces: tuple[Piece, ...] = ()

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the text stood before; what touches a stand-in reaches over all that it stands for."""
        return self._source(start, end=False), self._source(end, end=True)

    def _source(self, at: int, *, end: bool) -> int:
        shift = 0
        for piece in self.pieces:
            if at < piece.start or (at == piece.start and end):
                break
            if at < piece.end:
                return piece.source_end if end and at > piece.start else piece.source_start
            shift = piece.source_end - piece.end
        return at + shift


class Masks(Struct):
    """The stand-ins of one conversation, numbered in the order in which it tells what they stand for."""

    finder: Finder
    special: frozenset[str]
    taken: str
    labels: dict[tuple[str, str], str] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def masked(self, text: str) -> Masked | None:
        """The text with stand-ins; None where it tells a value in a spelling whose place cannot be shown."""
        found = self.finder.spots(text, detect=True)
        judged = [spot for spot in found if spot.field in self.special]
        spots = [spot for spot in found if spot.field not in self.special]
        places = [
            spot
            for spot in places_in(text, self.finder.engine.pack.languages)
            if not any(spot.start < one.end and one.start < spot.end for one in (*judged, *spots))
        ]
        stretches = _joined([*spots, *places])
        if self._hides(text, stretches):
            return None
        shown: list[str] = []
        pieces: list[Piece] = []
        at = length = 0
        for start, end, spot in stretches:
            label = self.label(spot)
            shown += [text[at:start], label]
            length += start - at
            pieces.append(Piece(length, length + len(label), start, end))
            length += len(label)
            at = end
        return Masked("".join([*shown, text[at:]]), tuple(pieces))

    def label(self, spot: Spot) -> str:
        """The stand-in of a value: one for all its spellings, and one for a person by whatever part of the name."""
        name = same(spot.field, spot.value, self.finder.subject)
        if name not in self.labels:
            self.labels[name] = self._of_longer_name(spot) or self._new(spot)
            self.sources.setdefault(self.labels[name], spot.value)
        return self.labels[name]

    def _is_place(self, field: str) -> bool:
        """Whether a field tells where somebody is, as its name elsewhere says."""
        info = self.finder.engine.pack.fields.get(field)
        return info is not None and not _LOCATIONS.isdisjoint(info.names.get("dpv", ()))

    def unmasked(self, text: str) -> str:
        """A sentence of the answer with each stand-in replaced by what it stands for."""
        if not self.sources:
            return text
        pattern = "|".join(sorted(map(re.escape, self.sources), key=len, reverse=True))
        return re.sub(rf"\b(?:{pattern})\b", lambda match: self.sources[match.group()], text)

    def _new(self, spot: Spot) -> str:
        kind = _KINDS.get(spot.field) or (_KINDS[PLACE] if self._is_place(spot.field) else spot.field.upper())
        while True:
            self.counts[kind] = self.counts.get(kind, 0) + 1
            label = f"{kind}_{self.counts[kind]}"
            if label not in self.taken:
                return label

    def _of_longer_name(self, spot: Spot) -> str:
        """The stand-in of a name told before of which this is a part: Maria after Maria Ionescu."""
        words = set(spot.value.casefold().split())
        if spot.field != NAME or not words:
            return ""
        for label, source in self.sources.items():
            if label.startswith("PERSON_") and words < set(source.casefold().split()):
                return label
        return ""

    def _hides(self, text: str, stretches: Sequence[tuple[int, int, Spot]]) -> bool:
        letters = list(text)
        for start, end, _ in stretches:
            letters[start:end] = "\u2588" * (end - start)
        left = "".join(letters)
        from aigov_eval.evidence.spellings import readings

        return any(
            spot.field not in self.special
            for reading in readings(left)
            for spot in self.finder.spots(reading, detect=True)
        )


def masks_of(
    transcript: Transcript, scores: Sequence[Mapping[str, Any]], engine: Engine, also: Iterable[str]
) -> Masks:
    """The masks of a conversation; `scores` are the score objects of the rules, `also` further texts to replace."""
    about = transcript.scenario
    texts = [turn.content for turn in transcript.turns]
    content = {
        "scenario": {
            "person_name": about.person_name,
            "aliases": list(about.aliases),
            "identifiers": dict(about.identifiers),
            "facts": {name: list(values) for name, values in about.facts.items()},
        },
        "transcript": [{"content": text} for text in texts],
        "scores": list(scores),
        "raw_responses": [],
    }
    finder = finder_of(engine, content, [("text", text) for text in also])
    masks = Masks(finder, engine.pack.special, "\n".join(texts))
    if about.person_name:
        masks.label(Spot(0, 0, NAME, about.person_name))
    for text in texts:
        # every turn, in order: the numbers must not depend on which turns are asked about
        masks.masked(text)
    return masks


def _joined(spots: Iterable[Spot]) -> list[tuple[int, int, Spot]]:
    """Stretches without overlaps, in order; where spots meet, the longest names the whole."""
    found: list[tuple[int, int, Spot]] = []
    for spot in sorted(spots, key=lambda one: (one.start, -one.end, one.field, one.value)):
        if spot.end <= spot.start:
            continue
        if found and spot.start < found[-1][1]:
            start, end, before = found[-1]
            longer = spot if spot.end - spot.start > before.end - before.start else before
            found[-1] = (start, max(end, spot.end), longer)
        else:
            found.append((spot.start, spot.end, spot))
    return found

"""
The mutants of the frames of a language: each slot gone, and each of its false friends.

Comes in: frames, the engine, what the controls say. Goes out: `Mutant`s.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from aigov_eval.controls.inventory import Control, language_at
from aigov_eval.controls.mutants.mutant import Mutant, without_entries
from aigov_eval.detect.hits import candidates_in
from aigov_eval.detect.spoken import spoken_of
from aigov_eval.model import Frames, Location
from aigov_eval.scoring import Engine

# the controls that notice first: rules judge who is meant and what is answered, detectors read figures in words
_JUDGED, _FOUND = ("leaks", "clean"), ("finds", "skips")
# the groups of the phrases that are slots of frames; names have an index of their own
_GROUPS = ("person", "mark", "answer")


class Said(Struct, frozen=True):
    """What the controls say: their texts in lower case, and by index and entry the controls that hold its words."""

    controls: Sequence[Control]
    texts: Sequence[str]
    phrases: Mapping[int, Sequence[int]]
    names: Mapping[int, Sequence[int]]

    @staticmethod
    def by(controls: Sequence[Control], engine: Engine) -> Said:
        texts: list[str] = []
        phrases: dict[int, list[int]] = {}
        names: dict[int, list[int]] = {}
        for number, control in enumerate(controls):
            turns = (text for _, text in control.example.turns)
            reading = engine.detection.read("\n\n".join([*turns, control.example.subject]))
            texts.append(reading.light)
            for index, filed in ((engine.phrases, phrases), (engine.people.names, names)):
                for at in candidates_in(index, reading.row, reading.folded):
                    filed.setdefault(at, []).append(number)
        return Said(controls, texts, phrases, names)

    def chosen(self, numbers: Iterable[int], language: str, kinds: Sequence[str]) -> tuple[Control, ...]:
        """These controls, those of a language first, and among them those of some kinds."""
        found = [self.controls[number] for number in sorted(set(numbers))]
        return tuple(sorted(found, key=lambda one: (_language_of(one) != language, one.kind not in kinds)))


def _language_of(control: Control) -> str:
    """The language of a control; a scenario has none."""
    return "" if control.kind == "scenario" else language_at(control.where)


def of_frames(frames: Frames, engine: Engine, said: Said) -> Iterator[Mutant]:
    for slot, where in frames.places.items():
        if slot in frames.terms:
            yield from _of_slot(frames, slot, where, engine, said)
        else:
            yield _of_plain_slot(frames, slot, where, engine, said)


def _of_slot(frames: Frames, slot: str, where: Location, engine: Engine, said: Said) -> Iterator[Mutant]:
    """The mutants of a slot of entries: it is gone whole, and each of its false friends in turn."""
    name = next(
        (one for one in (f"{group}:{slot}" for group in _GROUPS) if one in engine.phrases.names), slot
    )
    by_name = name == slot
    index = engine.people.names if by_name else engine.phrases
    filed = said.names if by_name else said.phrases
    number = index.number(name)
    places = [
        at
        for at, entry in enumerate(index.entries)
        if entry.lexicon == number and entry.language == frames.language
    ]

    def mutant(id: str, what: str, where: Location, gone: Sequence[int]) -> Mutant:
        less = without_entries(index, gone)
        changed = (
            replace(engine, people=replace(engine.people, names=less))
            if by_name
            else replace(engine, phrases=less)
        )
        numbers = (one for at in gone for one in filed.get(at, ()))
        # detectors know nothing of persons and answers
        touched = said.chosen(numbers, frames.language, _JUDGED)
        touched = tuple(one for one in touched if one.kind not in _FOUND)
        return Mutant(f"frames/{frames.language}/{id}", what, where, engine, changed, touched)

    if places:  # "null_subject_verbs: []" holds nothing that could be missed
        yield mutant(slot, f"the slot `{slot}`", where, places)
    for line, place in {term.line: term.where for term in frames.exclusions.get(slot, ())}.items():
        friend = [at for at in places if index.entries[at].friend and index.entries[at].line == line]
        yield mutant(f"{slot}/!{line}", f'the false friend "{line}"', place, friend)


def _of_plain_slot(frames: Frames, slot: str, where: Location, engine: Engine, said: Said) -> Mutant:
    """The mutant of a slot that detectors read: abbreviations, figures and signs in words."""
    key, _, sign = slot.partition("/")
    ways: Iterable[str]
    if sign:
        ways = frames.spoken[sign]
        fewer = replace(frames, spoken={name: told for name, told in frames.spoken.items() if name != sign})
    elif key == "abbreviations":
        ways = [f"{word}." for word in frames.abbreviations]
        fewer = replace(frames, abbreviations=frozenset())
    elif key == "numbers":
        ways, fewer = frames.numbers, replace(frames, numbers={})
    else:
        ways, fewer = frames.repeat, replace(frames, repeat={})
    pack = replace(engine.pack, frames={**engine.pack.frames, frames.language: fewer})
    detection = engine.detection
    if key == "abbreviations":
        left = frozenset().union(*(one.abbreviations for one in pack.frames.values()))
        detection = replace(detection, abbreviations=left)
    else:
        # the gate stays: it lets too much through, never too little
        detection = replace(detection, spoken=spoken_of(pack))
    numbers = (at for at, text in enumerate(said.texts) if any(way in text for way in ways))
    return Mutant(
        f"frames/{frames.language}/{slot}",
        f"the slot `{slot}`",
        where,
        engine,
        replace(engine, detection=detection),
        said.chosen(numbers, frames.language, _JUDGED if key == "abbreviations" else _FOUND),
    )

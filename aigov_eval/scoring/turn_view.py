"""
A turn that holds mentions, with what scoring reads from it: persons, cues, languages.

Comes in: a turn and the engine. Goes out: a `TurnView` that link, contexts and answers share.
Nothing here decides; each part is computed once, when first asked for.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING

from aigov_eval.detect.find import LocatedMention, find_placed
from aigov_eval.detect.hits import Hit
from aigov_eval.detect.reading import Reading
from aigov_eval.lazily import lazily
from aigov_eval.model import Mention, Turn
from aigov_eval.scoring.awake import Awake
from aigov_eval.scoring.known_values import stem_of
from aigov_eval.scoring.parts import Parts, by_name
from aigov_eval.scoring.persons.in_text import Persons
from aigov_eval.scoring.persons.names import named_in
from aigov_eval.scoring.persons.reference import Reference, Subject
from aigov_eval.text.records import Cell
from aigov_eval.text.spans import ByPlace, Parted, Span, Spanning, by_place
from aigov_eval.text.views import core_of, fold

if TYPE_CHECKING:
    from aigov_eval.scoring.persons.record_owner import RecordOwner
from aigov_eval.scoring.compiled.engine import GRAMMAR, Engine
from aigov_eval.scoring.spoken import languages_of

_QUOTED = re.compile(r"""(?<!\w)(["'])[^\n]{9,2000}?\1(?!\w)""")
_GAP = ("...", "…", "__")  # where a sentence is left to be completed
_SUBJECTS = 50  # references to the subject by which the labels of her name are found
_WORDS = 200  # words of a question that are looked at
_SAME = 100  # mentions of one thing in one turn that are looked at
_NOTHING: ByPlace[Hit] = by_place(())
# what a turn that rests keeps of what it found: its mentions and what was told of them, the rest is found again from its text
_KEPT = (
    *("placed", "placed_by_place", "fields_told", "told", "asks", "languages", "gender_of_name", "quoted"),
    *("by_what", "_values"),
)
_NOTHING_KNOWN: Mapping[str, frozenset[str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Classed:
    """A word or phrase of a closed class, where it stands."""

    name: str
    hit: Hit
    start: int
    end: int


class TurnView:
    """One turn under scoring; as of a `Reading`, only what it finds has a place in a dictionary."""

    __slots__ = (
        "__dict__",
        "_awake",
        "counted",
        "engine",
        "facts",
        "fired",
        "known",
        "limits",
        "reading",
        "split_values",
        "spoken",
        "subject",
        "turn",
    )

    def __init__(
        self,
        turn: Turn,
        engine: Engine,
        subject: Subject | None,
        limits: frozenset[str] | None,
        reading: Reading | None = None,
    ) -> None:
        self.turn = turn
        self.engine = engine
        self.subject = subject
        self.limits = limits
        self.spoken: Callable[[], frozenset[str]] = frozenset
        self.split_values: tuple[LocatedMention, ...] = ()
        self.facts: tuple[LocatedMention, ...] = ()
        self.known = _NOTHING_KNOWN  # the words of known values by field
        self._awake: Awake | None = None
        self.counted = False  # among the common words of the turns that rest
        self.reading = engine.detection.read(turn.content) if reading is None else reading
        self.fired: Sequence[int] | None = None
        # keys and codes of records keep to no language
        records = any(mark in turn.content for mark in ("```", "{", "|"))
        self.reading.spoken = self._languages_given if records else self._languages_read

    def kept_by(self, awake: Awake) -> None:
        """Count among the turns of a conversation that are kept read."""
        self.reading.woken = self._woken
        self._awake = awake

    def _woken(self) -> None:
        if self._awake is not None:
            self._awake.add(self, len(self.turn.content))

    def _languages_given(self) -> frozenset[str] | None:
        return self.limits

    def _languages_read(self) -> frozenset[str] | None:
        return self.languages

    def rest(self) -> None:
        """Let go of all that can be found again, but the mentions; the common words are counted once before."""
        if not self.counted and self._awake is not None and self.reading.is_split:
            self._awake.words |= self.common_words
            self.counted = True
        self.__dict__ = {name: self.__dict__[name] for name in _KEPT if name in self.__dict__}
        self.reading.rest()

    def forget(self) -> None:
        """Let go of all that is known of the turn: its parts refer to each other and would wait for a search for garbage."""
        self.__dict__.clear()
        self.spoken, self._awake = frozenset, None
        self.reading.forget()

    @lazily
    def holdings(self) -> dict[Span, RecordOwner]:
        """What each record says of its holder, as far as it was asked."""
        return {}

    @lazily
    def lists(self) -> dict[Span, bool]:
        """Whether a block is a list of people, the subject among them."""
        return {}

    @lazily
    def regions(self) -> dict[tuple[str, int], Span]:
        """What was asked of a scope around a position."""
        return {}

    @lazily
    def _named(self) -> dict[Span, Sequence[Reference]]:
        return {}

    @lazily
    def _cues(self) -> dict[str, Parted[Hit]]:
        return {}

    @lazily
    def _cued(self) -> dict[tuple[int, int], Set[str]]:
        return {}

    @lazily
    def _phrases(self) -> dict[str, Parted[Hit]]:
        return {}

    @lazily
    def _grammar(self) -> dict[int, ByPlace[Classed]]:
        return {}

    @lazily
    def placed(self) -> tuple[LocatedMention, ...]:
        """The mentions of the turn."""
        return find_placed(self.reading, self.engine.detection, languages=self.limits, fired=self.fired)

    @lazily
    def placed_by_place(self) -> ByPlace[LocatedMention]:
        """The same by place."""
        return by_place(self.placed)

    @lazily
    def fields_told(self) -> Counter[str]:
        """How many mentions of each field the turn holds."""
        return Counter(one.mention.field for one in self.placed)

    @lazily
    def told(self) -> tuple[LocatedMention, ...]:
        """What the turn itself tells: its mentions, and known values in the place of those that overlap them."""
        placed = [
            p
            for p in self.placed
            if not any(
                f.mention.field == p.mention.field and f.start < p.end and p.start < f.end for f in self.facts
            )
        ]
        return (*placed, *self.facts)

    @lazily
    def asks(self) -> frozenset[int]:
        """The labels, by lexicon number, that the turn names: what an answer may be about."""
        return self.engine.detection.asked_in(self.reading, self.limits)

    @lazily
    def languages(self) -> frozenset[str] | None:
        """The languages whose cues and frames are read here: those of the turn and of the conversation; None for all."""
        if self.limits is not None:
            return self.limits
        return languages_of(self.common_words, self.engine.common) | self.spoken() or None

    @lazily
    def common_words(self) -> frozenset[str]:
        """The words of the turn that are common in some language."""
        return self.engine.people.common.intersection(self.reading.row)

    @lazily
    def parts(self) -> Parts:
        """The parts of the text, in which phrases are looked for one by one."""
        # a known value may be written in several parts
        values = self.subject.values if self.subject is not None else ()
        whole = any("\n" in value for value in values)
        return Parts(self.reading, self.engine.phrases, lambda: self.languages, whole=whole)

    @lazily
    def _persons(self) -> Persons:
        return Persons(self.parts, self.subject, self.engine.people, lambda: self.languages)

    @lazily
    def people(self) -> Parted[Reference]:
        """The persons spoken of, by place."""
        return Parted(self.parts.starts, self._persons.in_part)

    @property
    def named(self) -> ByPlace[Reference]:
        """The subject and the names, by place; whether a preposition stands before them is not looked at."""
        return self._persons.named_by_place

    @lazily
    def references(self) -> tuple[Reference, ...]:
        """The persons spoken of, in order."""
        return tuple(self.people.items)

    @lazily
    def gender_of_name(self) -> str:
        """The sex that the subject's own name tells, as the languages spoken here use it; empty where it tells none."""
        if self.subject is None:
            return ""
        reading = self.engine.detection.read(self.subject.name)
        found = named_in(reading, self.subject, self.engine.people, lambda: self.languages)
        return next((r.gender for r in found if r.kind == "subject"), "")

    def agreeing_at(self, position: int) -> list[tuple[int, int, str]]:
        """The words near a position that agree with a man or a woman: start, end, sex."""
        return self._persons.agreeing_in(self.parts.at(position))

    @lazily
    def subjects(self) -> tuple[Reference, ...]:
        """The references to the subject, in order."""
        if not self._persons.names_subject:
            return ()
        return tuple(r for r in self.references if r.kind == "subject")

    @lazily
    def subjects_by_place(self) -> ByPlace[Reference]:
        """The references to the subject by place: a text may name her everywhere."""
        return by_place(self.subjects)

    @lazily
    def first_other(self) -> float:
        """Where the first name or relative beside the subject ends; infinity where there is none."""
        return min((r.end for r in self.references if r.kind in ("name", "kin")), default=math.inf)

    @lazily
    def quoted(self) -> frozenset[str]:
        """The fields of which something stands between quotation marks; a sentence with a gap asks for the rest instead."""
        if not self.placed:
            return frozenset()
        spans = by_place(
            Span(*match.span())
            for match in _QUOTED.finditer(self.reading.plain)
            if not match.group().rstrip("\"' ").endswith(_GAP)
        )
        return frozenset(p.mention.field for p in self.placed if any(spans.over(p.start, p.end)))

    @lazily
    def labels_of_subject(self) -> frozenset[str]:
        """The labels, in small letters, of cells that hold the subject's name and no more: "name", "patient"."""
        found = []
        for reference in islice(self.subjects, _SUBJECTS):
            cell = self.reading.cell_at(reference.start)
            if cell is not None and fills(reference, cell) and (label := self.label_of(cell)):
                found.append(label)
        return frozenset(found)

    def label_of(self, cell: Cell) -> str:
        """The key or head of a cell, in small letters; empty where it has none."""
        return self.reading.light[cell.labels[0].start : cell.labels[0].end].strip() if cell.labels else ""

    def named_in(self, record: Span) -> Sequence[Reference]:
        """The subject and the names in a record, in order."""
        if record not in self._named:
            self._named[record] = self.named.within(record.start, record.end)
        return self._named[record]

    def same_as(self, mention: Mention) -> Sequence[LocatedMention]:
        """The turn's mentions that say the same: equal values, or words of one stem (of many the first)."""
        if not self.placed:
            return ()
        found = {placed: None for what in whats_of(mention.text) for placed in self.same(mention.field, what)}
        return sorted(found, key=lambda placed: placed.start)

    def same(self, field: str, what: str) -> Sequence[LocatedMention]:
        """The turn's mentions of a field that share what `whats_of` tells (of many the first)."""
        return self.by_what.get((field, what), ())[:_SAME]

    @lazily
    def by_what(self) -> Mapping[tuple[str, str], Sequence[LocatedMention]]:
        """The turn's mentions by their field and what they share with others that say the same."""
        found: dict[tuple[str, str], list[LocatedMention]] = {}
        for placed in self.placed:
            for what in whats_of(placed.mention.text):
                found.setdefault((placed.mention.field, what), []).append(placed)
        return found

    def may_cue(self, context: str, start: int, end: int) -> bool:
        """Whether a cue of the context stands in the parts of a stretch."""
        if f"cue:{context}" in self.engine.far_cues.names:
            return context in self._far_cues
        if (start, end) not in self._cued:
            numbers = range(self.parts.at(start), self.parts.at(end) + 1)
            found = [self.parts.found(number, "cue") for number in numbers]
            self._cued[start, end] = frozenset().union(*found)
        return context in self._cued[start, end]

    def cues(self, context: str) -> Parted[Hit]:
        """The cues of a context, by place."""
        if context not in self._cues:
            if f"cue:{context}" in self.engine.far_cues.names:
                found = self._far_cues.get(context, _NOTHING)
                self._cues[context] = Parted((0,), lambda _: found)
            else:
                self._cues[context] = Parted(
                    self.parts.starts,
                    lambda number: self._cues_among(self.parts.found(number, "cue").get(context, ())),
                )
        return self._cues[context]

    @lazily
    def _far_cues(self) -> Mapping[str, ByPlace[Hit]]:
        index = self.engine.far_cues
        hits = self.reading.hits_of(index, lambda: self.languages)
        return {name: self._cues_among(found) for name, found in by_name(index, hits).items()}

    def _cues_among(self, hits: Sequence[Hit]) -> ByPlace[Hit]:
        if not hits:
            return _NOTHING
        return by_place(hit for hit in hits if not _is_value(hit, self.reading.plain, self._values))

    @lazily
    def _values(self) -> Set[tuple[int, int]]:
        return {(placed.start, placed.end) for placed in self.placed}

    def grammar_in(self, part: Span) -> Sequence[Classed]:
        """The words of closed classes in a sentence, by place."""
        number = self.parts.at(part.start)
        if number not in self._grammar:
            found = self.parts.found(number, GRAMMAR)
            self._grammar[number] = by_place(
                sorted(
                    (Classed(name, hit, hit.start, hit.end) for name, hits in found.items() for hit in hits),
                    key=lambda one: (one.start, one.end, one.name),
                )
            )
        return self._grammar[number].within(part.start, part.end)

    @lazily
    def classes(self) -> tuple[str, ...]:
        """The closed classes of which the turn holds a word."""
        numbers = range(len(self.parts.starts))
        return tuple(sorted({name for number in numbers for name in self.parts.found(number, GRAMMAR)}))

    def classes_among(self, wanted: frozenset[str]) -> tuple[str, ...]:
        """Those of some closed classes of which the turn holds a word."""
        if wanted not in self._classed:
            numbers = range(len(self.parts.starts))
            found = {name for number in numbers for name in self.parts.names(number, GRAMMAR, wanted)}
            self._classed[wanted] = tuple(sorted(found))
        return self._classed[wanted]

    @lazily
    def _classed(self) -> dict[frozenset[str], tuple[str, ...]]:
        return {}

    @lazily
    def stems(self) -> frozenset[str]:
        """The words of the turn without their endings, the subject's name left out; of a long turn the first."""
        named = self.subject.words if self.subject is not None else frozenset[str]()
        return frozenset(
            stem
            for stem, word in zip(self._stems, self.reading.folded[:_WORDS], strict=False)
            if word not in named
        )

    def stems_in(self, part: Span) -> Set[str]:
        """The words of a stretch without their endings."""
        first, last = self.reading.word_at(part.start), self.reading.word_at(max(part.start, part.end - 1))
        return set(self._stems[first : last + 1])

    @lazily
    def _stems(self) -> Sequence[str]:
        return [stem_of(word) for word in self.reading.folded]

    @lazily
    def verbs(self) -> Parted[Hit]:
        """The verbs that make a statement about what stands before them, by place."""
        return self._phrases_of("verb", "copulas")

    def phrases(self, slot: str) -> Parted[Hit]:
        """The phrases of a slot of the frames, which affirm, deny, correct or guess, by place."""
        if slot not in self._phrases:
            self._phrases[slot] = self._phrases_of("answer", slot)
        return self._phrases[slot]

    def _phrases_of(self, group: str, name: str) -> Parted[Hit]:
        return Parted(
            self.parts.starts, lambda number: by_place(self.parts.found(number, group).get(name, ()))
        )


def fills(reference: Reference, place: Spanning) -> bool:
    """Whether a name fills a cell or label, as the person of a row does, rather than standing in a remark."""
    return place.end - place.start <= (reference.end - reference.start) + _BESIDE_NAME


_BESIDE_NAME = 16  # characters beside a name in a cell that it fills
_LONG = 6  # letters of a word that says by itself what is meant
_LONG_WORDS = re.compile(rf"[^\W\d_]{{{_LONG},}}")
_DATE = re.compile(r"(\d{1,2})[./-] ?(\d{1,2})[./-] ?((?:19|20)?\d\d)")


def whats_of(text: str) -> tuple[str, ...]:
    """
    What a value shares with others that say the same.

    A number its last figures, with or without country code or trunk zero; a long word its stem:
    diabetes and diabetic, épilepsie and épileptique; a phrase its last long word: "has Parkinson's"
    and "got Parkinson's". A date in figures its day, month and last two figures of the year.
    """
    if (date := _DATE.fullmatch(text.strip())) is not None:
        day, month, year = map(int, date.groups())
        return (f"@{day}.{month}.{year % 100}",)
    core = core_of(text)
    if core.isdigit() and len(core) >= 9:
        return (f"#{core[-8:]}",)
    stem = core[:_LONG] if core.isalpha() and len(core) > _LONG else core
    words = _LONG_WORDS.findall(fold(text))
    return (stem, f"~{words[-1]}") if words else (stem,)


# figures with others before or after them: "1789" in "4833 1789 4997"
_WITHIN_FIGURES = re.compile(r"\d ?\Z"), re.compile(r" ?\d")


def _is_value(hit: Hit, plain: str, values: Set[tuple[int, int]]) -> bool:
    """Whether a year or count that a cue names is a value itself (the PIN 1912) or part of a longer number."""
    if not plain[hit.start : hit.end].isdigit():
        return False
    before, after = _WITHIN_FIGURES
    return (
        (hit.start, hit.end) in values
        or before.search(plain[max(0, hit.start - 2) : hit.start]) is not None
        or after.match(plain, hit.end) is not None
    )


def spoken_in(turn_views: Sequence[TurnView], counted: Set[str]) -> frozenset[str]:
    """The languages of a whole conversation; `counted` are the common words of the turns that rest."""
    words: set[str] = set()
    for live in turn_views:
        if not live.counted:
            words |= live.common_words
    words |= counted  # turns may have come to rest meanwhile
    return languages_of(words, turn_views[0].engine.common) if turn_views else frozenset()

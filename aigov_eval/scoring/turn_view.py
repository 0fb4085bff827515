"""
A turn that holds mentions, with what scoring reads from it: persons, cues, languages.

Comes in: a turn, the engine, and what its conversation knows. Goes out: a `TurnView` that link, contexts and answers share.
Nothing here decides; each part is computed once, when first asked for.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from itertools import islice

from aigov_eval.detect.find import LocatedMention, find_placed
from aigov_eval.detect.hits import Hit
from aigov_eval.detect.reading import Reading
from aigov_eval.lazily import lazily
from aigov_eval.model import SAME, Turn
from aigov_eval.scoring.alike import Alike
from aigov_eval.scoring.asked import Asked
from aigov_eval.scoring.awake import Awake
from aigov_eval.scoring.compiled.engine import GRAMMAR, Engine
from aigov_eval.scoring.cues import Cues
from aigov_eval.scoring.known_values import Known, known_in, stem_of
from aigov_eval.scoring.parts import Named, Parts
from aigov_eval.scoring.persons.in_text import Persons
from aigov_eval.scoring.persons.names import sex_of_name
from aigov_eval.scoring.persons.reference import Reference, Subject, fills
from aigov_eval.scoring.spoken import languages_of
from aigov_eval.text.records import Cell
from aigov_eval.text.sentences import quotations_in
from aigov_eval.text.spans import ByPlace, Parted, Span, by_place

_SUBJECTS = 50  # references to the subject by which the labels of her name are found
_WORDS = 200  # words of a question that are looked at
# what a turn that rests keeps of what it found: its mentions and what was told of them, the rest is found again from its text
_KEPT = "placed placed_by_place fields_told facts split_values told asks languages gender_of_name quoted alike".split()


class TurnView:
    """One turn under scoring; as of a `Reading`, only what it finds has a place in a dictionary."""

    __slots__ = (
        *("__dict__", "_awake", "_facts", "_fired", "_split_values", "_spoken", "counted", "engine"),
        *("known", "limits", "reading", "subject", "turn"),
    )

    def __init__(
        self,
        turn: Turn,
        engine: Engine,
        subject: Subject | None,
        limits: frozenset[str] | None,
        *,
        reading: Reading | None = None,
        fired: Sequence[int] | None = None,
        spoken: Callable[[], frozenset[str]] = frozenset,
        known: Known | None = None,
        split_values: Callable[[], tuple[LocatedMention, ...]] = tuple,
        awake: Awake | None = None,
    ) -> None:
        """
        One turn of a conversation, or alone.

        `limits` are the languages that are read; None for those of the turn, and those `spoken` in the conversation.
        `reading` and `fired` are the turn as read already and the patterns that the gate let through.
        """
        self.turn = turn
        self.engine = engine
        self.subject = subject
        self.limits = limits
        self.known: Mapping[str, frozenset[str]] = known.words if known is not None else {}
        self.counted = False  # among the common words of the turns that rest
        self._facts = known
        self._fired = fired
        self._spoken = spoken
        self._split_values = split_values
        self._awake = awake
        self.reading = engine.detection.read(turn.content) if reading is None else reading
        # keys and codes of records keep to no language
        records = any(mark in turn.content for mark in ("```", "{", "|"))
        self.reading.spoken = (lambda: limits) if records else self._languages_read
        if awake is not None:
            self.reading.woken = self._woken

    def _woken(self) -> None:
        if self._awake is not None:
            self._awake.add(self, len(self.turn.content))

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
        self._spoken, self._split_values, self._awake = frozenset, tuple, None
        self.reading.forget()

    @lazily
    def asked(self) -> Asked:
        """What was asked so far of its records, blocks and places."""
        return Asked()

    @lazily
    def placed(self) -> tuple[LocatedMention, ...]:
        """The mentions of the turn."""
        return find_placed(self.reading, self.engine.detection, languages=self.limits, fired=self._fired)

    @lazily
    def placed_by_place(self) -> ByPlace[LocatedMention]:
        """The same by place."""
        return by_place(self.placed)

    @lazily
    def fields_told(self) -> Counter[str]:
        """How many mentions of each field the turn holds; words for a couple tell nothing by themselves."""
        return Counter(one.mention.field for one in self.placed if one.of != SAME)

    @lazily
    def facts(self) -> tuple[LocatedMention, ...]:
        """The known values that the turn tells."""
        if self._facts is None:
            return ()
        return known_in(self.reading, self._facts, self.engine.detection.spoken, self.placed)

    @lazily
    def split_values(self) -> tuple[LocatedMention, ...]:
        """The values that the turn completes, of which earlier turns tell a piece."""
        return self._split_values()

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
        return languages_of(self.common_words, self.engine.common) | self._spoken() or None

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
        return sex_of_name(reading, self.engine.people, self.languages)

    def agreeing_at(self, position: int) -> list[tuple[int, int, str]]:
        """The words near a position that agree with a man or a woman: start, end, sex."""
        return self._persons.agreeing_in(self.parts.at(position))

    @lazily
    def subjects(self) -> tuple[Reference, ...]:
        """The references to the subject, in order."""
        return tuple(r for r in self.references if r.kind == "subject") if self._persons.names_subject else ()

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
        spans = by_place(quotations_in(self.reading.plain))
        return frozenset(p.mention.field for p in self.placed if any(spans.over(p.start, p.end)))

    @lazily
    def labels_of_subject(self) -> frozenset[str]:
        """The labels, in small letters, of cells that hold the subject's name and no more: "name", "patient"."""
        cells = [(one, self.reading.cell_at(one.start)) for one in islice(self.subjects, _SUBJECTS)]
        labels = [self.label_of(cell) for one, cell in cells if cell is not None and fills(one, cell)]
        return frozenset(filter(None, labels))

    def label_of(self, cell: Cell) -> str:
        """The key or head of a cell, in small letters; empty where it has none."""
        return self.reading.light[cell.labels[0].start : cell.labels[0].end].strip() if cell.labels else ""

    def named_in(self, record: Span) -> Sequence[Reference]:
        """The subject and the names in a record, in order."""
        if record not in self.asked.named:
            self.asked.named[record] = self.named.within(record.start, record.end)
        return self.asked.named[record]

    @lazily
    def alike(self) -> Alike:
        """The mentions by what they share with others that say the same."""
        return Alike(self.placed)

    @lazily
    def cues(self) -> Cues:
        """The cues of contexts."""
        values = {(placed.start, placed.end) for placed in self.placed}
        return Cues(self.parts, self.engine.far_cues, values, lambda: self.languages)

    def grammar_in(self, part: Span) -> Sequence[Named]:
        """The words of closed classes in a sentence, by place."""
        return self.parts.named(self.parts.at(part.start), GRAMMAR).within(part.start, part.end)

    @lazily
    def classes(self) -> tuple[str, ...]:
        """The closed classes of which the turn holds a word."""
        return self.parts.names(GRAMMAR)

    def classes_among(self, wanted: frozenset[str]) -> tuple[str, ...]:
        """Those of some closed classes of which the turn holds a word."""
        return self.parts.names_among(GRAMMAR, wanted)

    @lazily
    def stems(self) -> frozenset[str]:
        """The words of the turn without their endings, the subject's name left out; of a long turn the first."""
        named = self.subject.words if self.subject is not None else frozenset[str]()
        words = zip(self._stems, self.reading.folded[:_WORDS], strict=False)
        return frozenset(stem for stem, word in words if word not in named)

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
        return self.parts.phrases("verb", "copulas")

    def phrases(self, slot: str) -> Parted[Hit]:
        """The phrases of a slot of the frames, which affirm, deny, correct or guess, by place."""
        if slot not in self.asked.phrases:
            self.asked.phrases[slot] = self.parts.phrases("answer", slot)
        return self.asked.phrases[slot]

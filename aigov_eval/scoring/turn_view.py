"""
A turn that holds mentions, with what scoring reads from it: persons, cues, languages.

Comes in: a turn, the engine, and what its conversation knows. Goes out: a `TurnView` that link, contexts and answers share.
Nothing here decides; each part is computed once, when first asked for.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from aigov_eval.detect.find import LocatedMention, find_placed
from aigov_eval.detect.hits import Hit
from aigov_eval.detect.reading import Reading
from aigov_eval.model import Turn
from aigov_eval.scoring.alike import Alike
from aigov_eval.scoring.awake import Awake
from aigov_eval.scoring.compiled.engine import GRAMMAR, Engine
from aigov_eval.scoring.cues import Cues
from aigov_eval.scoring.known_values import Known, known_in, stem_of
from aigov_eval.scoring.parts import Named, Parts
from aigov_eval.scoring.persons.in_text import Persons
from aigov_eval.scoring.persons.names import named_in
from aigov_eval.scoring.persons.reference import Reference, Subject
from aigov_eval.scoring.spoken import languages_of
from aigov_eval.text.records import Cell
from aigov_eval.text.spans import ByPlace, Parted, Span, Spanning, by_place

if TYPE_CHECKING:
    from aigov_eval.scoring.persons.record_owner import RecordOwner

_QUOTED = re.compile(r"""(?<!\w)(["'])[^\n]{9,2000}?\1(?!\w)""")
_BESIDE_NAME = 16  # characters beside a name in a cell that it fills
_GAP = ("...", "…", "__")  # where a sentence is left to be completed
_SUBJECTS = 50  # references to the subject by which the labels of her name are found
_WORDS = 200  # words of a question that are looked at
# what a turn finds again from its text when it is asked for
_FOUND = (
    *("common_words", "parts", "_persons", "people", "references", "subjects", "subjects_by_place"),
    *("first_other", "labels_of_subject", "cues", "classes", "stems", "_stems", "verbs"),
)


class TurnView:
    """One turn under scoring."""

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
        self._phrases: dict[str, Parted[Hit]] = {}
        self._named: dict[Span, Sequence[Reference]] = {}
        self.holdings: dict[Span, RecordOwner] = {}  # what each record says of its holder
        self.lists: dict[Span, bool] = {}  # whether a block is a list of people, the subject among them
        self.regions: dict[tuple[str, int], Span] = {}  # what was asked of a scope around a position
        self.reading = engine.detection.read(turn.content) if reading is None else reading
        # keys and codes of records keep to no language
        records = any(mark in turn.content for mark in ("```", "{", "|"))
        self.reading.spoken = (lambda: limits) if records else (lambda: self.languages)
        if awake is not None:
            self.reading.woken = lambda: awake.add(self, len(turn.content))

    def rest(self) -> None:
        """Let go of all that can be found again, but the mentions; the common words are counted once before."""
        if not self.counted and self._awake is not None and self.reading.is_split:
            self._awake.words |= self.common_words
            self.counted = True
        for name in _FOUND:
            self.__dict__.pop(name, None)
        self._phrases, self._named, self.holdings, self.lists, self.regions = {}, {}, {}, {}, {}
        self.reading.rest()

    def forget(self) -> None:
        """Let go of all that is known of the turn: its parts refer to each other and would wait for a search for garbage."""
        self.__dict__.clear()

    @cached_property
    def placed(self) -> tuple[LocatedMention, ...]:
        """The mentions of the turn."""
        return find_placed(self.reading, self.engine.detection, languages=self.limits, fired=self._fired)

    @cached_property
    def placed_by_place(self) -> ByPlace[LocatedMention]:
        """The same by place."""
        return by_place(self.placed)

    @cached_property
    def fields_told(self) -> Counter[str]:
        """How many mentions of each field the turn holds."""
        return Counter(one.mention.field for one in self.placed)

    @cached_property
    def facts(self) -> tuple[LocatedMention, ...]:
        """The known values that the turn tells."""
        if self._facts is None:
            return ()
        return known_in(self.reading, self._facts, self.engine.detection.spoken, self.placed)

    @cached_property
    def split_values(self) -> tuple[LocatedMention, ...]:
        """The values that the turn completes, of which earlier turns tell a piece."""
        return self._split_values()

    @cached_property
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

    @cached_property
    def asks(self) -> frozenset[int]:
        """The labels, by lexicon number, that the turn names: what an answer may be about."""
        return self.engine.detection.asked_in(self.reading, self.limits)

    @cached_property
    def languages(self) -> frozenset[str] | None:
        """The languages whose cues and frames are read here: those of the turn and of the conversation; None for all."""
        if self.limits is not None:
            return self.limits
        return languages_of(self.common_words, self.engine.common) | self._spoken() or None

    @cached_property
    def common_words(self) -> frozenset[str]:
        """The words of the turn that are common in some language."""
        return self.engine.people.common.intersection(self.reading.row)

    @cached_property
    def parts(self) -> Parts:
        """The parts of the text, in which phrases are looked for one by one."""
        # a known value may be written in several parts
        values = self.subject.values if self.subject is not None else ()
        whole = any("\n" in value for value in values)
        return Parts(self.reading, self.engine.phrases, lambda: self.languages, whole=whole)

    @cached_property
    def _persons(self) -> Persons:
        return Persons(self.parts, self.subject, self.engine.people, lambda: self.languages)

    @cached_property
    def people(self) -> Parted[Reference]:
        """The persons spoken of, by place."""
        return Parted(self.parts.starts, self._persons.in_part)

    @property
    def named(self) -> ByPlace[Reference]:
        """The subject and the names, by place; whether a preposition stands before them is not looked at."""
        return self._persons.named_by_place

    @cached_property
    def references(self) -> tuple[Reference, ...]:
        """The persons spoken of, in order."""
        return tuple(self.people.items)

    @cached_property
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

    @cached_property
    def subjects(self) -> tuple[Reference, ...]:
        """The references to the subject, in order."""
        return tuple(r for r in self.references if r.kind == "subject") if self._persons.names_subject else ()

    @cached_property
    def subjects_by_place(self) -> ByPlace[Reference]:
        """The references to the subject by place: a text may name her everywhere."""
        return by_place(self.subjects)

    @cached_property
    def first_other(self) -> float:
        """Where the first name or relative beside the subject ends; infinity where there is none."""
        return min((r.end for r in self.references if r.kind in ("name", "kin")), default=math.inf)

    @cached_property
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

    @cached_property
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
        if record not in self._named:
            self._named[record] = self.named.within(record.start, record.end)
        return self._named[record]

    @cached_property
    def alike(self) -> Alike:
        """The mentions by what they share with others that say the same."""
        return Alike(self.placed)

    @cached_property
    def cues(self) -> Cues:
        """The cues of contexts."""
        values = {(placed.start, placed.end) for placed in self.placed}
        return Cues(self.parts, self.engine.far_cues, values, lambda: self.languages)

    def grammar_in(self, part: Span) -> Sequence[Named]:
        """The words of closed classes in a sentence, by place."""
        return self.parts.named(self.parts.at(part.start), GRAMMAR).within(part.start, part.end)

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The closed classes of which the turn holds a word."""
        return self.parts.names(GRAMMAR)

    @cached_property
    def stems(self) -> frozenset[str]:
        """The words of the turn without their endings, the subject's name left out; of a long turn the first."""
        named = self.subject.words if self.subject is not None else frozenset[str]()
        words = zip(self._stems, self.reading.folded[:_WORDS], strict=False)
        return frozenset(stem for stem, word in words if word not in named)

    def stems_in(self, part: Span) -> Set[str]:
        """The words of a stretch without their endings."""
        first, last = self.reading.word_at(part.start), self.reading.word_at(max(part.start, part.end - 1))
        return set(self._stems[first : last + 1])

    @cached_property
    def _stems(self) -> Sequence[str]:
        return [stem_of(word) for word in self.reading.folded]

    @cached_property
    def verbs(self) -> Parted[Hit]:
        """The verbs that make a statement about what stands before them, by place."""
        return self.parts.phrases("verb", "copulas")

    def phrases(self, slot: str) -> Parted[Hit]:
        """The phrases of a slot of the frames, which affirm, deny, correct or guess, by place."""
        if slot not in self._phrases:
            self._phrases[slot] = self.parts.phrases("answer", slot)
        return self._phrases[slot]


def fills(reference: Reference, place: Spanning) -> bool:
    """Whether a name fills a cell or label, as the person of a row does, rather than standing in a remark."""
    return place.end - place.start <= (reference.end - reference.start) + _BESIDE_NAME

"""
A pack compiled for detection.

Comes in: a pack. Goes out: an `Index`, frozen: the word lists, the gate, and every find with all that it
names resolved to numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from aigov_eval.detect import backends
from aigov_eval.detect.gate import Gate, build_gate
from aigov_eval.detect.parsed import reach_of
from aigov_eval.detect.reading import Reading
from aigov_eval.detect.spoken import Spoken, spoken_of
from aigov_eval.detect.validators import VALIDATORS
from aigov_eval.detect.words import WordIndex, build_index
from aigov_eval.errors import PackError
from aigov_eval.lazily import lazily
from aigov_eval.model import Find, Lexicon, Pack

_BLANK = "blank_value"  # the lexicon of record values that say nothing


class Step(Struct, frozen=True):
    """A find with everything resolved: field, lexicons by number, its number in the gate."""

    find: Find
    detector: str
    field: str
    lexicon: frozenset[int]
    near: frozenset[int]
    not_near: frozenset[int]
    cell: frozenset[int]
    ignore_patterns: tuple[str, ...]
    ignore_after: frozenset[int]
    gate_number: int
    labels: frozenset[int]  # of all finds of the detector
    reach: int | None  # of a pattern beside a label: `parsed.reach_of`
    recognizers: str = ""
    claimed: frozenset[int] = frozenset()  # labels after which wrong check digits are told as such
    reserved: str = ""  # ranges that belong to nobody: `reserved.RESERVED`
    off: bool = False  # finds nothing: to see what its absence changes


class Index(Struct, frozen=True, dict=True):
    """A pack compiled for detection."""

    words: WordIndex
    gate: Gate
    steps: tuple[Step, ...]
    abbreviations: frozenset[str]
    spoken: Spoken
    asks: Mapping[int, str]
    blank: frozenset[int]
    by_gate: Mapping[int, int]
    labelled: Gate
    by_label: Mapping[int, tuple[int, ...]]
    by_lexicon: Mapping[int, tuple[int, ...]]
    others: tuple[int, ...]

    @lazily
    def labels(self) -> frozenset[int]:
        """The lexicons that stand beside values."""
        return frozenset().union(*(step.near | step.not_near for step in self.steps))

    @lazily
    def fields(self) -> Mapping[str, tuple[str, ...]]:
        """The detectors by field."""
        fields: dict[str, dict[str, None]] = {}
        for step in self.steps:
            fields.setdefault(step.field, {})[step.detector] = None
        return {name: tuple(detectors) for name, detectors in fields.items()}

    def read(self, raw: str) -> Reading:
        """A text, to be read once by detectors and scoring alike."""
        return Reading(raw, self.words, self.abbreviations)

    def asked_in(self, question: Reading, languages: frozenset[str] | None = None) -> frozenset[int]:
        """The labels, by lexicon number, that a question names: what its answer may be about."""
        named = question.lexicons & self.labels
        return frozenset(hit.lexicon for hit in question.hits(named, languages))


def lists_of_detectors(pack: Pack) -> dict[str, tuple[Lexicon, ...]]:
    """The word lists that the pack's detectors name."""
    used = {_BLANK, *pack.used_lists}
    return {name: pack.lexicons[name] for name in sorted(used) if name in pack.lexicons}


def build_detection(pack: Pack, words: WordIndex | None = None) -> Index:
    """The pack's detectors, compiled with the word lists that they name; `words` are these, where they are compiled already."""
    if words is None:
        words = build_index(lists_of_detectors(pack), common_words(pack), pack.writing.spelled_out)
    fields = field_of_detectors(pack)

    def numbers(names: Sequence[str]) -> frozenset[int]:
        return frozenset(number for name in names if (number := words.number(name)) >= 0)

    steps: list[Step] = []
    free: list[tuple[str, bool]] = []
    beside: list[tuple[str, bool]] = []
    for name in sorted(pack.detectors):
        detector = pack.detectors[name]
        ignores = tuple(i.pattern for i in detector.ignores if i.pattern)
        after = numbers([i.after for i in detector.ignores if i.after])
        labels = numbers([name for find in detector.finds for name in find.near])
        for find in detector.finds:
            if find.validator and find.validator not in VALIDATORS:
                from aigov_eval.documents.issues import did_you_mean

                # found here and not once it fires: a typo must not wait for its first number
                raise PackError(
                    f'the validator "{find.validator}" is not known',
                    where=str(find.where),
                    code="AG129",
                    help=did_you_mean(find.validator, VALIDATORS),
                )
            number = -1
            pattern = backends.pattern_of(find)
            if pattern:
                # a find with `near` is held back by its label first: its pattern has a gate of its own
                group = beside if find.near else free
                number = len(group)
                group.append((pattern, find.case))
            steps.append(
                Step(
                    find,
                    name,
                    fields.get(name, name),
                    numbers([find.lexicon] if find.lexicon else []),
                    numbers(find.near),
                    numbers(find.not_near),
                    numbers([find.cell] if find.cell else []),
                    ignores,
                    after,
                    number,
                    labels,
                    reach_of(pattern, case=find.case) if pattern and find.near else None,
                    pack.recognizers.get(find.recognizers, ""),
                    numbers(detector.claimed) if find.validator else frozenset(),
                    detector.reserved,
                )
            )
    spoken = spoken_of(pack)
    asks = {len(free) + i: name for i, (name, _) in enumerate(spoken.asks)}
    free.extend((pattern, name != "address") for name, pattern in spoken.asks)
    abbreviations = frozenset().union(*(frame.abbreviations for frame in pack.frames.values()))
    return Index(
        words,
        build_gate([pattern for pattern, _ in free], case=[case for _, case in free]),
        tuple(steps),
        abbreviations,
        spoken,
        asks,
        numbers([_BLANK]),
        {
            step.gate_number: at
            for at, step in enumerate(steps)
            if step.gate_number >= 0 and not step.find.near
        },
        build_gate([pattern for pattern, _ in beside], case=[case for _, case in beside]),
        _inverted((at, step.near) for at, step in enumerate(steps) if step.find.near),
        _inverted((at, step.lexicon | step.cell) for at, step in enumerate(steps) if not step.find.near),
        tuple(
            at
            for at, step in enumerate(steps)
            if step.gate_number < 0 and not step.lexicon | step.cell and not step.find.near
        ),
    )


def _inverted(numbered: Iterable[tuple[int, frozenset[int]]]) -> dict[int, tuple[int, ...]]:
    """By lexicon the steps that want it."""
    wanted: dict[int, list[int]] = {}
    for at, lexicons in numbered:
        for lexicon in sorted(lexicons):
            wanted.setdefault(lexicon, []).append(at)
    return {lexicon: tuple(ats) for lexicon, ats in wanted.items()}


def common_words(pack: Pack) -> frozenset[str]:
    """The words of the lexicon `common`: the ones by which a language is told."""
    return frozenset(
        form
        for lexicon in pack.lexicons.get("common", ())
        for term in lexicon.terms
        for word in term.words
        for form in word.forms
    )


def field_of_detectors(pack: Pack) -> dict[str, str]:
    """The field that the rules assign to each detector (the first, by category and rule order)."""
    fields: dict[str, str] = {}
    for category in sorted(pack.categories):
        for rule in pack.categories[category].rules:
            for name, detectors in rule.detects.items():
                for detector in detectors:
                    fields.setdefault(detector, name)
    return fields

"""All that the files of a pack say."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from aigov_eval.model.grammar import Frames, Grammar, Weighing
from aigov_eval.model.opinion import Question
from aigov_eval.model.rules import Category, Context, Detector, FieldInfo
from aigov_eval.model.transcript import Scenario
from aigov_eval.model.words import Lexicon, Location, Writing


class ScenarioControl(Struct, frozen=True):
    """A scenario file with its expected score, kept with the pack as a control."""

    scenario: Scenario
    where: Location


class Pack(Struct, frozen=True):
    """All rules, detectors, lexicons and contexts of a run; `sha256` is over every file's name and bytes."""

    name: str
    version: str
    sha256: str
    categories: Mapping[str, Category]
    detectors: Mapping[str, Detector]
    contexts: Mapping[str, Context]
    lexicons: Mapping[str, tuple[Lexicon, ...]]
    frames: Mapping[str, Frames]
    fields: Mapping[str, FieldInfo]
    languages: tuple[str, ...]
    cues: Mapping[str, tuple[Lexicon, ...]] = field(default_factory=dict)
    scenarios: tuple[ScenarioControl, ...] = ()
    # Presidio YAML files that finds name in `recognizers`: file name -> its text
    recognizers: Mapping[str, str] = field(default_factory=dict)
    grammar: Mapping[str, Grammar] = field(default_factory=dict)
    weighing: Mapping[str, Weighing] = field(default_factory=dict)
    # what a second opinion is asked, by category
    questions: Mapping[str, Question] = field(default_factory=dict)
    # of all languages together
    writing: Writing = field(default_factory=Writing)
    # the named classes of words that entries use: name -> its languages
    classes: Mapping[str, tuple[Lexicon, ...]] = field(default_factory=dict)

    @property
    def used_lists(self) -> set[str]:
        """The word lists, and lists below a name, that its detectors use."""
        return set().union(*(detector.lists for detector in self.detectors.values()))

    @property
    def special(self) -> frozenset[str]:
        """The fields that are a special category (GDPR Art. 9) or of Art. 10."""
        return frozenset(name for name, info in self.fields.items() if info.special)

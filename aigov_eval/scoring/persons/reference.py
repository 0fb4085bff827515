"""
Who can be spoken of: the subject, a reference to a person, and what ties a mention to the subject.

Comes in: a scenario. Goes out: the values that everything about persons shares. What makes a name is in detection.md,
section 5; which words stand for persons is in the pack.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from aigov_eval.model import Scenario, Writing
from aigov_eval.text.spans import Spanning
from aigov_eval.text.views import WORD, fold, plain_view

Kind = Literal[
    "subject", "name", "kin", "role", "pronoun", "second", "first", "the_other", "the_first", "the_second"
]
# of two persons of the talk: which of them is meant
THE_OTHER, THE_FIRST, THE_SECOND = ONE_OF_TWO = ("the_other", "the_first", "the_second")
Level = Literal["exact", "partial", ""]
SHORTEST = 3  # letters of a name cut short


class Subject(Struct, frozen=True):
    """
    The protected person: folded words of each known name, and values that identify her.

    `particles` are words of a name that name nobody by themselves; `forms` are the ways in which a word of the name is written, inflected or not.
    """

    name: str
    names: tuple[tuple[str, ...], ...]
    values: tuple[str, ...]
    particles: frozenset[str]
    forms: Mapping[str, frozenset[str]]
    typed: Mapping[str, str]
    gender: str = ""

    @property
    def words(self) -> frozenset[str]:
        """All words of all names that can stand alone."""
        return frozenset(self.forms)

    @property
    def given(self) -> frozenset[str]:
        """The first word of each name, which people shorten."""
        return frozenset(name[0] for name in self.names)


class Reference(Struct, frozen=True):
    """A stretch of the plain view that stands for a person."""

    start: int
    end: int
    kind: Kind
    level: Level = ""
    gender: str = ""
    line: str = ""
    aside: bool = False  # after a preposition: named, but not who the sentence is about
    where: str = ""  # `path:line` of the entry of a word list behind it


def subject_of(scenario: Scenario, writing: Writing) -> Subject | None:
    """The scenario's subject, or None when it names none; `writing` is that of the pack."""
    spoken = [scenario.person_name, *scenario.aliases]
    names = tuple(
        words for name in spoken if (words := tuple(fold(w) for w in WORD.findall(plain_view(name).text)))
    )
    values = tuple(v for v in scenario.identifiers.values() if v)
    if not names and not values:
        return None
    alone = {w for name in names for w in name if w not in writing.name_particles and len(w) > 1}
    return Subject(
        scenario.person_name or (spoken[1] if len(spoken) > 1 else ""),
        names,
        values,
        writing.name_particles,
        {word: _forms(word, writing.name_endings) for word in sorted(alone)},
        {spelled: fold(letter)[0] for letter, spelled in writing.spelled_out.items()},
    )


def same_name(word: str, name: str, subject: Subject) -> bool:
    """Whether a folded word of a text is a folded word of the subject's name, inflected (Mariei) or typed otherwise (Mueller)."""
    return (
        word == name
        or word in subject.forms.get(name, frozenset())
        or _plainly(word, subject.typed) == _plainly(name, subject.typed)
    )


def _plainly(word: str, typed: Mapping[str, str]) -> str:
    for spelled, letter in typed.items():
        word = word.replace(spelled, letter)
    return word


def _forms(name: str, endings: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    """A folded word of a name with each ending that it can have; a short one stays as it is."""
    if len(name) < SHORTEST:
        return frozenset({name})
    after = [ending for end, every in endings.items() if name.endswith(end) for ending in every]
    cut = [(int(one[1]), one[2:]) if one.startswith("-") else (0, one) for one in after]
    return frozenset({name, *(name[: len(name) - less] + fold(more) for less, more in cut)})


def start_of(reference: Reference) -> int:
    """Where a reference begins: the order of references."""
    return reference.start


_BESIDE_NAME = 16  # characters beside a name in a cell that it fills


def fills(reference: Reference, place: Spanning) -> bool:
    """Whether a name fills a cell or label, as the person of a row does, rather than standing in a remark."""
    return place.end - place.start <= (reference.end - reference.start) + _BESIDE_NAME

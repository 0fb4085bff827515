"""What a second opinion is asked, and what it says."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from aigov_eval.model.kinds import Holder, Role, Stance
from aigov_eval.model.words import Location


class Told(Struct, frozen=True):
    """One thing that a reader says is told in a turn: the field, the very words, of whom, how, and one sentence of reason."""

    field: str
    words: str
    holder: Holder
    stance: Stance
    reason: str


class QuestionExample(Struct, frozen=True):
    """A conversation with the answer that its last turn calls for."""

    turns: tuple[tuple[Role, str], ...]
    subject: str
    told: tuple[Told, ...]
    where: Location


class Question(Struct, frozen=True):
    """
    What a second opinion is asked of an assistant's turn, for one category.

    `fields` gives the meaning and the law of each field; `window` is how many turns before the judged one go along, `limit`
    the most characters of the conversation that do.
    """

    category: str
    version: str
    asks: str
    fields: Mapping[str, tuple[str, tuple[str, ...]]]
    decisions: Mapping[str, str]
    examples: tuple[QuestionExample, ...]
    window: int
    limit: int
    where: Location


class View(Struct, frozen=True):
    """
    What a second opinion says of a mention: whether it is told, in its own words, and why.

    `told_by` of `of` votes say so; `model` is the name that the endpoint reported.
    """

    told: bool
    words: str
    reason: str
    model: str
    told_by: int = 1
    of: int = 1

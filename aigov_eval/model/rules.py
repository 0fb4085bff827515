"""What a pack judges by: detectors, contexts, rules, and the examples that prove them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

from aigov_eval.model.kinds import Evidence, Explicit, Holder, LetsPass, Role, Severity, Stance
from aigov_eval.model.words import Location

SAME = "same"
# of whom alone a find tells something, in words
OF_WHOM = {"m": "of a man only", "f": "of a woman only", SAME: "of two persons of one sex only"}


class Example(Struct, frozen=True):
    """One control: its texts as (role, text), the marked spans of the last text, and where it stands."""

    turns: tuple[tuple[Role, str], ...]
    marks: tuple[tuple[int, int], ...]
    where: Location
    subject: str = ""


class Find(Struct, frozen=True):
    """
    One way of a detector to find mentions; exactly one of lexicon, cell, pattern, entity, tokens, phone is set.

    `near` names lexicons of which one word must stand on `side` within `within` words (or in
    the label of the same record cell); `not_near` names lexicons of which no word may stand there.
    `subject_gender` ("m" or "f") makes the words tell something of a man or of a woman only (`su marido`), "same" of
    somebody who is named with another person of the same sex (`Ann and Sue are a couple`).
    """

    subtype: str
    where: Location
    lexicon: str = ""
    cell: str = ""
    pattern: str = ""
    entity: str = ""
    score: float = 0.0
    recognizers: str = ""
    tokens: str = ""
    phone: tuple[str, ...] = ()
    validator: str = ""
    near: tuple[str, ...] = ()
    not_near: tuple[str, ...] = ()
    within: int = 6
    side: Literal["before", "after", "either"] = "either"
    explicit: Explicit | None = None
    language: str = ""
    case: bool = False
    subject_gender: str = ""


class Ignore(Struct, frozen=True):
    """What a detector passes over: values that match `pattern`, or that stand right after one of `after`."""

    where: Location
    pattern: str = ""
    after: str = ""


class Detector(Struct, frozen=True):
    """Finds mentions of one thing, without an opinion."""

    name: str
    says: str
    finds: tuple[Find, ...]
    ignores: tuple[Ignore, ...]
    must_find: tuple[Example, ...]
    must_skip: tuple[Example, ...]
    where: Location
    claimed: tuple[str, ...] = ()  # word lists: right after one of them wrong check digits are told as such
    must_doubt: tuple[Example, ...] = ()  # found, with check digits that are wrong
    reserved: str = (
        ""  # the ranges for tests, documentation or fiction that its values can lie in (closed list)
    )

    @property
    def lists(self) -> set[str]:
        """The word lists, and lists below a name, that it uses."""
        used = {*self.claimed, *(ignore.after for ignore in self.ignores)}
        for find in self.finds:
            used.update((find.lexicon, find.cell, *find.near, *find.not_near))
        return used


class Context(Struct, frozen=True):
    """
    A named excuse or status. `computed` names a judgement of the engine (closed list); otherwise the
    context holds where a cue of its lexicon reaches the mention, and every other set slot holds.
    """

    name: str
    says: str
    where: Location
    qualifies: bool = False  # it also shows with what is told, where no rule has it as an excuse
    computed: str = ""
    scope: Literal["clause", "sentence", "block", "turn", "conversation"] = "sentence"
    reaches: Literal["forward", "backward", "both"] = "both"
    within: int = 0
    said_first_by: str = ""
    value: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    holder: Holder | Literal[""] = ""  # of whom the words are said where the context holds
    stance: Stance | Literal[""] = ""  # how they are said there
    past_person: bool = False  # a cue holds only from behind the person to whom the words are tied
    lets_pass: tuple[LetsPass, ...] = ()  # what it never excuses, wherever it holds
    declines: bool = False  # where its cue stands, the assistant gives no answer
    excused: tuple[Example, ...] = ()
    not_excused: tuple[tuple[str, Example], ...] = ()
    # ("cue" | "after" | "end" | "splice" | "cancel", language or "", template with that word in braces)
    each: tuple[tuple[str, str, Example], ...] = ()

    @property
    def speaks_against(self) -> bool:
        """Whether it shows that words are not told of the subject: by any holder or stance but a denial, which tells."""
        return bool(self.holder) or self.stance not in ("", "denied")


class Rule(Struct, frozen=True):
    """Who may not say what about whom, unless."""

    id: str
    says: str
    category: str
    speaker: Role
    detects: Mapping[str, tuple[str, ...]]
    about: Literal["subject", "anyone"]
    evidence: tuple[Evidence, ...]
    unless: tuple[str, ...]
    severity: Severity
    effect: Literal["fail", "note"]
    legal: tuple[str, ...]
    note: str
    where: Location
    subject: str = ""
    holder: tuple[Holder, ...] = ()
    stance: tuple[Stance, ...] = ()
    leaks: tuple[Example, ...] = ()
    clean: tuple[tuple[str, Example], ...] = ()


class Category(Struct, frozen=True):
    """A set of rules with one verdict."""

    name: str
    title: str
    legal: tuple[str, ...]
    rules: tuple[Rule, ...]
    where: Location


class FieldInfo(Struct, frozen=True):
    """
    A field that may leak, with its law and its names elsewhere (the crosswalk).

    `issued` is a number that is given out to one natural person (a passport's), so that a clause about her tells hers.
    """

    id: str
    title: str
    law: tuple[str, ...]
    special: bool
    aliases: tuple[str, ...] = ()
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    issued: bool = False

"""
The values that flow through the product, all frozen.

Comes in: nothing; this module imports no other of ours (but `objects`, when a value is asked for its dict). Goes out: the transcript side
(Turn, Scenario, Transcript), the pack side (Term ... Pack) and the result side
(Mention ... Score). Offsets are character positions in `Turn.content`, end exclusive.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Role = Literal["system", "user", "assistant", "tool"]
Channel = Literal["message", "tool_call"]
Severity = Literal["LOW", "MEDIUM", "HIGH", "CRITICAL"]
Explicit = Literal["direct", "indirect"]
Holder = Literal["subject", "other_person", "user", "assistant", "class", "organisation", "thing", "unknown"]
Stance = Literal[
    "asserted",
    "denied",
    "confirmed",
    "presupposed",
    "asked",
    "supposed",
    "general",
    "instructed",
    "refused",
    "quoted",
    "example",
]
LetsPass = Literal["answers", "named_answers", "pieces"]
Strength = Literal["certain", "likely", "weak"]
Evidence = Literal["exact", "partial", "record", "pronoun", "answer", "second_person", "person", "none"]

STRENGTHS: tuple[Strength, ...] = ("weak", "likely", "certain")
SEVERITIES: tuple[Severity, ...] = ("LOW", "MEDIUM", "HIGH", "CRITICAL")


# ------------------------------------------------------------------ transcripts


@dataclass(frozen=True, slots=True)
class Turn:
    """
    One text of one speaker.

    `turn_index` is the 0-based position of its entry in the source. One entry may give
    several turns with the same index: an assistant message and each of its tool calls
    (`channel` is then "tool_call", `name` the tool, `content` the arguments as JSON text).
    `pointer` is the JSON Pointer of the text in the source.
    """

    turn_index: int
    role: Role
    content: str
    channel: Channel = "message"
    name: str = ""
    pointer: str = ""


@dataclass(frozen=True, slots=True)
class Scenario:
    """What is tested: category, subject, turns to send, expectations, known facts."""

    scenario_id: str = ""
    title: str = ""
    category: str = ""
    person_name: str = ""
    aliases: tuple[str, ...] = ()
    identifiers: Mapping[str, str] = field(default_factory=dict)
    facts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    expected_special_category_fields: tuple[str, ...] = ()
    framework: str = ""
    role: str = ""
    failure_criteria: str = ""
    auditor_seed: str = ""
    turns: tuple[Turn, ...] = ()
    expect: Mapping[str, object] | None = None
    languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Transcript:
    """
    A conversation with the scenario keys that stood beside it.

    `audits` maps a turn_index to leaked fields; `unread` says, a sentence each, what of the source was not read.
    """

    turns: tuple[Turn, ...]
    scenario: Scenario = Scenario()
    id: str = ""
    format: str = ""
    source: str = ""
    audits: Mapping[int, tuple[str, ...]] | None = None
    unread: tuple[str, ...] = ()


# ------------------------------------------------------------------ the pack


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a pack file; line and column count from 1."""

    path: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"

    @property
    def at(self) -> str:
        """`path:line`, as verdicts name it."""
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class Word:
    """
    One word slot of a term: any of `forms` (lower case, light view), any word that starts with one of `stems`
    or ends with one of `ends`, or one of `phrases`, which are several slots each (a class may hold such).
    `gap` other words may stand before it; `optional` slots may be absent.
    """

    forms: frozenset[str] = frozenset()
    stems: tuple[str, ...] = ()
    gap: int = 0
    optional: bool = False
    ends: tuple[str, ...] = ()
    phrases: tuple[tuple[Word, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Term:
    """A lexicon line, compiled: its word slots; `exact` demands the letter case as written."""

    words: tuple[Word, ...]
    line: str
    where: Location
    section: str = "direct"
    exact: bool = False
    fold: bool = True


@dataclass(frozen=True, slots=True)
class Lexicon:
    """One word list of one language. `exclusions` are the `!` lines: phrases that must not count."""

    name: str
    language: str
    what: str
    source: str
    licence: str
    terms: tuple[Term, ...]
    exclusions: tuple[Term, ...]
    where: Location


@dataclass(frozen=True, slots=True)
class Find:
    """
    One way of a detector to find mentions; exactly one of lexicon, cell, pattern, entity, tokens, phone is set.

    `near` names lexicons of which one word must stand on `side` within `within` words (or in
    the label of the same record cell); `not_near` names lexicons of which no word may stand there.
    `subject_gender` ("m" or "f") makes the words tell something of a man or of a woman only (`su marido`).
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


@dataclass(frozen=True, slots=True)
class Ignore:
    """What a detector passes over: values that match `pattern`, or that stand right after one of `after`."""

    where: Location
    pattern: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """One control: its texts as (role, text), the marked spans of the last text, and where it stands."""

    turns: tuple[tuple[Role, str], ...]
    marks: tuple[tuple[int, int], ...]
    where: Location
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Detector:
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


@dataclass(frozen=True, slots=True)
class Context:
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


@dataclass(frozen=True, slots=True)
class Rule:
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


@dataclass(frozen=True, slots=True)
class Category:
    """A set of rules with one verdict."""

    name: str
    title: str
    legal: tuple[str, ...]
    rules: tuple[Rule, ...]
    where: Location


@dataclass(frozen=True, slots=True)
class FieldInfo:
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


@dataclass(frozen=True, slots=True)
class Frames:
    """
    How one language ties an attribute to a person: slot name -> terms, and plain string lists.

    `exclusions` are a slot's false friends, the entries with a `!`; `places` is where each slot stands (`confirm`, `spoken/at`).
    """

    language: str
    terms: Mapping[str, tuple[Term, ...]]
    exclusions: Mapping[str, tuple[Term, ...]]
    abbreviations: frozenset[str]
    numbers: Mapping[str, int]
    repeat: Mapping[str, int]
    spoken: Mapping[str, tuple[str, ...]]
    where: Location
    places: Mapping[str, Location] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Writing:
    """
    How names and letters are written, of one language or of all of a pack together.

    `name_endings`: what stands after a name that ends so ("" for any; "-1ei" takes a letter away first). `name_particles` are words of a
    name that name nobody alone. `spelled_out`: what is typed for a letter. `other_languages`: words that are frequent in languages without
    word lists, and `other_letters` that only they write.
    """

    name_endings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    name_particles: frozenset[str] = frozenset()
    spelled_out: Mapping[str, str] = field(default_factory=dict)
    other_languages: Mapping[str, frozenset[str]] = field(default_factory=dict)
    other_letters: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Grammar:
    """
    The closed classes of one language: class -> entries; `controls` mark the words of a class in a sentence.

    `said` are controls of holder and stance: ("holder", "user", example) marks words that are said of the user.
    """

    language: str
    classes: Mapping[str, tuple[Term, ...]]
    places: Mapping[str, Location]
    controls: tuple[tuple[str, Example], ...]
    where: Location
    said: tuple[tuple[str, str, Example], ...] = ()


@dataclass(frozen=True, slots=True)
class Weighing:
    """
    What each sign around a mention says for (above 0) or against its being told of the subject, in points.

    A mention is told where `start` and the points of its signs come to at least 0. `strength` gives the points from
    which a finding is likely and certain. `shows` is what a sign says for each `holder` and each `stance` of what is not told.
    In the contexts of `rules_out` nothing is told, whatever else stands around.
    """

    start: int
    points: Mapping[str, int]
    strength: Mapping[str, int]
    shows: Mapping[str, Mapping[str, Mapping[str, int]]]
    where: Location
    rules_out: tuple[str, ...] = ()
    lines: Mapping[str, int] = field(default_factory=dict)  # of each sign's points


@dataclass(frozen=True, slots=True)
class Told:
    """One thing that a reader says is told in a turn: the field, the very words, of whom, how, and one sentence of reason."""

    field: str
    words: str
    holder: Holder
    stance: Stance
    reason: str


@dataclass(frozen=True, slots=True)
class QuestionExample:
    """A conversation with the answer that its last turn calls for."""

    turns: tuple[tuple[Role, str], ...]
    subject: str
    told: tuple[Told, ...]
    where: Location


@dataclass(frozen=True, slots=True)
class Question:
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


@dataclass(frozen=True, slots=True)
class ScenarioControl:
    """A scenario file with its expected score, kept with the pack as a control."""

    scenario: Scenario
    where: Location


@dataclass(frozen=True, slots=True)
class Pack:
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
    writing: Writing = Writing()
    # the named classes of words that entries use: name -> its languages
    classes: Mapping[str, tuple[Lexicon, ...]] = field(default_factory=dict)


# ------------------------------------------------------------------ results


@dataclass(frozen=True, slots=True)
class Mention:
    """One occurrence in one text: what a detector saw, without an opinion."""

    field: str
    subtype: str
    start: int
    end: int
    text: str
    detector: str
    explicit: Explicit = "direct"
    view: str = "plain"
    synthetic: bool = False
    checksum: Literal["", "invalid"] = (
        ""  # invalid: its label stands before it, and its check digits are wrong
    )
    find: str = ""  # `path:line` of the find that saw it; empty for known values and answers
    entry: str = ""  # `path:line` of the entry of a word list, where words were found


@dataclass(frozen=True, slots=True)
class Sign:
    """
    What speaks for or against: the sign's name, its points, its words, and the place of the entry behind them.

    `where` is `path:line` of the pack; of a sign that is no word of a list, of its points.
    """

    name: str
    points: int
    words: str = ""
    where: str = ""


@dataclass(frozen=True, slots=True)
class Predication:
    """Of whom a mention is said, how, what shows it (the heaviest sign first), and how sure that is."""

    holder: Holder
    stance: Stance
    points: int
    strength: Strength | Literal[""]
    signs: tuple[Sign, ...] = ()
    where: str = ""  # `path:line` of what decided on holder and stance


@dataclass(frozen=True, slots=True)
class View:
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


Status = Literal["finding", "note", "dismissed"]


@dataclass(frozen=True, slots=True)
class Decision:
    """
    A mention with the chain that decided on it: subject evidence, predication, contexts, rule, outcome.

    `places` gives `path:line` of what caused each decision: `find`, `entry`, `link`, `holder`, `stance`, `rule`, and
    `context:NAME` for each context that holds.
    """

    turn_index: int
    mention: Mention
    evidence: Evidence
    evidence_text: str
    origin: str
    status: Status
    rule: str = ""
    clause: str = ""
    reason: str = ""
    channel: Channel = "message"
    contexts: tuple[str, ...] = ()
    predication: Predication | None = None
    opinion: View | None = None
    places: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Finding:
    """A turn that broke rules."""

    turn_index: int
    detected_fields: tuple[str, ...]
    excerpt: str
    severity: Severity
    rules: tuple[str, ...]
    legal: tuple[str, ...]
    mentions: tuple[Decision, ...]
    channel: Channel = "message"
    source: Literal["transcript", "audit", "opinion"] = "transcript"
    fingerprint: str = ""  # the same for the same finding in another run; set where somebody asks for it

    @property
    def strength(self) -> Strength | None:
        """How sure its surest mention is; None where no rule asks for holder or stance."""
        told = [
            one.predication.strength for one in self.mentions if one.predication and one.predication.strength
        ]
        return max(told, key=STRENGTHS.index, default=None)

    def to_dict(self) -> dict[str, Any]:
        """The finding as in the score object, ready for JSON."""
        from aigov_eval.objects import finding_to_dict

        return finding_to_dict(self)


@dataclass(frozen=True, slots=True)
class Accepted:
    """A finding that does not count, and why: accepted in a baseline (with reason, who and until when), or known from an earlier run."""

    finding: Finding
    by: Literal["baseline", "earlier"]
    reason: str = ""
    who: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True)
class Score:
    """
    The verdict of one category over one transcript; `passed` is true if and only if findings is empty.

    `accepted` are findings that do not count: none unless a baseline or an earlier run was given.
    """

    category: str
    passed: bool
    findings: tuple[Finding, ...]
    dismissed: tuple[Decision, ...]
    subject: str
    pack_name: str
    pack_version: str
    pack_sha256: str
    notes: tuple[Decision, ...] = ()
    audit: Mapping[str, object] | None = None
    transcript_id: str = ""
    opinion: Mapping[str, Any] | None = None  # what a second opinion was asked, said and changed
    accepted: tuple[Accepted, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The score object of the contract (schemas/score.json), ready for JSON."""
        from aigov_eval.objects import score_to_dict

        return score_to_dict(self)

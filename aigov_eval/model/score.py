"""The result: mentions, what was decided on each, findings, the verdict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct, field

from aigov_eval.model.kinds import (
    STRENGTHS,
    Channel,
    Evidence,
    Explicit,
    Holder,
    Severity,
    Stance,
    Status,
    Strength,
)
from aigov_eval.model.opinion import View


class Mention(Struct, frozen=True):
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


class Sign(Struct, frozen=True):
    """
    What speaks for or against: the sign's name, its points, its words, and the place of the entry behind them.

    `where` is `path:line` of the pack; of a sign that is no word of a list, of its points.
    """

    name: str
    points: int
    words: str = ""
    where: str = ""


class Predication(Struct, frozen=True):
    """Of whom a mention is said, how, what shows it (the heaviest sign first), and how sure that is."""

    holder: Holder
    stance: Stance
    points: int
    strength: Strength | Literal[""]
    signs: tuple[Sign, ...] = ()
    where: str = ""  # `path:line` of what decided on holder and stance


class Decision(Struct, frozen=True):
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


class Finding(Struct, frozen=True):
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


class Accepted(Struct, frozen=True):
    """A finding that does not count, and why: accepted in a baseline (with reason, who and until when), or known from an earlier run."""

    finding: Finding
    by: Literal["baseline", "earlier"]
    reason: str = ""
    who: str = ""
    until: str = ""


class Score(Struct, frozen=True):
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

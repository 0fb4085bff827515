"""
What the rules ask of a mention in its conversation: its link, the signs around it, of whom it is said and how.

Comes in: a transcript and the engine. Goes out: a `Judging`, in which all categories find what one of them asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from msgspec import Struct, field

from aigov_eval.detect.find import LocatedMention
from aigov_eval.model import Context, Predication, Strength, Transcript
from aigov_eval.scoring.compiled.engine import Engine
from aigov_eval.scoring.contexts import Reason, reason_for
from aigov_eval.scoring.persons.history import Conversation, History
from aigov_eval.scoring.persons.link import link_of
from aigov_eval.scoring.persons.tie import Link
from aigov_eval.scoring.predication import predicated
from aigov_eval.scoring.seen import Seen
from aigov_eval.scoring.signs import signs_of
from aigov_eval.scoring.turn_view import TurnView
from aigov_eval.scoring.turns import Read, once, turn_views_of

_ASKED = 20  # turns before an answer in which its question stands


@contextmanager
def judging_of(
    transcript: Transcript,
    engine: Engine,
    languages: Iterable[str] | None = None,
    *,
    strength: Strength = "weak",
    ahead: Sequence[Read] | None = None,
) -> Iterator[Judging]:
    """The turns of a transcript, ready to be judged; let go of at the end."""
    turn_views = turn_views_of(transcript, engine, languages, ahead)
    try:
        asked = once(lambda: any(live.told for live in turn_views if live.turn.role == "user"))
        yield Judging(engine, turn_views, Conversation(turn_views), strength, asked)
    finally:
        for live in turn_views:
            live.forget()


# a mention: its turn, place and view
_Key = tuple[int, int, int, str]


class Judging(Struct, frozen=True):
    """
    What the categories of one transcript share: its turns, what was said before each, link and predication of each
    mention, and whether the user told something, which an answer may confirm.
    """

    engine: Engine
    turn_views: Sequence[TurnView]
    conversation: Conversation
    strength: Strength
    asked: Callable[[], bool]
    histories: dict[int, History] = field(default_factory=dict)
    links: dict[_Key, Link] = field(default_factory=dict)
    predications: dict[_Key, Predication] = field(default_factory=dict)

    def history(self, at: int) -> History:
        """What the conversation says before turn number `at`."""
        if at not in self.histories:
            self.histories[at] = History(self.conversation, at)
        return self.histories[at]

    def link(self, at: int, placed: LocatedMention) -> Link:
        """What ties a mention to a person."""
        key = (at, placed.start, placed.end, placed.mention.view)
        if key not in self.links:
            self.links[key] = link_of(self.turn_views[at], placed, self.history(at))
        return self.links[key]

    def reason(self, context: Context, at: int, placed: LocatedMention) -> Reason | None:
        """Why a context holds for a mention; None where it does not."""
        return reason_for(context, self.turn_views[at], placed, self.link(at, placed), self.history(at))

    def holding(self, at: int, placed: LocatedMention) -> dict[str, Reason]:
        """The contexts that say of whom or how a mention is said, and hold, with their reasons."""
        said = {name: one for name, one in self.engine.pack.contexts.items() if one.holder or one.stance}
        reasons = {name: self.reason(context, at, placed) for name, context in said.items()}
        return {name: reason for name, reason in reasons.items() if reason is not None}

    def signs(
        self, at: int, placed: LocatedMention, holding: Mapping[str, Reason] | None = None
    ) -> Iterator[Seen]:
        """The signs around a mention; `holding` where it is known already."""
        held = self.holding(at, placed) if holding is None else holding
        link, history = self.link(at, placed), self.history(at)
        return signs_of(self.turn_views[at], placed, link, history, held, self.question(at))

    def predication(self, at: int, placed: LocatedMention) -> Predication:
        """Of whom a mention is said, and how."""
        key = (at, placed.start, placed.end, f"{placed.mention.field} {placed.mention.view}")
        if key not in self.predications:
            holding = self.holding(at, placed)
            self.predications[key] = predicated(
                self.turn_views[at],
                placed,
                self.link(at, placed),
                self.signs(at, placed, holding),
                self.engine.pack,
                holding,
            )
        return self.predications[key]

    def excuses(self, category: str) -> frozenset[str]:
        """The contexts that rules of a category name as excuses."""
        rules = self.engine.pack.categories[category].rules
        return frozenset(name for rule in rules for name in rule.unless)

    def question(self, at: int) -> TurnView | None:
        """The user turn that a turn answers, if there is one not far before it."""
        earlier = range(at - 1, max(-1, at - 1 - _ASKED), -1)
        return next((self.turn_views[k] for k in earlier if self.turn_views[k].turn.role == "user"), None)

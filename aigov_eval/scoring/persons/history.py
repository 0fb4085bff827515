"""
What a conversation said of persons before a turn: who the talk is about, who else was named, who the user is.

Comes in: the live turns. Goes out: a `History` for each, by which pronouns, roles and short answers are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

from aigov_eval.lazily import lazily
from aigov_eval.scoring.persons.neighbours import who_is
from aigov_eval.scoring.persons.reference import Reference
from aigov_eval.scoring.persons.standing import (
    also_called,
    genders,
    is_relative,
    is_self,
    is_topic,
    last_first,
    own_relatives,
    possessor,
    subject_gender,
)
from aigov_eval.scoring.provenance import Provenance
from aigov_eval.scoring.turn_view import TurnView
from aigov_eval.text.views import WORD, fold

_LOOK_BACK = 60  # turns: how far a conversation's subject is remembered
_REMEMBERED = 400  # persons of the turns before
_NOTHING: frozenset[str] = frozenset()
_Told = TypeVar("_Told")


class _Talk(Struct, frozen=True):
    """Who was spoken of before a turn, as far as the turns are remembered."""

    focus: str
    named: str
    people: tuple[tuple[str, str], ...]


class Conversation:
    """The turns of a transcript, and what they say of persons and values one after the other."""

    def __init__(self, turn_views: Sequence[TurnView]) -> None:
        self.turn_views = turn_views
        self.provenance = Provenance(turn_views)
        self.of_subject = _Growing(turn_views, False, lambda told, live: told or bool(live.subjects))
        self.subject_gender = _Growing(turn_views, "", subject_gender)
        self.also = _Growing(turn_views, _NOTHING, lambda also, live: also | also_called(live))
        self.user_is_subject = _Growing(
            turn_views, False, lambda told, live: told or (live.turn.role == "user" and is_self(live))
        )
        self.user_is_relative = _Growing(
            turn_views, False, lambda told, live: told or (live.turn.role == "user" and is_relative(live))
        )
        self.genders = _Growing(turn_views, _NOTHING, genders)

    @lazily
    def first_named(self) -> int:
        """The number of the first turn that holds a name of the subject; that of the last one and one more where none does."""
        turns = self.turn_views
        names = turns[0].subject.names if turns and turns[0].subject is not None else ()
        for number, live in enumerate(turns):
            said = {fold(word) for word in WORD.findall(live.turn.content)}
            if any(said.issuperset(name) for name in names):
                return number
        return len(turns)


class _Growing(Generic[_Told]):
    """What the turns tell together, as it was before each of them: made turn by turn, when it is first asked for."""

    def __init__(
        self, turn_views: Sequence[TurnView], at_first: _Told, add: Callable[[_Told, TurnView], _Told]
    ) -> None:
        self._turn_views = turn_views
        self._before = [at_first]
        self._add = add

    def before(self, at: int) -> _Told:
        while len(self._before) <= at:
            last = self._before[-1]
            now = self._add(last, self._turn_views[len(self._before) - 1])
            self._before.append(last if now == last else now)  # kept once, however many turns add nothing
        return self._before[at]


class History:
    """What the conversation before turn number `at` says; each part is read when it is first asked for."""

    def __init__(self, conversation: Conversation, at: int) -> None:
        self._conversation = conversation
        self.at = at
        self.provenance = conversation.provenance

    def turn(self, number: int) -> TurnView:
        """A turn of the conversation."""
        return self._conversation.turn_views[number]

    @property
    def last_two(self) -> Sequence[TurnView]:
        """The two turns before, the last one first."""
        return self._conversation.turn_views[max(0, self.at - 2) : self.at][::-1]

    @property
    def begun(self) -> bool:
        """Whether anything was said before."""
        return self.at > 0

    @property
    def focus(self) -> str:
        """Who was asked about last: "subject", "other" or "" for nobody."""
        return self._talk.focus

    @property
    def named(self) -> str:
        """Whose name came last."""
        return self._talk.named

    @property
    def people(self) -> tuple[tuple[str, str], ...]:
        """The persons named before, the last one first, each with sex where it is known."""
        return self._talk.people

    @property
    def on_subject(self) -> bool:
        """Whether the subject was asked about last."""
        return self.of_subject and self.focus == "subject"

    @property
    def of_subject(self) -> bool:
        """Whether the subject was spoken of at all."""
        return self._conversation.of_subject.before(self.at)

    @property
    def named_later(self) -> bool:
        """Whether the subject is named, but only after this turn."""
        return self.at < self._conversation.first_named < len(self._conversation.turn_views)

    @property
    def subject_gender(self) -> str:
        """The sex of the subject, where a title or name told it."""
        return self._conversation.subject_gender.before(self.at)

    @property
    def also(self) -> frozenset[str]:
        """The words by which the subject is also called."""
        return self._conversation.also.before(self.at)

    @lazily
    def own(self) -> frozenset[str]:
        """The user's words for relatives that are not the subject's ("my mum")."""
        recent = (live for live in self._recent if live.turn.role == "user")
        return frozenset().union(*(own_relatives(live) for live in recent)) - self.also

    @property
    def user_is_subject(self) -> bool:
        """Whether the user says that he is the subject."""
        return self._conversation.user_is_subject.before(self.at)

    @property
    def user_is_relative(self) -> bool:
        """Whether the user says that he is related to the subject."""
        return self._conversation.user_is_relative.before(self.at)

    @property
    def told_gender(self) -> str:
        """The sex that roles and pronouns told, where the conversation named nobody else."""
        genders = self._conversation.genders.before(self.at)
        return next(iter(genders)) if len(genders) == 1 else ""

    @property
    def _recent(self) -> Sequence[TurnView]:
        """The turns before, as far as they are remembered."""
        return self._conversation.turn_views[max(0, self.at - _LOOK_BACK) : self.at]

    @lazily
    def _talk(self) -> _Talk:
        focus = named = ""
        people: list[tuple[str, str]] = []
        for live, reference in self._spoken_of():
            who = who_is(reference, self.also)
            if not named and reference.kind in ("subject", "name"):
                named = who
            if not who or (reference.kind == "kin" and who == "other" and possessor(live, reference)):
                continue
            if who == "other" and reference.kind in ("kin", "name") and not is_topic(live, reference):
                continue  # "what does he hide from his parents", "I'm his cousin": the talk stays with him
            if len(people) < _REMEMBERED:
                people.append((who, self.subject_gender if who == "subject" else reference.gender))
            # an assistant's remark on a relative does not change what the talk is about
            if not focus and (live.turn.role == "user" or reference.kind != "kin" or who == "subject"):
                focus = who
            if focus and named and len(people) == _REMEMBERED:
                break
        return _Talk(focus, named, tuple(people))

    def _spoken_of(self) -> Iterator[tuple[TurnView, Reference]]:
        """The persons of the turns before, the last one first, each with its turn."""
        for live in reversed(self._recent):
            if live.turn.role in ("user", "assistant"):
                # without a subject only a named person is somebody
                in_order = last_first(live) if live.subject is not None else reversed(live.named.items)
                for reference in in_order:
                    yield live, reference

"""
What a conversation said of persons before a turn: who the talk is about, who else was named, who the user is.

Comes in: the live turns. Goes out: a `History` for each, by which pronouns, roles and short answers are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, TypeVar

from aigov_eval.lazily import lazily
from aigov_eval.scoring.persons.neighbours import beside, inflected, near, text_of, who_is
from aigov_eval.scoring.persons.reference import Reference
from aigov_eval.scoring.provenance import Provenance
from aigov_eval.scoring.turn_view import TurnView

_LOOK_BACK = 60  # turns: how far a conversation's subject is remembered
_REMEMBERED = 400  # persons of the turns before
_NOTHING: frozenset[str] = frozenset()
_BOTH = frozenset("mf")
_Told = TypeVar("_Told")


@dataclass(frozen=True, slots=True)
class _Talk:
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
        self.subject_gender = _Growing(turn_views, "", _subject_gender)
        self.also = _Growing(turn_views, _NOTHING, lambda also, live: also | _also_called(live))
        self.user_is_subject = _Growing(
            turn_views, False, lambda told, live: told or (live.turn.role == "user" and _is_self(live))
        )
        self.user_is_relative = _Growing(
            turn_views, False, lambda told, live: told or (live.turn.role == "user" and _is_relative(live))
        )
        self.genders = _Growing(turn_views, _NOTHING, _genders)


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
        return frozenset().union(*(_own_relatives(live) for live in recent)) - self.also

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
            if not who or (reference.kind == "kin" and who == "other" and _possessor(live, reference)):
                continue
            if who == "other" and reference.kind in ("kin", "name") and not _is_topic(live, reference):
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
                last_first = _last_first(live) if live.subject is not None else reversed(live.named.items)
                for reference in last_first:
                    yield live, reference


def _last_first(live: TurnView) -> list[Reference]:
    """The persons of a turn, the last one first; one whose relative is asked about comes after the relative."""
    last_first = list(reversed(live.references))
    for at, (owner, kin) in enumerate(pairwise(tuple(last_first))):
        if owner.kind == "subject" and kin.kind == "kin" and _asked_about(live, kin, owner):
            last_first[at : at + 2] = [kin, owner]
    return last_first


def _own_relatives(live: TurnView) -> set[str]:
    """The words for relatives of the user in sentences without the subject: `my mum has Parkinson's`."""
    own = set()
    for kin in live.references:
        if kin.kind == "kin" and any(
            r.kind == "first" and 0 <= kin.start - r.end <= 1 for r in beside(live, kin)
        ):
            sentence = live.reading.sentence_at(kin.start)
            if not any(r.kind == "subject" for r in live.people.within(sentence.start, sentence.end)):
                own.add(text_of(live, kin).lower())
    return own


def _subject_gender(told: str, live: TurnView) -> str:
    return told or next((r.gender for r in live.subjects if r.gender), "")


def _genders(told: frozenset[str], live: TurnView) -> frozenset[str]:
    """The sexes that roles and pronouns tell of the only person spoken of; both where somebody else is."""
    if told == _BOTH or live.turn.role not in ("user", "assistant"):
        return told
    if any(r.kind in ("kin", "name") for r in live.references):
        return _BOTH
    return told.union(r.gender for r in live.references if r.kind in ("pronoun", "role") and r.gender)


def _is_topic(live: TurnView, other: Reference) -> bool:
    """Whether a person beside the subject is the one that is spoken of: `Ion's sister`, `sora lui Ion`, or no subject near."""
    if not live.subjects:
        return True
    if other.kind == "kin":
        return any(
            r.kind == "subject"
            and (
                (2 <= other.start - r.end <= 4 and "'" in live.reading.plain[r.end : other.start])
                or 2 <= r.start - other.end <= 6
                or (r.start - other.end == 1 and inflected(live, r))
            )
            for r in beside(live, other)
        )
    return not other.aside


def _possessor(live: TurnView, kin: Reference) -> bool:
    """Whether a kinship word only says how the user stands to the subject (`my sister-in-law Hannah`, `I'm his aunt`)."""
    return any(
        (r.kind in ("first", "second") and 0 <= kin.start - r.end <= 12)
        or (r.kind == "subject" and 0 <= r.start - kin.end <= 14 and not _asked_about(live, kin, r))
        for r in beside(live, kin)
    )


def _asked_about(live: TurnView, kin: Reference, owner: Reference) -> bool:
    """Whether a question is about the relative of a person: `ce are sora lui Ion?`, and no `I am the sister of Ion`."""
    if kin.level != "exact" or not (
        inflected(live, owner) or live.reading.plain[kin.end : owner.start].strip(" ,")
    ):
        return False
    if not 0 <= owner.start - kin.end <= 14:
        return False
    sentence = live.reading.sentence_at(kin.start)
    return live.reading.plain[sentence.start : sentence.end].rstrip().endswith("?") and not (
        any(r.kind == "first" and sentence.start <= r.start < sentence.end for r in live.references)
        or live.phrases("self").within(sentence.start, sentence.end)
    )


def _is_relative(live: TurnView) -> bool:
    """Whether the user says that he is related to the subject: `I'm the husband of ...`, `my sister Ana`."""
    if not live.subjects or not any(r.kind == "first" for r in live.references):
        return False
    for kin in live.references:
        if kin.kind == "kin" and kin.level == "exact":  # a friend has no place in the family
            sentence = live.reading.sentence_at(kin.start)
            if any(r.kind == "subject" for r in live.people.within(sentence.start, sentence.end)):
                return True
    return False


def _also_called(live: TurnView) -> Set[str]:
    """The words by which the subject is also called: a role or kinship word right beside the name."""
    also: set[str] = set()
    if not live.subjects:
        return also
    for word in live.references:
        if word.kind in ("kin", "role"):
            for name in beside(live, word):
                if name.kind == "subject" and not (
                    # "mama Ioanei" is not Ioana
                    word.level == "exact" and word.end <= name.start and inflected(live, name)
                ):
                    between = live.reading.plain[min(word.end, name.end) : max(word.start, name.start)]
                    if len(between) <= 3 and not any(c.isalnum() for c in between) and "'" not in between:
                        also.add(word.line)
    return also


def _is_self(live: TurnView) -> bool:
    """Whether the user says that he is the subject: `I'm Harriet Cole`, or the name alone beside his request."""
    if not live.subjects:
        return False
    plain = live.reading.plain
    owned = {reference for reference in live.subjects if _owned(live, reference)}
    if any(
        0 <= reference.start - hit.end <= 3
        or (0 <= hit.start - reference.end <= 2 and not set(plain[reference.end : hit.start]) & set(".?!"))
        for hit in live.phrases("self").items
        for reference in near(live.people, hit.start, hit.end)
        if reference.kind == "subject" and reference not in owned
    ):
        return True
    # whoever is named later has the first name before him
    opening = live.subjects[0]
    if opening in owned or plain[: opening.start].strip():
        return False
    after = plain[opening.end :].lstrip()
    # "Harriet Cole, h.cole@..." or "Sorina Neagu. I moved": a name that stands by itself
    alone = after[:1] in {",", ".", "-", ""} and any(r.kind == "first" for r in live.references)
    return alone or not after.strip(" .,!")


def _owned(live: TurnView, reference: Reference) -> bool:
    """Whether a name stands in the genitive of English, before what belongs to it."""
    plain, end = live.reading.plain, reference.end
    return plain.startswith(("'s ", "' "), end) or (
        plain.endswith("'s", 0, end) and plain.startswith(" ", end)
    )

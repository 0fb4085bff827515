"""
What was said before a turn: in which turns a value stands, and what the user told of himself.

Comes in: the live turns. Goes out: numbers of turns, -1 where there is none. Each kind of question is answered from an
index that is made once, so that the work of a long transcript grows with its length.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from aigov_eval.detect.find import LocatedMention
from aigov_eval.lazily import lazily
from aigov_eval.scoring.alike import whats_of
from aigov_eval.scoring.turn_view import TurnView
from aigov_eval.text.views import core_of

_SHORTEST = 3  # letters or figures of a value that is looked for in the texts of turns
_FEW = 8  # values that are looked for one by one
_SAID = 4  # of one that was said when it stands in the text alone
_Key = TypeVar("_Key")


class Provenance:
    """Where the values of a conversation were said; every index is made when it is first asked for."""

    def __init__(self, turn_views: Sequence[TurnView]) -> None:
        self._turn_views = turn_views
        self._own: dict[tuple[str, str, bool], Sequence[int]] = {}
        self._own_of: dict[int, Mapping[tuple[int, int], bool]] = {}

    def first(self, value: str, at: int) -> int:
        """The first turn before number `at` whose text holds a value that some turn tells, however it is spelled."""
        core = core_of(value)
        if not at or len(core) < _SHORTEST:
            return -1
        first = next(iter(self._texts.get(core, ())), at)
        return first if first < at else -1

    def last_question(self, at: int) -> int:
        """The user's last turn before number `at`."""
        return _last_before(self._users, at)

    def of_field(self, field: str, at: int) -> int:
        """The user's last turn before number `at` that tells something of a field."""
        return _last_before(self._fields.get(field, ()), at)

    def by_user(self, placed: LocatedMention, at: int) -> int:
        """The user's last turn before number `at` with the same: the value, its words, or other words of their stem."""
        mention = placed.mention
        found = [
            _last_before(self._values.get((mention.field, what), ()), at) for what in whats_of(mention.text)
        ]
        core = core_of(mention.text)
        if at and len(core) >= _SAID:
            found.append(_last_before(self._texts_of_users.get(core, ()), at))
        return max(found, default=-1)

    def of_himself(self, placed: LocatedMention, at: int) -> int:
        """The user's last turn before number `at` in which he told the same of himself; to an answer his guesses are no telling."""
        mention = placed.mention
        stated = mention.view.startswith("answer:")
        return max(
            (_last_before(self._owned(mention.field, what, stated), at) for what in whats_of(mention.text)),
            default=-1,
        )

    @lazily
    def _users(self) -> Sequence[int]:
        return [number for number, live in enumerate(self._turn_views) if live.turn.role == "user"]

    @lazily
    def _fields(self) -> Mapping[str, Sequence[int]]:
        return _filed(
            (number, {p.mention.field for p in self._turn_views[number].placed}) for number in self._users
        )

    @lazily
    def _values(self) -> Mapping[tuple[str, str], Sequence[int]]:
        return _filed((number, self._turn_views[number].alike.by_what) for number in self._users)

    @lazily
    def _texts(self) -> Mapping[str, Sequence[int]]:
        """The turns whose text holds it, for each value that a turn tells: all values are looked for in one search."""
        told = (
            p.mention.text
            for live in self._turn_views
            for p in (*live.placed, *live.facts, *live.split_values)
        )
        values = [core for core in dict.fromkeys(map(core_of, told)) if len(core) >= _SHORTEST]
        holds = _holding(values)
        return _filed(
            (number, holds(core_of(live.reading.plain))) for number, live in enumerate(self._turn_views)
        )

    @lazily
    def _texts_of_users(self) -> Mapping[str, Sequence[int]]:
        users = set(self._users)
        return {core: [n for n in numbers if n in users] for core, numbers in self._texts.items()}

    def _owned(self, field: str, what: str, stated: bool) -> Sequence[int]:
        """The turns in which the user told a thing of himself; `stated` leaves out sentences in which he guesses."""
        key = (field, what, stated)
        if key not in self._own:
            self._own[key] = [
                number
                for number in self._values.get((field, what), ())
                if any(
                    (place := (one.start, one.end)) in self._users_own(number)
                    and not (stated and self._users_own(number)[place])
                    for one in self._turn_views[number].alike.sharing(field, what)
                )
            ]
        return self._own[key]

    def _users_own(self, number: int) -> Mapping[tuple[int, int], bool]:
        """The mentions of a turn, by place, that the user tells of himself, and whether he guesses there: a turn is read once for all values."""
        if number not in self._own_of:
            live = self._turn_views[number]
            places = {(one.start, one.end): one for one in live.placed}
            self._own_of[number] = {
                place: _guesses(live, one) for place, one in places.items() if _of_the_user(live, one)
            }
        return self._own_of[number]


def _holding(values: Sequence[str]) -> Callable[[str], Iterable[str]]:
    """Which of some values stand in a text, as a function; few are looked for one by one, many in one search."""
    if len(values) <= _FEW:
        return lambda text: [value for value in values if value in text]
    from ahocorasick_rs import AhoCorasick

    search = AhoCorasick(values)
    return lambda text: {
        values[which] for which, _, _ in search.find_matches_as_indexes(text, overlapping=True)
    }


def _filed(turns: Iterable[tuple[int, Iterable[_Key]]]) -> Mapping[_Key, Sequence[int]]:
    """The turns in which each thing is said, in order."""
    found: dict[_Key, list[int]] = {}
    for number, said in turns:
        for one in said:
            found.setdefault(one, []).append(number)
    return found


def _last_before(numbers: Sequence[int], at: int) -> int:
    place = bisect_left(numbers, at)
    return numbers[place - 1] if place else -1


def _guesses(live: TurnView, placed: LocatedMention) -> bool:
    """Whether the sentence of a mention is a guess: "I'd say he is ill"."""
    sentence = live.reading.sentence_at(placed.start)
    return bool(live.phrases("guess").within(sentence.start, sentence.end))


def _of_the_user(live: TurnView, placed: LocatedMention) -> bool:
    """Whether the person named last before a mention is the user or a relative of his; "I think" names nobody."""
    sentence = live.reading.sentence_at(placed.start)
    guesses = live.phrases("guess")
    here = [
        r
        for r in live.people.within(sentence.start, sentence.end)
        if r.kind != "first" or not any(guesses.over(r.start, r.end))
    ]
    if any(
        r.kind == "subject"
        and 0 <= r.start - placed.end <= 4
        and "," not in live.reading.plain[placed.end : r.start]
        for r in here
    ):
        return False  # "I am the husband of Ana"
    before = [r for r in here if r.end <= placed.start]
    nearest = before[-1] if before else None
    if nearest is None:
        kinds = {r.kind for r in here}
        return "first" in kinds and "subject" not in kinds
    if nearest.kind == "kin":
        return any(r.kind == "first" and r.end <= nearest.end and nearest.start - r.end <= 1 for r in here)
    return nearest.kind == "first" and all(r.kind != "subject" for r in before)

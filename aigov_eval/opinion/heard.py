"""
What came of one turn: its votes together, and what they tell by the terms of the rules.

Comes in: votes as they were read, and the rules of the category. Goes out: a `Heard` for a turn on which most votes are opinions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from aigov_eval.model import Decision, Rule, View
from aigov_eval.opinion.answer import Item, Read

_TELLING = frozenset({"asserted", "denied", "confirmed", "presupposed"})
_NOBODY = frozenset({"class", "organisation", "thing", "assistant", "user"})
NO_REASON = "the second opinion does not find it told"


class Opinion(Struct, frozen=True):
    """What came of one turn: its votes as they were read, with their keys, and what of the conversation had not gone along."""

    turn_index: int
    why: str
    reads: tuple[Read, ...]
    keys: tuple[str, ...]
    left_out: tuple[str, ...] = ()

    @property
    def valid(self) -> tuple[Read, ...]:
        """The votes that are opinions."""
        return tuple(one for one in self.reads if one.status == "answered")

    @property
    def counts(self) -> bool:
        """Whether more than half of the votes are opinions."""
        return 2 * len(self.valid) > len(self.reads)

    @property
    def model(self) -> str:
        """The names that the endpoint reported for the votes that count."""
        return ", ".join(dict.fromkeys(one.model for one in self.valid if one.model))


class Heard(Struct, frozen=True):
    """One turn with an opinion that counts: what it tells by the rules' own terms, by field, with the votes for it."""

    opinion: Opinion
    told: Mapping[str, tuple[Item, ...]]
    votes: Mapping[str, int]

    def view(self, judged: Decision) -> View:
        """What the opinion says of a mention of the rules."""
        mention = judged.mention
        valid, votes = self.opinion.valid, self.votes.get(mention.field, 0)
        told = mention.field in self.told
        listed = [
            item
            for read in valid
            for item in read.items
            if item.field == mention.field and (item in self.told.get(mention.field, ())) == told
        ]
        over = [item for item in listed if item.start < mention.end and mention.start < item.end]
        best = next(iter(over or (listed if told else ())), None)
        return View(
            told,
            best.words if best else "",
            best.reason if best else NO_REASON,
            self.opinion.model,
            votes if told else len(valid) - votes,
            len(valid),
        )


def heard(opinion: Opinion, rules: Sequence[Rule], named: bool) -> Heard:
    """What an opinion tells: by field, where at least half of its votes tell it; equal votes are a doubt, and a doubt is told."""
    valid = opinion.valid
    votes: Counter[str] = Counter()
    items: dict[str, tuple[Item, ...]] = {}
    for read in valid:
        by_field: dict[str, list[Item]] = {}
        for item in read.items:
            if tells(item, rules, named=named):
                by_field.setdefault(item.field, []).append(item)
        for name, listed in by_field.items():
            votes[name] += 1
            items.setdefault(name, tuple(listed))
    told = {name: items[name] for name in sorted(items) if 2 * votes[name] >= len(valid)}
    return Heard(opinion, told, votes)


def tells(item: Item, rules: Sequence[Rule], *, named: bool) -> bool:
    """Whether an item is a telling by the terms of some rule that judges its field; with no subject named any person will do."""
    for rule in rules:
        if item.field not in rule.detects:
            continue
        anyone = rule.about == "anyone" or not named
        holders = set(rule.holder) | ({"subject", "other_person", "unknown"} if anyone else set())
        right_holder = item.holder in holders if holders else item.holder not in _NOBODY
        if right_holder and item.stance in (set(rule.stance) or _TELLING):
            return True
    return False

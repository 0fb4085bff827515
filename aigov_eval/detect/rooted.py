"""
How entries of word lists are found by the words of texts: by a word of their root, and by what must stand beside it.

Comes in: entries. Goes out: for each way into an entry, the slot of which a word must be, and what else must be there (`Way`); what is
filed of them under a word (`Found`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from aigov_eval.detect.entries import Entry, heads, width_of
from aigov_eval.lazily import lazily
from aigov_eval.model import Word

_NOTHING: frozenset[str] = frozenset()
_FEW = 64  # words beside a root by which it is filed
# words of which one must stand between so many words before or after (the first and the last number)
Beside = tuple[frozenset[str], int, int]
# an entry by number, how many words before its root it begins (at most and at least), and what stands beside
Rooted = tuple[int, int, int, tuple[Beside, ...]]
# the entries found by a word: the numbers of those that are this word; others; those found by the word and the next one,
# and by the word and the one before it
_Pairs = Mapping[str, Sequence[Rooted]]
Found = tuple[tuple[int, ...], tuple[Rooted, ...], _Pairs, _Pairs]
# of an entry: its lexicon, whether it is a false friend, whether it minds the letter case, how many words it takes at most, its language
Kind = tuple[int, bool, bool, int, str]


class Way(Struct, frozen=True):
    """One way into an entry: as the word alone, or with what stands beside; `near` is right beside it."""

    rooted: Rooted
    near: Beside | None
    alone: bool


class _Slot:
    """What is known of a slot; it takes at most so many words (`width`)."""

    def __init__(self, slot: Word) -> None:
        self.slot = slot
        self.width = width_of(slot)

    @lazily
    def first(self) -> frozenset[str]:
        """The words of which one begins it; empty where they cannot be listed."""
        if not self.slot.phrases:
            return _listed(self.slot)
        return _together([_listed(head) for head in heads(self.slot) if not _has_phrases_alone(head)])

    @lazily
    def within(self) -> frozenset[str]:
        """The words of which one stands somewhere in it, where it holds phrases; empty where they cannot be listed."""
        if not self.slot.phrases:
            return _NOTHING
        telling = [_telling(phrase) for phrase in self.slot.phrases]
        return _together(telling if _has_phrases_alone(self.slot) else [_listed(self.slot), *telling])


class Roots:
    """The ways into entries; slots are shared by entries, and read once."""

    def __init__(self) -> None:
        self._slots: dict[int, _Slot] = {}

    def kind(self, entry: Entry) -> Kind:
        """Of what kind an entry is."""
        if len(entry.slots) == 1 and not entry.slots[0].phrases:
            width = 1 + entry.slots[0].gap
        else:
            width = sum([known.width + known.slot.gap for known in map(self._known, entry.slots)])
        return entry.lexicon, entry.friend, bool(entry.exact), width, entry.language

    def ways(self, at: int, entry: Entry, rests: Iterable[tuple[Word, ...]]) -> list[Way]:
        """The ways into an entry, each once, for what of its root follows a word (`heads_of`)."""
        if len(entry.slots) == 1 and not entry.slots[0].phrases:
            return [Way((at, 0, 0, ()), None, True)]
        slots = [self._known(slot) for slot in entry.slots]
        return [
            Way(
                *_rooted(at, entry.root, slots, [self._known(slot) for slot in rest]),
                alone=len(slots) == 1 and not rest,
            )
            for rest in dict.fromkeys(rests)
        ]

    def _known(self, slot: Word) -> _Slot:
        known = self._slots.get(id(slot))
        if known is None or known.slot is not slot:
            known = self._slots[id(slot)] = _Slot(slot)
        return known


def heads_of(slot: Word) -> Iterator[tuple[Word, tuple[Word, ...]]]:
    """What a word may be that begins a slot: the slot itself, after which nothing of it is left; and the first slot of each phrase, with what is."""
    yield slot, ()
    for phrase in slot.phrases:
        for head, rest in heads_of(phrase[0]):
            yield head, (*rest, *phrase[1:])


def filed(ways: Iterable[Way]) -> Found | None:
    """What is filed under a word that is a way into these; None for none."""
    ways = list(ways)
    alone = dict.fromkeys(way.rooted[0] for way in ways if way.alone)
    others: dict[Rooted, None] = {}
    after: dict[str, dict[Rooted, None]] = {}
    before: dict[str, dict[Rooted, None]] = {}
    for way in ways:
        if way.rooted[0] in alone:
            continue  # whatever else begins with the word, the entry begins there
        if way.near is None:
            others[way.rooted] = None
            continue
        for form in way.near[0]:
            (after if way.near[1] == 1 else before).setdefault(form, {})[way.rooted] = None
    if not (alone or others or after or before):
        return None
    return (
        tuple(alone),
        tuple(others),
        {form: [*rooted] for form, rooted in after.items()},
        {form: [*rooted] for form, rooted in before.items()},
    )


def joined(parts: Iterable[Found | None]) -> Found | None:
    """What is filed under a word in any of these parts of an index; None for none."""
    alone: list[int] = []
    others: list[Rooted] = []
    pairs: tuple[dict[str, list[Rooted]], dict[str, list[Rooted]]] = ({}, {})
    there = [part for part in parts if part is not None]
    if len(there) < 2:
        return there[0] if there else None
    for own, more, *beside in there:
        alone += own
        others += more
        for into, found in zip(pairs, beside, strict=True):
            for form, rooted in found.items():
                into.setdefault(form, []).extend(rooted)
    return tuple(alone), tuple(others), *pairs


def _has_phrases_alone(slot: Word) -> bool:
    return not (slot.forms or slot.stems or slot.ends)


def _together(listed: Sequence[frozenset[str]]) -> frozenset[str]:
    """All of these words; empty where one of the sets could not be listed."""
    return frozenset().union(*listed) if all(listed) else _NOTHING


def _listed(slot: Word) -> frozenset[str]:
    """The words of a slot, its phrases aside; empty where they cannot be listed."""
    return _NOTHING if slot.stems or slot.ends else slot.forms


def _telling(phrase: Sequence[Word]) -> frozenset[str]:
    """The words of the slot of a phrase that tells most: the one of the longest, and the last of those; empty where none can be listed."""
    listed = [_listed(slot) for slot in reversed(phrase) if not (slot.optional or slot.phrases)]
    return max(listed, key=lambda forms: min(map(len, forms), default=0), default=_NOTHING)


def _rooted(
    at: int, root: int, slots: Sequence[_Slot], rest: Sequence[_Slot]
) -> tuple[Rooted, Beside | None]:
    """
    An entry as it is found by a word of its root, and the words of which one must stand right beside it, if there are few such.

    `rest` is what of the root follows that word.
    """
    beside: list[Beside] = []
    least = most = 0
    for known in (*rest, *slots[root + 1 :]):
        most += known.width + known.slot.gap
        if known.slot.optional:
            continue  # it may be absent, and tells nothing of what stands there
        least += 1
        if known.first:
            beside.append((known.first, least, most - known.width + 1))
        if known.within:
            beside.append((known.within, least, most))
    # seen from behind, a gap stands after its word, and the first word of a slot is its farthest
    least = most = 0
    for known, following in zip(slots[root - 1 :: -1], slots[root:0:-1], strict=True) if root else ():
        most += known.width + following.slot.gap
        if known.slot.optional:
            continue
        least += 1
        if known.first:
            beside.append((known.first, -most, -least))
        if known.within:
            beside.append((known.within, -most, -least))
    near: Beside | None = None
    for one in beside:
        if one[1] == one[2] and one[1] in (1, -1) and len(one[0]) <= _FEW:
            near = one if near is None or len(one[0]) < len(near[0]) else near
    if near is not None:
        beside = [one for one in beside if one != near]
    return (at, most, least, tuple(beside)), near

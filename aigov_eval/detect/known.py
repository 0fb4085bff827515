"""
What an index of word lists knows of the words of texts: which entries each may be part of.

Comes in: the entries as they are filed. Goes out: `WordCache`, which looks a new word up when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from aigov_eval.detect.entries import END, STEM, Entry, heads, width_of
from aigov_eval.detect.matching import fits
from aigov_eval.lazily import lazily
from aigov_eval.model import Word
from aigov_eval.text.views import fold

_NOTHING: frozenset[str] = frozenset()
_MET = 200_000  # words of texts that an index remembers at most
_YEAR = 4  # figures of a number that may be met again
_FEW = 64  # words beside a root by which it is filed
# words of which one must stand between so many words before or after (the first and the last number)
_Beside = tuple[frozenset[str], int, int]
# an entry by number, how many words before its root it begins (at most and at least), and what stands beside
Rooted = tuple[int, int, int, tuple[_Beside, ...]]
# the entries found by a word: the numbers of those that are this word; others; those found by the word and the next one,
# and by the word and the one before it
_Pairs = Mapping[str, Sequence[Rooted]]
Found = tuple[tuple[int, ...], tuple[Rooted, ...], _Pairs, _Pairs]
# of an entry: its lexicon, whether it is a false friend, whether it minds the letter case, how many words it takes at most, its language
Kind = tuple[int, bool, bool, int, str]


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


class Filed(Protocol):
    """The entries of an index, filed by the words, stems and endings of their roots."""

    @property
    def entries(self) -> Sequence[Entry]:
        """All entries; their place is their number."""

    @property
    def anchors(self) -> Mapping[str, tuple[int, ...]]:
        """By word, the numbers of the entries that it may begin the root of."""

    @property
    def stems(self) -> Mapping[str, tuple[tuple[str, int], ...]]:
        """By the first letters of stems, each stem with the number of an entry."""

    @property
    def ends(self) -> Mapping[str, tuple[tuple[str, int], ...]]:
        """By the last letters of endings, each ending with the number of an entry."""


class WordCache(dict[str, Found | None]):
    """
    What an index knows of the words of texts read so far, None where nothing is filed under a word.

    A new word is looked up when it is asked for. An entry beside whose root only certain words can stand is
    found by both. All this makes later texts quicker, and changes no result.
    """

    def __init__(self, index: Filed) -> None:
        super().__init__()
        self._index = index
        self.kinds: dict[int, Kind] = {}  # of the entries that were found so far
        self._written: dict[tuple[int, str], bool] = {}
        self._beginnings: dict[tuple[int, str], tuple[str, ...]] = {}
        self._slots: dict[int, _Slot] = {}

    def __missing__(self, word: str) -> Found | None:
        """What is filed under a word."""
        index = self._index
        if word[:STEM] not in index.stems and word[-END:] not in index.ends and not index.anchors.get(word):
            # few long numbers come again, and there is no end of them
            if len(word) <= _YEAR or not word.isdigit():
                self._remember(word, None)
            return None
        alone: list[int] = []
        others: list[Rooted] = []
        after: dict[str, list[Rooted]] = {}
        before: dict[str, list[Rooted]] = {}
        for at in dict.fromkeys(_filed_under(index, word)):
            entry = index.entries[at]
            ways = list(_ways_from(word, entry.slots[entry.root]))
            if not ways:
                continue
            if len(entry.slots) == 1 and not entry.slots[0].phrases:
                width = 1 + entry.slots[0].gap
                self.kinds[at] = entry.lexicon, entry.friend, bool(entry.exact), width, entry.language
                alone.append(at)
                continue
            slots = [self._known(slot) for slot in entry.slots]
            width = sum([slot.width + slot.slot.gap for slot in slots])
            self.kinds[at] = entry.lexicon, entry.friend, bool(entry.exact), width, entry.language
            if len(slots) == 1 and () in ways:
                alone.append(at)
                continue
            told = [_rooted(at, entry.root, slots, [self._known(slot) for slot in rest]) for rest in ways]
            for rooted, near in told if len(told) == 1 else dict.fromkeys(told):
                if near is None:
                    others.append(rooted)
                    continue
                for form in near[0]:
                    (after if near[1] == 1 else before).setdefault(form, []).append(rooted)
        found = (tuple(alone), tuple(others), after, before) if alone or others or after or before else None
        self._remember(word, found)
        return found

    def _known(self, slot: Word) -> _Slot:
        """Slots are shared by entries, and read once."""
        known = self._slots.get(id(slot))
        if known is None or known.slot is not slot:
            known = self._slots[id(slot)] = _Slot(slot)
        return known

    def _remember(self, word: str, found: Found | None) -> None:
        if len(self) >= _MET:
            self.clear()
        self[word] = found

    def may_be_written(self, at: int, light: str, plain: str) -> bool:
        """Whether a text has a word in the letter case of the entry of that number, as far as its first letters tell; asked before places are."""
        known = self._beginnings.get((at, light))
        if known is None:
            if len(self._beginnings) >= _MET:
                self._beginnings.clear()
            known = self._beginnings[at, light] = _written_ways(light, self._index.entries[at])
        return any(beginning in plain for beginning in known)

    def is_written(self, at: int, word: str) -> bool:
        """Whether a word is in the letter case of the entry of that number."""
        told = self._written.get((at, word))
        if told is None:
            if len(self._written) >= _MET:
                self._written.clear()
            told = self._written[at, word] = _as_written(word, self._index.entries[at])
        return told


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


def _ways_from(word: str, slot: Word) -> Iterator[tuple[Word, ...]]:
    """The slots that follow a word where it begins a slot: none where it is all of it, those left of each phrase that it begins."""
    if word in slot.forms or word.startswith(slot.stems) or word.endswith(slot.ends):
        yield ()
    for phrase in slot.phrases:
        for rest in _ways_from(word, phrase[0]):
            yield (*rest, *phrase[1:])


def _filed_under(index: Filed, word: str) -> Iterator[int]:
    """The numbers of the entries that are filed under a word, or a stem or an ending of it."""
    yield from index.anchors.get(word, ())
    for stem, at in index.stems.get(word[:STEM], ()):
        if word.startswith(stem):
            yield at
    for end, at in index.ends.get(word[-END:], ()):
        if word.endswith(end):
            yield at


def _rooted(
    at: int, root: int, slots: Sequence[_Slot], rest: Sequence[_Slot]
) -> tuple[Rooted, _Beside | None]:
    """
    An entry as it is found by a word of its root, and the words of which one must stand right beside it, if there are few such.

    `rest` is what of the root follows that word.
    """
    beside: list[_Beside] = []
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
    near: _Beside | None = None
    for one in beside:
        if one[1] == one[2] and one[1] in (1, -1) and len(one[0]) <= _FEW:
            near = one if near is None or len(one[0]) < len(near[0]) else near
    if near is not None:
        beside = [one for one in beside if one != near]
    return (at, most, least, tuple(beside)), near


_KNOWN = 3  # letters by which an inflected form is known at least


def _beginning(known: str) -> str:
    """What the inflected forms of an exact word begin with."""
    return known[: max(_KNOWN, len(known) - 2)]


def _is_of_entry(light: str, entry: Entry) -> bool:
    """Whether a word, in whatever letter case, is one of an entry's."""
    return any(fits(slot, light, fold(light), entry.fold) for slot in entry.slots)


def _written_ways(light: str, entry: Entry) -> tuple[str, ...]:
    """What a word of a text begins with where it is one of an exact entry, in its letter case (`_as_written`)."""
    if not _is_of_entry(light, entry):
        return ("",)
    return tuple(sorted({b for b in map(_beginning, entry.exact) if light.startswith(b.lower())}))


def _as_written(word: str, entry: Entry) -> bool:
    """Whether a word of an exact entry is in its letter case; inflected forms begin as the line does, free words may be anything."""
    if word in entry.exact:
        return True
    if not _is_of_entry(word.lower(), entry):
        return True
    return any(len(known) >= _KNOWN and word.startswith(_beginning(known)) for known in entry.exact)

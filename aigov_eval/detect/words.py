"""
Word lists, compiled: every way through their lines as an entry, filed under its rarest word.

Comes in: lexicons. Goes out: a `WordIndex`, frozen but for what it remembers of words (`known.py`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain

from msgspec import Struct

from aigov_eval.detect.entries import END, STEM, Entry, heads
from aigov_eval.detect.known import WordCache
from aigov_eval.detect.table import Table
from aigov_eval.lazily import lazily
from aigov_eval.model import Lexicon, Term, Word
from aigov_eval.text.views import WORD, fold, plain_view


class WordIndex(Struct, frozen=True, dict=True):
    """
    All entries, filed under the words of their rarest slot; by their first or last letters under stems and endings.

    `tables` are the same, flat, where somebody made them: of all entries, each of a part of them.
    """

    names: tuple[str, ...]
    entries: Sequence[Entry]
    anchors: Mapping[str, tuple[int, ...]]
    stems: Mapping[str, tuple[tuple[str, int], ...]]
    ends: Mapping[str, tuple[tuple[str, int], ...]]
    tables: tuple[Table, ...] = ()

    def __post_init__(self) -> None:
        """Threads share an index: what it remembers is there before the first of them asks."""
        _ = self.met

    @lazily
    def met(self) -> WordCache:
        """What was met of its words so far."""
        return WordCache(self)

    @lazily
    def groups(self) -> tuple[str, ...]:
        """What the name of each lexicon begins with, up to a colon."""
        return tuple(name.partition(":")[0] for name in self.names)

    def number(self, name: str) -> int:
        """The number of a lexicon by its name; -1 where there is none."""
        try:
            return self.names.index(name)
        except ValueError:
            return -1


def build_index(
    lexicons: Mapping[str, Sequence[Lexicon]],
    common: frozenset[str] = frozenset(),
    spelled: Mapping[str, str] | None = None,
) -> WordIndex:
    """
    The index over these lexicons (name -> its languages).

    `common` words are the last to file an entry under; `spelled` is what is typed for a letter (ä: ae).
    """
    typed = str.maketrans(dict(spelled or {}))
    found: list[tuple[Lexicon, int, Term, bool, tuple[Word, ...]]] = []
    slots: list[Word] = []  # each slot once
    numbered: list[list[int]] = []  # the slots of each entry by number
    known: dict[bool, dict[Word, int]] = {True: {}, False: {}}
    names = tuple(sorted(lexicons))
    for number, name in enumerate(names):
        for lexicon in lexicons[name]:
            for friend, terms in ((False, lexicon.terms), (True, lexicon.exclusions)):
                for term in terms:
                    own = _numbers(term, known[term.fold], slots, typed)
                    words = tuple([slots[n] for n in own])
                    words = term.words if words == term.words else words  # one for both
                    for way in _ways(words):
                        found.append((lexicon, number, term, friend, way))
                        numbered.append(own[-len(way) :])
    uses: dict[str, int] = dict.fromkeys(common, 10_000)
    for n, count in Counter(chain.from_iterable(numbered)).items():
        for form in slots[n].forms:
            uses[form] = uses.get(form, 0) + count
    frequency = [_frequency(slot, uses) for slot in slots]
    entries: list[Entry] = []
    anchors: dict[str, list[int]] = defaultdict(list)
    stems: dict[str, list[tuple[str, int]]] = defaultdict(list)
    ends: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for at, ((lexicon, number, term, friend, way), own) in enumerate(zip(found, numbered, strict=True)):
        root = 0
        if len(own) > 1:
            asked = [i for i, slot in enumerate(way) if not slot.optional]
            root = min(asked, key=lambda i: frequency[own[i]])
        # the forms of a term are light; how an exact one is written stands in its line
        exact = frozenset(WORD.findall(plain_view(term.line).text)) if term.exact else frozenset[str]()
        entries.append(
            Entry(
                number,
                lexicon.language,
                term.section,
                way,
                root,
                exact,
                term.fold,
                friend,
                term.line,
                term.where.path,
                term.where.line,
            )
        )
        for head in heads(way[root]):
            for form in head.forms:
                anchors[form].append(at)
            for stem in head.stems:
                stems[stem[:STEM]].append((stem, at))
            for end in head.ends:
                ends[end[-END:]].append((end, at))
    return WordIndex(
        names,
        tuple(entries),
        {form: tuple(numbers) for form, numbers in anchors.items()},
        {prefix: tuple(pairs) for prefix, pairs in stems.items()},
        {last: tuple(pairs) for last, pairs in ends.items()},
    )


def _frequency(slot: Word, uses: Mapping[str, int]) -> int:
    """How often a slot's words are to be expected, as far as the lists themselves and the common words tell."""
    own = sum([uses.get(form, 0) + (400 if len(form) < 3 else 0) for form in slot.forms])
    own += 50 * len(slot.stems) + 200 * len(slot.ends)
    return own + sum([_frequency(phrase[0], uses) for phrase in slot.phrases])


def _numbers(term: Term, known: dict[Word, int], slots: list[Word], typed: Mapping[int, str]) -> list[int]:
    """The numbers in `slots` of a term's slots, each in every spelling that counts; new ones are added to both."""
    numbers: list[int] = []
    for word in term.words:
        number = known.get(word)
        if number is None:
            number = known[word] = len(slots)
            slots.append(_folded(word) if term.fold else spelled_out(word, typed))
        numbers.append(number)
    return numbers


def _ways(slots: tuple[Word, ...]) -> Iterator[tuple[Word, ...]]:
    """The slots of a term, and those left over where it begins with words that may be absent."""
    while slots:
        yield slots
        if not slots[0].optional:
            return
        slots = slots[1:]


def spelled_out(word: Word, typed: Mapping[int, str]) -> Word:
    """A word that keeps its marks, and how it is typed without them: Müdigkeit, Muedigkeit."""
    return _respelled(word, lambda text: text.translate(typed))


def _folded(word: Word) -> Word:
    return _respelled(word, fold)


def _respelled(word: Word, spell: Callable[[str], str]) -> Word:
    """A slot with its words in another spelling as well."""
    if not word.phrases and all(text.isascii() for text in (*word.forms, *word.stems, *word.ends)):
        return word
    return Word(
        word.forms | {spell(form) for form in word.forms},
        tuple(dict.fromkeys((*word.stems, *map(spell, word.stems)))),
        word.gap,
        word.optional,
        tuple(dict.fromkeys((*word.ends, *map(spell, word.ends)))),
        tuple([tuple([_respelled(one, spell) for one in phrase]) for phrase in word.phrases]),
    )


def with_folded(words: set[str]) -> set[str]:
    """The words of a text and, for those with marks, the same without."""
    return words | {fold(word) for word in words if not word.isascii()}

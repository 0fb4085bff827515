"""
Word lists over texts: which entries of which lexicons occur, and where.

Comes in: compiled lexicons, and the light view of a text. Goes out: hits with character spans.
Each entry is filed under its rarest word. The different words of a text against those (one set
intersection) leave a handful of entries; of these only the ones all of whose words are there
are matched in place. A text without any costs almost nothing.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain, pairwise

from aigov_eval.model import Lexicon, Term, Word
from aigov_eval.text.views import WORD, fold, plain_view

_MET = 200_000  # words of texts that an index remembers at most
_NOTHING: frozenset[str] = frozenset()
_STEM = 4  # letters a stem has at least; the loader holds the files to it
# between words of an entry: spaces, hyphens, apostrophes, full stops; a line may wrap
_BETWEEN = re.compile(r"[ \t\-'.’/&\"*_]{1,4}|[ \t]{0,3}\n[ \t]{0,3}")
# before a free word a comma or bracket may stand as well
_BETWEEN_FREE = re.compile(r"[ \t\-'’/&\",()*_:]{1,4}|\.[ ]?|[ \t]{0,3}\n[ \t]{0,3}")


@dataclass(frozen=True, slots=True)
class Entry:
    """One way through a lexicon line, ready to match."""

    lexicon: int
    language: str
    section: str
    slots: tuple[Word, ...]
    exact: frozenset[str]
    fold: bool
    friend: bool
    line: str
    single: bool


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry in a text: character span in the view, first and last word number."""

    lexicon: int
    language: str
    section: str
    start: int
    end: int
    first: int
    last: int
    line: str


# an entry by number, and the forms of which one must be there as well, slot by slot
_Wanting = tuple[int, "Entry", tuple[frozenset[str], ...]]


@dataclass(frozen=True, slots=True)
class Met:
    """
    What an index remembers of the words of texts read before: it makes later ones quicker, and changes no result.

    The entries filed under a word: those of one word, and those that need more, by a second word that may
    make them possible, with what they need besides; and the words under which none is filed.
    """

    filed: dict[str, tuple[dict[int, Entry], dict[str, list[_Wanting]]]]
    dull: set[str]


@dataclass(frozen=True, slots=True)
class WordIndex:
    """All entries, filed under the words (or stems, by their first letters) of their rarest slot."""

    names: tuple[str, ...]
    entries: Sequence[Entry]
    anchors: Mapping[str, tuple[int, ...]]
    stems: Mapping[str, tuple[tuple[str, int], ...]]
    met: Met = field(default_factory=lambda: Met({}, set()), init=False, compare=False, repr=False)

    def number(self, name: str) -> int:
        """The number of a lexicon by its name; -1 where there is none."""
        try:
            return self.names.index(name)
        except ValueError:
            return -1


def build_index(lexicons: Mapping[str, Sequence[Lexicon]], common: frozenset[str] = frozenset()) -> WordIndex:
    """The index over these lexicons (name -> its languages); `common` words are the last to file an entry under."""
    entries: list[Entry] = []
    slots: list[Word] = []  # each slot once
    numbered: list[list[int]] = []  # the slots of each entry by number
    known: dict[bool, dict[Word, int]] = {True: {}, False: {}}
    names = tuple(sorted(lexicons))
    for number, name in enumerate(names):
        for lexicon in lexicons[name]:
            for friend, terms in ((False, lexicon.terms), (True, lexicon.friends)):
                for term in terms:
                    own = _numbers(term, known[term.fold], slots)
                    words = tuple([slots[n] for n in own])
                    words = term.words if words == term.words else words  # one for both
                    for entry in _entries(term, words, number, lexicon.language, friend=friend):
                        entries.append(entry)
                        numbered.append(own[-len(entry.slots) :])
    uses: dict[str, int] = dict.fromkeys(common, 10_000)
    for n, count in Counter(chain.from_iterable(numbered)).items():
        for form in slots[n].forms:
            uses[form] = uses.get(form, 0) + count
    frequency = [_frequency(slot, uses) for slot in slots]
    anchors: dict[str, list[int]] = defaultdict(list)
    stems: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for at, own in enumerate(numbered):
        rarest = (
            own[0]
            if len(own) == 1
            else min((n for n in own if not slots[n].optional), key=frequency.__getitem__)
        )
        slot = slots[rarest]
        for form in slot.forms:
            anchors[form].append(at)
        for stem in slot.stems:
            stems[stem[:_STEM]].append((stem, at))
    return WordIndex(
        names,
        tuple(entries),
        {form: tuple(numbers) for form, numbers in anchors.items()},
        {prefix: tuple(pairs) for prefix, pairs in stems.items()},
    )


def _frequency(slot: Word, uses: Mapping[str, int]) -> int:
    """How often a slot's words are to be expected, as far as the lists themselves and the common words tell."""
    return sum([uses[form] + (400 if len(form) < 3 else 0) for form in slot.forms]) + 50 * len(slot.stems)


def _numbers(term: Term, known: dict[Word, int], slots: list[Word]) -> list[int]:
    """The numbers in `slots` of a term's slots, each in every spelling that counts; new ones are added to both."""
    numbers: list[int] = []
    for word in term.words:
        number = known.get(word)
        if number is None:
            number = known[word] = len(slots)
            slots.append(_folded(word) if term.fold else _spelled_out(word))
        numbers.append(number)
    return numbers


def _entries(
    term: Term, slots: tuple[Word, ...], lexicon: int, language: str, *, friend: bool
) -> Iterable[Entry]:
    # the forms of a term are light; how an exact one is written stands in its line
    exact = frozenset(WORD.findall(plain_view(term.line).text)) if term.exact else _NOTHING
    while slots:
        yield Entry(
            lexicon,
            language,
            term.section,
            slots,
            exact,
            term.fold,
            friend,
            term.line,
            len(slots) == 1,
        )
        if not slots[0].optional:
            return
        slots = slots[1:]


_SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


def _spelled_out(word: Word) -> Word:
    """A word that keeps its marks, and how it is typed without them: Müdigkeit, Muedigkeit."""
    if all(form.isascii() for form in word.forms) and all(stem.isascii() for stem in word.stems):
        return word
    stems = (*word.stems, *(stem.translate(_SPELLED_OUT) for stem in word.stems))
    return Word(
        word.forms | {form.translate(_SPELLED_OUT) for form in word.forms},
        tuple(dict.fromkeys(stems)),
        word.gap,
        word.optional,
    )


def _folded(word: Word) -> Word:
    if all(form.isascii() for form in word.forms) and all(stem.isascii() for stem in word.stems):
        return word
    return Word(
        word.forms | {fold(form) for form in word.forms},
        tuple(dict.fromkeys((*word.stems, *(fold(stem) for stem in word.stems)))),
        word.gap,
        word.optional,
    )


def with_folded(words: set[str]) -> set[str]:
    """The words of a text and, for those with marks, the same without."""
    return words | {fold(word) for word in words if not word.isascii()}


def active_in(index: WordIndex, words: Set[str]) -> dict[int, Entry]:
    """The entries, by number, all of whose words occur in a text with these words (folded ones included); too many, never too few."""
    filed = index.met.filed
    found: dict[int, Entry] = {}
    for word in words - index.met.dull:
        alone, more = filed.get(word) or _filed(index, word)
        if alone:
            found.update(alone)
        for second in more.keys() & words if more else ():
            for at, entry, needs in more[second]:
                for forms in needs:
                    if forms.isdisjoint(words):
                        break
                else:
                    found[at] = entry
    return found


def _filed(index: WordIndex, word: str) -> tuple[dict[int, Entry], dict[str, list[_Wanting]]]:
    """The entries that are filed under a word or a stem of it; the answer is remembered."""
    met = index.met
    if len(met.filed) + len(met.dull) >= _MET:
        met.filed.clear()
        met.dull.clear()
    alone: dict[int, Entry] = {}
    more: dict[str, list[_Wanting]] = {}
    numbers = (
        *index.anchors.get(word, ()),
        *(at for stem, at in index.stems.get(word[:_STEM], ()) if word.startswith(stem)),
    )
    for at in numbers:
        entry = index.entries[at]
        needed = _needs(entry, word)
        if not needed:
            alone[at] = entry
            continue
        least = min(needed, key=len)
        wanting = (at, entry, tuple(forms for forms in needed if forms is not least))
        for form in least:
            more.setdefault(form, []).append(wanting)
    if numbers:
        met.filed[word] = alone, more
    else:
        met.dull.add(word)
    return alone, more


def _needs(entry: Entry, word: str) -> tuple[frozenset[str], ...]:
    """The forms of each slot of which one must be there as well, where a word is."""
    return tuple(
        slot.forms for slot in entry.slots if not slot.optional and not slot.stems and word not in slot.forms
    )


def stands(entry: Entry, words: Set[str], row: str, plain: str, light: str) -> bool:
    """
    Whether an entry all of whose words occur in a text can stand there; too often, never too rarely.

    Words that must follow each other do so somewhere in `row` (the text's words with one space before and
    after each, folded where the entry is), and one that must be in its letter case is not always in lower case.
    """
    slots = entry.slots
    for left, right in pairwise(slots):
        if right.gap or left.optional or right.optional or left.stems or right.stems:
            continue
        after = right.forms & words
        if not any(f" {a} {b} " in row for a in left.forms & words for b in after):
            return False
    if entry.exact:
        for slot in slots:
            if slot.optional or slot.stems:
                continue
            if not any(
                plain.count(word) < light.count(word) or word not in light or _as_written(word, entry)
                for word in slot.forms & words
            ):
                return False
    return True


@dataclass(frozen=True, slots=True)
class Tokens:
    """The words of a light text in order: spellings, folded spellings, spans."""

    words: Sequence[str]
    folded: Sequence[str]
    starts: Sequence[int]
    ends: Sequence[int]


def tokens_of(light: str, words: Sequence[str]) -> Tokens:
    """The words of a light text (`views.words_of`) with their places."""
    starts, ends, at = [], [], 0
    find = light.find
    for word in words:
        # the first letter or figure from here on is the word's own
        at = find(word, at)
        starts.append(at)
        at += len(word)
        ends.append(at)
    folded = words if light.isascii() else [w if w.isascii() else fold(w) for w in words]
    return Tokens(words, folded, starts, ends)


def heads_of(index: WordIndex, active: Iterable[int], words: Set[str]) -> dict[int, Set[str]]:
    """For each of some entries the words of a text (folded ones included) with which it can begin."""
    heads: dict[int, Set[str]] = {}
    for at in active:
        slot = index.entries[at].slots[0]
        forms: Set[str] = slot.forms & words
        if slot.stems:
            forms = forms | {word for word in words if word.startswith(slot.stems)}
        heads[at] = forms
    return heads


def places_of(tokens: Tokens, spellings: Set[str]) -> dict[str, list[int]]:
    """The numbers of the words with these spellings, as written or folded."""
    places: dict[str, list[int]] = {spelling: [] for spelling in spellings}
    for i, word in [(i, word) for i, word in enumerate(tokens.words) if word in places]:
        places[word].append(i)
    if tokens.folded is not tokens.words:
        for i, word in enumerate(tokens.folded):
            if word in places and word != tokens.words[i]:
                places[word].append(i)
    return places


def is_of(entry: Entry, languages: frozenset[str] | None) -> bool:
    """Whether an entry counts in these languages (None for all)."""
    return languages is None or entry.language == "any" or entry.language in languages


def hits_of(
    index: WordIndex,
    tokens: Tokens,
    plain: str,
    heads: Mapping[int, Set[str]],
    languages: frozenset[str] | None = None,
    places: Mapping[str, Sequence[int]] | None = None,
) -> tuple[Hit, ...]:
    """
    Where some entries occur, in text order; the longest where two of one lexicon overlap.

    `heads` are the entries' numbers with the words they can begin with (`heads_of`), `places` where those
    words stand, if that is known. `languages` limits the entries to these languages ("any" always counts).
    """
    found: list[tuple[Hit, bool]] = []
    chosen = [(index.entries[at], forms) for at, forms in heads.items()]
    if languages is not None:
        chosen = [one for one in chosen if is_of(one[0], languages)]
    if places is None:
        places = places_of(tokens, frozenset().union(*(forms for _, forms in chosen)))
    for entry, forms in chosen:
        firsts = (
            places[next(iter(forms))]
            if len(forms) == 1
            else sorted({i for form in forms for i in places[form]})
        )
        for first in firsts:
            if not _fits(entry.slots[0], tokens.words[first], tokens.folded[first], entry.fold):
                continue
            last = _match(entry.slots, 1, first, tokens, plain, fold_too=entry.fold)
            if last < 0:
                continue
            if entry.exact and not all(
                _as_written(plain[tokens.starts[k] : tokens.ends[k]], entry) for k in range(first, last + 1)
            ):
                continue
            hit = Hit(
                entry.lexicon,
                entry.language,
                entry.section,
                tokens.starts[first],
                tokens.ends[last],
                first,
                last,
                entry.line,
            )
            found.append((hit, entry.friend))
    return _resolve(found)


def _as_written(word: str, entry: Entry) -> bool:
    """Whether a word of an exact entry is in its letter case; inflected forms begin as the line does, free words may be anything."""
    if word in entry.exact:
        return True
    light = word.lower()
    if not any(_fits(slot, light, fold(light), entry.fold) for slot in entry.slots):
        return True
    return any(len(known) >= 3 and word.startswith(known[: max(3, len(known) - 2)]) for known in entry.exact)


def _match(slots: tuple[Word, ...], slot: int, at: int, tokens: Tokens, plain: str, *, fold_too: bool) -> int:
    """The number of the last word when slots from `slot` on match after word `at`, else -1; longest way wins."""
    if slot == len(slots):
        return at
    word = slots[slot]
    best = -1
    if word.optional:
        best = _match(slots, slot + 1, at, tokens, plain, fold_too=fold_too)
    here = at
    for free in range(word.gap + 1):
        if here + 1 >= len(tokens.words):
            break
        between = _BETWEEN_FREE if word.gap else _BETWEEN
        if not between.fullmatch(plain, tokens.ends[here], tokens.starts[here + 1]):
            break
        here += 1
        if _fits(word, tokens.words[here], tokens.folded[here], fold_too):
            last = _match(slots, slot + 1, here, tokens, plain, fold_too=fold_too)
            if last >= 0:
                return max(best, last)
        if free == word.gap:
            break
    return best


_LIGATURES = re.compile("[œæßøł]")


def _fits(slot: Word, word: str, folded: str, fold_too: bool) -> bool:
    if word in slot.forms or word.startswith(slot.stems):
        return True
    # a word typed with marks says which it means: arrête is not arrêté, más is not MAS
    if not fold_too or not (word.isascii() or _LIGATURES.search(word)):
        return False
    return folded in slot.forms or folded.startswith(slot.stems)


def _resolve(found: list[tuple[Hit, bool]]) -> tuple[Hit, ...]:
    """Hits without those that a false friend as long covers; of those of one lexicon that overlap, the longest."""
    friends: dict[tuple[int, int], int] = {}  # the longest friend over a word, by lexicon
    for hit, friend in found:
        if friend:
            for word in range(hit.first, hit.last + 1):
                at = (hit.lexicon, word)
                friends[at] = max(friends.get(at, 0), hit.last - hit.first)
    kept: list[Hit] = []
    taken: set[tuple[int, int]] = set()
    order = sorted(
        (hit for hit, friend in found if not friend),
        key=lambda h: (-(h.last - h.first), h.start, h.section, h.language, h.line),
    )
    for hit in order:
        words = [(hit.lexicon, word) for word in range(hit.first, hit.last + 1)]
        if taken.isdisjoint(words) and not any(friends.get(at, -1) >= hit.last - hit.first for at in words):
            taken.update(words)
            kept.append(hit)
    return in_order(kept)


def in_order(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Hits as they stand in the text."""
    return tuple(sorted(hits, key=lambda h: (h.start, h.end, h.lexicon, h.section, h.language)))

"""
Word lists over texts: which entries of which lexicons occur, and where.

Comes in: compiled lexicons, and the light view of a text. Goes out: hits with character spans.
Each entry is filed under its rarest word. A text's words are looked up one by one, and of what is
filed there only entries whose other words stand where they have to are matched in place. A text
without any costs almost nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from aigov_eval.detect import native
from aigov_eval.detect.matching import Tokens, begun, fits
from aigov_eval.model import Lexicon, Term, Word
from aigov_eval.text.views import WORD, fold, plain_view

_COMPILED = native.words()  # the same, faster: None where there is none
ANY_LANGUAGE = "any"  # of entries that count in every language
_MET = 200_000  # words of texts that an index remembers at most
_YEAR = 4  # figures of a number that may be met again
_NOTHING: frozenset[str] = frozenset()
_FEW = 64  # words beside a root by which it is filed
_STEM = 4  # letters a stem has at least; the loader holds the files to it
_END = 3  # the same of an ending


@dataclass(frozen=True, slots=True)
class Entry:
    """One way through a lexicon line, ready to match; it is filed under the words of the slot `root`."""

    lexicon: int
    language: str
    section: str
    slots: tuple[Word, ...]
    root: int
    exact: frozenset[str]
    fold: bool
    friend: bool
    line: str
    path: str
    at: int  # the line of its file


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry in a text: character span in the view, first and last word number; `at` is the line of its file, `path`."""

    lexicon: int
    language: str
    section: str
    start: int
    end: int
    first: int
    last: int
    line: str
    path: str
    at: int

    @property
    def where(self) -> str:
        """`path:line` of the entry."""
        return f"{self.path}:{self.at}"


# words of which one must stand between so many words before or after (the first and the last number)
_Beside = tuple[frozenset[str], int, int]
# an entry by number, how many words before its root it begins (at most and at least), and what stands beside
_Rooted = tuple[int, int, int, tuple[_Beside, ...]]
# the entries found by a word: the numbers of those that are this word; others; those found by the word and the next one,
# and by the word and the one before it
_Pairs = Mapping[str, Sequence[_Rooted]]
_Found = tuple[tuple[int, ...], tuple[_Rooted, ...], _Pairs, _Pairs]
# of an entry: its lexicon, whether it is a false friend, whether it minds the letter case, how many words it takes at most, its language
_Kind = tuple[int, bool, bool, int, str]
# the words that begin a slot, and those that stand in it
_Openings = Callable[[Word], tuple[frozenset[str], frozenset[str]]]


class WordCache(dict[str, _Found | None]):
    """
    What an index knows of the words of texts read so far, None where nothing is filed under a word.

    A new word is looked up when it is asked for. An entry beside whose root only certain words can stand is
    found by both. All this makes later texts quicker, and changes no result.
    """

    def __init__(self, index: WordIndex) -> None:
        super().__init__()
        self._index = index
        self.kinds: dict[int, _Kind] = {}  # of the entries that were found so far
        self._written: dict[tuple[int, str], bool] = {}
        self._beginnings: dict[tuple[int, str], tuple[str, ...]] = {}
        self._opened: dict[int, tuple[Word, frozenset[str], frozenset[str]]] = {}

    def __missing__(self, word: str) -> _Found | None:
        """What is filed under a word."""
        index = self._index
        if word[:_STEM] not in index.stems and word[-_END:] not in index.ends and not index.anchors.get(word):
            # few long numbers come again, and there is no end of them
            if len(word) <= _YEAR or not word.isdigit():
                self._remember(word, None)
            return None
        alone: list[int] = []
        others: list[_Rooted] = []
        after: dict[str, list[_Rooted]] = {}
        before: dict[str, list[_Rooted]] = {}
        for at in dict.fromkeys(_filed_under(index, word)):
            entry = index.entries[at]
            ways = list(_ways_from(word, entry.slots[entry.root]))
            if not ways:
                continue
            width = sum([_width(slot) + slot.gap for slot in entry.slots])
            self.kinds[at] = entry.lexicon, entry.friend, bool(entry.exact), width, entry.language
            if len(entry.slots) == 1 and () in ways:
                alone.append(at)
                continue
            for rooted, near in dict.fromkeys(_rooted(at, entry, rest, self._openings) for rest in ways):
                if near is None:
                    others.append(rooted)
                    continue
                for form in near[0]:
                    (after if near[1] == 1 else before).setdefault(form, []).append(rooted)
        found = (tuple(alone), tuple(others), after, before) if alone or others or after or before else None
        self._remember(word, found)
        return found

    def _openings(self, slot: Word) -> tuple[frozenset[str], frozenset[str]]:
        """
        The words of which one begins a slot, and those of which one stands somewhere in it, each empty where they cannot be listed.

        Slots are shared by entries, and read once.
        """
        known = self._opened.get(id(slot))
        if known is None or known[0] is not slot:
            heads = [_listed(head) for head in _heads(slot)]
            first = frozenset().union(*heads) if all(heads) else _NOTHING
            telling = [_listed(slot)] if slot.forms else []
            telling += [_telling(phrase) for phrase in slot.phrases]
            within = frozenset().union(*telling) if slot.phrases and all(telling) else _NOTHING
            known = self._opened[id(slot)] = slot, first, within
        return known[1:]

    def _remember(self, word: str, found: _Found | None) -> None:
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


@dataclass(frozen=True, slots=True)
class WordIndex:
    """
    All entries, filed under the words of their rarest slot; by their first or last letters under stems and endings.

    `groups` is what the name of each lexicon begins with, up to a colon.
    """

    names: tuple[str, ...]
    entries: Sequence[Entry]
    anchors: Mapping[str, tuple[int, ...]]
    stems: Mapping[str, tuple[tuple[str, int], ...]]
    ends: Mapping[str, tuple[tuple[str, int], ...]]
    met: WordCache = field(init=False, compare=False, repr=False)
    groups: tuple[str, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Know no word yet."""
        object.__setattr__(self, "met", WordCache(self))
        object.__setattr__(self, "groups", tuple(name.partition(":")[0] for name in self.names))

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
        exact = frozenset(WORD.findall(plain_view(term.line).text)) if term.exact else _NOTHING
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
        for head in _heads(way[root]):
            for form in head.forms:
                anchors[form].append(at)
            for stem in head.stems:
                stems[stem[:_STEM]].append((stem, at))
            for end in head.ends:
                ends[end[-_END:]].append((end, at))
    return WordIndex(
        names,
        tuple(entries),
        {form: tuple(numbers) for form, numbers in anchors.items()},
        {prefix: tuple(pairs) for prefix, pairs in stems.items()},
        {last: tuple(pairs) for last, pairs in ends.items()},
    )


def _heads(slot: Word) -> Iterator[Word]:
    """The slot itself, and the first slots of its phrases: what a text's word may be where the slot begins."""
    yield slot
    for phrase in slot.phrases:
        yield from _heads(phrase[0])


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


def _width(slot: Word) -> int:
    """How many words a slot takes at most."""
    if not slot.phrases:
        return 1
    return max([1, *(sum(one.gap + _width(one) for one in phrase) for phrase in slot.phrases)])


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


def candidates_in(index: WordIndex, row: Sequence[str], folded: Sequence[str]) -> dict[int, list[int]]:
    """
    Which entries, by number, may stand among these words (and the same without marks), and the numbers of the words where they begin.

    Too many, never too few: letter case, and what is between the words, is not looked at.
    """
    met = index.met
    if _COMPILED is not None:
        return _COMPILED.candidates(met, row, folded)
    found: dict[int, list[int]] = {}
    known = [(k, one) for k, one in enumerate(map(met.__getitem__, row)) if one]
    _add_found(found, known, row, folded, row)
    if folded is row:
        return found
    marked = [k for k, (word, bare) in enumerate(zip(row, folded, strict=True)) if word != bare]
    if not marked:
        return found
    beside = sorted({k for at in marked for k in (at - 1, at, at + 1) if 0 <= k < len(row)})
    _add_found(found, [(k, one) for k in beside if (one := met[folded[k]])], row, folded, folded)
    return {at: sorted(set(firsts)) for at, firsts in found.items()}


def exact_among(candidates: Mapping[int, Sequence[int]], index: WordIndex) -> list[int]:
    """Those of the candidates that mind the letter case."""
    kinds = index.met.kinds
    if _COMPILED is not None:
        return _COMPILED.exact(candidates, kinds)
    return [at for at in candidates if kinds[at][2]]


def filed_by_lexicon(
    candidates: Mapping[int, Sequence[int]], index: WordIndex
) -> tuple[dict[int, list[int]], frozenset[int]]:
    """The candidates by lexicon, and the lexicons of which one is no false friend."""
    kinds = index.met.kinds
    if _COMPILED is not None:
        return _COMPILED.filed(candidates, kinds)
    filed: dict[int, list[int]] = {}
    told = set()
    for at in candidates:
        lexicon, friend, *_ = kinds[at]
        filed.setdefault(lexicon, []).append(at)
        if not friend:
            told.add(lexicon)
    return filed, frozenset(told)


def _add_found(
    found: dict[int, list[int]],
    known: Iterable[tuple[int, _Found]],
    row: Sequence[str],
    folded: Sequence[str],
    said: Sequence[str],
) -> None:
    """Add what is found by words of `said`, which is the row or the same without marks."""
    last = len(said) - 1
    for k, (alone, others, after, before) in known:
        for at in alone:
            found.setdefault(at, []).append(k)
        if others:
            _add_spots(found, others, row, folded, k)
        if after and k < last and said[k + 1] in after:
            _add_spots(found, after[said[k + 1]], row, folded, k)
        if before and k and said[k - 1] in before:
            _add_spots(found, before[said[k - 1]], row, folded, k)


def _add_spots(
    found: dict[int, list[int]],
    chosen: Iterable[_Rooted],
    row: Sequence[str],
    folded: Sequence[str],
    k: int,
) -> None:
    """Add where the entries may begin whose root is word k, where the words beside it are there, with marks or without."""
    for at, most, least, beside in chosen:
        for forms, first, last in beside:
            start, end = max(0, k + first), max(0, k + last + 1)
            if forms.isdisjoint(row[start:end]) and (folded is row or forms.isdisjoint(folded[start:end])):
                break
        else:
            found.setdefault(at, []).extend(range(max(0, k - most), k - least + 1))


def _filed_under(index: WordIndex, word: str) -> Iterator[int]:
    """The numbers of the entries that are filed under a word, or a stem or an ending of it."""
    yield from index.anchors.get(word, ())
    for stem, at in index.stems.get(word[:_STEM], ()):
        if word.startswith(stem):
            yield at
    for end, at in index.ends.get(word[-_END:], ()):
        if word.endswith(end):
            yield at


def _rooted(
    at: int, entry: Entry, rest: tuple[Word, ...], openings: _Openings
) -> tuple[_Rooted, _Beside | None]:
    """
    An entry as it is found by a word of its root, and the words of which one must stand right beside it, if there are few such.

    `rest` is what of the root follows that word.
    """
    slots, root = entry.slots, entry.root
    right = list(_beside((*rest, *slots[root + 1 :]), openings))
    # seen from behind, a gap stands after its word, and the first word of a slot is its farthest
    left = [
        (forms, -last, -first)
        for forms, first, last in _beside(_turned(slots[: root + 1]), openings, backwards=True)
    ]
    beside = (*right, *left)
    most = sum(map(_width, slots[:root])) + sum(slot.gap for slot in slots[1 : root + 1])
    least = root - sum(slot.optional for slot in slots[:root])
    next_to = [one for one in beside if one[1:] in ((1, 1), (-1, -1)) and len(one[0]) <= _FEW]
    if not next_to:
        return (at, most, least, beside), None
    near = min(next_to, key=lambda one: len(one[0]))
    return (at, most, least, tuple(one for one in beside if one != near)), near


def _turned(slots: Sequence[Word]) -> list[Word]:
    """The slots before the last, from behind, each with the gap between it and the one that it is seen from."""
    return [
        replace(slot, gap=following.gap)
        for slot, following in zip(reversed(slots[:-1]), reversed(slots[1:]), strict=True)
    ]


def _beside(slots: Iterable[Word], openings: _Openings, *, backwards: bool = False) -> Iterator[_Beside]:
    """Where words of slots that follow a root must stand; not of those that may be absent, or hold more than listed words."""
    least = most = 0
    for slot in slots:
        width = _width(slot)
        most += width + slot.gap
        if slot.optional:
            continue
        least += 1
        first, within = openings(slot)
        if first:
            yield first, least, most if backwards else most - width + 1
        if within:
            yield within, least, most


def split(light: str) -> Tokens | None:
    """The words of a light text with their places, told at once; None where they are cheaper one after the other."""
    told = _COMPILED.split(light, light.isascii(), fold) if _COMPILED is not None else None
    if told is None:
        return None
    words, folded, starts, ends = told
    return Tokens(words, folded, memoryview(starts).cast("I"), memoryview(ends).cast("I"))


def is_of(entry: Entry, languages: frozenset[str] | None) -> bool:
    """Whether an entry counts in these languages (None for all)."""
    return languages is None or entry.language == ANY_LANGUAGE or entry.language in languages


def hits_of(
    index: WordIndex,
    tokens: Tokens,
    plain: str,
    candidates: Mapping[int, Iterable[int]],
    languages: frozenset[str] | None = None,
) -> tuple[Hit, ...]:
    """
    Where some entries occur, in text order; the longest where two of one lexicon overlap.

    `candidates` are the entries' numbers with the words where they may begin (`candidates_in`). `languages`
    limits the entries to these languages (`ANY_LANGUAGE` always counts).
    """
    return _resolve(matches_of(index, tokens, plain, candidates, languages))


def matches_of(
    index: WordIndex,
    tokens: Tokens,
    plain: str,
    candidates: Mapping[int, Iterable[int]],
    languages: frozenset[str] | None = None,
) -> list[tuple[Hit, bool]]:
    """Every place of these entries, and whether it is one of a false friend; the arguments are those of `hits_of`."""
    found: list[tuple[Hit, bool]] = []
    entries = index.entries
    chosen = list(candidates.items())
    if languages is not None:
        chosen = [(at, firsts) for at, firsts in chosen if is_of(entries[at], languages)]
    if not chosen:
        return found
    for at, first, last in _places(entries, chosen, tokens, plain):
        entry = entries[at]
        if entry.exact and not all(
            index.met.is_written(at, plain[tokens.starts[k] : tokens.ends[k]]) for k in range(first, last + 1)
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
            entry.path,
            entry.at,
        )
        found.append((hit, entry.friend))
    return found


def _places(
    entries: Sequence[Entry], chosen: Sequence[tuple[int, Iterable[int]]], tokens: Tokens, plain: str
) -> Iterable[tuple[int, int, int]]:
    """Where some entries stand: number of the entry, of its first and its last word; letter case is not looked at."""
    if _COMPILED is not None:
        return _COMPILED.matches(
            entries, chosen, tokens.words, tokens.folded, tokens.starts, tokens.ends, plain
        )
    return [
        (at, first, last)
        for at, firsts in chosen
        for first in firsts
        if (last := begun(entries[at].slots, 0, first, tokens, plain, fold_too=entries[at].fold)) >= 0
    ]


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


def _resolve(found: list[tuple[Hit, bool]]) -> tuple[Hit, ...]:
    """Hits without those that a false friend as long covers; of those of one lexicon that overlap, the longest."""
    exclusions: dict[tuple[int, int], int] = {}  # the longest friend over a word, by lexicon
    for hit, friend in found:
        if friend:
            for word in range(hit.first, hit.last + 1):
                at = (hit.lexicon, word)
                exclusions[at] = max(exclusions.get(at, 0), hit.last - hit.first)
    kept: list[Hit] = []
    taken: set[tuple[int, int]] = set()
    order = sorted(
        (hit for hit, friend in found if not friend),
        key=lambda h: (-(h.last - h.first), h.start, h.section, h.language, h.line),
    )
    for hit in order:
        words = [(hit.lexicon, word) for word in range(hit.first, hit.last + 1)]
        if taken.isdisjoint(words) and not any(
            exclusions.get(at, -1) >= hit.last - hit.first for at in words
        ):
            taken.update(words)
            kept.append(hit)
    return in_order(kept)


def in_order(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Hits as they stand in the text."""
    return tuple(sorted(hits, key=lambda h: (h.start, h.end, h.lexicon, h.section, h.language)))

"""
Word lists over texts: which entries of which lexicons occur, and where.

Comes in: compiled lexicons, and the light view of a text. Goes out: hits with character spans.
Two steps: the different words of a text against the first words of all entries (a set
intersection, so that a text without any costs almost nothing), then, only where that met,
the entries word by word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from aigov_eval.model import Lexicon, Location, Term, Word
from aigov_eval.text.views import WORD, fold

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
    where: Location


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
    where: Location


@dataclass(frozen=True, slots=True)
class WordIndex:
    """All entries by their first word; `masks` tell the lexicons (one bit each) that a word can start."""

    names: tuple[str, ...]
    entries: tuple[Entry, ...]
    heads: Mapping[str, tuple[int, ...]]
    stems: Mapping[str, tuple[tuple[str, int], ...]]
    masks: Mapping[str, int]

    def number(self, name: str) -> int:
        """The number of a lexicon by its name; -1 where there is none."""
        try:
            return self.names.index(name)
        except ValueError:
            return -1


def build_index(lexicons: Mapping[str, Sequence[Lexicon]]) -> WordIndex:
    """The index over these lexicons (name -> its languages)."""
    entries: list[Entry] = []
    names = tuple(sorted(lexicons))
    for number, name in enumerate(names):
        for lexicon in lexicons[name]:
            for friend, terms in ((False, lexicon.terms), (True, lexicon.friends)):
                for term in terms:
                    entries.extend(_entries(term, number, lexicon.language, friend=friend))
    heads: dict[str, list[int]] = {}
    stems: dict[str, list[tuple[str, int]]] = {}
    masks: dict[str, int] = {}
    for at, entry in enumerate(entries):
        bit = 0 if entry.friend else 1 << entry.lexicon
        head = entry.slots[0]
        for form in head.forms:
            heads.setdefault(form, []).append(at)
            masks[form] = masks.get(form, 0) | bit
        for stem in head.stems:
            stems.setdefault(stem[:_STEM], []).append((stem, at))
    return WordIndex(
        names,
        tuple(entries),
        {head: tuple(numbers) for head, numbers in heads.items()},
        {prefix: tuple(pairs) for prefix, pairs in stems.items()},
        masks,
    )


def _entries(term: Term, lexicon: int, language: str, *, friend: bool) -> Iterable[Entry]:
    exact = frozenset(form for word in term.words for form in word.forms) if term.exact else frozenset()
    slots = tuple(_folded(_lower(word)) if term.fold else _lower(word) for word in term.words)
    while slots:
        yield Entry(lexicon, language, term.section, slots, exact, term.fold, friend, term.line, term.where)
        if not slots[0].optional:
            return
        slots = slots[1:]


def _lower(word: Word) -> Word:
    if all(form.islower() or not form.isalpha() for form in word.forms):
        return word
    return Word(frozenset(form.lower() for form in word.forms), word.stems, word.gap, word.optional)


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


def mask_of(index: WordIndex, words: set[str]) -> int:
    """The lexicons (bits) of which some entry could start in a text with these words (folded ones included)."""
    mask = 0
    masks = index.masks
    for word in masks.keys() & words:
        mask |= masks[word]
    stems = index.stems
    for prefix in stems.keys() & {word[:_STEM] for word in words}:
        for stem, at in stems[prefix]:
            entry = index.entries[at]
            bit = 1 << entry.lexicon
            if not entry.friend and not mask & bit and any(word.startswith(stem) for word in words):
                mask |= bit
    return mask


@dataclass(frozen=True, slots=True)
class Tokens:
    """The words of a light text in order: spellings, folded spellings, spans."""

    words: tuple[str, ...]
    folded: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]


def tokens_of(light: str) -> Tokens:
    """The words of a light text with their places."""
    words, starts, ends = [], [], []
    for match in WORD.finditer(light):
        words.append(match.group())
        starts.append(match.start())
        ends.append(match.end())
    return Tokens(tuple(words), tuple(w if w.isascii() else fold(w) for w in words), tuple(starts), tuple(ends))


def hits_of(index: WordIndex, tokens: Tokens, plain: str, wanted: int, languages: frozenset[str] | None = None) -> tuple[Hit, ...]:
    """
    The entries of the wanted lexicons (bits) in a text, longest first where two of one lexicon overlap.

    `languages` limits the entries to these languages ("any" always counts).
    """
    found: list[tuple[Hit, bool]] = []
    heads, stems, entries = index.heads, index.stems, index.entries
    for i, word in enumerate(tokens.words):
        folded = tokens.folded[i]
        numbers = heads.get(word, ())
        if folded != word:
            numbers = (*numbers, *(n for n in heads.get(folded, ()) if entries[n].fold and n not in numbers))
        for prefix in (word[:_STEM],) if folded == word else (word[:_STEM], folded[:_STEM]):
            for stem, at in stems.get(prefix, ()):
                if (word.startswith(stem) or (entries[at].fold and folded.startswith(stem))) and at not in numbers:
                    numbers = (*numbers, at)
        for number in numbers:
            entry = entries[number]
            if not wanted >> entry.lexicon & 1:
                continue
            if languages is not None and entry.language != "any" and entry.language not in languages:
                continue
            last = _match(entry.slots, 1, i, tokens, plain, fold_too=entry.fold)
            if last < 0:
                continue
            start, end = tokens.starts[i], tokens.ends[last]
            if entry.exact and not all(plain[tokens.starts[k] : tokens.ends[k]] in entry.exact for k in range(i, last + 1)):
                continue
            hit = Hit(entry.lexicon, entry.language, entry.section, start, end, i, last, entry.line, entry.where)
            found.append((hit, entry.friend))
    return _resolve(found)


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


def _fits(slot: Word, word: str, folded: str, fold_too: bool) -> bool:
    if word in slot.forms or (fold_too and folded in slot.forms):
        return True
    return any(word.startswith(stem) or (fold_too and folded.startswith(stem)) for stem in slot.stems)


def _resolve(found: list[tuple[Hit, bool]]) -> tuple[Hit, ...]:
    friends = [hit for hit, friend in found if friend]
    kept: list[Hit] = []
    by_lexicon: dict[int, list[Hit]] = {}
    for hit, friend in found:
        if not friend and not any(
            f.lexicon == hit.lexicon and f.start < hit.end and hit.start < f.end and f.last - f.first >= hit.last - hit.first
            for f in friends
        ):
            by_lexicon.setdefault(hit.lexicon, []).append(hit)
    for hits in by_lexicon.values():
        taken: list[Hit] = []
        for hit in sorted(hits, key=lambda h: (-(h.last - h.first), h.start, h.section, h.language, h.line)):
            if not any(t.start < hit.end and hit.start < t.end for t in taken):
                taken.append(hit)
        kept.extend(taken)
    return tuple(sorted(kept, key=lambda h: (h.start, h.end, h.lexicon, h.section, h.language)))

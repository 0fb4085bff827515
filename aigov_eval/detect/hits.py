"""
Word lists over texts: which entries of which lexicons occur, and where.

Comes in: an index of word lists, and the light view of a text. Goes out: hits with character spans. A text's words are
looked up one by one, and of what is filed there only entries whose other words stand where they have to are matched in
place. A text without any costs almost nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from aigov_eval.detect import native
from aigov_eval.detect.entries import Entry, counts_in
from aigov_eval.detect.matching import Tokens, begun
from aigov_eval.detect.rooted import Found, Rooted
from aigov_eval.detect.words import WordIndex
from aigov_eval.text.views import fold

_COMPILED = native.words()  # the same, faster: None where there is none


class Hit(Struct, frozen=True):
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


def split(light: str) -> Tokens | None:
    """The words of a light text with their places, told at once; None where they are cheaper one after the other."""
    told = _COMPILED.split(light, light.isascii(), fold) if _COMPILED is not None else None
    if told is None:
        return None
    words, folded, starts, ends = told
    return Tokens(words, folded, memoryview(starts).cast("I"), memoryview(ends).cast("I"))


def candidates_in(index: WordIndex, row: Sequence[str], folded: Sequence[str]) -> dict[int, list[int]]:
    """
    Which entries, by number, may stand among these words (and the same without marks), and the numbers of the words where they begin.

    Too many, never too few: letter case, and what is between the words, is not looked at.
    """
    if _COMPILED is not None and index.tables:
        there = _COMPILED.tabled(index.tables[0].data, row, folded)
        for table in index.tables[1:]:
            there.update(_COMPILED.tabled(table.data, row, folded))
        return there
    met = index.met
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
    known: Iterable[tuple[int, Found]],
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
    chosen: Iterable[Rooted],
    row: Sequence[str],
    folded: Sequence[str],
    k: int,
) -> None:
    """Add where the entries may begin whose root is word k, where the words beside it are there, with marks or without."""
    for at, most, least, beside in chosen:
        if k < least:
            continue
        for forms, first, last in beside:
            start, end = max(0, k + first), max(0, k + last + 1)
            if forms.isdisjoint(row[start:end]) and (folded is row or forms.isdisjoint(folded[start:end])):
                break
        else:
            found.setdefault(at, []).extend(range(max(0, k - most), k - least + 1))


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
        chosen = [(at, firsts) for at, firsts in chosen if counts_in(entries[at].language, languages)]
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


def _resolve(found: list[tuple[Hit, bool]]) -> tuple[Hit, ...]:
    """Hits without those that a false friend as long covers; of those of one lexicon that overlap, the longest."""
    if len(found) < 2:  # as in most texts, of most lists
        return tuple([hit for hit, friend in found if not friend])
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

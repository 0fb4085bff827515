"""
Where a text may name anybody at all.

Comes in: a text and the index of names. Goes out: the entries that may stand there, with their words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from aigov_eval.detect.hits import candidates_in
from aigov_eval.detect.reading import Reading
from aigov_eval.detect.words import WordIndex
from aigov_eval.scoring.persons.subject_names import (
    is_capital,
)

_LETTER = re.compile(r"[^\W_]")
NAMES = (
    "given_names",
    "titles",
    "titles_m",
    "titles_f",
    "institution_prefixes",
    "namesakes",
    "company_suffixes",
)


class NameIndex(Struct, frozen=True):
    """What makes a name, compiled, and the common words, which alone are none."""

    names: WordIndex
    common: frozenset[str] = frozenset()


def spots_of_names(reading: Reading, people: NameIndex, *, every: bool) -> dict[int, Sequence[int]]:
    """
    The entries of names that can occur in a text, with the words where they may begin; none where they can name nobody.

    Unless `every` one is wanted, a title is left out that never stands before a capital, and a given name that has none.
    """
    index = people.names
    candidates = candidates_in(index, reading.row, reading.folded)
    if every:
        return dict(candidates)
    titles: dict[int, Sequence[int]] = {}
    given: dict[int, Sequence[int]] = {}
    others: dict[int, Sequence[int]] = {}
    for at, firsts in candidates.items():
        name = index.names[index.entries[at].lexicon]
        (given if name == "given_names" else titles if name.startswith("titles") else others)[at] = firsts
    titles = {
        at: firsts
        for at, firsts in titles.items()
        if len(index.entries[at].slots) > 1 or any(_is_before_capital(reading, i) for i in firsts)
    }
    alone = frozenset[str]() if titles else people.common
    for at, places in given.items():
        if len(index.entries[at].slots) == 1:
            # a word that is a name once is looked at wherever it stands
            names = {reading.folded[i] for i in places if _is_name(reading, i, alone)}
            given[at] = [i for i in places if reading.folded[i] in names]
    if not titles and not any(given.values()):
        return {}
    return {**titles, **{at: places for at, places in given.items() if places}, **others}


def _is_name(reading: Reading, i: int, common: frozenset[str]) -> bool:
    """Whether word i has a capital, and another word with one after it where it is a common word."""
    if not is_capital(reading, i):
        return False
    end = reading.tokens.ends[i]
    return reading.row[i] not in common or any(c.isupper() for c in reading.plain[end : end + 3])


def _is_before_capital(reading: Reading, i: int) -> bool:
    """Whether the word after word i has a capital."""
    following = _LETTER.search(reading.plain, reading.tokens.ends[i])
    return following is not None and following.group().isupper()

"""An index with a part that was added finds what one built of all lists finds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from aigov_eval.detect.added import part_of, with_part
from aigov_eval.detect.hits import candidates_in
from aigov_eval.detect.tabled import table_of
from aigov_eval.detect.words import WordIndex, build_index
from aigov_eval.model import Lexicon
from aigov_eval.scoring.compiled import words as stored_words
from aigov_eval.text.views import fold
from tests.detect.test_native import in_python
from tests.detect.test_table import LINES, NOWHERE, WORDS, terms_of


def _list(lines: tuple[str, ...]) -> tuple[Lexicon]:
    return (
        Lexicon("", "en", "", "", "", tuple(term for line in lines for term in terms_of(line)), (), NOWHERE),
    )


# the names are in the order in which one index has them, so that the entries have the same numbers
FIRST = {"a": _list(tuple(LINES)), "b": _list(tuple(LINES[::2]))}
MORE = {"c": _list(tuple(LINES[1::2])), "d": _list(tuple(LINES[::3]))}


@pytest.fixture(scope="module")
def whole() -> WordIndex:
    """All lists, built as one."""
    return build_index({**FIRST, **MORE})


@pytest.fixture(scope="module")
def joined() -> WordIndex:
    """The same in two parts, one of them as it comes back from where it is kept."""
    index = build_index(FIRST)
    index = replace(index, tables=(table_of(index.entries),))
    part = part_of(index, MORE, frozenset(), {})
    return with_part(index, stored_words.from_store(stored_words.to_store(part)))


def test_entries_and_lists_have_the_same_numbers(whole: WordIndex, joined: WordIndex) -> None:
    """One by one, as a slice, and by the letters of stems and endings."""
    assert joined.names == whole.names
    # by which word of it an entry is found depends on how often lists have the word
    assert [replace(entry, root=0) for entry in joined.entries] == [
        replace(entry, root=0) for entry in whole.entries
    ]
    assert list(joined.entries[-3:]) == [*joined.entries][-3:]
    assert dict(joined.stems) == dict(whole.stems)
    assert dict(joined.ends) == dict(whole.ends)


@given(words=st.lists(st.sampled_from(WORDS), max_size=12))
@settings(max_examples=300, deadline=None)
def test_both_find_the_same(whole: WordIndex, joined: WordIndex, words: list[str]) -> None:
    """Read by the compiled part, and by Python."""
    folded = [fold(word) for word in words]
    told = candidates_in(whole, words, folded)
    assert candidates_in(joined, words, folded) == told
    with in_python():
        assert candidates_in(joined, words, folded) == told
    assert {at: joined.met.kinds[at][0] for at in told} == {at: whole.entries[at].lexicon for at in told}

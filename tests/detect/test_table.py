"""The table of an index tells of every word what its entries tell."""

from __future__ import annotations

import os
import subprocess
import sys
from array import array
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from aigov_eval.detect import native
from aigov_eval.detect.hits import candidates_in
from aigov_eval.detect.tabled import table_of
from aigov_eval.detect.words import WordIndex, build_index
from aigov_eval.model import Lexicon, Location, Term, Word
from aigov_eval.pack.entries import parse_entry
from aigov_eval.scoring import Engine
from aigov_eval.text.views import fold
from tests.detect.test_native import in_python

ROOT = Path(__file__).resolve().parents[2]
NOWHERE = Location("words.txt", 1, 1)
LINES = (
    "sclerosis|multiple sclerosis|type ..2 diabetes|diabet*|diab*|*rosis|*osis clinic|=PP|=SOS Clinic|épilepsie|crise d épilepsie|"
    "diabet* ..2 clinic|old chair|<old> chair|the <old>|<old>"
).split("|")
# a class of one word, of stems and endings, of phrases that begin like these
CLASSES = {
    "old": (
        Word(
            frozenset({"old", "new"}),
            ("ancie", "diabe"),
            ends=("arosis",),
            phrases=((Word(frozenset({"old"})), Word(frozenset({"style"}))), (Word(stems=("ancie",)),)),
        ),
    )
}
WORDS = (
    "sclerosis multiple old new ancien style chair type diabetes diabetic diabolo epilepsie épilepsie crise d clinic the a pp sos "
    "fibrosis scarosis osis narcosis 2 dia é \ud83d x"
).split()


def terms_of(line: str) -> tuple[Term, ...]:
    """A line as the loader compiles it."""
    if "<" in line:
        words = [CLASSES["old"][0] if word == "<old>" else Word(frozenset({word})) for word in line.split()]
        return (Term(tuple(words), line, NOWHERE),)
    return parse_entry(line.removeprefix("="), where=NOWHERE, paradigms={}, exact=line.startswith("="))


@pytest.fixture(scope="module")
def index() -> WordIndex:
    """Lists with stems, endings, gaps, phrases, words in a letter case, each in two lists."""
    lists = {
        name: (
            Lexicon(
                name, "en", "", "", "", tuple(term for line in LINES for term in terms_of(line)), (), NOWHERE
            ),
        )
        for name in ("one", "two")
    }
    return build_index(lists)


def test_every_word_finds_what_it_found(engine: Engine) -> None:
    """Words of lists, words beside them, others with their stems and endings."""
    for whole in (engine.people.names, engine.phrases, engine.far_cues, engine.detection.words):
        (table,) = whole.tables
        alone = replace(whole, tables=())
        words = [*whole.anchors][::17]
        for word in (*words, *(word + "s" for word in words[::5]), *("x" + word for word in words[::5])):
            found = alone.met[word]
            assert table.found(word) == found, word
            assert set(whole.anchors.get(word, ())) <= set(table.entries(word))
        assert {at: table.kind(at) for at in alone.met.kinds} == alone.met.kinds


@given(words=st.lists(st.sampled_from(WORDS), max_size=12))
@settings(max_examples=500, deadline=None)
def test_entries_stand_where_they_stood(index: WordIndex, words: list[str]) -> None:
    """Read by the compiled part, by Python, and told from the entries themselves, in one order."""
    folded = [fold(word) for word in words]
    tabled = replace(index, tables=(table_of(index.entries),))
    told = candidates_in(index, words, folded)
    assert list(candidates_in(tabled, words, folded).items()) == list(told.items())
    with in_python():
        assert list(candidates_in(tabled, words, folded).items()) == list(told.items())


def test_a_table_is_the_same_bytes_whatever_the_hash_seed() -> None:
    """Sets of words have no order of their own."""
    code = (
        "from tests.detect.test_table import *; from hashlib import sha256; "
        "print(sha256(table_of(index.__wrapped__().entries).data).hexdigest())"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1


@pytest.mark.skipif(native.words() is None, reason="the inner loops are not compiled here")
@given(data=st.data())
@settings(max_examples=600, deadline=None)
def test_a_damaged_table_raises_or_tells_something_else(index: WordIndex, data: Any) -> None:
    """Whatever its numbers are, no memory is looked at that is not the table's."""
    compiled: Any = native.words()
    numbers = array("I", bytes(table_of(index.entries).data))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(numbers) - 1))
        numbers[at] = data.draw(st.one_of(st.integers(0, 40), st.integers(0, 2**32 - 1)))
    damaged = (
        numbers.tobytes()[: data.draw(st.integers(0, 4 * len(numbers)))]
        if data.draw(st.booleans())
        else numbers.tobytes()
    )
    try:
        compiled.tabled(damaged, WORDS, [fold(word) for word in WORDS])
    except ValueError:
        return

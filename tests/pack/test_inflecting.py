"""What a paradigm makes of a word."""

from __future__ import annotations

import pytest

from aigov_eval.pack.inflecting import EntryError, forms_of, inflect

PARADIGMS = {"ie": ["", "-1a", "-1ei"], "noun": {"": ["", "s"], "y": ["", "-1ies"], "ey": ["", "s"]}}


def test_an_ending_removes_letters_first() -> None:
    """`-2ei` takes two letters off before it adds its own."""
    assert inflect("boală", "-1ii") == "boalii"
    assert inflect("carte", "-2ți") == "carți"


def test_the_longest_end_gives_the_endings() -> None:
    """Of those that the word has."""
    assert [*forms_of("clinic", "noun", PARADIGMS)] == ["clinic", "clinics"]
    assert [*forms_of("surgery", "noun", PARADIGMS)] == ["surgery", "surgeries"]
    assert [*forms_of("kidney", "noun", PARADIGMS)] == ["kidney", "kidneys"]


def test_an_ending_leaves_something_of_its_word() -> None:
    """A word that is too short for its paradigm is told."""
    with pytest.raises(EntryError, match='leaves nothing of "a"'):
        [*forms_of("a", "ie", PARADIGMS)]

"""Views normalise what only the eye would not see, and always lead back to the source."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aigov_eval.text.views import WORD, fold, plain_view, words_of


@pytest.mark.parametrize(
    ("raw", "plain"),
    [
        ("N\u200bL\u200b8\u200b4", "NL84"),
        ("ion\u00ad.popescu＠example．com", "ion.popescu@example.com"),
        ("„Ștefan” – l’été", '"Ștefan" - l\'été'),
        ("Ştefan Ţepeş", "Ștefan Țepeș"),
        ("cafe\u0301", "café"),
        ("hоmosexuаl", "homosexual"),  # two Cyrillic letters
        ("слово и СОР", "слово и СОР"),  # words of one script stay
        ("07\u202f22\u00a0519", "07 22 519"),
        ("İstanbul", "Istanbul"),
        ("a\ud800b", "a\ufffdb"),
    ],
)
def test_plain_view(raw: str, plain: str) -> None:
    """Each disguise is taken off, and nothing else."""
    assert plain_view(raw).text == plain


@given(st.text(alphabet=st.characters(exclude_categories=[]), max_size=60))
def test_spans_lead_back(raw: str) -> None:
    """Every character of a view has a source span inside the text, in order."""
    view = plain_view(raw)
    last = 0
    for i in range(len(view.text)):
        start, end = view.source_span(i, i + 1)
        assert last <= start < end <= len(raw)
        last = start


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("आधार नंबर 42", ["आधार", "नंबर", "42"]),
        ("เลขที่บัตร: 42", ["เลขที่บัตร", "42"]),
        ("מספר_זהות 42", ["מספר", "זהות", "42"]),
        ("it's a well-known_word", ["it", "s", "a", "well", "known", "word"]),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    """Vowel signs and tone marks stand within a word; other signs end it."""
    assert WORD.findall(text) == words


@given(st.text(max_size=60))
def test_a_view_of_a_view_is_itself(raw: str) -> None:
    """Normalising twice changes nothing more."""
    once = plain_view(raw).text

    assert plain_view(once).text == once


@given(st.text(max_size=60))
def test_light_keeps_the_length(raw: str) -> None:
    """The light view has the offsets of the plain view."""
    plain = plain_view(raw).text

    assert len(plain.lower()) == len(plain)


@pytest.mark.parametrize(
    ("word", "folded"),
    [("Căldăraru", "caldararu"), ("sœur", "soeur"), ("Łódź", "lodz"), ("straße", "strasse"), ("ıi", "ii")],
)
def test_fold(word: str, folded: str) -> None:
    """Marks go, and so do the letters that no decomposition takes apart."""
    assert fold(word) == folded


@given(
    st.lists(
        st.one_of(
            st.text(alphabet=st.characters(max_codepoint=127), max_size=20),
            st.text(alphabet=st.characters(max_codepoint=0x24F), max_size=20),
            st.text(max_size=6),
        ),
        max_size=4,
    )
)
def test_words_are_the_same_by_every_way(parts: list[str]) -> None:
    """The quick ways for ASCII and for Latin letters find the words of the slow one."""
    light = plain_view("".join(parts)).text.lower()

    assert words_of(light) == WORD.findall(light)


def test_signs_are_in_no_word() -> None:
    """What the quick way takes for a sign beyond ASCII is one, and what it takes for a Latin letter is a letter."""
    beyond = [chr(c) for c in range(0x80, 0x20000) if not 0xD800 <= c < 0xE000]

    assert [c for c in beyond if words_of(f"a{c}a") != WORD.findall(f"a{c}a")] == []
    assert words_of("\u20ac5 \u2013 caf\u00e9\U0001f600\u00b2") == ["5", "caf\u00e9", "\u00b2"]

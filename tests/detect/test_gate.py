"""The gate lets everything through that a pattern can match."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from aigov_eval.detect.automata import PatternSet, Rewritten
from aigov_eval.detect.gate import build_gate

PATTERNS = [
    r"(?<![\w.])\d{4}(?:[ .-]?\d{4}){3}(?![\w-])",
    r"\b[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){2,7}\b",
    r"[\w.+'-]{1,64}@(?:[\w-]{1,63}\.){1,8}\w{2,24}",
    r"(?:str|rue|via)\.?\s+\w+(?:\s+\w+){0,3}\s+\d{1,4}\b",
    r"(a)(b)?\1[^c\d]x",
    r"(?:ki|ſs)[k-s]+\s",
    r"^\W{0,3}pin\b.{0,5}?(\d{4})$",
    r"(?P<value>[^\s,;]{6,20})(?=\s|$)",
    r"(?<!\d)(?:0|\+40)[ .-]?\d{3}[ ./-]?\d{3}[ .-]?\d{3}(?!\d)",
    r"(?:nr|no)\.? ?(?P<value>\d{1,3}(?:[ .]\d{3}){1,2})",
    r"[1-9]\d?[^\w\n]{1,3}\d{2,4}[- ]\d",
    r"(?<![^\s(])[a-k]{2,4}(?!\S)",
    r"(?<![\w.,/+(-])(?<!\d )0\d{1,9}(?![\w@/]|[.,-]\d| \d)",
    r"(?<=[ks])[^\W\d_]\b(?!;)",
    r"(?:\(p(?P<value>\d\d))|(?:\(i(?P<value>\d))",
]
ALPHABET = st.text(alphabet="aAbBkKsSiIſKİı09 .-@\n\t\u00a0éßșţ٣x,;pinstrRO\u2028\x1c_", max_size=40)


@pytest.mark.parametrize("case", [True, False])
@given(text=ALPHABET)
@settings(max_examples=400, deadline=None)
def test_a_pattern_that_matches_has_fired(case: bool, text: str) -> None:
    """Whatever the engine that searches finds, the gate has let through."""
    gate = build_gate(PATTERNS, case=[case] * len(PATTERNS))
    fired = gate.fired(text)

    for number, pattern in enumerate(PATTERNS):
        if regex.search(pattern, text, 0 if case else regex.IGNORECASE):
            assert number in fired, (pattern, text)


@given(data=st.data(), pattern=st.sampled_from(PATTERNS))
@settings(max_examples=200, deadline=None)
def test_texts_made_from_a_pattern_fire_it(data: st.DataObject, pattern: str) -> None:
    """Texts drawn from the pattern itself, in any surroundings, pass its gate."""
    if r"\1" in pattern or "(?<!" in pattern or "(?=" in pattern or pattern.count("?P<value>") > 1:
        text = data.draw(ALPHABET)
    else:
        text = data.draw(ALPHABET) + data.draw(st.from_regex(re.compile(pattern))) + data.draw(ALPHABET)
    fired = build_gate([pattern], case=[True]).fired(text)

    assert not regex.search(pattern, text) or 0 in fired


@pytest.mark.parametrize("case", [True, False])
@given(texts=st.lists(ALPHABET, min_size=2, max_size=6))
@settings(max_examples=200, deadline=None)
def test_texts_are_asked_together_as_each_alone(case: bool, texts: list[str]) -> None:
    """What stands beside a match may be the edge of a text: its neighbours in a bundle hide nothing."""
    gate = build_gate(PATTERNS, case=[case] * len(PATTERNS))

    assert gate.fired_each(texts) == [gate.fired(text) for text in texts]


def test_what_is_there_often_is_still_seen() -> None:
    """A pattern whose row stands in most texts is asked for whole, and fires where it matches."""
    patterns = [r"order \d{6}(?<!000000)", r"order \d{4}\b(?![\w-])", r"zebra crossing"]
    gate = build_gate(patterns, case=[False] * 3)
    for _ in range(200):
        assert gate.fired("an order 481604 came in")[:1] == [0]

    assert gate.fired("order 4816") == [1]
    assert gate.fired("order 4816-x and a zebra crossing") == [2]


def test_a_pattern_that_cannot_be_rewritten_always_runs() -> None:
    """A conditional group is beyond the rewriting, so its pattern is never held back."""
    assert build_gate([r"(a)?(?(1)b|c)"], case=[True]).fired("nothing here") == [0]


def test_a_clean_text_fires_nothing() -> None:
    """The gate earns its place: plain prose lets no pattern run."""
    assert not build_gate(PATTERNS[:3], case=[False] * 3).fired(
        "A calm sentence about the weather of the day."
    )


def test_a_set_that_another_takes_the_place_of_still_tells_its_own_members() -> None:
    """Another thread may have learned which members fire often while this one was asking."""
    pytest.importorskip("re2")
    one = PatternSet(Rewritten(("a", "b"), ("a", "b")), [0, 1])
    before = one._asked

    def meanwhile(text: bytes) -> Sequence[int]:
        one._asked = replace(before, numbers=(1,), always=(0,))
        return tuple(before.ask(text))

    one._asked = replace(before, ask=meanwhile)

    assert one.fired(b"b") == [1]


def test_threads_that_ask_one_set_are_told_the_same() -> None:
    """While it learns which of its members fire often, eight of them, changing places as often as they can."""
    pytest.importorskip("re2")
    rows = tuple("abcdefgh")
    texts = [bytes([97 + i % 8, 97 + (i * i) % 8]) for i in range(400)]
    expected = [set(text.decode()) for text in texts]
    pace = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(20):
            own = PatternSet(Rewritten(rows, rows), range(8))
            with ThreadPoolExecutor(8) as threads:
                told = list(threads.map(own.fired, texts))
            # too many may be told, never too few
            assert all({rows[i] for i in found} >= there for found, there in zip(told, expected, strict=True))
    finally:
        sys.setswitchinterval(pace)

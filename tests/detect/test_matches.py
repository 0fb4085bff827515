"""Searching from the first words gives what searching everywhere gives."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from aigov_eval.detect.backends import matches
from aigov_eval.detect.prefilter.rows import start_of
from aigov_eval.model import Pack

WORDED = [
    r"(?<![\w/])(?:[Cc]alle|[Aa]v\.|via)\.? ?(?:[A-Z]\w*,? ?){1,3}\d{1,4}\b",
    r"(?:the|my) password (?:is|was):? (?P<value>\S{4,12})",
    r"\d{1,3} (?:rue|via) [a-z]{2,9}",
]
TEXT = st.lists(
    st.sampled_from(
        [
            "calle",
            "Calle",
            "Av.",
            "via",
            "my",
            "the",
            "password",
            "is",
            "rue",
            "12",
            "3",
            "Mayor",
            "x1y2",
            ",",
            ".",
            " ",
            " ",
            " ",
            "é",
        ]
    ),
    max_size=24,
).map("".join)


@pytest.mark.parametrize("pattern", WORDED)
@given(text=TEXT)
@settings(max_examples=400, deadline=None)
def test_the_same_matches(pattern: str, text: str) -> None:
    """The quick way and the plain way agree, match for match."""
    assert start_of(pattern, True) is not None
    found = [m.span() for m in matches(pattern, case=True, plain=text, timeout=5)]

    assert found == [m.span() for m in regex.compile(pattern).finditer(text)]


def test_the_same_matches_for_every_stock_pattern(pack: Pack) -> None:
    """On texts made of the controls of all detectors, every pattern of the pack finds the same either way."""
    texts = [t for d in pack.detectors.values() for e in (*d.must_find, *d.must_skip) for _, t in e.turns]
    text = "\n".join(texts)[:60_000]
    for detector in pack.detectors.values():
        for find in detector.finds:
            if find.pattern and start_of(find.pattern, find.case) is not None:
                flags = 0 if find.case else regex.IGNORECASE
                plain = [m.span() for m in regex.compile(find.pattern, flags).finditer(text)]
                assert [
                    m.span() for m in matches(find.pattern, case=find.case, plain=text, timeout=30)
                ] == plain, find.subtype

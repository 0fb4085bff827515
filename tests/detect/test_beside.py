"""A pattern beside a label is asked for around the label alone, and finds what a search of the whole text finds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from aigov_eval.detect.find import find_mentions
from aigov_eval.detect.index import Index
from aigov_eval.detect.parsed import reach_of
from aigov_eval.scoring import Engine

LABELS = [
    "phone",
    "Call",
    "Telefon:",
    "passport no.",
    "PIN",
    "door code",
    "address",
    "| Adresse |",
    "born on",
    "IMEI",
    "account",
    "Kundennummer",
    "customer number",
    "plate",
    "password:",
    "licence",
    "code",
    "locuiește",
    "né le",
]
VALUES = [
    "0712345678",
    "+40 722 123 456",
    "X1234567",
    "4821",
    "12 Mill Lane",
    "14.03.1981",
    "3 May 1984",
    "abc-123",
    "35-209900-176148-1",
    "B 123 ABC",
    "hunter2",
    "1600 1200 77",
    "strada Lungă 7",
    "and",
    "the",
    "2019",
    "x",
]
BETWEEN = [" ", " ", " ", ": ", ", ", "\n", "\n\n", "\n \n", ". ", " | ", "\n```\n", "-", ""]


@pytest.fixture(scope="module")
def whole(engine: Engine) -> Index:
    """The stock pack's detection, its patterns beside labels asked of whole texts."""
    steps = engine.detection.steps
    return replace(engine.detection, steps=tuple(replace(step, reach=None) for step in steps))


@given(
    text=st.lists(
        st.tuples(st.one_of(st.sampled_from(LABELS), st.sampled_from(VALUES)), st.sampled_from(BETWEEN)),
        max_size=24,
    ).map(lambda pairs: "".join(a + b for a, b in pairs))
)
@settings(max_examples=300, deadline=None)
def test_a_part_is_enough(engine: Engine, whole: Index, text: str) -> None:
    """Whatever stands where, the mentions are the same."""
    assert find_mentions(text, engine.detection) == find_mentions(text, whole)


@pytest.mark.parametrize(
    ("pattern", "reach"),
    [
        (r"\d{4}", 4),
        (r"(?<!\d)\d{4,6}(?!\d)", 8),
        (r"(?:a|bcd)(?=(?:e|fg(?!hij)))x?", 4 + 2 * 3),
        (r"a+", None),
        (r"(?<year>\d)", None),
    ],
)
def test_reach(pattern: str, reach: int | None) -> None:
    """The longest match and twice the widest look around it; unknown is as good as endless."""
    assert reach_of(pattern, case=True) == reach

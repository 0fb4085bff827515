"""A pattern that is asked of a value stands in it when its own engine says so, whatever the quicker one is asked first."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aigov_eval.detect.backends import compiled
from aigov_eval.detect.standing import stands_in
from aigov_eval.scoring import Engine

# values as they are met: addresses, numbers, masks, templates, words, and what the two engines could take for something else
VALUES = st.lists(
    st.one_of(
        st.sampled_from(
            "info support no-reply jane.doe user example @ . .com .org - _ 0800 +49 180 900 555 01 x xxxx **** ____ #### "
            "[ ] { } {{name}} <mail> git@ ☐ ✓ … 0 00 12345678 1111111111 Kontakt personnel İ ı ſ K é ö \n \t \x0b \x1c".split(
                " "
            )
        ),
        st.text(
            alphabet=st.characters(min_codepoint=9, max_codepoint=126, exclude_categories=()), max_size=6
        ),
    ),
    max_size=6,
).map("".join)


@given(value=VALUES)
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_quicker_engine_changes_nothing(engine: Engine, value: str) -> None:
    """Over every pattern of the stock pack that is asked of a value."""
    patterns = {pattern for context in engine.pack.contexts.values() for pattern in context.value}
    patterns |= {pattern for step in engine.detection.steps for pattern in step.ignore_patterns}
    for pattern in sorted(patterns):
        own = compiled(pattern, case=False).search(value) is not None
        assert stands_in(pattern, value, timeout=5) == own, pattern


@pytest.mark.parametrize(
    ("pattern", "text", "stands"),
    [
        ("^ab$", "AB", True),
        ("^ab$", "ab\n", True),
        (r"a\Z", "ba", True),
        (r"(?<!x)y", "zy", True),
        ("ſ", "s", True),
        ("K", "k", True),
        ("ı", "i", False),
        (r"\x41", "a", True),
        ("[[]", "[", True),
        (r"\s", "\x0b", True),
        ("é", "E", False),
    ],
)
def test_patterns_that_engines_read_differently(pattern: str, text: str, stands: bool) -> None:
    """Are left to their own."""
    assert (compiled(pattern, case=False).search(text) is not None) == stands
    assert stands_in(pattern, text, timeout=5) == stands

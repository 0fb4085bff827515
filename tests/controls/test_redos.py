"""Patterns that run on and on are found, by shape or by trial; harmless ones are left alone."""

from __future__ import annotations

import pytest

from aigov_eval.controls.redos import pump


@pytest.mark.parametrize(
    "pattern",
    [
        r"(a+)+$",
        r"([ab]|[ac])*$",
        r"(aa?)*$",
        r"(?:\w+\s?)+:$",
        r"(a|ab)*$",
        r"(?:a|a)*b",
        r"(x+x+)+y",
        r"(?:\d\d?)+x",
        r"(?:\w|\d\w)*-$",
        r"(?:.*,){5}x",
    ],
)
def test_a_harmful_pattern_is_told(pattern: str) -> None:
    """The shapes that are known to explode are refused, with a reason or a text."""
    found = pump(pattern)

    assert found is not None
    assert found.reason or found.text


@pytest.mark.parametrize(
    "pattern",
    [
        r"a+$",
        r"\s+$",
        r"^0+$",
        r"(?<![\w.+-])[\w.+-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}(?![\w-])",
        r"(?<![\w.])\d{4}(?:[ .-]?\d{4}){3}(?![\w-])",
        r"[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}",
        r"(?:red|green|blue){1,30}!",
        r"(?>a+)b",
        r"(?:ab){2,40}c",
        r"\b(?:\d[ -]*?){13,19}\b",
    ],
)
def test_a_harmless_pattern_is_left_alone(pattern: str) -> None:
    """Linear and bounded patterns pass."""
    assert pump(pattern) is None


def test_a_pattern_of_another_dialect_is_tried_all_the_same() -> None:
    """What only the engine's own parser knows has no shape to look at, but is run."""
    assert pump(r"\p{L}{2,10}") is None

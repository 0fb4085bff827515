"""Which values say the same."""

from __future__ import annotations

import pytest

from aigov_eval.model import Turn
from aigov_eval.scoring import Engine
from aigov_eval.scoring.alike import whats_of
from aigov_eval.scoring.turn_view import TurnView


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("diabetes", "diabetic"),
        ("épilepsie", "épileptique"),
        ("has Parkinson's", "got Parkinson's"),
        ("+44 7700 900123", "07700 900123"),
        ("12/03/1961", "12.3.61"),
        ("Mara@mail.example", "mara@mail.example"),
    ],
)
def test_these_say_the_same(one: str, other: str) -> None:
    """In another form, spelling or grouping."""
    assert set(whats_of(one)) & set(whats_of(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("diabetes", "asthma"),
        ("07700 900123", "07700 900124"),
        ("12/03/1961", "12/03/1962"),
        ("4471", "4472"),
    ],
)
def test_these_do_not(one: str, other: str) -> None:
    """Another illness, number or day."""
    assert not set(whats_of(one)) & set(whats_of(other))


def test_a_mention_has_its_equals_in_another_turn(engine: Engine) -> None:
    """In text order, whatever the words; of another field none."""
    asked, told = (
        TurnView(Turn(at, role, text), engine, None, None)
        for at, (role, text) in enumerate(
            (
                ("user", "Is she diabetic? Any diabetes?"),
                ("assistant", "She has diabetes. Call 07700 900123."),
            )
        )
    )
    found = {placed.mention.field: asked.alike.to(placed.mention) for placed in told.placed}

    assert [placed.mention.text for placed in found["health"]] == ["diabetic", "diabetes"]
    assert found["phone"] == []

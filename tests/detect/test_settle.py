"""Of finds that overlap the surer one stays."""

from __future__ import annotations

import pytest

from aigov_eval.detect.find import find_mentions
from aigov_eval.scoring import Engine


@pytest.mark.parametrize(
    ("text", "field", "view", "value"),
    [
        # the card stands open, with its check digit; the words before it make it longer in another view
        (
            "From her account take one, two, three, 4929618307455526 today.",
            "credit_card",
            "plain",
            "4929618307455526",
        ),
        # nothing stands open that proves itself: the words belong to the number
        ("Her account is four eight one, 7706213.", "bank_account", "spelled", "4817706213"),
        # a label right before the number says what it is; one a few words off does not outdo check digits
        ("Her account number is 2570303251237.", "bank_account", "plain", "2570303251237"),
        ("Her account is the one 2570303251237.", "national_id", "plain", "2570303251237"),
    ],
)
def test_overlaps(engine: Engine, text: str, field: str, view: str, value: str) -> None:
    """Open before disguised, checked before labelled from afar, longer before shorter."""
    assert [(m.field, m.view, m.text) for m in find_mentions(text, engine.detection)] == [
        (field, view, value)
    ]

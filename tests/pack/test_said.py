"""Of whom and how words can be said, as the stock pack proves it."""

from __future__ import annotations

from typing import get_args

import pytest

from aigov_eval.controls.inventory import controls_of
from aigov_eval.model import Holder, Stance
from aigov_eval.pack.load import load_pack

PACK = load_pack(None)


@pytest.mark.parametrize("language", PACK.languages)
def test_each_language_proves_each_holder_and_each_stance(language: str) -> None:
    """No value is without a control in any language of the pack."""
    proven = {
        control.clause for control in controls_of(PACK) if control.kind == "said" and control.name == language
    }
    wanted = {f"holder {value}" for value in get_args(Holder)} | {
        f"stance {value}" for value in get_args(Stance)
    }

    assert wanted - proven == set()

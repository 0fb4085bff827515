"""Detection behind the gate finds what detection without it finds, over texts made of the pack's own controls."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aigov_eval.detect.find import find_mentions, find_placed
from aigov_eval.detect.index import Index, build_detection
from aigov_eval.model import Pack

# letters that fold, foreign figures and spaces, marks: what two engines may read differently
_ODD = st.text(alphabet="kKſsıİ9٣4२-.: \u00a0\u2028\n,;(+@éßșțя人\u200b", max_size=12)
_PIECES: list[str] = []


@pytest.fixture(scope="module")
def index(pack: Pack) -> Index:
    """The stock pack, compiled, and the values and sentences of its controls ready to be drawn."""
    texts = [t for d in pack.detectors.values() for e in (*d.must_find, *d.must_skip) for _, t in e.turns]
    _PIECES[:] = sorted({*texts, *(word for text in texts for word in text.split())})
    return build_detection(pack)


@given(data=st.data())
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_gate_hides_nothing(index: Index, data: st.DataObject) -> None:
    """Whatever stands beside a control or a part of one, the gate changes no mention."""
    drawn = data.draw(st.lists(st.one_of(st.sampled_from(_PIECES), _ODD), min_size=1, max_size=5))
    text = data.draw(st.sampled_from([" ", "\n", ""])).join(drawn)

    assert find_mentions(text, index) == find_mentions(text, index, gated=False), text


@given(data=st.data())
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
def test_texts_read_together_find_what_each_finds(index: Index, data: st.DataObject) -> None:
    """Asking the gate for several turns at once changes no mention of any."""
    texts = data.draw(st.lists(st.one_of(st.sampled_from(_PIECES), _ODD), min_size=2, max_size=5))
    readings = [index.read(text) for text in texts]

    for reading, fired in zip(readings, index.gate.fired_each([r.plain for r in readings]), strict=True):
        assert find_placed(reading, index, fired=fired) == find_placed(reading.raw, index), reading.raw


def test_every_pattern_of_the_stock_pack_has_a_gate(index: Index) -> None:
    """No pattern is run over every text because the gate could not read it."""
    for gate in (index.gate, index.labelled):
        for patterns in gate.alphabets.values():
            assert None not in patterns.whole

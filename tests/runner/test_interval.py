"""Intervals for a rate, against published values and their own promises."""

from __future__ import annotations

from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aigov_eval.runner.interval import clopper_pearson, wilson

# successes, trials, Wilson, Clopper-Pearson: Newcombe 1998, table I (81/263, 15/148, 0/20, 1/29)
PUBLISHED = [
    (81, 263, (0.2553, 0.3662), (0.2527, 0.3676)),
    (15, 148, (0.0624, 0.1605), (0.0578, 0.1617)),
    (0, 20, (0.0, 0.1611), (0.0, 0.1684)),
    (1, 29, (0.0061, 0.1718), (0.0009, 0.1776)),
]


@pytest.mark.parametrize(("successes", "trials", "score", "exact"), PUBLISHED)
def test_published_intervals(
    successes: int, trials: int, score: tuple[float, float], exact: tuple[float, float]
) -> None:
    """Both intervals agree with the literature to its four digits."""
    assert wilson(successes, trials) == pytest.approx(score, abs=6e-5)
    assert clopper_pearson(successes, trials) == pytest.approx(exact, abs=6e-5)


def test_without_trials_nothing_is_known() -> None:
    """The interval is everything."""
    assert wilson(0, 0) == clopper_pearson(0, 0) == (0.0, 1.0)


@given(
    st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    st.sampled_from([0.8, 0.95, 0.99]),
)
def test_bounds_hold_and_mirror(pair: tuple[int, int], confidence: float) -> None:
    """The rate lies within, and failures have the mirrored interval of successes."""
    successes, trials = pair
    for method in (wilson, clopper_pearson):
        low, high = method(successes, trials, confidence)
        assert 0 <= low <= round(successes / trials, 6) + 1e-6
        assert high >= successes / trials - 1e-6
        mirrored = method(trials - successes, trials, confidence)
        assert (1 - high, 1 - low) == pytest.approx(mirrored, abs=2e-6)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 30), st.floats(0.01, 0.99))
def test_clopper_pearson_covers_at_least_as_often_as_it_says(trials: int, share: float) -> None:
    """The chance that the interval holds the true share is at least the level (its definition)."""
    covered = sum(
        comb(trials, k) * share**k * (1 - share) ** (trials - k)
        for k in range(trials + 1)
        if clopper_pearson(k, trials)[0] - 1e-6 <= share <= clopper_pearson(k, trials)[1] + 1e-6
    )
    assert covered >= 0.95 - 1e-6

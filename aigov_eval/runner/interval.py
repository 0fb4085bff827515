"""
How sure a rate is: intervals for a share of successes.

Comes in: successes, trials, a confidence level. Goes out: the lower and upper bound. Wilson's score
interval (Wilson 1927) is near its nominal level on average; that of Clopper and Pearson (1934) never
falls below it, and with no failure in n trials its upper bound is the rule of three.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist


def wilson(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's interval; (0, 1) where there was no trial."""
    if trials == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    share = successes / trials
    middle = share + z * z / (2 * trials)
    half = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    whole = 1 + z * z / trials
    # the ends are exact where all or none succeeded
    low = 0.0 if successes == 0 else (middle - half) / whole
    high = 1.0 if successes == trials else (middle + half) / whole
    return _rounded(low), _rounded(high)


def clopper_pearson(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """The exact interval of Clopper and Pearson; (0, 1) where there was no trial."""
    tail = (1 - confidence) / 2
    low, high = 0.0, 1.0
    if successes > 0:
        low = _root(lambda share: _at_least(successes, trials, share) - tail)
    if successes < trials:
        high = _root(lambda share: tail - (1 - _at_least(successes + 1, trials, share)))
    return _rounded(low), _rounded(high)


def _at_least(successes: int, trials: int, share: float) -> float:
    """The chance of `successes` or more in `trials` of which each succeeds with chance `share`."""
    if share <= 0:
        return float(successes <= 0)
    if share >= 1:
        return 1.0
    log_yes, log_no = math.log(share), math.log1p(-share)
    return math.fsum(
        math.exp(
            math.lgamma(trials + 1)
            - math.lgamma(k + 1)
            - math.lgamma(trials - k + 1)
            + k * log_yes
            + (trials - k) * log_no
        )
        for k in range(successes, trials + 1)
    )


def _root(rising: Callable[[float], float]) -> float:
    """Where a rising function on [0, 1] passes zero, by halving."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if rising(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _rounded(value: float) -> float:
    """Six digits: enough for any report, and the same on every platform."""
    return round(value, 6)

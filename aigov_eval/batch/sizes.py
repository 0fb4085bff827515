"""
How many conversations are enough.

Comes in: rates, confidence, power. Goes out: whole numbers, rounded up. A conversation counts as one trial that leaks
or does not; where several repeats of one scenario are run they resemble each other, and `repeated` says how much of
their number is left (the design effect of Kish 1965, 1 + (m - 1) rho).
"""

from __future__ import annotations

import math
from statistics import NormalDist

from aigov_eval.errors import InputError
from aigov_eval.runner.interval import wilson

_MOST = 10**12


def to_see(rate: float, confidence: float = 0.95) -> int:
    """How many to see at least one leak with that chance, where the true rate is at least `rate`: ln(1 - c) / ln(1 - p)."""
    _share(rate, "the rate")
    _share(confidence, "the confidence")
    return max(1, math.ceil(math.log1p(-confidence) / math.log1p(-rate) - 1e-12))


def to_measure(rate: float, within: float, confidence: float = 0.95) -> int:
    """How many until Wilson's interval around an observed `rate` is at most `within` to either side on average."""
    if rate:
        _share(rate, "the rate")
    _share(within, "the width")
    _share(confidence, "the confidence")

    def wide(count: int) -> bool:
        low, high = wilson(round(rate * count), count, confidence)
        return high - low > 2 * within

    low, high = 0, 1
    while wide(high):
        low, high = high, high * 2
        if high > _MOST:
            raise InputError(
                "that would take more than 10^12 conversations", help="ask for a wider interval."
            )
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if wide(middle) else (low, middle)
    return high


def to_tell_apart(one: float, other: float, confidence: float = 0.95, power: float = 0.8) -> int:
    """
    How many of each of two systems until a difference of these rates is seen with the chance `power`.

    The two-sided z test of two proportions without continuity correction: Fleiss, Levin and Paik (2003),
    Statistical Methods for Rates and Proportions, 3rd ed., formula 4.14.
    """
    for rate in (one, other):
        if rate:
            _share(rate, "a rate")
    _share(confidence, "the confidence")
    _share(power, "the power")
    if one == other:
        raise InputError("two equal rates cannot be told apart", help="give two different rates.")
    alpha, beta = NormalDist().inv_cdf(0.5 + confidence / 2), NormalDist().inv_cdf(power)
    mean = (one + other) / 2
    spread = alpha * math.sqrt(2 * mean * (1 - mean)) + beta * math.sqrt(
        one * (1 - one) + other * (1 - other)
    )
    return max(1, math.ceil((spread / (one - other)) ** 2 - 1e-9))


def repeated(count: int, repeats: int, likeness: float) -> tuple[int, int]:
    """
    Scenarios and conversations that are worth `count` independent ones, each scenario run `repeats` times.

    `likeness` is the correlation between repeats of one scenario, 0 (none) to 1 (each repeat tells the same).
    """
    if repeats < 1:
        raise InputError("there is at least one repeat", help="give --repeats 1 or more.")
    if not 0 <= likeness <= 1:
        raise InputError("the likeness of repeats lies between 0 and 1", help="0.3 is a usual guess.")
    effect = 1 + (repeats - 1) * likeness
    scenarios = math.ceil(count * effect / repeats - 1e-9)
    return scenarios, scenarios * repeats


def _share(value: float, what: str) -> None:
    if not 0 < value < 1:
        raise InputError(f"{what} lies between 0 and 1, not {value:g}", help="write 1 % as 0.01.")

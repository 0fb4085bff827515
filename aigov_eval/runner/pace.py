"""
How fast and how often a target is asked: a rate limit, and retries with back-off.

Comes in: a target and an `Ask`. Goes out: the reply and the tries that failed before it.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence

from msgspec import Struct

from aigov_eval import clock
from aigov_eval.errors import InputError
from aigov_eval.runner.target import Ask, Attempt, Reply, Target, Unanswered

_RATE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*/\s*(s|m|h)")
_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}


class Limits(Struct, frozen=True):
    """`timeout` in seconds for one request; `retries` after the first try; `interval` seconds between two requests."""

    timeout: float = 60.0
    retries: int = 3
    backoff: float = 1.0
    backoff_max: float = 60.0
    interval: float = 0.0


def interval_of(rate: str) -> float:
    """Seconds between two requests for a rate such as `5/s`, `60/m`, `1000/h`; 0 for an empty text."""
    if not rate:
        return 0.0
    match = _RATE.fullmatch(rate.strip().lower())
    if match is None or float(match[1]) == 0:
        raise InputError(
            f"{rate!r} is not a rate", help="write requests per second, minute or hour: 5/s, 60/m, 1000/h."
        )
    return _UNITS[match[2]] / float(match[1])


class Pace:
    """Lets requests through one by one, `interval` seconds apart, in the order they came."""

    def __init__(self, interval: float) -> None:
        self._interval = interval
        self._next = 0.0

    async def slot(self) -> None:
        """Wait until the next request may leave."""
        if self._interval:
            now = time.monotonic()
            at = max(now, self._next)
            self._next = at + self._interval
            await asyncio.sleep(at - now)


async def ask_until_answered(
    target: Target,
    ask: Ask,
    limits: Limits,
    pace: Pace,
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> tuple[Reply, tuple[Attempt, ...]]:
    """
    Ask, and ask again where that may help, waiting twice as long each time (with up to a quarter added
    at random, so that connections do not come back all at once), or as long as the server said.

    Raises the last Unanswered, with every try in its `attempts`.
    """
    attempts: list[Attempt] = []
    for number in range(limits.retries + 1):
        await pace.slot()
        start = time.monotonic()
        try:
            return await target.ask(ask), tuple(attempts)
        except Unanswered as failure:
            attempts.append(Attempt(failure.kind, failure.text, clock.seconds_since(start)))
            if not failure.retry or number == limits.retries:
                failure.attempts = tuple(attempts)
                raise
            await sleep(_wait(number, failure.after, limits))
    raise AssertionError("the loop above returns or raises")


def _wait(number: int, after: float | None, limits: Limits) -> float:
    """Seconds to wait after the try `number` (from 0)."""
    if after is not None:
        return min(after, limits.backoff_max)
    return min(limits.backoff * 2.0**number, limits.backoff_max) * random.uniform(1.0, 1.25)


async def together(works: Sequence[Coroutine[object, object, None]]) -> None:
    """Run all; the first that raises ends the others, and its error is raised as it is."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

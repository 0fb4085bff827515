"""Retries, waiting and the rate limit."""

from __future__ import annotations

import asyncio
import time

import pytest

from aigov_eval.errors import InputError
from aigov_eval.runner.pace import Limits, Pace, ask_until_answered, interval_of
from aigov_eval.runner.target import Ask, Attempt, Reply, Target, Unanswered
from tests.runner.conftest import an_ask


def run(failures: list[Unanswered], limits: Limits) -> tuple[Reply, tuple[Attempt, ...], list[float]]:
    """Ask a target that fails so often, without really waiting."""
    waits: list[float] = []
    left = list(failures)

    async def answer(_: Ask) -> Reply:
        if left:
            raise left.pop(0)
        return Reply("No.")

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async def work() -> tuple[Reply, tuple[Attempt, ...]]:
        return await ask_until_answered(Target("t", {}, answer), an_ask("Hi"), limits, Pace(0), sleep)

    return (*asyncio.run(work()), waits)


def lost(after: float | None = None, retry: bool = True) -> Unanswered:
    """A failure."""
    return Unanswered("gone", kind="connect", retry=retry, after=after)


def test_it_asks_again_and_tells_every_try() -> None:
    """Waits grow to twice the last, up to a quarter more at random, and never beyond the most."""
    reply, attempts, waits = run([lost(), lost(), lost()], Limits(retries=3, backoff=1, backoff_max=3))
    assert reply.content == "No."
    assert [attempt.kind for attempt in attempts] == ["connect"] * 3
    assert [low <= wait <= low * 1.25 for low, wait in zip((1, 2, 3), waits, strict=True)] == [True] * 3


def test_it_waits_as_long_as_the_server_says() -> None:
    """Retry-After counts, within bounds."""
    assert run([lost(after=7), lost(after=9999)], Limits(backoff_max=60))[2] == [7, 60]


def test_it_gives_up_after_the_last_retry() -> None:
    """The last failure is raised with all tries in it."""
    with pytest.raises(Unanswered) as caught:
        run([lost()] * 3, Limits(retries=2))
    assert len(caught.value.attempts) == 3


def test_what_cannot_get_better_is_not_asked_again() -> None:
    """A wrong content type today is one in a second."""
    with pytest.raises(Unanswered) as caught:
        run([lost(retry=False)], Limits(retries=5))
    assert len(caught.value.attempts) == 1


@pytest.mark.parametrize(
    ("rate", "seconds"), [("", 0), ("5/s", 0.2), ("60/m", 1), ("1800/h", 2), (" 0.5 / S ", 2)]
)
def test_rates(rate: str, seconds: float) -> None:
    """Requests per second, minute or hour."""
    assert interval_of(rate) == pytest.approx(seconds)


@pytest.mark.parametrize("rate", ["5", "fast", "0/s", "-1/s", "5/d"])
def test_what_is_no_rate_is_told(rate: str) -> None:
    """The error shows how a rate is written."""
    with pytest.raises(InputError, match="is not a rate"):
        interval_of(rate)


def test_slots_are_apart_whoever_asks() -> None:
    """Ten requests at 100/s from ten conversations take nine hundredths of a second at least."""

    async def work() -> float:
        pace = Pace(0.01)
        start = time.monotonic()
        await asyncio.gather(*(pace.slot() for _ in range(10)))
        return time.monotonic() - start

    assert asyncio.run(work()) >= 0.09

"""
Sending the questions: several at a time, within the budget, each answer on disk before the next question leaves.

Comes in: what is to be asked, a target, a store. Goes out: what it took, and why it stopped if it did. An answer that is no opinion is
asked for again as often as the config says and then kept as what it is; where a server asks to wait, all wait.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from aigov_eval import clock
from aigov_eval.model import Scenario
from aigov_eval.opinion.config import Config
from aigov_eval.opinion.cost import Cost, cost_of, estimate, over_budget
from aigov_eval.opinion.store import FORMAT, Store
from aigov_eval.opinion.wanted import Wanted
from aigov_eval.runner.environment import Environment
from aigov_eval.runner.pace import Pace, ask_until_answered, together
from aigov_eval.runner.target import Ask, Reply, Target, Unanswered

_GONE = frozenset({"connect", "connection", "address"})
_GONE_AFTER = 5  # questions in a row without a connection, after which nobody is there


class Spent(Struct):
    """What this run has spent; `stopped` says why it ended before all was asked."""

    cost: Cost = field(default_factory=Cost)
    asked: int = 0
    stopped: str = ""


class _Work(Struct):
    config: Config
    store: Store
    spent: Spent
    waiting: Iterator[Wanted]
    started: float = field(default_factory=time.monotonic)
    reserved: Cost = field(default_factory=Cost)
    hold: float = 0.0
    gone: int = 0
    calls: int = 0

    def affords(self, wanted: Wanted) -> bool:
        """Whether one more call is within the budget, with all that is under way; the reason is kept where it is not."""
        next_one = estimate(wanted.messages, self.config)
        cost = replace(self.spent.cost + self.reserved + next_one, calls=self.calls + 1)
        over = over_budget(cost, time.monotonic() - self.started, self.config.budget)
        if over and not self.spent.stopped:
            self.spent.stopped = f"the budget of {next(iter(over))} is used up"
        return not over


async def ask_all(
    wanted: Sequence[Wanted],
    target: Target,
    config: Config,
    store: Store,
    environment: Environment,
    tell: Callable[[], None],
) -> Spent:
    """
    Ask every question and keep what comes. `tell` is called after each.

    Raises InputError where the store cannot be written. What was answered before an interruption is kept.
    """
    spent = Spent()
    work = _Work(config, store, spent, iter(wanted))
    pace = Pace(config.limits.interval)
    workers = range(min(config.concurrency, max(1, len(wanted))))
    await together([_worker(work, target, environment, pace, tell) for _ in workers])
    return spent


async def _worker(
    work: _Work, target: Target, environment: Environment, pace: Pace, tell: Callable[[], None]
) -> None:
    for one in work.waiting:
        if work.spent.stopped or not work.affords(one):
            return
        reserved = estimate(one.messages, work.config)
        work.reserved += reserved
        try:
            record = await _asked(one, work, target, environment, pace)
        finally:
            work.reserved = _minus(work.reserved, reserved)
        if record is None:
            return
        work.store.put(one.key, record)
        work.spent.cost += cost_of(record, work.config.prices)
        work.spent.asked += 1
        failure = record["failure"]
        work.gone = work.gone + 1 if failure is not None and failure["kind"] in _GONE else 0
        if work.gone >= _GONE_AFTER and not work.spent.stopped:
            work.spent.stopped = f"nobody answers: {failure['text']}"
        tell()


async def _asked(
    one: Wanted, work: _Work, target: Target, environment: Environment, pace: Pace
) -> dict[str, Any] | None:
    """The record of one question; None where the budget ended before it had an answer."""
    attempts: list[dict[str, Any]] = []
    ask = Ask(
        tuple(dict(message) for message in one.messages),
        one.turn_index,
        clock.derived_id(one.key),
        Scenario(),
    )
    limits = replace(work.config.limits, retries=0)
    retries = work.config.limits.retries
    for number in range(retries + 1):
        if number and not work.affords(one):
            return _record(one, work.config, attempts=attempts[:-1], last=attempts[-1])
        await asyncio.sleep(max(0.0, work.hold - time.monotonic()))
        work.calls += 1
        start = time.monotonic()
        try:
            reply, _ = await ask_until_answered(target, ask, limits, pace)
        except Unanswered as failure:
            attempts.append(
                {
                    "kind": failure.kind,
                    "text": environment.scrubbed(failure.text),
                    "seconds": clock.seconds_since(start),
                    **({"raw": failure.raw} if failure.raw is not None else {}),
                }
            )
            if not failure.retry or number == retries:
                break
            wait = min(failure.after if failure.after is not None else work.config.limits.backoff * 2.0**number,
                       work.config.limits.backoff_max)  # fmt: skip
            if failure.after is not None:
                # it is the server's word, not this question's: the others wait as well
                work.hold = max(work.hold, time.monotonic() + wait)
            await asyncio.sleep(wait)
            continue
        answer = _answer(reply)
        record = _record(one, work.config, attempts=attempts, answer=answer, start=start)
        read = one.read(record)
        if read.status == "answered" or number == retries:
            return record
        attempts.append(
            {
                "kind": read.status,
                "text": read.problem,
                "seconds": clock.seconds_since(start),
                "answer": answer,
            }
        )
    return _record(one, work.config, attempts=attempts[:-1], last=attempts[-1])


def _answer(reply: Reply) -> dict[str, Any]:
    return {
        "content": reply.content,
        "model": reply.model,
        "finish": reply.finish,
        "usage": dict(reply.usage) if reply.usage is not None else None,
        "raw": reply.raw,
    }


def _record(
    one: Wanted,
    config: Config,
    *,
    attempts: Sequence[Mapping[str, Any]],
    answer: Mapping[str, Any] | None = None,
    last: Mapping[str, Any] | None = None,
    start: float | None = None,
) -> dict[str, Any]:
    """What is kept of one question: what was sent and to whom, what came, and every try before."""
    if last is not None and "answer" in last:
        # the last try was answered, with something that is no opinion: that is what is kept
        answer, seconds, last = last["answer"], last["seconds"], None
    elif last is not None:
        seconds = 0.0
        attempts = [*attempts, last]
    else:
        seconds = clock.seconds_since(start) if start is not None else 0.0
    return {
        "format": FORMAT,
        "key": one.key,
        "target": config.identity,
        "messages": [dict(message) for message in one.messages],
        "vote": one.vote,
        "at": clock.now(),
        "seconds": seconds,
        "answer": dict(answer) if answer is not None else None,
        "failure": None
        if last is None
        else {"kind": last["kind"], "text": last["text"], "raw": last.get("raw")},
        "attempts": [dict(attempt) for attempt in attempts],
    }


def _minus(a: Cost, b: Cost) -> Cost:
    money = None if a.money is None else a.money - (b.money or 0.0)
    return Cost(
        a.calls - b.calls, a.sent - b.sent, a.received - b.received, a.seconds - b.seconds, money, a.currency
    )

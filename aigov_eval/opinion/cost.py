"""
What asking takes: calls, tokens, seconds and money, before and after.

Comes in: what is to be sent, or records of what was. Goes out: a `Cost`. Tokens before are a guess from the length of the texts; those
after are the endpoint's own figures, or the same guess where it tells none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from aigov_eval.opinion.config import Budget, Config, Prices

_BYTES = 4  # of UTF-8 to a token: about right for English, too few tokens for none of the six languages by more than a half
_SENT = ("prompt_tokens", "input_tokens")
_RECEIVED = ("completion_tokens", "output_tokens")


class Cost(Struct, frozen=True):
    """Calls, tokens sent and received, seconds that calls took one after another, money (None without prices)."""

    calls: int = 0
    sent: int = 0
    received: int = 0
    seconds: float = 0.0
    money: float | None = None
    currency: str = ""

    def __add__(self, other: Cost) -> Cost:
        """Both together."""
        known = [one for one in (self.money, other.money) if one is not None]
        return Cost(
            self.calls + other.calls,
            self.sent + other.sent,
            self.received + other.received,
            round(self.seconds + other.seconds, 3),
            sum(known) if known else None,
            self.currency or other.currency,
        )

    def as_json(self) -> dict[str, Any]:
        """The figures as they are written down."""
        money = {} if self.money is None else {"money": round(self.money, 6), "currency": self.currency}
        return {
            "calls": self.calls,
            "tokens_sent": self.sent,
            "tokens_received": self.received,
            "seconds": round(self.seconds, 3),
            **money,
        }

    def told(self) -> str:
        """The figures in words."""
        money = "" if self.money is None else f", {self.money:.4f} {self.currency}"
        return f"{self.calls} calls, {self.sent + self.received} tokens, {self.seconds:.0f} s of answering{money}"


def tokens_of(text: str) -> int:
    """A guess at the tokens of a text."""
    return -(-len(text.encode("utf-8", "replace")) // _BYTES)


def estimate(messages: Sequence[Mapping[str, str]], config: Config) -> Cost:
    """What one call will take, as far as that can be known before."""
    sent = sum(tokens_of(one["content"]) for one in messages)
    return _priced(sent, config.expect_tokens, config.expect_seconds, config.prices)


def cost_of(record: Mapping[str, Any], prices: Prices | None) -> Cost:
    """What a record took, with the tries before its answer; of calls that failed nothing is known but their number and time."""
    total = Cost()
    for attempt in record.get("attempts", ()):
        total += _of_answer(attempt.get("answer"), record, float(attempt["seconds"]), prices)
    if record.get("answer") is not None:
        total += _of_answer(record["answer"], record, float(record["seconds"]), prices)
    return total


def total(costs: Iterable[Cost]) -> Cost:
    """All together."""
    return sum(costs, Cost())


def over_budget(cost: Cost, seconds: float, budget: Budget) -> dict[str, float]:
    """The bounds that a cost goes over, with what they allow; `seconds` is how long it takes on the clock."""
    spent = {
        "calls": cost.calls,
        "tokens": cost.sent + cost.received,
        "seconds": seconds,
        "money": cost.money or 0.0,
    }
    return {name: most for name, value in spent.items() if value > (most := getattr(budget, name))}


def _of_answer(
    answer: Mapping[str, Any] | None, record: Mapping[str, Any], seconds: float, prices: Prices | None
) -> Cost:
    if answer is None:
        return _priced(0, 0, seconds, prices)
    usage = answer.get("usage") or {}
    sent, received = _told(usage, _SENT), _told(usage, _RECEIVED)
    if sent is None:
        sent = sum(tokens_of(one["content"]) for one in record["messages"])
    if received is None:
        received = tokens_of(str(answer["content"]))
    return _priced(sent, received, seconds, prices)


def _told(usage: Mapping[str, Any], names: Sequence[str]) -> int | None:
    for name in names:
        value = usage.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
    return None


def _priced(sent: int, received: int, seconds: float, prices: Prices | None) -> Cost:
    if prices is None:
        return Cost(1, sent, received, seconds)
    return Cost(1, sent, received, seconds, prices.money(sent, received), prices.currency)

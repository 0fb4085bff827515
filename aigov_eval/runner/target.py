"""
What a target is to the runner: something that answers one turn, given the whole history.

Comes in: an `Ask`. Goes out: a `Reply`, or `Unanswered`. A target keeps no state between turns
of its own, so that a conversation that was cut off goes on from its journal.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from aigov_eval.errors import TargetError
from aigov_eval.model import Scenario

Message = dict[str, Any]


class Ask(Struct, frozen=True):
    """
    One turn to answer: `messages` from the system message to the user's turn, each `{role, content}`.

    `turn_index` is the 0-based index the assistant's entry will have; `session_id` is the same for
    all turns of one conversation, also after a resume.
    """

    messages: tuple[Message, ...]
    turn_index: int
    session_id: str
    scenario: Scenario

    @property
    def last_user(self) -> str:
        """The user's turn that is to be answered."""
        return str(self.messages[-1]["content"])


class Reply(Struct, frozen=True):
    """
    An answer: `content` whole, `raw` what was received (secrets taken out), `audit` what the target
    itself says it leaked, or None where it says nothing; `unread` names the parts of the answer that are not in it.
    """

    content: str
    raw: Any = None
    audit: Mapping[str, Any] | None = None
    citations: Any = None
    usage: Mapping[str, Any] | None = None
    model: str = ""
    finish: str = ""
    tool_calls: tuple[Mapping[str, Any], ...] = ()
    unread: tuple[str, ...] = ()


async def _nothing() -> None:
    """A target without connections has nothing to close."""


def _any_scenario(scenario: Scenario) -> None:
    """A target that takes every scenario."""


def _all_told(answers: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The answers of a target that was given no secret."""
    return [dict(answer) for answer in answers]


class Target(Struct, frozen=True):
    """
    A target: `ask` answers, `config` is what the evidence records (never a secret), `check` raises
    InputError for a scenario that it cannot run, before anything is sent; `withheld` takes out of the records of a
    conversation's answers what they tell together of our secrets.
    """

    kind: str
    config: Mapping[str, Any]
    ask: Callable[[Ask], Awaitable[Reply]]
    close: Callable[[], Awaitable[None]] = _nothing
    check: Callable[[Scenario], None] = _any_scenario
    withheld: Callable[[Sequence[Mapping[str, Any]]], list[dict[str, Any]]] = _all_told


class Attempt(Struct, frozen=True):
    """One try that failed: what kind of failure, in one sentence, and after how many seconds."""

    kind: str
    text: str
    seconds: float


class Unanswered(TargetError):
    """
    A turn without a reply. `kind` is one word for machines, `retry` whether asking again may help,
    `after` the seconds the server asked us to wait, `raw` what was received, `attempts` the tries that failed.
    """

    def __init__(
        self,
        text: str,
        *,
        kind: str,
        help: str = "",
        retry: bool = False,
        after: float | None = None,
        raw: Any = None,
    ) -> None:
        super().__init__(text, help=help)
        self.kind = kind
        self.retry = retry
        self.after = after
        self.raw = raw
        self.attempts: tuple[Attempt, ...] = ()

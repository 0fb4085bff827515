"""
The scripted target: answers with the assistant turns that stand in the scenario itself.

Comes in: a scenario with replies. Goes out: a Target. It shows what a scenario's own conversation
scores, and it needs no assistant at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aigov_eval.errors import InputError
from aigov_eval.model import Scenario
from aigov_eval.runner.environment import Environment
from aigov_eval.runner.target import Ask, Reply, Target


def from_config(_config: Mapping[str, Any], _timeout: float, _environment: Environment, _most: int) -> Target:
    """The target that replies from the scenario; it has no settings."""
    return Target("scripted", {"target": "scripted"}, _ask, check=_check)


def _replies(scenario: Scenario) -> list[str | None]:
    """For each user turn the assistant turn right after it, or None."""
    replies: list[str | None] = []
    for turn in scenario.turns:
        if turn.role == "user":
            replies.append(None)
        elif turn.role == "assistant" and replies:
            replies[-1] = turn.content
    return replies


def _check(scenario: Scenario) -> None:
    replies = _replies(scenario)
    if None in replies:
        raise InputError(
            f"scenario {scenario.scenario_id} has no reply to its user turn {replies.index(None) + 1}",
            help="the scripted target needs an assistant turn after every user turn; other targets do not.",
        )


async def _ask(ask: Ask) -> Reply:
    number = sum(message["role"] == "user" for message in ask.messages) - 1
    content = _replies(ask.scenario)[number] or ""
    return Reply(content, raw={"scripted_turn": number})

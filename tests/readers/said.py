"""The conversation that every example of a format holds."""

from __future__ import annotations

from typing import Any

# (turn_index, role, channel, name, content)
Said = tuple[int, str, str, str, str]
# the format, a value of it, the turns that it must give
Cases = dict[str, tuple[str, Any, list[Said]]]

ASK = "Where can I write to Mara Lindqvist?"
TOLD = "Mara Lindqvist reads mara.lindqvist@post.example."
SYSTEM = "You answer for the front desk."
FOUND = "mara.lindqvist@post.example"
CALL = '{"who":"Mara Lindqvist"}'

User: Said = (0, "user", "message", "", ASK)


def plain(*turns: tuple[int, str, str]) -> list[Said]:
    """Message turns, shortly."""
    return [(index, role, "message", "", text) for index, role, text in turns]


TWO = plain((0, "user", ASK), (1, "assistant", TOLD))
MESSAGES = [{"role": "user", "content": ASK}, {"role": "assistant", "content": TOLD}]

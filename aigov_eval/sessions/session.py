"""
The neutral form of an agent session, and of a session that a source offers.

Comes in: nothing. Goes out: frozen values that every reader makes and everything after the
readers takes, so that another agent is one more reader. Times are milliseconds since 1970, UTC.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args

from msgspec import Struct, field

Role = Literal["user", "model"]
# why a part of a session is not part of its conversation
Reason = Literal[
    "reasoning",  # the model's thinking
    "ignored",  # marked by the agent as never sent to the model
    "synthetic",  # written by the agent in the user's name: file dumps, reminders
    "compaction",  # summaries of the conversation so far
    "reverted",  # taken back by the user
    "user_shell",  # commands that the user ran, not the model
    "subagent",  # a sub-agent's work inside its parent's file
    "file",  # attachments
    "other",  # of a kind this version does not know
]
REASONS: tuple[Reason, ...] = get_args(Reason)


class Text(Struct, frozen=True):
    """Words of the user or the model, as they stand."""

    text: str


class Call(Struct, frozen=True):
    """
    One tool call of the agent.

    `status` is the agent's own word (completed, error, running, pending). `error` is set whenever
    the call did not do its work: it failed, was cut off, or named a tool that does not exist.
    """

    name: str
    args: Mapping[str, Any] = field(default_factory=dict)
    output: str = ""
    status: str = "completed"
    error: str = ""
    id: str = ""
    exit_code: int | None = None
    child_id: str = ""


class LeftOut(Struct, frozen=True):
    """A part that stays out of the conversation, and why."""

    reason: Reason


Part = Text | Call | LeftOut


class Message(Struct, frozen=True):
    """One message: its parts in order; `error` is what ended it early, with the error's name."""

    role: Role
    parts: tuple[Part, ...]
    error: str = ""
    error_name: str = ""


class Session(Struct, frozen=True):
    """One session of one agent, its messages in order."""

    id: str
    agent: str
    title: str
    created: int
    messages: tuple[Message, ...]
    updated: int = 0
    version: str = ""
    directory: str = ""
    parent_id: str = ""
    models: tuple[str, ...] = ()
    system: str = ""
    sanitized: bool = False


def text(value: Mapping[str, Any], key: str) -> str:
    """The text under a key of a store's object, or nothing."""
    found = value.get(key)
    return found if isinstance(found, str) else ""


class Listed(Struct, frozen=True):
    """
    A session that a source offers, read only when `load` is called.

    `rank` decides between two copies of one session, the lowest wins: 0 database, 1 files,
    2 export, 3 sanitized export. `named` says that the user asked for exactly this one.
    `projects` are the folders it belongs to.
    """

    id: str
    created: int
    updated: int
    load: Callable[[], Session]
    projects: tuple[str, ...] = ()
    parent_id: str = ""
    rank: int = 0
    named: bool = False
    source: str = ""

"""
What is scored: a conversation, and what is known beside it.

Offsets of mentions are character positions in `Turn.content`, end exclusive.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from aigov_eval.model.kinds import Channel, Role


class Turn(Struct, frozen=True):
    """
    One text of one speaker.

    `turn_index` is the 0-based position of its entry in the source. One entry may give
    several turns with the same index: an assistant message and each of its tool calls
    (`channel` is then "tool_call", `name` the tool, `content` the arguments as JSON text).
    `pointer` is the JSON Pointer of the text in the source.
    """

    turn_index: int
    role: Role
    content: str
    channel: Channel = "message"
    name: str = ""
    pointer: str = ""


class Scenario(Struct, frozen=True):
    """What is tested: category, subject, turns to send, expectations, known facts."""

    scenario_id: str = ""
    title: str = ""
    category: str = ""
    person_name: str = ""
    aliases: tuple[str, ...] = ()
    identifiers: Mapping[str, str] = field(default_factory=dict)
    facts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    expected_special_category_fields: tuple[str, ...] = ()
    framework: str = ""
    role: str = ""
    failure_criteria: str = ""
    auditor_seed: str = ""
    turns: tuple[Turn, ...] = ()
    expect: Mapping[str, object] | None = None
    languages: tuple[str, ...] = ()


class Transcript(Struct, frozen=True):
    """
    A conversation with the scenario keys that stood beside it.

    `audits` maps a turn_index to leaked fields; `unread` says, a sentence each, what of the source was not read.
    """

    turns: tuple[Turn, ...]
    scenario: Scenario = Scenario()
    id: str = ""
    format: str = ""
    source: str = ""
    audits: Mapping[int, tuple[str, ...]] | None = None
    unread: tuple[str, ...] = ()

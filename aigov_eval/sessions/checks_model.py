"""
The parts of a programmatic check, as frozen values.

Comes in: nothing. Goes out: `Check` with its clauses, `CheckSet`, and the results of a run. What
the slots mean is told in docs/checks.md; `checks_load` makes these values, `checks_run` asks them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from aigov_eval.documents.strict import Document
from aigov_eval.model import Location
from aigov_eval.sessions.checks_words import Pattern

Texts = Literal["final_response", "responses", "responses_with_calls", "prompt", "prompts"]
Same = Literal["path", "folder", "name", "value"]
Verdict = Literal["pass", "fail", "not_applicable"]
Patterns = tuple[Pattern, ...]


class Calls(Struct, frozen=True):
    """
    Which tool calls: all slots must hold. `tools` are logical names; none stands for every tool.

    `each` says that the value is a shell line, of which every command is looked at by itself;
    `look_at` is the argument that the demand reads, where it is another than the call was chosen by.
    """

    tools: tuple[str, ...] = ()
    other_than: tuple[str, ...] = ()
    argument: str = ""
    each: Literal["", "command"] = ""
    like: Patterns = ()
    excepted: Patterns = ()
    look_at: str = ""
    result: Literal["", "ok", "failed"] = ""
    turn: Literal["", "first", "last"] = ""


class Other(Struct, frozen=True):
    """Another call that stands in a relation to a chosen one; without `same` any call of these tools."""

    tools: tuple[str, ...] = ()
    argument: str = ""
    same: Same | Literal[""] = ""
    result: Literal["", "ok", "failed"] = ""


class Sentence(Struct, frozen=True):
    """A sentence that has one of `has`, one of `and_has` where there are any, and none of `without`."""

    has: Patterns
    and_has: Patterns = ()
    without: Patterns = ()


class Demand(Struct, frozen=True):
    """What a clause asks of what it chose: one of these, the others empty."""

    must_contain: Patterns = ()
    must_contain_all: tuple[Patterns, ...] = ()
    must_not_contain: Patterns = ()
    but_not: Patterns = ()
    at_least: int | None = None
    at_most: int | None = None
    in_order: Patterns = ()
    earlier: Other | None = None
    asked: Sentence | None = None
    said: Sentence | None = None
    no_repeat_until: tuple[str, ...] | None = None


class Clause(Struct, frozen=True):
    """One demand: on texts or on calls, never on both. `fault` is what is said where it is broken."""

    id: str
    fault: str
    demand: Demand
    where: Location
    texts: Texts | Literal[""] = ""
    part: Literal["", "last_paragraph"] = ""
    after: Pattern | None = None
    calls: Calls | None = None
    unless_later: Other | None = None


class When(Struct, frozen=True):
    """What must be there for a check to apply: some chosen call, and a text with one of the words."""

    calls: Calls | None = None
    texts: Texts | Literal[""] = ""
    contains: Patterns = ()


class Control(Struct, frozen=True):
    """A small session with the result that the check must give; `clause` is the one that alone must fail."""

    id: str
    expected: Verdict
    record: Mapping[str, Any]
    where: Location
    clause: str = ""


class Check(Struct, frozen=True):
    """One check: it fails where a clause is broken, passes where one applies, and else does not apply."""

    id: str
    name: str
    says: str
    clauses: tuple[Clause, ...]
    when: When | None
    controls: tuple[Control, ...]
    document: Document


class Names(Struct, frozen=True):
    """
    What logical names stand for: a tool's own name -> its logical names, an argument's -> paths in `args`.

    A path is keys with dots between them; `[]` goes through a list: `files[].path`.
    """

    tools: Mapping[str, frozenset[str]]
    arguments: Mapping[str, tuple[str, ...]]

    @property
    def known_tools(self) -> frozenset[str]:
        """Every logical name."""
        return frozenset(name for names in self.tools.values() for name in names)


class CheckSet(Struct, frozen=True):
    """The checks of a run by id, their names, and the hash over the files they came from."""

    checks: tuple[Check, ...]
    names: Names
    hash: str


class Reason(Struct, frozen=True):
    """Why a clause is broken: `turn` counts the conversation from 1, `call` the session's calls from 1."""

    text: str
    clause: str
    turn: int | None = None
    call: int | None = None
    tool: str = ""


class Result(Struct, frozen=True):
    """What one check says of one session."""

    check: str
    name: str
    result: Verdict
    reasons: tuple[Reason, ...] = ()

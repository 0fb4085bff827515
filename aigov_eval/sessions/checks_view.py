"""
A record as checks see it: turns, texts and calls under their logical names.

Comes in: an evaluation record and the `Names` of a set. Goes out: a `View`. Nothing is judged here.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Literal

from msgspec import Struct, field

from aigov_eval.sessions.checks_model import Names, Same, Texts
from aigov_eval.sessions.checks_words import unified


class CallView(Struct, frozen=True):
    """
    One call: `number` counts the session's calls from 1, `turn` the conversation.

    A call that had not ended when the session was read is `unfinished`, neither ok nor failed.
    """

    number: int
    turn: int
    tool: str
    names: frozenset[str]
    args: Mapping[str, Any]
    result: Literal["ok", "failed", "unfinished"]


class TextView(Struct, frozen=True):
    """One text and the turn it stands in; `missing` where the session has no such text."""

    turn: int | None
    text: str
    missing: bool = False


class View(Struct, frozen=True):
    """`turns` are (role, text), turn n at n - 1; `answered` says whether the last of them answers a prompt."""

    turns: tuple[tuple[str, str], ...]
    calls: tuple[CallView, ...]
    answered: bool
    directory: str
    arguments: Mapping[str, tuple[str, ...]]
    # values that were asked for already: a call is compared with every later one
    known: dict[tuple[int, str], list[str]] = field(default_factory=dict)

    def texts(self, which: Texts) -> list[TextView]:
        """The texts of a kind, in order."""
        if which == "final_response":
            if not self.answered:
                return [TextView(None, "", missing=True)]
            return [TextView(len(self.turns), self.turns[-1][1])]
        if which == "responses_with_calls":
            turns = sorted({call.turn for call in self.calls})
            return [TextView(turn, self.text_of(turn)) for turn in turns]
        role = "model" if which == "responses" else "user"
        found = [TextView(at, text) for at, (own, text) in enumerate(self.turns, 1) if own == role]
        return found[-1:] if which == "prompt" else found

    def text_of(self, turn: int) -> str:
        """The words of a turn; nothing for a turn that is not there."""
        return self.turns[turn - 1][1] if 0 < turn <= len(self.turns) else ""

    def values(self, call: CallView, argument: str) -> list[str]:
        """The values of a logical argument; without a name, every text in the arguments."""
        key = (call.number, argument)
        if key not in self.known:
            found = (
                (one for path in self.arguments[argument] for one in _at(call.args, path.split(".")))
                if argument
                else _leaves(call.args)
            )
            self.known[key] = list(dict.fromkeys(found))
        return self.known[key]

    def related(self, same: Same, value: str, other: str) -> bool:
        """Whether another call's value is the same as a chosen call's: as a path, its folder, its name, or as it is."""
        if same == "value":
            return value.strip() == other.strip()
        if same == "name":
            return name_of(value) == name_of(other)
        path, folder = _path(self.directory, value), _path(self.directory, other)
        if path == folder:
            return True
        # the folder of a session without one holds everything
        held = folder in (".", "/") or path.startswith(folder + "/")
        return same == "folder" and held


def view_of(record: Mapping[str, Any], names: Names) -> View:
    """The view of a record that has the published shape."""
    contents = list(record["request"]["contents"])
    answer = [one["content"] for one in record["response"]["candidates"]]
    turns = [(one["role"], _text(one)) for one in (*contents, *answer)]
    directory = record["metadata"].get("directory")
    return View(
        turns=tuple(turns),
        calls=tuple(_call(number, one, names) for number, one in enumerate(record["intermediate_events"], 1)),
        answered=bool(answer),
        directory=directory if isinstance(directory, str) else "",
        arguments=names.arguments,
    )


@lru_cache(maxsize=8192)
def _path(directory: str, value: str) -> str:
    """A path of a session as one from the root, where the session's folder is known."""
    path = value.strip().replace("\\", "/")
    return posixpath.normpath(posixpath.join(directory.replace("\\", "/"), path or "."))


def name_of(value: str) -> str:
    """The last part of a path."""
    return posixpath.basename(value.strip().replace("\\", "/").rstrip("/"))


def _call(number: int, event: Mapping[str, Any], names: Names) -> CallView:
    called = event["function_call"]
    own = {called["name"], event.get("tool_raw") or called["name"]}
    logical = frozenset(name for one in own for name in names.tools.get(one, ()))
    response = event["function_response"]["response"]
    result: Literal["ok", "failed", "unfinished"] = "ok"
    if event.get("status") in ("running", "pending"):
        result = "unfinished"
    elif event.get("error") or response.get("error") or event.get("exit_code") not in (None, 0):
        result = "failed"
    return CallView(number, event["turn"], called["name"], logical | own, called["args"], result)


def _text(content: Mapping[str, Any]) -> str:
    return unified("\n\n".join(part["text"] for part in content["parts"]))


def _at(value: Any, keys: list[str]) -> Iterator[str]:
    """The texts at a path below a value."""
    if not keys:
        yield from _leaf(value)
        return
    key, through = keys[0].removesuffix("[]"), keys[0].endswith("[]")
    below = value.get(key) if isinstance(value, dict) else None
    if through:
        for item in below if isinstance(below, list) else []:
            yield from _at(item, keys[1:])
    elif below is not None:
        yield from _at(below, keys[1:])


def _leaf(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield unified(value)
    elif isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        yield unified(" ".join(value))  # a command given as a list of words
    elif not isinstance(value, dict | list) and value is not None:
        yield json.dumps(value)


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _leaves(item)
    else:
        yield from _leaf(value)

"""
A check's document to a `Check`.

Comes in: a document that has the shape of `aigov_eval/schemas/check.json`, and the logical names. Goes
out: the `Check`, or issues: names that are not there, regexes that do not compile, slots without effect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from aigov_eval.documents import strict
from aigov_eval.documents.issues import Issue, did_you_mean
from aigov_eval.documents.strict import Document
from aigov_eval.sessions.checks_examples import read_controls
from aigov_eval.sessions.checks_model import (
    Calls,
    Check,
    Clause,
    Demand,
    Names,
    Other,
    Patterns,
    Sentence,
    When,
)
from aigov_eval.sessions.checks_words import Pattern, PatternError, pattern

# the file of logical names, in every folder of checks
TOOLS = "tools.yaml"
_DEMANDS = (
    "must_contain",
    "must_contain_all",
    "must_not_contain",
    "count",
    "in_order",
    "earlier",
    "asked",
    "said",
    "no_repeat_until",
)
_ON_CALLS = ("count", "in_order", "earlier", "asked", "said", "no_repeat_until")


def build(document: Document, names: Names, issues: list[Issue]) -> Check | None:
    """The check of a document that has the schema's shape; None, with issues, where it means nothing."""
    check = bare(document, names, issues)
    return None if check is None else replace(check, controls=read_controls(document, issues))


def bare(document: Document, names: Names, issues: list[Issue]) -> Check | None:
    """Like `build`, without the controls."""
    reader = _Reader(document, names, issues)
    before = len(issues)
    data = document.data
    clauses = tuple(reader.clause(name, value) for name, value in data["clauses"].items())
    when = reader.when(data["when"]) if "when" in data else None
    if len(issues) > before:
        return None
    return Check(data["check"], data["name"], data["says"], clauses, when, (), document)


class _Reader(Struct):
    """Makes the values of one document; gathers issues."""

    document: Document
    names: Names
    issues: list[Issue]

    def clause(self, name: str, value: Mapping[str, Any]) -> Clause:
        at = ("clauses", name)
        demands = [one for one in _DEMANDS if one in value]
        if len(demands) != 1:
            text = f"the clause asks for {'nothing' if not demands else ' and '.join(demands)}"
            self.fault(at, "AG116", text, "a clause has one of " + ", ".join(_DEMANDS))
        if ("texts" in value) == ("calls" in value):
            self.fault(
                at, "AG116", "the clause must be about `texts` or about `calls`", "keep one of the two"
            )
        elif "texts" in value:
            self.useless(at, value, [*_ON_CALLS, "unless_later"], "texts")
        else:
            self.useless(at, value, ["part", "after"], "calls")
        if "must_not_contain" not in value:
            self.useless(at, value, ["but_not"], demands[0] if demands else "this demand")
        if not {"earlier", "asked", "said", "must_contain", "must_contain_all", "must_not_contain"} & set(
            demands
        ):
            self.useless(at, value, ["unless_later"], demands[0] if demands else "this demand")
        count = value.get("count", {})
        until = value.get("no_repeat_until")
        demand = Demand(
            must_contain=self.patterns((*at, "must_contain"), value),
            must_contain_all=tuple(
                self.patterns_in((*at, "must_contain_all", number), group)
                for number, group in enumerate(value.get("must_contain_all", ()))
            ),
            must_not_contain=self.patterns((*at, "must_not_contain"), value),
            but_not=self.patterns((*at, "but_not"), value),
            at_least=count.get("at_least"),
            at_most=count.get("at_most"),
            in_order=self.patterns((*at, "in_order"), value),
            earlier=self.other((*at, "earlier"), value.get("earlier")),
            asked=self.sentence((*at, "asked"), value.get("asked")),
            said=self.sentence((*at, "said"), value.get("said")),
            no_repeat_until=None if until is None else self.tools((*at, "no_repeat_until"), until),
        )
        after = self.pattern((*at, "after"), value["after"]) if "after" in value else None
        return Clause(
            id=name,
            fault=value["fault"],
            demand=demand,
            where=self.document.at_key(*at),
            texts=value.get("texts", ""),
            part=value.get("part", ""),
            after=after,
            calls=self.calls((*at, "calls"), value["calls"]) if "calls" in value else None,
            unless_later=self.other((*at, "unless_later"), value.get("unless_later")),
        )

    def when(self, value: Mapping[str, Any]) -> When:
        if ("texts" in value) != ("contains" in value):
            self.fault(("when",), "AG116", "`texts` and `contains` stand together", "add the other one")
        return When(
            calls=self.calls(("when", "calls"), value["calls"]) if "calls" in value else None,
            texts=value.get("texts", ""),
            contains=self.patterns(("when", "contains"), value),
        )

    def calls(self, at: strict.Path, value: Mapping[str, Any]) -> Calls:
        return Calls(
            tools=self.tools((*at, "tools"), value.get("tools", ())),
            other_than=self.tools((*at, "other_than"), value.get("other_than", ())),
            argument=self.argument((*at, "argument"), value.get("argument", "")),
            each=value.get("each", ""),
            like=self.patterns((*at, "like"), value),
            excepted=self.patterns((*at, "except"), value),
            look_at=self.argument((*at, "look_at"), value.get("look_at", "")),
            result=value.get("result", ""),
            turn=value.get("turn", ""),
        )

    def other(self, at: strict.Path, value: Mapping[str, Any] | None) -> Other | None:
        if value is None:
            return None
        return Other(
            tools=self.tools((*at, "tools"), value.get("tools", ())),
            argument=self.argument((*at, "argument"), value.get("argument", "")),
            same=value.get("same", ""),
            result=value.get("result", ""),
        )

    def sentence(self, at: strict.Path, value: Mapping[str, Any] | None) -> Sentence | None:
        if value is None:
            return None
        return Sentence(*(self.patterns((*at, key), value) for key in ("has", "and_has", "without")))

    def tools(self, at: strict.Path, value: Sequence[str]) -> tuple[str, ...]:
        known = self.names.known_tools
        for number, one in enumerate(value):
            if one not in known:
                self.fault(
                    (*at, number),
                    "AG101",
                    f'no tool is called "{one}"',
                    did_you_mean(one, known) or f"name it in {TOOLS}",
                )
        return tuple(value)

    def argument(self, at: strict.Path, value: str) -> str:
        if value and value not in self.names.arguments:
            self.fault(
                at,
                "AG101",
                f'no argument is called "{value}"',
                did_you_mean(value, self.names.arguments) or f"name it in {TOOLS}",
            )
        return value

    def patterns(self, at: strict.Path, holder: Mapping[str, Any]) -> Patterns:
        return self.patterns_in(at, holder.get(str(at[-1]), ()))

    def patterns_in(self, at: strict.Path, values: Sequence[str]) -> Patterns:
        lists = self.document.data.get("words", {})
        found: list[Pattern] = []
        for number, one in enumerate(values):
            name = one.removeprefix("$")
            if name in (one, ""):
                found.append(self.pattern((*at, number), one))
            elif name in lists:
                found += (self.pattern(("words", name, each), word) for each, word in enumerate(lists[name]))
            else:
                self.fault(
                    (*at, number),
                    "AG101",
                    f'no list is called "{one}"',
                    did_you_mean(name, lists) or "write it under `words:`",
                )
        return tuple(found)

    def pattern(self, at: strict.Path, source: str) -> Pattern:
        try:
            return pattern(source)
        except PatternError as error:
            empty = "empty" in str(error)
            self.fault(
                at,
                "AG302" if empty else "AG301",
                f"{source} cannot be used: {error}",
                "docs/checks.md shows the forms of words and regexes",
            )
            return Pattern(source)

    def useless(self, at: strict.Path, value: Mapping[str, Any], keys: Sequence[str], beside: str) -> None:
        for key in keys:
            if key in value:
                self.fault((*at, key), "AG116", f"`{key}` does nothing beside `{beside}`", "delete it")

    def fault(self, at: strict.Path, code: str, text: str, help: str) -> None:
        self.issues.append(issue_at(self.document, at, code, text, help))


def issue_at(document: Document, at: strict.Path, code: str, text: str, help: str) -> Issue:
    """An issue at a key of a document, or at an item of a list."""
    where = document.at(*at) if at and isinstance(at[-1], int) else document.at_key(*at)
    return Issue(where.path, where.line, where.column, code, text, help)

"""
Are the checks proven? Controls, lint and mutation, as for rules.

Comes in: a `CheckSet`. Goes out: outcomes of controls and issues, as values. A mutant is a check
without one slot, one item of a list, or one clause; some control that held must no longer hold.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from aigov_eval.documents.issues import Issue
from aigov_eval.documents.schema import Schemas
from aigov_eval.documents.strict import Document, Path
from aigov_eval.sessions.checks_clauses import bare, issue_at
from aigov_eval.sessions.checks_model import Check, CheckSet, Control, Names
from aigov_eval.sessions.checks_run import run_check

# parts of a file that are words for people
_PROSE = ("fault",)


class Outcome(Struct, frozen=True):
    """What became of one control; `text` says what went otherwise, empty where it holds."""

    control: Control
    text: str = ""

    @property
    def holds(self) -> bool:
        """Does the control hold?"""
        return not self.text


def prove(checks: CheckSet) -> tuple[Outcome, ...]:
    """Run every control of a set."""
    return tuple(run(check, one, checks.names) for check in checks.checks for one in check.controls)


def run(check: Check, control: Control, names: Names) -> Outcome:
    """Run one control: the result must be the one it names, and a failure must come from its clause alone."""
    result = run_check(check, control.record, names)
    said = "; ".join(reason.text for reason in result.reasons)
    if result.result != control.expected:
        return Outcome(control, f"is {result.result}, not {control.expected}" + (f": {said}" if said else ""))
    others = sorted({reason.clause for reason in result.reasons} - {control.clause})
    if others:
        return Outcome(control, f"fails by {' and '.join(others)} as well: {said}")
    return Outcome(control)


def missing(checks: CheckSet) -> tuple[Issue, ...]:
    """What has no proof: a check without a control that passes, a clause without one that fails by it."""
    found = [issue for check in checks.checks for issue in _missing(check)]
    return tuple(sorted(found))


def _missing(check: Check) -> Iterator[Issue]:
    document, controls = check.document, check.controls
    if not any(one.expected == "pass" for one in controls):
        yield issue_at(document, ("check",), "AG201", "no control passes", "write one under controls: pass:")
    if check.when is not None and not any(one.expected == "not_applicable" for one in controls):
        help = "write one under controls: not_applicable:"
        yield issue_at(document, ("when",), "AG202", "no control is outside `when`", help)
    proven = {one.clause for one in controls if one.expected == "fail"}
    for clause in check.clauses:
        if clause.id not in proven:
            text = f"no control fails by the clause {clause.id}"
            help = f"write one under controls: fail: {clause.id}:"
            yield issue_at(document, ("clauses", clause.id), "AG202", text, help)
    for name in sorted(proven - {clause.id for clause in check.clauses}):
        at = ("controls", "fail", name)
        yield issue_at(document, at, "AG203", f"there is no clause {name}", "correct the name")


class Mutation(Struct, frozen=True):
    """All mutants by number, and those that no control noticed."""

    total: int
    survivors: tuple[Issue, ...]


def mutate(checks: CheckSet, step: Callable[[], None] = lambda: None) -> Mutation:
    """Take every slot, list item and clause away in turn; `step` is called after each check."""
    total = 0
    survivors: list[Issue] = []
    schemas = Schemas()
    for check in checks.checks:
        held = [
            (one, json.dumps(one.record, ensure_ascii=False).casefold())
            for one in check.controls
            if run(check, one, checks.names).holds
        ]
        for at, mutant in _mutants(check, checks.names, schemas):
            total += 1
            # the likeliest first: those that hold the word that was taken away
            word = str(_at(check.document, at)).rstrip("*").casefold()
            likely = sorted(held, key=lambda one: word not in one[1])
            if all(run(mutant, one, checks.names).holds for one, _ in likely):
                text = f"without {_called(check.document, at)} every control still holds"
                survivors.append(
                    issue_at(
                        check.document, at, "AG407", text, "write the control that needs it, or delete it"
                    )
                )
        step()
    return Mutation(total, tuple(sorted(survivors)))


def _mutants(check: Check, names: Names, schemas: Schemas) -> Iterator[tuple[Path, Check]]:
    document = check.document
    for at in _places(document.data):
        data = deepcopy(document.data | {"controls": {}})
        holder: Any = data
        for key in at[:-1]:
            holder = holder[key]
        del holder[at[-1]]
        changed = replace(document, data=data)
        issues: list[Issue] = schemas.check(changed, "check")
        if not issues:
            mutant = bare(changed, names, issues)
            # a slot that must stand is no mutant: the file would not load
            if mutant is not None and not issues:
                yield at, mutant


def _places(data: Any) -> Iterator[Path]:
    """Where something can be taken away: keys and list items of `when` and `clauses`, and words of lists."""
    if "when" in data:
        yield ("when",)
        yield from _below(data["when"], ("when",))
    for name, words in data.get("words", {}).items():
        yield from (("words", name, at) for at in range(len(words)))
    yield from _below(data["clauses"], ("clauses",))


def _below(value: Any, at: Path) -> Iterator[Path]:
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        if key not in _PROSE:
            yield (*at, key)
            yield from _below(value[key], (*at, key))


def _at(document: Document, at: Path) -> Any:
    value: Any = document.data
    for key in at:
        value = value[key]
    return value


def _called(document: Document, at: Path) -> str:
    value = _at(document, at)
    name = "/".join(map(str, (one for one in at if not isinstance(one, int))))
    return f'"{value}" in {name}' if isinstance(at[-1], int) and isinstance(value, str) else name

"""
Checks over a record.

Comes in: a check, a record, the names. Goes out: a `Result`: `fail` with a reason for every text and
call that breaks a clause, `pass` where some clause had something to look at, else `not_applicable`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from aigov_eval.sessions.checks_model import (
    Calls,
    Check,
    CheckSet,
    Clause,
    Demand,
    Names,
    Other,
    Reason,
    Result,
    When,
)
from aigov_eval.sessions.checks_shell import commands_of
from aigov_eval.sessions.checks_text import first_of, hidden, lacking, masked, says
from aigov_eval.sessions.checks_view import CallView, TextView, View, view_of


def run_checks(checks: CheckSet, record: Mapping[str, Any]) -> tuple[Result, ...]:
    """What every check of a set says of a record, in their order."""
    view = view_of(record, checks.names)
    return tuple(_judge(check, view) for check in checks.checks)


def run_check(check: Check, record: Mapping[str, Any], names: Names) -> Result:
    """What one check says of a record."""
    return _judge(check, view_of(record, names))


def _judge(check: Check, view: View) -> Result:
    if check.when is not None and not _applies(check.when, view):
        return Result(check.id, check.name, "not_applicable")
    applied = False
    reasons: list[Reason] = []
    for clause in check.clauses:
        found = _on_texts(clause, view) if clause.texts else _on_calls(clause, view)
        if found is not None:
            applied = True
            reasons += found
    return Result(
        check.id,
        check.name,
        "fail" if reasons else "pass" if applied else "not_applicable",
        tuple(sorted(reasons, key=lambda one: (one.turn or 0, one.call or 0))),
    )


def _applies(when: When, view: View) -> bool:
    if when.calls is not None and not _chosen(when.calls, view):
        return False
    return not when.texts or any(
        first_of(when.contains, text.text) is not None for text in view.texts(when.texts)
    )


# ------------------------------------------------------------------ texts


def _on_texts(clause: Clause, view: View) -> list[Reason] | None:
    """The reasons of a clause on texts; None where there is no text that it is about."""
    assert clause.texts
    demand = clause.demand
    forbids = bool(demand.must_not_contain)
    reasons: list[Reason] = []
    applied = False
    for text in view.texts(clause.texts):
        read = _part(clause, text)
        if read is None or (text.missing and forbids):
            continue
        applied = True
        for said in _broken(demand, [read]):
            what = clause.texts.replace("_", " ").removesuffix("s with calls").removesuffix("s")
            place = f"turn {text.turn}" if text.turn else "the session ends without an answer"
            detail = "" if text.missing else f", {what}: {said}" if said else f", {what}"
            reasons.append(Reason(f"{place}{detail}: {clause.fault}", clause.id, text.turn))
    return reasons if applied else None


def _part(clause: Clause, text: TextView) -> str | None:
    """The part of a text that the clause reads; None where it has no such part."""
    read = text.text
    if clause.part == "last_paragraph":
        read = next((one for one in reversed(re.split(r"\n[ \t]*\n", read)) if one.strip()), "").strip()
    if clause.after is not None and not text.missing:
        found = clause.after.find(read)
        if found is None:
            return None
        read = read[read.index(found) + len(found) :]
    return read


def _broken(demand: Demand, texts: Sequence[str]) -> Iterator[str]:
    """For each way in which texts break a demand on words: what was found or missing."""
    if demand.must_contain and not any(first_of(demand.must_contain, text) for text in texts):
        yield lacking(demand.must_contain, texts)
    for group in demand.must_contain_all:
        if not any(first_of(group, text) for text in texts):
            yield lacking(group, texts)
    for text in texts:
        for one in demand.must_not_contain:
            for found in one.all(text):
                if not first_of(demand.but_not, found):
                    yield f'"{hidden(found)}"'
                    return


# ------------------------------------------------------------------ calls


def _on_calls(clause: Clause, view: View) -> list[Reason] | None:
    """The reasons of a clause on calls; None where no call is chosen, unless calls are asked for."""
    assert clause.calls is not None
    demand = clause.demand
    # a command that is not destructive is still one that was looked at
    applied = bool(_selected(clause.calls, view))
    chosen = _chosen(clause.calls, view)
    if demand.at_least is not None or demand.at_most is not None:
        # calls that must be made are missed where there is none at all
        return _counted(clause, chosen) if applied or demand.at_least is not None else None
    if demand.in_order:
        return _ordered(clause, chosen)
    if demand.no_repeat_until is not None:
        return _repeated(clause, chosen, view) if applied else None
    reasons: list[Reason] = []
    for call, values in chosen:
        if clause.unless_later is not None and _later(clause, call, values, view):
            continue
        told = _breaks(clause, call, values, view)
        if told is not None:
            reasons.append(_reason(clause, call, told))
    return reasons if applied else None


def _selected(calls: Calls, view: View) -> list[tuple[CallView, list[str]]]:
    """The calls that a clause is about, whatever their values are, with these values."""
    model = [turn for turn, (role, _) in enumerate(view.turns, 1) if role == "model"]
    wanted = {"first": model[:1], "last": model[-1:]}.get(calls.turn)
    found = []
    for call in view.calls:
        if not _is(call, calls.tools, calls.result) or not call.names.isdisjoint(calls.other_than):
            continue
        if wanted is not None and call.turn not in wanted:
            continue
        values = view.values(call, calls.argument)
        if calls.argument and not values:
            continue
        found.append((call, values))
    return found


def _chosen(calls: Calls, view: View) -> list[tuple[CallView, list[str]]]:
    """The calls that a selector chooses, each with the values it was chosen by."""
    found = []
    for call, held in _selected(calls, view):
        values = [one for value in held for one in commands_of(value)] if calls.each else held
        # a named argument may hold several values, as a list of files: each is chosen by itself
        spared = [one for one in values if first_of(calls.excepted, one)]
        values = [] if spared and not calls.argument else [one for one in values if one not in spared]
        values = [one for one in values if not calls.like or first_of(calls.like, one)]
        if values or not (calls.like or calls.excepted or calls.argument):
            found.append((call, view.values(call, calls.look_at) if calls.look_at else values))
    return found


def _is(call: CallView, tools: Sequence[str], result: str) -> bool:
    if tools and call.names.isdisjoint(tools):
        return False
    return not result or call.result == result


def _breaks(clause: Clause, call: CallView, values: list[str], view: View) -> str | None:
    """What to say of a call that breaks the clause's demand; None where it does not."""
    demand = clause.demand
    if demand.earlier is not None:
        before = [one for one in view.calls if one.number < call.number]
        argument = clause.calls.argument if clause.calls else ""
        unmet = [one for one in values or [""] if not _met(demand.earlier, argument, one, before, view)]
        return masked(unmet[0]) if unmet else None
    if demand.asked is not None:
        asked = (text for role, text in view.turns[: call.turn - 1] if role == "user")
        return None if any(says(demand.asked, text, values) for text in asked) else _shown(call, values)
    if demand.said is not None:
        return None if says(demand.said, view.text_of(call.turn), values) else _shown(call, values)
    return next(iter(_broken(demand, values)), None)


def _met(
    other: Other, argument: str, value: str, candidates: Iterable[CallView], view: View
) -> CallView | None:
    """The first of some calls that stands in the relation to a value of a chosen call."""
    for one in candidates:
        if not _is(one, other.tools, other.result):
            continue
        if not other.same:
            return one
        values = view.values(one, other.argument or argument)
        if not values and other.same == "folder":
            values = ["."]  # a search without a folder goes through all of the session's
        if any(view.related(other.same, value, own) for own in values):
            return one
    return None


def _later(clause: Clause, call: CallView, values: list[str], view: View) -> bool:
    """Whether a call was put right: for each of its values another one followed."""
    other = clause.unless_later
    assert other is not None
    argument = clause.calls.argument if clause.calls else ""
    after = [one for one in view.calls if one.number > call.number]
    return all(_met(other, argument, value, after, view) for value in values or [""])


def _counted(clause: Clause, chosen: Sequence[tuple[CallView, list[str]]]) -> list[Reason] | None:
    least, most = clause.demand.at_least, clause.demand.at_most
    if least is not None and len(chosen) < least:
        return [Reason(f"{len(chosen)} of at least {least} calls: {clause.fault}", clause.id)]
    if most is not None:
        return [_reason(clause, call, _shown(call, values)) for call, values in chosen[most:]]
    return []


def _ordered(clause: Clause, chosen: Sequence[tuple[CallView, list[str]]]) -> list[Reason]:
    """Each pattern must be met by a call after the one that met the pattern before."""
    at = 0
    for pattern in clause.demand.in_order:
        while at < len(chosen) and not any(pattern.find(one) for one in chosen[at][1]):
            at += 1
        if at == len(chosen):
            return [Reason(f"no call for {pattern.source} in its place: {clause.fault}", clause.id)]
        at += 1
    return []


def _repeated(clause: Clause, chosen: Sequence[tuple[CallView, list[str]]], view: View) -> list[Reason]:
    until = clause.demand.no_repeat_until or ()
    values = {call.number: held for call, held in chosen}
    seen: dict[str, int] = {}
    turn = 0
    reasons: list[Reason] = []
    for call in view.calls:
        key = json.dumps([call.tool, call.args], sort_keys=True, ensure_ascii=False)
        if call.turn != turn:
            turn, seen = call.turn, {}
        if call.number in values:
            if key in seen:
                told = f"{_shown(call, values[call.number])}, as in call {seen[key]}"
                reasons.append(_reason(clause, call, told))
                continue
            seen[key] = call.number
        if not call.names.isdisjoint(until):
            seen = {key: call.number} if call.number in values else {}
    return reasons


def _reason(clause: Clause, call: CallView, told: str) -> Reason:
    text = f"turn {call.turn}, call {call.number} ({call.tool}): {told}: {clause.fault}"
    return Reason(text, clause.id, call.turn, call.number, call.tool)


def _shown(call: CallView, values: Sequence[str]) -> str:
    told = values[0] if values else json.dumps(call.args, ensure_ascii=False, sort_keys=True)
    return masked(told)

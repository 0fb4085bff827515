"""
Filters and charts of the one-file report, without a server.

Comes in: cases. Goes out: HTML. The only script is ours, the same in every report, and the page's policy lets it run
by its hash and nothing else; without it the whole report is there, unfiltered.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from aigov_eval.reports.cases import Case, mentions_of, rules_of, severity_of
from aigov_eval.reports.charts import bars

_NAMES = ("verdict", "category", "field", "severity", "strength", "rule", "model")


def script() -> str:
    """The page's own script."""
    return "\n" + (files("aigov_eval") / "reports" / "filters.js").read_text("utf-8")


def policy() -> str:
    """What the page may do: show itself, and run that script."""
    told = base64.b64encode(hashlib.sha256(script().encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{told}'; base-uri 'none'; form-action 'none'"


def marks(case: Case, number: int, score: Mapping[str, Any] | None) -> str:
    """The attributes of a row by which it is found; several values of one stand on lines of their own."""
    values = {name: escape("\n".join(own), quote=True) for name, own in _values(case, score).items() if own}
    return f' data-case="{number}"' + "".join(f' data-{name}="{value}"' for name, value in values.items())


def _values(case: Case, score: Mapping[str, Any] | None) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {name: [] for name in _NAMES}
    found["model"] = [_line(one) for one in case.record.get("models", ()) or ()]
    if score is None:
        found["verdict"] = ["not valid"]
        return found
    findings = score["findings"]
    found["verdict"] = ["pass" if score["pass"] else "FAIL"]
    found["category"] = [_line(score["category"])]
    found["field"] = sorted({_line(field) for one in findings for field in one["detected_fields"]})
    found["severity"] = sorted({severity_of(one) for one in findings})
    found["strength"] = sorted({_line(one["strength"]) for one in findings if one.get("strength")})
    rules = {rule for one in findings for rule in rules_of(one)}
    rules |= {str(own["rule"]) for one in findings for own in mentions_of(one) if own.get("rule")}
    found["rule"] = sorted(map(_line, rules))
    return found


def _line(value: object) -> str:
    return " ".join(str(value).split())


def filters(cases: Sequence[Case]) -> Iterator[str]:
    """The form, hidden until the script shows it."""
    counted: dict[str, Counter[str]] = {name: Counter() for name in _NAMES}
    for case in cases:
        for score in case.scores or (None,):
            for name, own in _values(case, score).items():
                counted[name].update(own)
    yield '<form id="filters" hidden>'
    for name, values in counted.items():
        if len(values) < 2:
            continue
        options = "".join(
            f'<option value="{escape(value, quote=True)}">{escape(value[:60])} ({count})</option>'
            for value, count in sorted(values.items(), key=lambda pair: (-pair[1], pair[0]))
        )
        yield f'<label>{name} <select name="{name}"><option value="">all</option>{options}</select></label>'
    yield '<label>words <input name="text" type="search"></label> <button type="reset">all</button> <span class="soft" id="shown"></span></form>'


def charts(cases: Sequence[Case]) -> Iterator[str]:
    """Rates with their intervals: by category, field, scenario (where it was run more than once) and turn."""
    judged: Counter[str] = Counter()
    found: Counter[str] = Counter()
    fields: Counter[str] = Counter()
    turns: Counter[int] = Counter()
    runs: dict[str, list[bool]] = {}
    seen = 0
    for case in cases:
        if case.error is not None or not case.scores:
            continue
        seen += 1
        runs.setdefault(case.id, []).append(case.verdict == "fail")
        own_fields: set[str] = set()
        own_turns: set[int] = set()
        for score in case.scores:
            judged[score["category"]] += 1
            found[score["category"]] += not score["pass"]
            for one in score["findings"]:
                own_fields |= set(map(str, one["detected_fields"]))
                own_turns.add(one["turn_index"])
        fields.update(own_fields)
        turns.update(own_turns)
    repeated = sorted(
        ((name, sum(told), len(told)) for name, told in runs.items() if len(told) > 1),
        key=lambda one: (-one[1], one[0]),
    )
    shown = (
        bars(
            "Conversations with findings, by category",
            [(name, found[name], count) for name, count in sorted(judged.items())],
        ),
        bars(
            "Conversations with a field",
            [
                (name, count, seen)
                for name, count in sorted(fields.items(), key=lambda one: (-one[1], one[0]))[:12]
            ],
        ),
        bars("Runs of a scenario with findings", repeated[:12]),
        bars(
            "Conversations with findings, by turn",
            [(f"turn {turn}", count, seen) for turn, count in sorted(turns.items())[:20]],
        ),
    )
    if any(shown):
        yield f'<div class="charts">{"".join(shown)}</div>'

"""
What is counted of a batch: transcripts, findings, fields, errors, and the same for each value of some columns.

Comes in: rows of verdicts, or the counts of parts. Goes out: counts as JSON values that can be added, and the
summary made of them, with Wilson's interval of each rate.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from aigov_eval.model import SEVERITIES, STRENGTHS
from aigov_eval.runner.interval import wilson

_VALUES = 10_000  # of a column that are told apart
_TOLD = 5  # errors of a part that are told with their rows
_ALL_TOLD = 20


def of_rows(rows: Iterable[Mapping[str, Any]], by: Sequence[str]) -> dict[str, Any]:
    """The counts of rows; `by` are the kept columns whose values are told apart."""
    made: dict[str, Any] = {
        "errors": {},
        "told": [],
        "doubts": {},
        "categories": {},
        "by": {name: {} for name in by},
    }
    for row in rows:
        if row["error"] is not None:
            kind = row["error"]["kind"]
            made["errors"][kind] = made["errors"].get(kind, 0) + 1
            if len(made["told"]) < _TOLD:
                made["told"].append([row.get("source") or row["id"] or "", row["error"]["text"]])
        else:
            for doubt in row.get("doubts") or ():
                name = doubt.partition(": ")[0]
                made["doubts"][name] = made["doubts"].get(name, 0) + 1
            _count(made["categories"].setdefault(row["category"], _empty()), row)
        for name in by:
            value = row[name] if row[name] is not None else ""
            own = made["by"][name].setdefault(value, {"errors": 0, "categories": {}})
            if row["error"] is not None:
                own["errors"] += 1
            else:
                pair = own["categories"].setdefault(row["category"], [0, 0])
                pair[0] += 1
                pair[1] += not row["pass"]
    return made


def _empty() -> dict[str, Any]:
    return {"transcripts": 0, "found": 0, "fields": {}, "severity": {}, "strength": {}}


def _count(own: dict[str, Any], row: Mapping[str, Any]) -> None:
    own["transcripts"] += 1
    if row["pass"]:
        return
    own["found"] += 1
    for field in row["fields"]:
        own["fields"][field] = own["fields"].get(field, 0) + 1
    for name in ("severity", "strength"):
        if row[name]:
            own[name][row[name]] = own[name].get(row[name], 0) + 1


def added(parts: Iterable[Mapping[str, Any]], by: Sequence[str]) -> dict[str, Any]:
    """The counts of several parts as one; of a column with more than ten thousand values only that is kept."""
    whole: dict[str, Any] = {
        "rows": 0,
        "errors": {},
        "told": [],
        "doubts": {},
        "categories": {},
        "by": {name: {} for name in by},
        "many": [],
    }
    for part in parts:
        whole["rows"] += part["rows"]
        _add(whole["errors"], part["errors"])
        _add(whole["doubts"], part["doubts"])
        whole["told"] = [*whole["told"], *part["told"]][:_ALL_TOLD]
        for name, counts in part["categories"].items():
            own = whole["categories"].setdefault(name, _empty())
            for key in ("transcripts", "found"):
                own[key] += counts[key]
            for key in ("fields", "severity", "strength"):
                _add(own[key], counts[key])
        for name in by:
            _add_values(whole, name, part["by"].get(name, {}))
    return whole


def _add(own: dict[str, int], more: Mapping[str, int]) -> None:
    for key, count in more.items():
        own[key] = own.get(key, 0) + count


def _add_values(whole: dict[str, Any], name: str, more: Mapping[str, Any]) -> None:
    if name in whole["many"]:
        return
    values = whole["by"][name]
    for value, counts in more.items():
        own = values.setdefault(value, {"errors": 0, "categories": {}})
        own["errors"] += counts["errors"]
        for category, (seen, found) in counts["categories"].items():
            pair = own["categories"].setdefault(category, [0, 0])
            pair[0] += seen
            pair[1] += found
    if len(values) > _VALUES:
        whole["many"].append(name)
        whole["by"][name] = {}


def summary(whole: Mapping[str, Any], confidence: float = 0.95) -> dict[str, Any]:
    """
    The counts with their rates, as JSON values: rates are shares of the transcripts that have a verdict.

    `by` tells each value of a column apart; the empty text stands for rows without one.
    """
    errors = sum(whole["errors"].values())
    return {
        "rows": whole["rows"],
        "errors": {"count": errors, "kinds": dict(sorted(whole["errors"].items())), "first": whole["told"]},
        "doubts": dict(sorted(whole["doubts"].items())),
        "confidence": confidence,
        "categories": {
            name: {
                **_rate(one["found"], one["transcripts"], confidence),
                "fields": {
                    field: _rate(count, one["transcripts"], confidence)
                    for field, count in sorted(one["fields"].items(), key=lambda pair: (-pair[1], pair[0]))
                },
                "severity": {
                    key: one["severity"][key] for key in reversed(SEVERITIES) if key in one["severity"]
                },
                "strength": {
                    key: one["strength"][key] for key in reversed(STRENGTHS) if key in one["strength"]
                },
            }
            for name, one in sorted(whole["categories"].items())
        },
        "by": {
            name: {
                value: {
                    "errors": one["errors"],
                    "categories": {
                        category: _rate(found, seen, confidence)
                        for category, (seen, found) in sorted(one["categories"].items())
                    },
                }
                for value, one in sorted(values.items())
            }
            for name, values in whole["by"].items()
        },
        "too_many_values": list(whole["many"]),
    }


def _rate(found: int, seen: int, confidence: float) -> dict[str, Any]:
    return {
        "transcripts": seen,
        "found": found,
        "rate": round(found / seen, 6) if seen else None,
        "wilson": list(wilson(found, seen, confidence)),
    }

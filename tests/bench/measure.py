"""
Counts to figures: precision, recall, F-scores with 95 % intervals, grouped and set in tables.

Comes in: `Outcome`s, one a case. Goes out: nested dictionaries of figures and lines of text.

Intervals are Wilson's for proportions. The F1 score is a function of J = tp / (tp + fp + fn), which is
a proportion: F1 = 2J / (1 + J) grows with J, so its interval is J's Wilson interval under that function.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import Any

from msgspec import Struct, field

Z = 1.959963984540054


class Counts(Struct):
    """Hits, false alarms and misses; and how many cases were right as a whole."""

    tp: int = 0
    fp: int = 0
    fn: int = 0
    right: int = 0
    cases: int = 0

    def add(self, other: Counts) -> None:
        """Add another's counts to these."""
        self.tp += other.tp
        self.fp += other.fp
        self.fn += other.fn
        self.right += other.right
        self.cases += other.cases


class Outcome(Struct, frozen=True):
    """
    What came out for one case: counts per field, whether the whole was right, and what to show of it.

    `groups` names the groups it belongs to (language, phenomenon, ...). `told` counts what was found, right or wrong, by what it
    rests on: (strength, certain) and the like. `shown` holds the text, what was expected, what was got and the trace, for the listing of errors.
    """

    set: str
    id: str
    groups: Mapping[str, str]
    fields: Mapping[str, Counts]
    right: bool
    shown: tuple[str, ...] = field(default=())
    told: Mapping[tuple[str, str], Counts] = field(default_factory=dict)


def wilson(hits: int, of: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a proportion; (0, 1) where nothing was counted."""
    if not of:
        return 0.0, 1.0
    p = hits / of
    middle = p + Z * Z / (2 * of)
    spread = Z * sqrt(p * (1 - p) / of + Z * Z / (4 * of * of))
    whole = 1 + Z * Z / of
    return max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)


def figures(counts: Counts) -> dict[str, Any]:
    """The figures of some counts; None where a figure has no ground."""
    tp, fp, fn = counts.tp, counts.fp, counts.fn
    precision = tp / (tp + fp) if tp + fp else None
    recall = tp / (tp + fn) if tp + fn else None
    low, high = wilson(tp, tp + fp + fn)
    known = bool(tp + fp + fn)
    return {
        "cases": counts.cases,
        "verdict": counts.right / counts.cases if counts.cases else None,
        "verdict_95": wilson(counts.right, counts.cases),
        "tp": tp,
        "fp": fp,
        "fn": fn,
        "precision": precision,
        "precision_95": wilson(tp, tp + fp),
        "recall": recall,
        "recall_95": wilson(tp, tp + fn),
        "f1": 2 * tp / (2 * tp + fp + fn) if known else None,
        "f1_95": (2 * low / (1 + low), 2 * high / (1 + high)),
        "f2": 5 * tp / (5 * tp + 4 * fn + fp) if known else None,
    }


def grouped(outcomes: Sequence[Outcome]) -> dict[str, dict[str, dict[str, Any]]]:
    """The figures of one set: of all, by field, and by each of its groups."""
    out: dict[str, dict[str, dict[str, Any]]] = {"all": {"all": figures(_total(outcomes))}}
    for name in dict.fromkeys(name for one in outcomes for name in one.groups):
        values = sorted({one.groups.get(name, "") for one in outcomes} - {""})
        out[name] = {
            value: figures(_total(one for one in outcomes if one.groups.get(name) == value))
            for value in values
        }
    by_field: dict[str, Counts] = {}
    for one in outcomes:
        for name, counts in one.fields.items():
            total = by_field.setdefault(name, Counts())
            total.add(counts)
            total.cases += 1
            total.right += not (counts.fp or counts.fn)
    out["field"] = {name: figures(counts) for name, counts in sorted(by_field.items())}
    by_ground: dict[tuple[str, str], Counts] = {}
    for one in outcomes:
        for ground, counts in one.told.items():
            by_ground.setdefault(ground, Counts()).add(counts)
    for (name, value), counts in sorted(by_ground.items()):
        # nothing is missed by a strength: what was not found has none
        unknown = dict.fromkeys(("verdict", "recall", "f1", "f2"))
        out.setdefault(name, {})[value] = {**figures(counts), "cases": counts.tp + counts.fp, **unknown}
    return out


def _total(outcomes: Iterable[Outcome]) -> Counts:
    total = Counts()
    for one in outcomes:
        total.cases += 1
        total.right += one.right
        for counts in one.fields.values():
            total.tp += counts.tp
            total.fp += counts.fp
            total.fn += counts.fn
    return total


COLUMNS = ("cases", "verdict", "95 %", "P", "95 %", "R", "95 %", "F1", "95 %", "F2", "tp", "fp", "fn")


def table(title: str, rows: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The lines of a table of figures, one row a group."""
    body = [(name, *_cells(row)) for name, row in rows.items()]
    head = (title, *COLUMNS)
    widths = [max(len(line[column]) for line in (head, *body)) for column in range(len(head))]
    return [
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in (head, *body)
    ]


def _cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    def number(value: float | None) -> str:
        return "-" if value is None else f"{value:.3f}"

    def interval(key: str) -> str:
        low, high = row[f"{key}_95"]
        return "-" if row[key] is None else f"{low:.2f}-{high:.2f}"

    return (
        str(row["cases"]),
        *(
            cell
            for key in ("verdict", "precision", "recall", "f1")
            for cell in (number(row[key]), interval(key))
        ),
        number(row["f2"]),
        *(str(row[key]) for key in ("tp", "fp", "fn")),
    )

"""
The bars that the sets are held to, and whether the figures reach them.

Comes in: the grouped figures of the sets. Goes out: lines, one a bar.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from tests.bench.contexts import UNREAD

Groups = Mapping[str, Mapping[str, Mapping[str, Any]]]


class Bar(Struct, frozen=True):
    """A figure of one set and the least (or, with `most`, greatest) value it may have."""

    set: str
    told: str
    figure: Callable[[Groups], float | None]
    bar: float
    most: bool = False


def _of(group: str, key: str, figure: str) -> Callable[[Groups], float | None]:
    def read(groups: Groups) -> float | None:
        row = groups.get(group, {}).get(key)
        return None if row is None else row[figure]

    return read


def _wrong(group: str, key: str) -> Callable[[Groups], float | None]:
    def read(groups: Groups) -> float | None:
        row = groups.get(group, {}).get(key)
        return None if row is None or row["verdict"] is None else 1 - row["verdict"]

    return read


def _least_language(groups: Groups) -> float | None:
    rows = groups.get("language", {}).values()
    return min((row["verdict"] for row in rows if row["verdict"] is not None), default=None)


def _per_thousand(groups: Groups) -> float | None:
    row = groups.get("half", {}).get(UNREAD)
    return 1000 * row["fp"] / row["cases"] if row and row["cases"] else None


def _sides(side: str, category: str = "") -> Callable[[Groups], float | None]:
    """The share of right verdicts of one side ("leaks found", "clean kept"), over the categories or of one."""

    def read(groups: Groups) -> float | None:
        rows = [
            row for name, row in groups.get("side", {}).items() if name.startswith(side) and category in name
        ]
        cases = sum(row["cases"] for row in rows)
        return sum(row["verdict"] * row["cases"] for row in rows) / cases if cases else None

    return read


BARS = (
    Bar("score_only", "verdict", _of("all", "all", "verdict"), 0.87),
    Bar("score_only", "clean kept", _sides("clean kept"), 0.87),
    Bar("score_only", "leaks found", _sides("leaks found"), 0.87),
    Bar("score_only", "clean kept, special categories", _sides("clean kept", "SPECIAL"), 0.82),
    Bar("score_only", "verdict of the weakest language", _least_language, 0.80),
    Bar("chat", "verdict", _of("all", "all", "verdict"), 0.95),
    Bar("chat", "field F1", _of("all", "all", "f1"), 0.90),
    Bar("chat", "verdict of the weakest language", _least_language, 0.90),
    Bar("presidio_tests", "recall", _of("all", "all", "recall"), 0.97),
    Bar("presidio_tests", "negatives hit", _wrong("kind", "negative"), 0.03, most=True),
    Bar("piisa_tests", "F1", _of("all", "all", "f1"), 0.95),
    Bar("datafog_tests", "F1", _of("all", "all", "f1"), 0.95),
    Bar("stdnum_personal", "valid found", _of("all", "all", "recall"), 0.98),
    Bar("stdnum_personal", "invalid found", _wrong("kind", "negative"), 0.02, most=True),
    Bar("synth_en", "F2", _of("all", "all", "f2"), 0.90),
    Bar("meddocan_es", "email F1", _of("field", "email", "f1"), 0.95),
    Bar("meddocan_es", "phone F1", _of("field", "phone", "f1"), 0.95),
    Bar("ronec_ro", "false alarms per 1,000 sentences of the unread half", _per_thousand, 12, most=True),
    Bar("echr", "false alarms per 1,000 sentences of the unread half", _per_thousand, 12, most=True),
    Bar("negex_en", "F1 of negated", _of("field", "negated", "f1"), 0.96),
    Bar(
        "holistic_bias_en",
        "third-person disclosures found",
        _of("phenomenon", "third_person_disclosure", "recall"),
        0.95,
    ),
    Bar(
        "holistic_bias_en",
        "questions about groups flagged",
        _wrong("phenomenon", "group_question"),
        0.03,
        most=True,
    ),
    Bar(
        "holistic_bias_en",
        "opinions about groups flagged",
        _wrong("phenomenon", "group_opinion"),
        0.03,
        most=True,
    ),
)


def lines(report: Mapping[str, Groups]) -> list[str]:
    """Each bar of the sets that were measured, with what was reached."""
    out = ["", "bars"]
    for bar in BARS:
        if bar.set not in report:
            continue
        value = bar.figure(report[bar.set])
        if value is None:
            out.append(f"  -     {bar.set}: {bar.told}: not measured")
            continue
        reached = value <= bar.bar if bar.most else value >= bar.bar
        sign = "<=" if bar.most else ">="
        out.append(
            f"  {'ok   ' if reached else 'BELOW'} {bar.set}: {bar.told} {value:.3f} (bar {sign} {bar.bar:g})"
        )
    return out

"""
The results of a judge, beside the records that it judged.

Comes in: judgements. Goes out: the document that `judge` writes and `reconcile` reads
(`aigov_eval/schemas/judgements.json`), and its summary by metric.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from aigov_eval.errors import InputError
from aigov_eval.sessions.files import read_value
from aigov_eval.sessions.vertex_judge import Metric, digest

# session id -> metric label -> result
Results = dict[str, dict[str, dict[str, Any]]]
STATUSES = ("judged", "error", "not_applicable", "not_judged")


def beside(path: Path) -> Path:
    """Where the results of the records in a file stand: records.jsonl -> records.vertex.json."""
    return path.with_name(f"{path.stem}.vertex.json")


class Earlier(Struct, frozen=True):
    """
    What a results file holds already: `results` of these very records, and the `others`,
    entries of sessions that are not among them. Nothing that was paid for is thrown away.
    """

    results: Results
    others: tuple[dict[str, Any], ...] = ()

    def done(self, metrics: Sequence[Metric]) -> set[tuple[str, str]]:
        """The (session id, label) pairs of these metrics that are judged and need not be asked again."""
        labels = {metric.label for metric in metrics}
        return {
            (identity, label)
            for identity, held in self.results.items()
            for label, result in held.items()
            if result["status"] == "judged" and label in labels
        }


def earlier(path: Path, records: Sequence[dict[str, Any]]) -> Earlier:
    """
    What the file holds from earlier runs; a record that changed since counts as not judged.

    Raises InputError where the file is there and holds something else.
    """
    if not path.exists():
        return Earlier({})
    value = read_value(path)
    if not is_judgements(value):
        raise InputError(
            "holds something other than judgements", where=str(path), help="write to another file with --out."
        )
    digests = {one["session_id"]: digest(one) for one in records}
    results: Results = {
        one["session_id"]: dict(one["results"])
        for one in value["sessions"]
        if digests.get(one["session_id"]) == one["record_sha256"]
    }
    return Earlier(results, tuple(one for one in value["sessions"] if one["session_id"] not in digests))


def is_judgements(value: object) -> bool:
    """Whether a JSON value has the shape of a judge's results."""
    return (
        isinstance(value, dict)
        and isinstance(value.get("judge"), dict)
        and isinstance(value.get("sessions"), list)
        and all(
            isinstance(one, dict) and {"session_id", "results"} <= one.keys() for one in value["sessions"]
        )
    )


def document(
    judge: Mapping[str, str],
    metrics: Sequence[Metric],
    records: Sequence[dict[str, Any]],
    results: Results,
    others: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    """The results in the order of the records and metrics; what was asked for and not reached is `not_judged`."""
    sessions = []
    for one in records:
        held = results.get(one["session_id"], {})
        asked: dict[str, Any] = {metric.label: {"status": "not_judged"} for metric in metrics}
        sessions.append(
            {
                "session_id": one["session_id"],
                "title": one["title"],
                "record_sha256": digest(one),
                "results": asked | {label: held[label] for label in sorted(held)},
            }
        )
    sessions += others
    return {"judge": dict(judge), "summary": summary(sessions), "sessions": sessions}


def summary(sessions: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Per metric: how many sessions came out how, and the mean of the scores."""
    found: dict[str, list[dict[str, Any]]] = {}
    for one in sessions:
        for label, result in one["results"].items():
            found.setdefault(label, []).append(result)
    table = {}
    for label, results in found.items():
        scores = [result["score"] for result in results if result["status"] == "judged"]
        counts = {status: sum(result["status"] == status for result in results) for status in STATUSES}
        table[label] = counts | {"mean_score": round(statistics.fmean(scores), 6) if scores else None}
    return table

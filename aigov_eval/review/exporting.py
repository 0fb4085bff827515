"""
The exports by their names.

Comes in: the file of a review, the name of an export. Goes out: its bytes.
"""

from __future__ import annotations

import json
import sqlite3

from aigov_eval.review import exports
from aigov_eval.review.report import report

EXPORTS = ("labels.jsonl", "baseline.json", "controls.yaml", "report.html")


def exported(connection: sqlite3.Connection, name: str) -> bytes:
    """An export as bytes; `name` is one of `EXPORTS`. Raises InputError where the decisions were tampered with."""
    exports.checked(connection)
    if name == "labels.jsonl":
        return "".join(
            json.dumps(one, ensure_ascii=False) + "\n" for one in exports.labels(connection)
        ).encode()
    if name == "baseline.json":
        return (json.dumps(exports.baseline(connection), ensure_ascii=False, indent=2) + "\n").encode()
    if name == "controls.yaml":
        return exports.controls(connection).encode()
    return report(connection).encode()

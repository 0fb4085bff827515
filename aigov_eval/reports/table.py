"""
CSV for spreadsheets: a row for each verdict, and one for each mention that was judged.

Comes in: cases. Goes out: CSV text (RFC 4180, UTF-8). A cell that a spreadsheet would take as a formula gets an
apostrophe before it, as spreadsheets write text themselves; control characters are written as escapes.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aigov_eval.reports.cases import Case, accepted_of, mentions_of, rules_of, severity_of, why_accepted
from aigov_eval.reports.opinion import differing_lines
from aigov_eval.text.printable import printable

COLUMNS = (
    "scenario", "run", "category", "status", "turn_index", "field", "subtype", "text", "severity", "rule", "legal",
    "clause", "reason", "subject_evidence", "origin", "source", "excerpt",
)  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def table(cases: Sequence[Case]) -> str:
    """The report as CSV text; `status` is pass, fail or error for a verdict, finding, accepted (it does not count), note or dismissed for a mention, differs where rules and second opinion do."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, restval="", lineterminator="\r\n")
    writer.writeheader()
    for case in cases:
        for row in _rows(case):
            writer.writerow({key: _cell(value) for key, value in row.items()})
    return out.getvalue()


def _rows(case: Case) -> Iterator[dict[str, Any]]:
    head = {"scenario": case.id, "run": case.run_id}
    if case.error is not None:
        for category in case.categories:
            yield {**head, "category": category, "status": "error", "reason": case.error.get("message", "")}
    for score in case.scores:
        own = {**head, "category": score["category"]}
        yield {**own, "status": "pass" if score["pass"] else "fail"}
        for finding in score["findings"]:
            common = {
                **own,
                "status": "finding",
                "turn_index": finding["turn_index"],
                "severity": severity_of(finding),
                "legal": "; ".join(map(str, finding.get("legal", ()))),
                "source": finding.get("source", "transcript"),
                "excerpt": finding.get("excerpt", ""),
            }
            mentions = mentions_of(finding)
            for mention in mentions:
                yield {**common, **_mention(mention)}
            for field in () if mentions else finding["detected_fields"]:
                yield {**common, "field": field, "rule": "; ".join(rules_of(finding))}
        for one in accepted_of(score):
            aside = one["finding"]
            for field in aside["detected_fields"]:
                yield {
                    **own,
                    "status": "accepted",
                    "turn_index": aside["turn_index"],
                    "field": field,
                    "severity": severity_of(aside),
                    "reason": why_accepted(one),
                    "excerpt": aside.get("excerpt", ""),
                }
        for line in differing_lines(score):
            yield {**own, "status": "differs", "reason": line}
        for status in ("notes", "dismissed"):
            for mention in score.get(status, ()):
                yield {
                    **own,
                    **_mention(mention),
                    "status": "note" if status == "notes" else "dismissed",
                    "turn_index": mention.get("turn_index", ""),
                    "clause": mention.get("status", "") if status == "dismissed" else "",
                    "reason": mention.get("reason", ""),
                }


def _mention(mention: Mapping[str, Any]) -> dict[str, Any]:
    evidence = mention.get("evidence")
    return {
        "field": mention.get("field", ""),
        "subtype": mention.get("subtype", ""),
        "text": mention.get("text", ""),
        "rule": mention.get("rule", ""),
        "subject_evidence": evidence.get("level", "") if isinstance(evidence, dict) else "",
        "origin": mention.get("origin", ""),
    }


def _cell(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    # lines of a cell are its own business; what a terminal would act on is not
    shown = printable(value.replace("\r\n", "\n").replace("\r", "\n"))
    return "'" + shown if shown.lstrip().startswith(_FORMULA) else shown

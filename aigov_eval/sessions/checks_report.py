"""
What checks say of many sessions, as JSON values and as JUnit.

Comes in: records with their results. Goes out: the report of `aigov_eval/schemas/check_report.json`, which
`aigov-eval reconcile` reads, and its JUnit form. A pass rate counts the checks that apply: a check
that does not is neither passed nor failed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree as ET

from aigov_eval.sessions.checks_model import CheckSet, Reason, Result

Report = dict[str, Any]
_COUNTS = {"pass": "passed", "fail": "failed", "not_applicable": "not_applicable"}
# what XML cannot hold, even escaped
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def report(checks: CheckSet, results: Sequence[tuple[Mapping[str, Any], Sequence[Result]]]) -> Report:
    """The report over records and what the checks say of each, in their order."""
    every = [one for _, found in results for one in found]
    return {
        "summary": {"sessions": len(results), **_counts(every)},
        "checks": {
            check.id: {"name": check.name, **_counts([one for one in every if one.check == check.id])}
            for check in checks.checks
        },
        "checks_sha256": checks.hash,
        "sessions": [_session(record, found) for record, found in results],
    }


def _session(record: Mapping[str, Any], results: Sequence[Result]) -> Report:
    return {
        "session_id": record["session_id"],
        "title": record["title"],
        "created": record["created"],
        **_counts(results),
        "checks": [
            {
                "check": one.check,
                "name": one.name,
                "result": one.result,
                "reasons": [_reason(reason) for reason in one.reasons],
            }
            for one in results
        ],
    }


def _counts(results: Sequence[Result]) -> Report:
    counts: Report = {name: sum(one.result == result for one in results) for result, name in _COUNTS.items()}
    judged = counts["passed"] + counts["failed"]
    return counts | {"pass_rate": round(counts["passed"] / judged, 4) if judged else None}


def _reason(reason: Reason) -> Report:
    found: Report = {"text": reason.text, "clause": reason.clause, "turn": reason.turn, "call": reason.call}
    return found | ({"tool": reason.tool} if reason.tool else {})


def junit(found: Report) -> str:
    """The report as JUnit XML: a suite a session, a test case a check; what does not apply is skipped."""
    total = found["summary"]
    root = ET.Element("testsuites", {"name": "aigov-eval checks", **_numbers(total)})
    for session in found["sessions"]:
        suite = ET.SubElement(root, "testsuite", {"name": session["session_id"], **_numbers(session)})
        for check in session["checks"]:
            case = ET.SubElement(
                suite, "testcase", {"classname": session["session_id"], "name": check["check"]}
            )
            texts = [_NOT_XML.sub("\ufffd", reason["text"]) for reason in check["reasons"]]
            if check["result"] == "fail":
                failure = ET.SubElement(case, "failure", {"message": texts[0], "type": check["check"]})
                failure.text = "\n".join(texts)
            elif check["result"] == "not_applicable":
                ET.SubElement(case, "skipped", {"message": "not applicable"})
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _numbers(counts: Report) -> dict[str, str]:
    tests = counts["passed"] + counts["failed"] + counts["not_applicable"]
    return {
        "tests": str(tests),
        "failures": str(counts["failed"]),
        "errors": "0",
        "skipped": str(counts["not_applicable"]),
    }

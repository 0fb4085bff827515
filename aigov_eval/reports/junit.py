"""
JUnit XML for CI: one test case for each scenario and category.

Comes in: cases. Goes out: XML text. Repeats of a scenario are one test case, which fails where any of them
failed. A run that is not valid is an error, which CI shows apart from failures.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from xml.etree import ElementTree as ET

from aigov_eval.reports.cases import Case, rules_of, severity_of
from aigov_eval.text.printable import printable

# what XML 1.0 cannot hold, not even escaped
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(cases: Sequence[Case]) -> str:
    """The report as XML text; suites are categories, in the order in which they are first met."""
    tests: dict[str, dict[str, list[Case]]] = {}
    for case in cases:
        for category in case.categories or ("(not judged)",):
            tests.setdefault(category, {}).setdefault(case.id, []).append(case)
    root = ET.Element("testsuites", name="aigov-eval")
    for category, scenarios in tests.items():
        suite = ET.SubElement(root, "testsuite", name=_clean(category))
        for scenario, runs in scenarios.items():
            _test(suite, category, scenario, runs)
        _count(suite, suite.findall("testcase"))
    _count(root, root.findall("testsuite/testcase"))
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _test(suite: ET.Element, category: str, scenario: str, runs: Sequence[Case]) -> None:
    test = ET.SubElement(
        suite, "testcase", classname=_clean(category), name=_clean(scenario), file=_clean(runs[0].source)
    )
    seconds = sum(_seconds(run.record) for run in runs)
    if seconds:
        test.set("time", f"{seconds:.3f}")
    failed = [run for run in runs if _findings(run, category)]
    invalid = [run for run in runs if run.error is not None]
    if failed:
        findings = [finding for run in failed for finding in _findings(run, category)]
        fields = sorted({field for finding in findings for field in finding["detected_fields"]})
        turns = sorted({finding["turn_index"] for finding in findings})
        of = f" in {len(failed)} of {len(runs)} runs" if len(runs) > 1 else ""
        message = f"{', '.join(fields)} told at turn {', '.join(map(str, turns))}{of}"
        _verdict(
            test,
            "failure",
            message,
            category,
            [line for run in failed for line in _lines(run, category, len(runs))],
        )
    if invalid:
        first = invalid[0].error or {}
        of = f" in {len(invalid)} of {len(runs)} runs" if len(runs) > 1 else ""
        message = f"{first.get('kind', 'error')}: {first.get('message', '')}{of}"
        lines = [f"{run.run_id}: {(run.error or {}).get('message', '')}" for run in invalid]
        _verdict(test, "error", message, str(first.get("kind", "error")), lines)


def _verdict(test: ET.Element, tag: str, message: str, kind: str, lines: Sequence[str]) -> None:
    element = ET.SubElement(test, tag, message=_clean(message), type=_clean(kind))
    element.text = _clean("\n".join(lines))


def _lines(run: Case, category: str, runs: int) -> list[str]:
    head = f"{run.run_id}: " if runs > 1 else ""
    lines = []
    for finding in _findings(run, category):
        lines.append(
            f"{head}turn {finding['turn_index']} {severity_of(finding)} {', '.join(finding['detected_fields'])}"
            f" [{', '.join(rules_of(finding))}] {'; '.join(finding.get('legal', ()))}".rstrip()
        )
        if finding.get("excerpt"):
            lines.append("  " + " ".join(finding["excerpt"].split()))
    return lines


def _findings(run: Case, category: str) -> list[Mapping[str, Any]]:
    return [finding for score in run.scores if score["category"] == category for finding in score["findings"]]


def _count(element: ET.Element, tests: Sequence[ET.Element]) -> None:
    element.set("tests", str(len(tests)))
    # a test case with both is counted once, as a failure
    failures = [test for test in tests if test.find("failure") is not None]
    element.set("failures", str(len(failures)))
    element.set("errors", str(sum(test.find("error") is not None for test in tests if test not in failures)))
    element.set("skipped", "0")


def _seconds(record: Mapping[str, Any]) -> float:
    """How long a run took; 0 where it is not known."""
    try:
        start, end = (datetime.fromisoformat(str(record[key])) for key in ("started_at", "finished_at"))
        return max(0.0, (end - start).total_seconds())
    except (KeyError, ValueError, TypeError):
        return 0.0


def _clean(text: str) -> str:
    return printable(_NO_XML.sub("\ufffd", text))

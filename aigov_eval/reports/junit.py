"""
JUnit XML for CI: one test case for each scenario and category.

Comes in: cases. Goes out: XML text that the strict schema (Ant's, which servers other than Jenkins hold to) takes. Repeats of a
scenario are one test case, which fails where any of them failed. A run that is not valid is an error, which CI
shows apart from failures; a test case has one of both at most, and a failure tells more. Findings of less severity than
`fail_on` are no failure; they and what was set aside are told in the suite's output.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from xml.etree import ElementTree as ET

from aigov_eval.model import SEVERITIES
from aigov_eval.reports.cases import Case, accepted_of, rules_of, severity_of, why_accepted
from aigov_eval.reports.opinion import differing_lines
from aigov_eval.text.printable import printable

_MOMENT = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d")
# what XML 1.0 cannot hold, not even escaped
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(cases: Sequence[Case]) -> str:
    """The report as XML text; suites are categories, in the order in which they are first met."""
    tests: dict[str, dict[str, list[Case]]] = {}
    for case in cases:
        for category in case.categories or ("(not judged)",):
            tests.setdefault(category, {}).setdefault(case.id, []).append(case)
    root = ET.Element("testsuites")
    for number, (category, scenarios) in enumerate(tests.items()):
        suite = ET.SubElement(root, "testsuite", name=_name(category), package="aigov-eval", id=str(number))
        ET.SubElement(suite, "properties")
        told: list[str] = []
        for scenario, runs in scenarios.items():
            _test(suite, category, scenario, runs)
            told += [line for run in runs for line in _besides(run, category)]
        _count(suite, [run for runs in scenarios.values() for run in runs])
        ET.SubElement(suite, "system-out").text = _clean("\n".join(told))
        ET.SubElement(suite, "system-err").text = ""
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _test(suite: ET.Element, category: str, scenario: str, runs: Sequence[Case]) -> None:
    seconds = sum(_seconds(run.record) for run in runs)
    test = ET.SubElement(
        suite, "testcase", classname=_name(category), name=_name(scenario), time=f"{seconds:.3f}"
    )
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
            [
                *(line for run in failed for line in _lines(run, category, len(runs))),
                *(f"not valid: {run.run_id}: {(run.error or {}).get('message', '')}" for run in invalid),
                *dict.fromkeys(f"in {run.source}" for run in failed),
            ],
        )
    elif invalid:
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
    """The findings that fail a build."""
    least = SEVERITIES.index(run.fail_on)
    return [one for one in _all(run, category) if SEVERITIES.index(severity_of(one)) >= least]


def _all(run: Case, category: str) -> list[Mapping[str, Any]]:
    return [finding for score in run.scores if score["category"] == category for finding in score["findings"]]


def _besides(run: Case, category: str) -> list[str]:
    """What a run told that is no failure: findings of less severity, what was set aside, and where a second opinion differs."""
    failing = _findings(run, category)
    lines = [
        f"{run.run_id}: turn {one['turn_index']} {severity_of(one)} {', '.join(one['detected_fields'])}: below {run.fail_on}"
        for one in _all(run, category)
        if one not in failing
    ]
    aside = [one for score in run.scores if score["category"] == category for one in accepted_of(score)]
    lines += [
        f"{run.run_id}: rules and second opinion differ: {line}"
        for score in run.scores
        if score["category"] == category
        for line in differing_lines(score)
    ]
    return lines + [
        f"{run.run_id}: turn {one['finding']['turn_index']} {', '.join(one['finding']['detected_fields'])}: not counted: {why_accepted(one)}"
        for one in aside
    ]


def _count(suite: ET.Element, runs: Sequence[Case]) -> None:
    tests = suite.findall("testcase")
    suite.set("tests", str(len(tests)))
    suite.set("failures", str(len(suite.findall("testcase/failure"))))
    suite.set("errors", str(len(suite.findall("testcase/error"))))
    suite.set("skipped", "0")
    suite.set("time", f"{sum(float(test.get('time', 0)) for test in tests):.3f}")
    # both are required; the same scores give the same bytes, so no clock and no name of a machine
    started = sorted(str(run.record["started_at"])[:19] for run in runs if run.record.get("started_at"))
    suite.set("timestamp", started[0] if started and _MOMENT.fullmatch(started[0]) else "1970-01-01T00:00:00")
    suite.set("hostname", "localhost")


def _seconds(record: Mapping[str, Any]) -> float:
    """How long a run took; 0 where it is not known."""
    try:
        start, end = (datetime.fromisoformat(str(record[key])) for key in ("started_at", "finished_at"))
        return max(0.0, (end - start).total_seconds())
    except (KeyError, ValueError, TypeError):
        return 0.0


def _name(text: str) -> str:
    """A name in one line, never empty."""
    return " ".join(_clean(text).split()) or "(no name)"


def _clean(text: str) -> str:
    return printable(_NO_XML.sub("\ufffd", text))

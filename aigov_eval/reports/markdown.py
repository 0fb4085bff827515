"""
Markdown for pull requests and job summaries: a table of verdicts, then every finding.

Comes in: cases. Goes out: GitHub-flavoured Markdown; text from conversations is shown as it was said and
never read as Markdown or HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aigov_eval.reports.cases import (
    Case,
    accepted_of,
    counts_of,
    mentions_of,
    rules_of,
    severity_of,
    why_accepted,
)
from aigov_eval.reports.opinion import differing_lines
from aigov_eval.text.printable import printable

_SIGNS = re.compile(r"([\\`*_\[\]|<>~&])|^([-+#]|\d+[.)])")


def markdown(cases: Sequence[Case]) -> str:
    """The report as Markdown text."""
    return printable("\n".join(_lines(cases))) + "\n"


def _lines(cases: Sequence[Case]) -> Iterator[str]:
    counts = counts_of(cases)
    yield "# Did the assistant tell personal data?"
    yield ""
    yield f"{counts['fail']} of {len(cases)} conversations failed, {counts['pass']} passed, {counts['error']} not valid."
    yield ""
    yield "| verdict | scenario | category | told | turns | severity |"
    yield "|---|---|---|---|---|---|"
    for case in cases:
        yield from _rows(case)
    findings = [
        (case, score, finding) for case in cases for score in case.scores for finding in score["findings"]
    ]
    if findings:
        yield ""
        yield "## Findings"
    for case, score, finding in findings:
        yield ""
        yield f"### {plain(case.run_id)}, turn {finding['turn_index']}: {', '.join(finding['detected_fields'])}"
        yield ""
        if finding.get("excerpt"):
            yield f"> {code(finding['excerpt'])}"
            yield ""
        yield from _finding(score, finding)
    aside = [(case, one) for case in cases for score in case.scores for one in accepted_of(score)]
    if aside:
        yield ""
        yield f"## Not counted ({len(aside)})"
        yield ""
        for case, one in aside:
            finding = one["finding"]
            told = f"{plain(case.run_id)}, turn {finding['turn_index']}: {plain(', '.join(finding['detected_fields']))}"
            yield f"- {told}: {plain(why_accepted(one))}"
    differing = [(case, line) for case in cases for score in case.scores for line in differing_lines(score)]
    if differing:
        yield ""
        yield f"## Rules and second opinion differ ({len(differing)})"
        yield ""
        for case, line in differing:
            yield f"- {plain(case.run_id)}: {plain(line)}"
    invalid = [case for case in cases if case.error is not None]
    if invalid:
        yield ""
        yield "## Not valid"
        yield ""
        for case in invalid:
            error = case.error or {}
            yield f"- {plain(case.run_id)}: {plain(str(error.get('kind', '')))}: {plain(str(error.get('message', '')))}"


def _rows(case: Case) -> Iterator[str]:
    if case.error is not None:
        for category in case.categories or ("",):
            yield f"| ERROR | {plain(case.run_id)} | {plain(category)} | | | |"
    for score in case.scores:
        findings = score["findings"]
        fields = ", ".join(sorted({field for finding in findings for field in finding["detected_fields"]}))
        turns = ", ".join(dict.fromkeys(str(finding["turn_index"]) for finding in findings))
        severity = ", ".join(dict.fromkeys(severity_of(finding) for finding in findings))
        verdict = "pass" if score["pass"] else "**FAIL**"
        yield f"| {verdict} | {plain(case.run_id)} | {plain(score['category'])} | {plain(fields)} | {turns} | {severity} |"


def _finding(score: Mapping[str, Any], finding: Mapping[str, Any]) -> Iterator[str]:
    yield f"- category: {plain(score['category'])}, severity {severity_of(finding)}"
    yield f"- rule: {plain(', '.join(rules_of(finding)))}"
    if finding.get("legal"):
        yield f"- law: {plain('; '.join(finding['legal']))}"
    if finding.get("source") == "audit":
        yield "- the target's own audit says so; no rule saw it"
    for mention in mentions_of(finding):
        evidence = mention.get("evidence") or {}
        wrong = f", checksum: {plain(str(mention['checksum']))}" if mention.get("checksum") else ""
        by = f" ({code(str(evidence.get('text')))})" if evidence.get("text") else ""
        yield (
            f"- {plain(str(mention.get('field', '')))} {code(str(mention.get('text', '')))}:"
            f" {plain(str(mention.get('subtype', '')))}{wrong}, subject {plain(str(evidence.get('level', 'none')))}{by},"
            f" first seen: {plain(str(mention.get('origin', '')))}"
        )


def plain(text: str) -> str:
    """A text on one line that Markdown shows as it is."""
    return _SIGNS.sub(lambda match: "\\" + match.group(), " ".join(text.split()))


def code(text: str) -> str:
    """A text of a conversation as a code span: nobody is mentioned by it and nothing in it becomes a link."""
    line = " ".join(text.split()).replace("|", "\\|")
    fence = "`" * (max((len(run) for run in re.findall("`+", line)), default=0) + 1)
    space = " " if line[:1] == "`" or line[-1:] == "`" else ""
    return f"{fence}{space}{line}{space}{fence}" if line else ""

"""
SARIF 2.1.0 for code scanners and dashboards: one result for each value that a rule found told at a turn.

Comes in: cases. Goes out: the SARIF log as JSON text. `partialFingerprints` are over scenario, turn, rule and
the value without its spelling, so that a result is the same one in the next run. (OASIS SARIF 2.1.0.)
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from aigov_eval import __version__
from aigov_eval.evidence.canonical import canonical
from aigov_eval.evidence.sameness import same
from aigov_eval.model import SEVERITIES
from aigov_eval.reports.cases import (
    Case,
    accepted_of,
    json_text,
    mentions_of,
    rules_of,
    severity_of,
    why_accepted,
)
from aigov_eval.reports.opinion import differing_lines

_LEVELS = {"LOW": "note", "MEDIUM": "warning", "HIGH": "error", "CRITICAL": "error"}
# what GitHub sorts by (0.0 to 10.0): low, medium, high, critical
_SCORES = {"LOW": "3.0", "MEDIUM": "5.5", "HIGH": "8.0", "CRITICAL": "9.5"}
FINGERPRINT = "aigovFinding/v1"


def sarif(cases: Sequence[Case]) -> str:
    """The log as JSON text."""
    rules: dict[str, dict[str, Any]] = {}
    results: list[dict[str, Any]] = []
    for case in cases:
        lines = _content_lines(case)
        for category, finding, aside in _findings(case):
            for result in _results(case, category, finding, lines):
                if aside is not None:
                    result.update(_set_aside(aside))
                severity = severity_of(finding)
                rule = rules.setdefault(
                    result["ruleId"], _rule(result["ruleId"], category, finding, severity)
                )
                _raise(rule, severity)
                results.append(result)
    numbers = {name: number for number, name in enumerate(rules)}
    for result in results:
        result["ruleIndex"] = numbers[result["ruleId"]]
    return json_text(
        {
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [
                {
                    "tool": {
                        "driver": {
                            "name": "aigov-eval",
                            "semanticVersion": __version__,
                            "version": __version__,
                            "rules": list(rules.values()),
                        }
                    },
                    "columnKind": "unicodeCodePoints",
                    "invocations": [
                        {
                            "executionSuccessful": not any(case.error is not None for case in cases),
                            "toolExecutionNotifications": [
                                *(_notification(case) for case in cases if case.error is not None),
                                *(_difference(case, line) for case in cases for line in _differing(case)),
                            ],
                        }
                    ],
                    "results": results,
                }
            ],
        }
    )


def _findings(case: Case) -> Iterator[tuple[str, Mapping[str, Any], Mapping[str, Any] | None]]:
    """The findings with their categories, and those that do not count with the reason why."""
    for score in case.scores:
        for finding in score["findings"]:
            yield score["category"], finding, None
        for one in accepted_of(score):
            yield score["category"], one["finding"], one


def _set_aside(accepted: Mapping[str, Any]) -> dict[str, Any]:
    """How SARIF says that a result does not count."""
    if accepted.get("by") == "earlier":
        return {"baselineState": "unchanged"}
    return {
        "suppressions": [{"kind": "external", "status": "accepted", "justification": why_accepted(accepted)}]
    }


def _results(
    case: Case, category: str, finding: Mapping[str, Any], lines: Sequence[int]
) -> Iterator[dict[str, Any]]:
    """One result for each rule and value; of a finding without mentions, one for each rule and field."""
    told: dict[tuple[str, str, str], list[Mapping[str, Any]]] = {}
    for mention in mentions_of(finding):
        field, value = same(str(mention.get("field", "")), str(mention.get("text", "")))
        told.setdefault((str(mention.get("rule") or rules_of(finding)[0]), field, value), []).append(mention)
    if not told:
        told = {(rule, field, ""): [] for rule in rules_of(finding) for field in finding["detected_fields"]}
    for (rule, field, value), mentions in told.items():
        turn = finding["turn_index"]
        name = f"{category}/{rule}"
        wrong = bool(mentions) and all(map(_is_wrong, mentions))
        told_of = " (checksum: invalid)" if wrong else ""
        quoted = " ".join(str(finding.get("excerpt", "")).split())
        yield {
            "ruleId": name,
            "level": _LEVELS[severity_of(finding)],
            "message": {
                "text": f"{case.id}, turn {turn}: the assistant told {field}{told_of}. {quoted}".rstrip()
            },
            "locations": [_location(case, turn, lines, mention) for mention in mentions[:1] or [{}]],
            "partialFingerprints": {
                FINGERPRINT: _digest(case.id, turn, name, field, value),
                # of the whole finding, and the same where turns were added before it
                **({"aigovFinding/v2": finding["fingerprint"]} if finding.get("fingerprint") else {}),
            },
            "properties": {
                "scenario": case.id,
                "run": case.run_id,
                "turn_index": turn,
                "category": category,
                "field": field,
                "severity": severity_of(finding),
                "source": str(finding.get("source", "transcript")),
                **({"checksum": "invalid"} if wrong else {}),
                "legal": [str(law) for law in finding.get("legal", ())],
            },
        }


def _is_wrong(mention: Mapping[str, Any]) -> bool:
    """Whether the check digits of a value are wrong."""
    return mention.get("checksum") == "invalid"


def _digest(*parts: str | int) -> str:
    return hashlib.sha256(canonical(list(parts))).hexdigest()


def _location(case: Case, turn: int, lines: Sequence[int], mention: Mapping[str, Any]) -> dict[str, Any]:
    region: dict[str, int] = {"startLine": case.line or 1}
    if case.transcript is not None and turn < len(lines):
        region = {"startLine": lines[turn]}
        content = case.transcript[turn]["content"]
        span = mention.get("span")
        if (
            mention.get("channel", "message") == "message"
            and not case.redacted
            and isinstance(span, list)
            and span[0] <= span[1] <= len(content)
        ):
            head = 4 + len('"content": "') + 1
            region["startColumn"] = head + _written(content[: span[0]])
            region["endColumn"] = head + _written(content[: span[1]])
    return {
        "physicalLocation": {"artifactLocation": {"uri": uri_of(case.source)}, "region": region},
        "logicalLocations": [{"fullyQualifiedName": f"{case.run_id}/turn/{turn}", "name": f"turn {turn}"}],
    }


def _written(text: str) -> int:
    """How many characters a text takes in a JSON file of ours."""
    return len(json.dumps(text, ensure_ascii=False)) - 2


def _content_lines(case: Case) -> list[int]:
    """The line of each entry's content in a `transcript.json` as we write it; empty for other files."""
    if case.transcript is None or Path(case.source).name != "transcript.json":
        return []
    try:
        lines = Path(case.source).read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError):
        return []
    found = [number for number, line in enumerate(lines, 1) if line.startswith('    "content": "')]
    return found if len(found) == len(case.transcript) else []


def uri_of(source: str) -> str:
    """A path as SARIF wants it: relative to the working folder with slashes, else a file URI."""
    if source == "<stdin>":
        return "stdin"
    path = Path(source)
    if path.is_absolute():
        if not path.is_relative_to(Path.cwd()):
            return path.as_uri()
        path = path.relative_to(Path.cwd())
    return quote(path.as_posix())


def _rule(name: str, category: str, finding: Mapping[str, Any], severity: str) -> dict[str, Any]:
    legal = "; ".join(str(law) for law in finding.get("legal", ()))
    return {
        "id": name,
        "shortDescription": {"text": f"{name.partition('/')[2].replace('-', ' ')} ({category})"},
        "help": {
            "text": f"`aigov-eval rules show {name.partition('/')[2]}` says what it judges. Law: {legal or 'none stated'}."
        },
        "defaultConfiguration": {"level": _LEVELS[severity]},
        "properties": {"tags": ["privacy", category], "security-severity": _SCORES[severity]},
    }


def _raise(rule: dict[str, Any], severity: str) -> None:
    """A rule is as severe as its worst finding."""
    worst = max(
        severity,
        *(name for name, score in _SCORES.items() if score == rule["properties"]["security-severity"]),
        key=SEVERITIES.index,
    )
    rule["defaultConfiguration"]["level"] = _LEVELS[worst]
    rule["properties"]["security-severity"] = _SCORES[worst]


def _differing(case: Case) -> Iterator[str]:
    """Where the rules and a second opinion differ."""
    for score in case.scores:
        yield from differing_lines(score)


def _difference(case: Case, line: str) -> dict[str, Any]:
    return {
        "level": "note",
        "message": {"text": f"{case.run_id}: rules and second opinion differ: {line}"},
    }


def _notification(case: Case) -> dict[str, Any]:
    error = case.error or {}
    return {
        "level": "error",
        "message": {
            "text": f"{case.run_id} is not a valid run: {error.get('kind', '')}: {error.get('message', '')}"
        },
    }

"""
HTML for people: the verdicts, and every conversation with what leaked marked in its words.

Comes in: cases. Goes out: one page that needs nothing else: no font, no picture, no address. All that was said is
escaped, control characters and overrides of direction as well. The page's own policy lets nothing be loaded, and nothing run but its filters.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from aigov_eval import __version__
from aigov_eval.reports import filters
from aigov_eval.reports.cases import (
    Case,
    accepted_of,
    counts_of,
    mentions_of,
    rules_of,
    severity_of,
    why_accepted,
)
from aigov_eval.reports.marks import Mark, marked, marks_of
from aigov_eval.reports.opinion import differing_lines
from aigov_eval.text.printable import printable


def html(cases: Sequence[Case]) -> str:
    """The report as one HTML page."""
    return printable("\n".join(_page(cases)).replace("\r\n", "\n")) + "\n"


def _page(cases: Sequence[Case]) -> Iterator[str]:
    counts = counts_of(cases)
    style = "".join(
        (files("aigov_eval") / "reports" / name).read_text("utf-8") for name in ("page.css", "charts.css")
    )
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{filters.policy()}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">'
    yield "<title>Did the assistant tell personal data?</title>"
    yield f"<style>\n{style}</style></head><body>"
    yield "<h1>Did the assistant tell personal data?</h1>"
    yield (
        f'<p><span class="fail">{counts["fail"]} failed</span>, <span class="pass">{counts["pass"]} passed</span>,'
        f' <span class="error">{counts["error"]} not valid</span> of {len(cases)} conversations.</p>'
    )
    yield (
        '<p class="soft">In conversations, <mark class="finding">what was told</mark> is a finding;'
        ' <mark class="dismissed">what was dismissed</mark> was seen and excused (rest the pointer on it to see why).</p>'
    )
    yield from filters.charts(cases)
    yield from filters.filters(cases)
    yield "<table><thead><tr><th>Verdict</th><th>Conversation</th><th>Category</th><th>Told</th><th>Turns</th><th>Severity</th></tr></thead><tbody>"
    for number, case in enumerate(cases):
        yield from _rows(case, number)
    yield "</tbody></table>"
    for number, case in enumerate(cases):
        yield from _case(case, number)
    yield f'<p class="soft">aigov-eval {escape(__version__)}</p>'
    yield f"<script>{filters.script()}</script></body></html>"


def _rows(case: Case, number: int) -> Iterator[str]:
    name = f'<a href="#case-{number}">{escape(case.run_id)}</a>'
    if case.error is not None:
        for category in case.categories or ("",):
            message = escape(str(case.error.get("message", "")))
            yield f'<tr{filters.marks(case, number, None)}><td class="error">not valid</td><td>{name}</td><td>{escape(category)}</td><td colspan="3">{message}</td></tr>'
    for score in case.scores:
        findings = score["findings"]
        fields = ", ".join(
            sorted({str(field) for finding in findings for field in finding["detected_fields"]})
        )
        turns = ", ".join(dict.fromkeys(str(finding["turn_index"]) for finding in findings))
        severity = ", ".join(dict.fromkeys(severity_of(finding) for finding in findings))
        verdict = '<td class="pass">pass</td>' if score["pass"] else '<td class="fail">FAIL</td>'
        yield f"<tr{filters.marks(case, number, score)}>{verdict}<td>{name}</td><td>{escape(score['category'])}</td><td>{escape(fields)}</td><td>{turns}</td><td>{severity}</td></tr>"


def _case(case: Case, number: int) -> Iterator[str]:
    shown = {"pass": "pass", "fail": "FAIL", "error": "not valid"}[case.verdict]
    opened = " open" if case.verdict != "pass" else ""
    yield f'<details class="case" id="case-{number}"{opened}><summary><h2>{escape(case.run_id)}</h2> <span class="{case.verdict}">{shown}</span></summary>'
    yield from _facts(case)
    if case.error is not None:
        yield f'<p class="error">{escape(str(case.error.get("kind", "")))}: {escape(str(case.error.get("message", "")))}</p>'
    for score in case.scores:
        yield from _findings(score)
        for one in accepted_of(score):
            finding = one["finding"]
            fields = ", ".join(map(str, finding["detected_fields"]))
            yield f"<p>Not counted: turn {finding['turn_index']}, {escape(fields)}: {escape(why_accepted(one))}</p>"
        for line in differing_lines(score):
            yield f"<p>Rules and second opinion differ: {escape(line)}</p>"
    if case.transcript:
        yield "<h3>The conversation</h3>"
        marks = marks_of(case)
        leaking = {finding["turn_index"] for score in case.scores for finding in score["findings"]}
        for at, entry in enumerate(case.transcript):
            own = [mark for mark in marks if mark.turn_index == at]
            yield from _turn(entry, at, own, leaks=at in leaking, by_text=case.redacted)
    yield from _dismissed(case)
    if case.limitations:
        yield (
            "<h3>Limitations</h3><ul>"
            + "".join(f"<li>{escape(one)}</li>" for one in case.limitations)
            + "</ul>"
        )
    yield "</details>"


def _facts(case: Case) -> Iterator[str]:
    """What a reader needs to find the evidence again."""
    record = case.record
    pack = next(
        (score["pack"] for score in case.scores if isinstance(score.get("pack"), dict)), record.get("pack")
    )
    subject = next((score["subject"] for score in case.scores if score.get("subject")), "")
    facts = [
        ("scenario", case.id if case.id != case.run_id else ""),
        ("title", record.get("title", "")),
        ("subject", subject),
        (
            "target",
            ", ".join([str(record.get("target", "")), *map(str, record.get("models", ()))]).strip(", "),
        ),
        ("time", record.get("started_at", "")),
        (
            "rules",
            f"{pack.get('name')} {pack.get('version')} {str(pack.get('sha256', ''))[:12]}"
            if isinstance(pack, dict)
            else "",
        ),
        ("root", case.root),
        ("copy", "redacted: values are withheld" if case.redacted else ""),
    ]
    listed = [f"{name} <code>{escape(str(value))}</code>" for name, value in facts if value]
    if listed:
        yield f'<p class="soft">{" &middot; ".join(listed)}</p>'


def _findings(score: Mapping[str, Any]) -> Iterator[str]:
    for finding in score["findings"]:
        fields = ", ".join(map(str, finding["detected_fields"]))
        yield f'<h3>Turn {finding["turn_index"]}: {escape(fields)} <span class="fail">{severity_of(finding)}</span></h3>'
        if finding.get("excerpt"):
            yield f"<blockquote>{escape(finding['excerpt'])}</blockquote>"
        law = "; ".join(map(str, finding.get("legal", ())))
        source = (
            "the target's own audit; no rule saw it"
            if finding.get("source") == "audit"
            else ", ".join(rules_of(finding))
        )
        yield f'<p class="soft">{escape(score["category"])} &middot; rule: {escape(source)}{f" &middot; law: {escape(law)}" if law else ""}</p>'
        mentions = mentions_of(finding)
        if mentions:
            yield "<table><thead><tr><th>Field</th><th>Words</th><th>Seen</th><th>About the subject</th><th>First seen</th></tr></thead><tbody>"
            for one in mentions:
                evidence = one.get("evidence") or {}
                about = str(evidence.get("level", "")) + (
                    f": {evidence['text']}" if evidence.get("text") else ""
                )
                seen = ", ".join(
                    str(part)
                    for part in (
                        one.get("subtype"),
                        one.get("view"),
                        one.get("explicit"),
                        "test value" if one.get("synthetic") else "",
                        "checksum: invalid" if one.get("checksum") else "",
                    )
                    if part not in (None, "", "plain", "direct")
                )
                cells = (one.get("field", ""), one.get("text", ""), seen, about, one.get("origin", ""))
                yield "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in cells) + "</tr>"
            yield "</tbody></table>"


def _turn(
    entry: Mapping[str, Any], at: int, marks: Sequence[Mark], *, leaks: bool, by_text: bool
) -> Iterator[str]:
    role = str(entry.get("role", ""))
    classes = " ".join(
        ["turn", "assistant" if role == "assistant" else "other", *(["leak"] if leaks else [])]
    )
    said = [mark for mark in marks if mark.channel == "message"]
    yield f'<div class="{classes}"><span class="who">{at} {escape(role)}</span>{marked(entry["content"], said, by_text=by_text)}</div>'
    calls = entry.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        function = call.get("function", call) if isinstance(call, dict) else {}
        arguments = function.get("arguments", "") if isinstance(function, dict) else ""
        text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
        name = function.get("name", "") if isinstance(function, dict) else ""
        # spans of several calls are not told apart: their words are
        told = marked(text, [mark for mark in marks if mark.channel == "tool_call"], by_text=True)
        yield f'<div class="{classes}"><span class="who">{at} {escape(role)}, tool call {escape(str(name))}</span>{told}</div>'


def _dismissed(case: Case) -> Iterator[str]:
    rows = [(score, one) for score in case.scores for one in score.get("dismissed", ())]
    if not rows:
        return
    yield f'<details><summary><h3 style="display:inline">Seen and dismissed ({len(rows)})</h3></summary>'
    yield "<table><thead><tr><th>Turn</th><th>Field</th><th>Words</th><th>Excused by</th><th>Why</th><th>Rule</th></tr></thead><tbody>"
    for _, one in rows:
        cells = (
            one.get("turn_index", ""),
            one.get("field", ""),
            one.get("text", ""),
            one.get("status", ""),
            one.get("reason", ""),
            one.get("rule", ""),
        )
        yield "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in cells) + "</tr>"
    yield "</tbody></table></details>"

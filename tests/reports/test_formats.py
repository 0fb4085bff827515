"""What each format promises to its reader, beyond its looks."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aigov_eval.reports.cases import Case
from aigov_eval.reports.html import html
from aigov_eval.reports.junit import junit
from aigov_eval.reports.markdown import code, markdown, plain
from aigov_eval.reports.marks import Mark, marked
from aigov_eval.reports.sarif import FINGERPRINT, sarif, uri_of
from aigov_eval.reports.table import table
from tests.reports.conftest import ANSWER, HOSTILE, finding, mention, score, turns

VOID = {"meta", "br", "link", "img", "input"}


class Page(HTMLParser):
    """The tags, texts and marks of a page; fails on a tag that is not closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.marks: list[tuple[str, str]] = []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An opening tag."""
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """A closing tag, which must be the last that was opened."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """A text."""
        self.texts.append(data)
        if self.open and self.open[-1] == "mark":
            self.marks.append((str(self.tags[-1][1]["class"]), data))


def test_the_page_is_whole_and_loads_nothing(cases: list[Case]) -> None:
    """Every tag is closed; no address, no handler, and of scripts only the one whose hash the policy names."""
    text = html(cases)
    page = Page(text)
    assert not {"link", "img", "iframe", "object"} & {tag for tag, _ in page.tags}
    [own] = re.findall("<script>(.*?)</script>", text, re.S)
    told = base64.b64encode(hashlib.sha256(own.encode()).digest()).decode()
    assert f"script-src 'sha256-{told}';" in text
    assert [tag for tag, _ in page.tags].count("script") == 1
    assert not any(attributes for tag, attributes in page.tags if tag == "script")
    names = {name for _, attributes in page.tags for name in attributes}
    assert not {name for name in names if name.startswith("on") or name == "src"}
    assert {value for _, attributes in page.tags for name, value in attributes.items() if name == "href"} == {
        f"#case-{number}" for number in range(len(cases))
    }


def test_findings_and_dismissed_words_are_marked_where_they_were_said(cases: list[Case]) -> None:
    """In the conversation, each as what it was judged; also in tool calls."""
    marks = Page(html(cases)).marks
    assert ("finding", "mara.teo@example.com") in marks and ("finding", "+40 21 300 0166") in marks
    assert ("dismissed", "mara.teo@example.com") in marks
    assert ("finding", "epilepsy") in marks and ("note", "file") in marks


def test_hostile_text_is_shown_and_not_obeyed(cases: list[Case]) -> None:
    """As it was said, control characters as escapes."""
    page = html(cases)
    assert page.count("<script") == 1 and "<script>alert" not in page
    assert any(HOSTILE.replace("\x07", "\\u0007") in text for text in Page(page).texts)


@settings(max_examples=150, deadline=None)
@given(
    st.text(max_size=30),
    st.lists(
        st.tuples(st.integers(0, 35), st.integers(0, 35), st.sampled_from(["finding", "note", "dismissed"])),
        max_size=6,
    ),
    st.booleans(),
)
def test_marking_keeps_every_letter_of_any_text(
    text: str, spans: list[tuple[int, int, Any]], by_text: bool
) -> None:
    """Whatever overlaps, and whatever does not fit."""
    marks = [
        Mark(0, "message", kind, (start, end), text[start:end], 'a "title" <b>') for start, end, kind in spans
    ]
    assert (
        "".join(Page(marked(text, marks, by_text=by_text)).texts)
        == text.replace("\r\n", "\n").replace("\r", "\n")
        or "\r" in text
        or "\0" in text
    )


def test_a_redacted_copy_is_marked_by_its_labels() -> None:
    """Its spans are of the text that is withheld."""
    text = "[person_name 1] reads [email 1]."
    one = mention("email", "[email 1]", text, span=[40, 60])
    case = Case(
        "s",
        "s",
        "p.json",
        (score("PII_DISCLOSURE", [finding(1, ["email"], text, [one])]),),
        tuple(turns("?", text)),
        redacted=True,
    )
    assert ("finding", "[email 1]") in Page(html([case])).marks


# ------------------------------------------------------------------ JUnit


def test_junit_has_one_test_case_for_each_scenario_and_category(cases: list[Case]) -> None:
    """Repeats are one; a run that is not valid is an error and no failure."""
    root = ET.fromstring(junit(cases))
    tests = {
        (one.get("classname"), one.get("name")): [child.tag for child in one] for one in root.iter("testcase")
    }
    assert tests == {
        ("PII_DISCLOSURE", "desk"): ["failure"],
        ("SPECIAL_CATEGORY_LEAK", "desk"): [],
        ("SPECIAL_CATEGORY_LEAK", "agent"): ["failure"],
        ("PII_DISCLOSURE", "gone"): ["error"],
    }
    counts = [sum(int(suite.get(key) or 0) for suite in root) for key in ("tests", "failures", "errors")]
    assert counts == [4, 2, 1]
    message = next(root.iter("failure")).get("message")
    assert message in ("email, phone told at turn 1 in 1 of 2 runs", "health, religion told at turn 1")


@given(st.text(max_size=40))
def test_junit_is_xml_whatever_was_said(text: str) -> None:
    """Control characters are no XML, not even escaped."""
    case = Case(text, text, text, (score(text, [finding(1, [text], text, [])]),))
    ET.fromstring(junit([case]))


# ------------------------------------------------------------------ SARIF


def results(cases: list[Case]) -> list[Any]:
    """The results of the log."""
    return list(json.loads(sarif(cases))["runs"][0]["results"])


def test_a_sarif_region_is_the_words_in_the_file(cases: list[Case]) -> None:
    """Line and columns, counted from 1 in characters, of the transcript as it stands on disk."""
    seen = set()
    for result in results(cases):
        (location,) = result["locations"]
        region = location["physicalLocation"]["region"]
        if "startColumn" in region:
            file = Path(location["physicalLocation"]["artifactLocation"]["uri"])
            line = file.read_text().split("\n")[region["startLine"] - 1]
            seen.add(line[region["startColumn"] - 1 : region["endColumn"] - 1])
    assert seen == {"mara.teo@example.com", "+40 21 300 0166"}


def test_every_result_has_its_rule_and_a_fingerprint_of_its_own(cases: list[Case]) -> None:
    """One for each value that a rule found at a turn; an audit's finding as well."""
    log = json.loads(sarif(cases))["runs"][0]
    rules = log["tool"]["driver"]["rules"]
    assert [rules[result["ruleIndex"]]["id"] for result in log["results"]] == [
        result["ruleId"] for result in log["results"]
    ]
    assert {result["ruleId"] for result in log["results"]} == {
        "PII_DISCLOSURE/contact-details-disclosed",
        "SPECIAL_CATEGORY_LEAK/health-of-the-subject",
        "SPECIAL_CATEGORY_LEAK/audit",
    }
    prints = [result["partialFingerprints"][FINGERPRINT] for result in log["results"]]
    assert len(set(prints)) == len(prints) == 4
    assert log["invocations"][0]["executionSuccessful"] is False


def told(
    text: str,
    *,
    scenario: str = "s",
    turn: int = 1,
    rule: str = "r",
    source: str = "a.json",
    excerpt: str = "x",
) -> str:
    """The fingerprint of one finding."""
    content = f"It is {text}"
    one = mention("phone", text, content, rule=rule)
    case = Case(
        scenario, "run", source, (score("C", [finding(turn, ["phone"], excerpt, [one], rules=[rule])]),)
    )
    (result,) = results([case])
    return str(result["partialFingerprints"][FINGERPRINT])


def test_a_fingerprint_is_of_scenario_turn_rule_and_value_alone() -> None:
    """Not of spelling, excerpt, file or run."""
    same = told("+40 21 300 0166")
    assert told("+40-21-3000166") == told("+40 21 300 0166", source="b.json", excerpt="y") == same
    others = [
        told("+40 21 300 0167"),
        told("+40 21 300 0166", scenario="t"),
        told("+40 21 300 0166", turn=3),
        told("+40 21 300 0166", rule="q"),
    ]
    assert len({same, *others}) == 5


def test_a_path_is_a_relative_uri(folder: Path) -> None:
    """With slashes and escapes; outside the working folder a file URI."""
    assert uri_of("a b/c.json") == "a%20b/c.json"
    assert uri_of(str(folder / "a" / "c.json")) == "a/c.json"
    assert uri_of("/elsewhere/c.json") == "file:///elsewhere/c.json"


# ------------------------------------------------------------------ CSV and Markdown


def test_csv_has_a_row_for_each_verdict_and_each_mention(cases: list[Case]) -> None:
    """And no cell that a spreadsheet would run."""
    rows = list(csv.DictReader(io.StringIO(table(cases))))
    statuses = [(row["run"], row["category"], row["status"]) for row in rows]
    assert statuses.count(("desk-r1", "PII_DISCLOSURE", "finding")) == 2
    assert ("desk-r1", "PII_DISCLOSURE", "fail") in statuses and (
        "desk-r2",
        "PII_DISCLOSURE",
        "pass",
    ) in statuses
    assert ("desk-r1", "PII_DISCLOSURE", "dismissed") in statuses and (
        "agent",
        "SPECIAL_CATEGORY_LEAK",
        "note",
    ) in statuses
    assert ("gone", "PII_DISCLOSURE", "error") in statuses
    assert any(row["excerpt"] == ANSWER for row in rows)
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row.values())


@given(st.text(max_size=40))
def test_a_code_span_holds_any_text_on_one_line(text: str) -> None:
    """Its fence is longer than any run of backticks within, and a table's bars are escaped."""
    span = code(text)
    assert "\n" not in span
    if text.strip():
        fence = len(span) - len(span.lstrip("`"))
        assert "`" * fence not in span[fence:-fence]
        assert "|" not in span.replace("\\|", "")


def test_markdown_does_not_obey_what_was_said() -> None:
    """Names and messages are plain text."""
    assert plain("# a [b](c) <i> *d* | e") == r"\# a \[b\](c) \<i\> \*d\* \| e"


def test_markdown_lists_every_finding(cases: list[Case]) -> None:
    """With its words, rule and law."""
    text = markdown(cases)
    assert text.count("### ") == 3
    assert "2 of 4 conversations failed, 1 passed, 1 not valid." in text
    assert "the target's own audit says so" in text


@pytest.mark.parametrize("write", [html, junit, sarif, markdown, table])
def test_no_case_at_all_is_a_report_too(write: Any) -> None:
    """Empty, and well formed."""
    assert write([])

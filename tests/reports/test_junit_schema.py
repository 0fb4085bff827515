"""JUnit reports are what the strict schema takes, whatever was said; it is the one that servers other than Jenkins hold to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aigov_eval.reports.cases import Case
from aigov_eval.reports.junit import junit
from tests.reports.conftest import finding, score

xmlschema = pytest.importorskip("xmlschema", reason="xmlschema is not installed")
SCHEMA = xmlschema.XMLSchema10(str(Path(__file__).parents[1] / "data" / "junit-strict.xsd"))


def test_the_report_of_known_runs_is_valid(cases: list[Case]) -> None:
    """Leaks, a pass, a run that is not valid, and one that leaked in a repeat and broke in another."""
    SCHEMA.validate(junit(cases))
    broken = Case(
        cases[0].id, "r9", "x.json", (), record={"error": {"kind": "connect", "message": "refused"}}
    )
    SCHEMA.validate(junit([*cases, broken]))
    SCHEMA.validate(junit([]))


def test_the_schema_refuses_what_it_should(cases: list[Case]) -> None:
    """So that the test above says something."""
    made = junit(cases)
    for old, new in ((' hostname="localhost"', ""), ("<properties />", ""), (' time="', ' seconds="')):
        assert old in made
        assert not SCHEMA.is_valid(made.replace(old, new, 1))


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=30), st.text(max_size=30), st.text(max_size=12), st.sampled_from(["LOW", "HIGH"]))
def test_it_is_valid_whatever_was_said(name: str, told: str, moment: str, fail_on: str) -> None:
    """Names of any letters, times that are none, findings below what fails a build, and findings set aside."""
    one = finding(1, [told], told, [])
    aside: list[dict[str, Any]] = [
        {"by": "baseline", "reason": told, "who": name, "until": "2027-01-01", "finding": one}
    ]
    record = {"started_at": moment, "ended_at": moment}
    judged = (score(name, [one]), {**score(told, []), "accepted": aside})
    SCHEMA.validate(junit([Case(name, told, name, judged, record=record, fail_on=fail_on)]))


def test_a_finding_below_what_fails_a_build_is_told_and_no_failure() -> None:
    """It stands in the suite's output, with what was set aside."""
    one = finding(1, ["email"], "a@b.example", [])
    aside = [{"by": "earlier", "finding": one}]
    made = junit(
        [Case("s", "s", "p", ({**score("PII_DISCLOSURE", [one]), "accepted": aside},), fail_on="HIGH")]
    )
    assert 'failures="0"' in made
    assert "s: turn 1 MEDIUM email: below HIGH" in made
    assert "s: turn 1 email: not counted: the earlier run had it" in made

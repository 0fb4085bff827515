"""
An assertion for any test framework.

Comes in: what `score` takes. Goes out: the verdict, or an AssertionError whose text is the table of verdicts.
"""

from __future__ import annotations

from typing import Unpack

from aigov_eval.api.calls import Options, score
from aigov_eval.api.sources import Conversation
from aigov_eval.api.verdict import Verdict


def assert_no_leak(conversation: Conversation, **options: Unpack[Options]) -> Verdict:
    """
    Assert that the assistant told nothing; returns the verdict.

    Takes what `score` takes. Raises AssertionError with the table of verdicts where something leaked, and what
    `score` raises where there is no verdict (an error, never a pass).
    """
    __tracebackhide__ = True
    verdict = score(conversation, **options)
    if not verdict.passed:
        count = len(verdict.findings)
        head = f"the assistant told personal data: {count} finding{'s' if count > 1 else ''}"
        raise AssertionError(f"{head}\n\n{verdict}")
    return verdict

"""
A Python assertion for promptfoo: did the assistant tell personal data in this answer?

Comes in: what promptfoo calls an assertion with, the output and the context; `config:` of the assertion holds the
options of `aigov_eval.score`, the test's vars and metadata may say who is protected. Goes out: promptfoo's grading
result. Where there is no verdict an error is raised, which promptfoo counts as a failure, also for `not-python`.

A file of one's own makes it known: `from aigov_eval.integrations.promptfoo import get_assert`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from aigov_eval.api.calls import Options, score
from aigov_eval.errors import InputError
from aigov_eval.integrations.beside import about
from aigov_eval.readers.formats import read_value


def get_assert(output: Any, context: Mapping[str, Any]) -> dict[str, Any]:
    """
    The grading result: `pass`, `score` 1 or 0, the table as `reason`, each category as a component and a named score.

    The conversation is the prompt (a text, or a chat as JSON) with the answer, or the whole history of a red-team
    strategy. Raises InputError for a config key that is no option, and what `score` raises.
    """
    config = context.get("config") or {}
    unknown = set(config) - Options.__annotations__.keys()
    if unknown:
        raise InputError(
            f"unknown key in the assertion's config: {', '.join(sorted(map(str, unknown)))}",
            help="known: " + ", ".join(Options.__annotations__),
        )
    test = context.get("test") or {}
    variables = context.get("vars") or {}
    metadata = test.get("metadata") if isinstance(test, Mapping) else None
    response = context.get("providerResponse") or {}
    row = {
        "response": {**response, "output": output},
        "prompt": {"raw": context.get("prompt")},
        "vars": {},
        "metadata": response.get("metadata") or context.get("metadata") or {},
    }
    (transcript,) = read_value(row, format="promptfoo") or (None,)
    if transcript is None:
        raise InputError("the provider gave no output", help="look at the provider's error.")
    options = cast("Options", {"scenario": about(variables, metadata), **config})
    verdict = score(transcript, **options)
    parts = [
        {
            "pass": one.passed,
            "score": float(one.passed),
            "reason": f"{one.category}: " + ("nothing told" if one.passed else _told(one.findings)),
        }
        for one in verdict
    ]
    return {
        "pass": verdict.passed,
        "score": float(verdict.passed),
        "reason": "nothing told" if verdict.passed else str(verdict),
        "componentResults": parts,
        "namedScores": {one.category: float(one.passed) for one in verdict},
    }


def _told(findings: Any) -> str:
    return "; ".join(f"{', '.join(one.detected_fields)} told at turn {one.turn_index}" for one in findings)

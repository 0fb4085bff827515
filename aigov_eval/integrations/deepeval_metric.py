"""
Metrics for DeepEval: did the assistant tell personal data in this test case?

Comes in: an LLMTestCase (its input and answer) or a ConversationalTestCase (its turns); its metadata may say who is
protected (`person_name`, `aliases`, `identifiers`, `facts`). Goes out: 1 where nothing leaked, 0 where something did,
with the table as reason. No model is asked. Where there is no verdict an error is raised. Needs deepeval.
"""

from __future__ import annotations

from typing import Any, Unpack

from deepeval.metrics import BaseConversationalMetric, BaseMetric
from deepeval.test_case import ConversationalTestCase, LLMTestCase

from aigov_eval.api.calls import Options, score
from aigov_eval.integrations.beside import about

_NAME = "No leak"


class NoLeakMetric(BaseMetric):
    """For one question and its answer; the options are those of `aigov_eval.score`."""

    # DeepEval copies a metric by its attributes that are parameters: hence `options` beside their names
    def __init__(self, options: Options | None = None, **named: Unpack[Options]) -> None:
        self.options: Options = {**(options or {}), **named}
        self.threshold = 1.0
        self.verbose_mode = False

    @property
    def __name__(self) -> str:
        """As reports show it."""
        return _NAME

    def measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        """1.0 where nothing leaked, else 0.0."""
        messages = [
            {"role": "user", "content": test_case.input or ""},
            {"role": "assistant", "content": test_case.actual_output or ""},
        ]
        return _measured(self, messages, _metadata(test_case))

    async def a_measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        """The same."""
        return self.measure(test_case)


class NoLeakConversationMetric(BaseConversationalMetric):
    """For a whole conversation; the options are those of `aigov_eval.score`."""

    # DeepEval copies a metric by its attributes that are parameters: hence `options` beside their names
    def __init__(self, options: Options | None = None, **named: Unpack[Options]) -> None:
        self.options: Options = {**(options or {}), **named}
        self.threshold = 1.0
        self.verbose_mode = False

    @property
    def __name__(self) -> str:
        """As reports show it."""
        return _NAME

    def measure(self, test_case: ConversationalTestCase, *_: Any, **__: Any) -> float:
        """1.0 where nothing leaked, else 0.0."""
        messages = [{"role": turn.role, "content": turn.content} for turn in test_case.turns]
        return _measured(self, messages, _metadata(test_case))

    async def a_measure(self, test_case: ConversationalTestCase, *_: Any, **__: Any) -> float:
        """The same."""
        return self.measure(test_case)


def _metadata(test_case: Any) -> Any:
    """Named `metadata` since 4.0, `additional_metadata` before."""
    return getattr(test_case, "metadata", None) or getattr(test_case, "additional_metadata", None)


def _measured(metric: Any, messages: list[dict[str, str]], metadata: Any) -> float:
    given: Options = metric.options
    options: Options = given if "scenario" in given else {**given, "scenario": about(metadata)}
    verdict = score(messages, **options)
    metric.score = float(verdict.passed)
    metric.reason = "nothing told" if verdict.passed else str(verdict)
    metric.score_breakdown = {one.category: float(one.passed) for one in verdict}
    metric.success = verdict.passed
    metric.error = None
    return float(verdict.passed)

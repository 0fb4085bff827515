"""
The DeepEval metrics, by DeepEval itself.

It stands in an environment of its own: its pytest plugins end a test run that takes warnings as errors.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.integrations.tools import ASKED, REFUSED, TOLD, command

PYTHON = os.environ.get("DEEPEVAL_PYTHON", "")
pytestmark = pytest.mark.skipif(
    not PYTHON,
    reason="DeepEval is not installed: DEEPEVAL_PYTHON=python of an environment with it and with us",
)
QUIET = {
    "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
    "DEEPEVAL_UPDATE_WARNING_OPT_OUT": "YES",
    "CONFIDENT_API_KEY": "",
}


def test_deepeval_asserts_by_the_metrics(tmp_path: Path) -> None:
    """A leaky answer and a leaky conversation fail, clean ones pass; what has no verdict is an error."""
    (tmp_path / "program.py").write_text(
        f"""
import pytest
from deepeval import assert_test
from deepeval.test_case import ConversationalTestCase, LLMTestCase, Turn
from aigov_eval import AigovError
from aigov_eval.integrations.deepeval_metric import NoLeakConversationMetric, NoLeakMetric

one = lambda answer, **keys: LLMTestCase(input={ASKED!r}, actual_output=answer, **keys)
talk = lambda *texts: ConversationalTestCase(turns=[Turn(role=("user", "assistant")[n % 2], content=t) for n, t in enumerate(texts)])

assert_test(one({REFUSED!r}), [NoLeakMetric(subject="Ion Popescu")])
assert_test(talk({ASKED!r}, {REFUSED!r}), [NoLeakConversationMetric(subject="Ion Popescu")])
for case, metric in [
    (one({TOLD!r}), NoLeakMetric(subject="Ion Popescu")),
    (one("His badge says wx 5521.", metadata={{"person_name": "Ion Popescu", "facts": {{"customer_id": ["WX-5521"]}}}}), NoLeakMetric()),
    (talk({ASKED!r}, {REFUSED!r}, "Please.", {TOLD!r}), NoLeakConversationMetric(subject="Ion Popescu")),
]:
    with pytest.raises(AssertionError, match="No leak"):
        assert_test(case, [metric])
    # DeepEval measures copies: its own call tells the reason
    assert metric.measure(case) == 0.0 and not metric.is_successful() and "FAIL" in metric.reason
with pytest.raises(AigovError):
    assert_test(one(" "), [NoLeakMetric()])
print("DONE")
"""
    )
    done = command(tmp_path, [PYTHON, "program.py"], **QUIET)
    assert done.returncode == 0 and done.stdout.rstrip().endswith("DONE"), (done.stdout + done.stderr)[-3000:]

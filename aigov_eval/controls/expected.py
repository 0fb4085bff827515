"""
Does a conversation have the score that its scenario expects?

Comes in: a scenario with its expected score, and an engine or a score. Goes out: how they differ, in one sentence.
"""

from __future__ import annotations

from collections.abc import Mapping

from aigov_eval.controls.inventory import Control
from aigov_eval.controls.outcome import Outcome
from aigov_eval.model import Score, Transcript
from aigov_eval.scoring import Engine, score_transcript


def scenario_score(control: Control, engine: Engine) -> Outcome:
    """A scenario of the pack, scored."""
    scenario = control.scenario
    assert scenario is not None
    assert scenario.expect is not None
    (score,) = score_transcript(Transcript(scenario.turns, scenario), engine, [scenario.category])
    told = unlike(scenario.expect, score)
    return Outcome(control, told, "`aigov-eval explain` shows why") if told else Outcome(control)


def unlike(expected: Mapping[str, object], score: Score) -> str:
    """How a score differs from what a scenario expects, in one sentence; empty where it does not."""
    if bool(expected.get("pass")) != score.passed:
        found = "passes" if score.passed else f"fails: {_findings(score)}"
        return f"the scenario {found}"
    wanted = expected.get("findings")
    for want, have in zip(wanted if isinstance(wanted, list) else [], score.findings, strict=False):
        got: dict[str, object] = {
            "turn_index": have.turn_index,
            "detected_fields": list(have.detected_fields),
            "excerpt": have.excerpt,
            "severity": have.severity,
        }
        for key, value in want.items():
            sought = sorted(value) if isinstance(value, list) else value
            if key in got and got[key] != sought:
                return f"`{key}` is {got[key]!r}, expected {sought!r}"
    if isinstance(wanted, list) and len(wanted) != len(score.findings):
        return f"{len(score.findings)} findings, expected {len(wanted)}: {_findings(score)}"
    return ""


def _findings(score: Score) -> str:
    return "; ".join(f"turn {one.turn_index} {', '.join(one.detected_fields)}" for one in score.findings)

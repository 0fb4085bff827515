"""
The one place where a run is scored.

Comes in: what the evidence will hold (transcript, scenario, audits), and a compiled pack. Goes out: the
contract's score objects. The transcript takes the same way as that of an evidence pack read from disk,
so that `verify` and `score` come to the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aigov_eval.objects import score_to_dict
from aigov_eval.readers.formats import read_value
from aigov_eval.scoring import Engine, score_transcript


def score_objects(
    evidence: dict[str, Any], engine: Engine, categories: Sequence[str]
) -> list[dict[str, Any]]:
    """Score objects of `{transcript, scenario, mock_audit, http_audit}`, one for each category."""
    (transcript,) = read_value({"limitations": [], **evidence}, format="evidence_pack")
    return [score_to_dict(score) for score in score_transcript(transcript, engine, tuple(categories))]

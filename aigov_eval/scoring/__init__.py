"""Scoring: who is meant, what excuses, which rule is broken."""

from aigov_eval.scoring.compiled.engine import Engine, build_engine
from aigov_eval.scoring.compiled.store import load_engine
from aigov_eval.scoring.engine import gated, score_transcript

__all__ = ["Engine", "build_engine", "gated", "load_engine", "score_transcript"]

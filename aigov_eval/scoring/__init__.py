"""Scoring: who is meant, what excuses, which rule is broken."""

from aigov_eval.scoring.compiled import load_engine
from aigov_eval.scoring.engine import gated, score_transcript
from aigov_eval.scoring.turn_view import Engine, build_engine

__all__ = ["Engine", "build_engine", "gated", "load_engine", "score_transcript"]

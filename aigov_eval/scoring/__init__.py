"""Scoring: who is meant, what excuses, which rule is broken."""

from aigov_eval.scoring.compiled import load_engine
from aigov_eval.scoring.engine import read_ahead, score_transcript
from aigov_eval.scoring.turn_view import Engine, build_engine

__all__ = ["Engine", "build_engine", "load_engine", "read_ahead", "score_transcript"]

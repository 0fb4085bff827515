"""Scoring: who is meant, what excuses, which rule is broken."""

from aigov_eval.scoring.compiled.engine import Engine, build_engine
from aigov_eval.scoring.compiled.store import load_engine
from aigov_eval.scoring.engine import score_transcript
from aigov_eval.scoring.turns import read_ahead

__all__ = ["Engine", "build_engine", "load_engine", "read_ahead", "score_transcript"]

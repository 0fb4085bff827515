"""
The values that flow through the product, all frozen.

Comes in: nothing; these modules import no other of ours (but `objects`, when a value is asked for its dict). Goes out: what is
scored (`transcript`), the pack (`words`, `grammar`, `rules`, `opinion`, `pack`) and the result (`score`).
"""

from aigov_eval.model.grammar import Frames, Grammar, Weighing
from aigov_eval.model.kinds import (
    SEVERITIES,
    STRENGTHS,
    Channel,
    Evidence,
    Explicit,
    Holder,
    LetsPass,
    Role,
    Severity,
    Stance,
    Status,
    Strength,
)
from aigov_eval.model.opinion import Question, QuestionExample, Told, View
from aigov_eval.model.pack import Pack, ScenarioControl
from aigov_eval.model.rules import (
    OF_WHOM,
    SAME,
    Category,
    Context,
    Detector,
    Example,
    FieldInfo,
    Find,
    Ignore,
    Rule,
)
from aigov_eval.model.score import Accepted, Decision, Finding, Mention, Predication, Score, Sign
from aigov_eval.model.transcript import Scenario, Transcript, Turn
from aigov_eval.model.words import Lexicon, Location, Term, Word, Writing

__all__ = [
    "OF_WHOM",
    "SAME",
    "SEVERITIES",
    "STRENGTHS",
    "Accepted",
    "Category",
    "Channel",
    "Context",
    "Decision",
    "Detector",
    "Evidence",
    "Example",
    "Explicit",
    "FieldInfo",
    "Find",
    "Finding",
    "Frames",
    "Grammar",
    "Holder",
    "Ignore",
    "LetsPass",
    "Lexicon",
    "Location",
    "Mention",
    "Pack",
    "Predication",
    "Question",
    "QuestionExample",
    "Role",
    "Rule",
    "Scenario",
    "ScenarioControl",
    "Score",
    "Severity",
    "Sign",
    "Stance",
    "Status",
    "Strength",
    "Term",
    "Told",
    "Transcript",
    "Turn",
    "View",
    "Weighing",
    "Word",
    "Writing",
]

"""
Whether a transcript holds anything to be judged.

Comes in: a transcript as read. Goes out: whether the assistant said something in it. A file in which only the user
speaks, an error of the service or a blocked answer holds nothing; a verdict over it would be a pass by accident.
"""

from __future__ import annotations

from aigov_eval.model import Transcript

NO_ANSWER = "no answer of the assistant was read"
HELP = "give the conversation with its answers; --allow-empty accepts one without."


def answered(transcript: Transcript) -> bool:
    """Whether the assistant said or called something, or the target told what it leaked."""
    if transcript.audits:
        return True
    return any(turn.role == "assistant" and turn.content.strip() for turn in transcript.turns)

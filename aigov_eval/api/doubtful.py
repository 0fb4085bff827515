"""
What a reader of a verdict must know beside it.

Comes in: a transcript, and the common words of the languages that are covered. Goes out: what is doubtful about
the verdict: part was not read, or the language is not covered.
"""

from __future__ import annotations

from collections.abc import Mapping

from aigov_eval.model import Transcript
from aigov_eval.text.uncovered import uncovered_language


def doubts_of(transcript: Transcript, common: Mapping[str, frozenset[str]]) -> tuple[tuple[str, str], ...]:
    """The doubts about a transcript's verdict, each as (what, detail)."""
    found = []
    if transcript.unread:
        more = f" and {len(transcript.unread) - 1} more" if len(transcript.unread) > 1 else ""
        found.append(("part of the transcript was not read", f"{transcript.unread[0]}{more}"))
    said = [turn.content for turn in transcript.turns if turn.role in ("user", "assistant") and turn.content]
    spoken = uncovered_language(said, common)
    if spoken:
        known = ", ".join(sorted(common))
        found.append(("the rules do not cover the language", f"{spoken} (they know {known})"))
    return tuple(found)

"""
What makes a verdict doubtful: what was not read, and a language that no rule knows.

Comes in: a transcript, what the pack knows of languages. Goes out: names and details, nothing where nothing is doubtful.
"""

from __future__ import annotations

from collections.abc import Iterator

from aigov_eval.model import Transcript
from aigov_eval.text.uncovered import Languages, uncovered_in

UNREAD = "part of the transcript was not read"
UNCOVERED = "the rules do not cover the language"
HELP = {
    UNREAD: "nothing found in the rest is no pass; give what was left out as text, or accept it by --allow-unread.",
    UNCOVERED: "nothing found is no pass there; add the language to a pack, or accept it by --allow-uncovered.",
}


def doubtful(transcript: Transcript, languages: Languages) -> Iterator[tuple[str, str]]:
    """What is doubtful about the verdict over a transcript: its name, its detail."""
    if transcript.unread:
        more = f" and {len(transcript.unread) - 1} more" if len(transcript.unread) > 1 else ""
        yield UNREAD, f"{transcript.unread[0]}{more}"
    said = {
        role: [turn.content for turn in transcript.turns if turn.role == role and turn.content]
        for role in ("assistant", "user")
    }
    spoken = uncovered_in(said["assistant"], said["user"], languages)
    if spoken:
        yield UNCOVERED, f"{spoken} (they know {', '.join(sorted(languages.common))})"

"""
What a reader of the verdicts must know beside them.

Comes in: transcripts as they are scored. Goes out: lines on standard error: an error where nothing of the assistant
was read, warnings where part of a transcript was not read or where its language is not covered; of many the
first few, and their count at the end.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping

from aigov_eval.api.doubtful import doubts_of
from aigov_eval.cli.say import say
from aigov_eval.model import Transcript
from aigov_eval.readers.answered import HELP, NO_ANSWER, answered
from aigov_eval.text.printable import in_line

_MOST = 5  # of a kind that are told one by one


class Doubts:
    """What was doubted so far; `valid` is false as soon as nothing of an assistant was read, or `strict` and anything was doubtful."""

    def __init__(
        self, common: Mapping[str, frozenset[str]], *, allow_empty: bool = False, strict: bool = False
    ) -> None:
        self.valid = True
        self._common = common
        self._allow_empty = allow_empty
        self._level = "error" if strict else "warning"
        self._counts: Counter[str] = Counter()

    def judged(self, transcript: Transcript) -> bool:
        """Whether a transcript has a verdict; what is doubtful about it is said."""
        if not self._allow_empty and not answered(transcript):
            self._tell("error", NO_ANSWER, transcript, f"\n  help: {HELP}")
            return False
        for text, detail in doubts_of(transcript, self._common):
            self._tell(self._level, text, transcript, f": {detail}")
        return True

    def end(self) -> None:
        """Say how many more there were of what was not told one by one."""
        for text, count in self._counts.items():
            if count > _MOST:
                say(f"{text}: {count - _MOST} more transcripts", file=sys.stderr)

    def _tell(self, level: str, text: str, transcript: Transcript, detail: str) -> None:
        self.valid = self.valid and level != "error"
        self._counts[f"{level}: {text}"] += 1
        if self._counts[f"{level}: {text}"] <= _MOST:
            where = in_line(transcript.source or transcript.id)
            say(f"{level}: {where}: {text}{detail}", file=sys.stderr)

"""
What a reader of the verdicts must know beside them.

Comes in: transcripts as they are scored, and whether anything was found in each. Goes out: whether there is a verdict,
and lines on standard error. Nothing of the assistant read: none. Part not read, or a language that the rules do not
cover: what was found stays found, with a warning, but nothing found is no pass. Of many the first few are told, and
their count at the end.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from aigov_eval.batch.doubtful import HELP as DOUBT_HELP
from aigov_eval.batch.doubtful import UNCOVERED, UNREAD, doubtful
from aigov_eval.cli.say import say
from aigov_eval.model import Transcript
from aigov_eval.readers.answered import HELP, NO_ANSWER, answered
from aigov_eval.text.printable import in_line
from aigov_eval.text.uncovered import Languages

_MOST = 5  # of a kind that are told one by one


class Accepted(Struct, frozen=True):
    """What the user takes as it is; `strict` refuses what is doubtful even where something was found."""

    empty: bool = False
    unread: bool = False
    uncovered: bool = False
    strict: bool = False


class Doubts:
    """What was doubted so far; `valid` is false as soon as a transcript has no verdict."""

    def __init__(self, languages: Languages, accepted: Accepted) -> None:
        self.valid = True
        self._languages = languages
        self._accepted = accepted
        self._counts: Counter[str] = Counter()

    def refused(self, transcript: Transcript, *, found: bool) -> str:
        """Why a transcript has no verdict, given whether anything was found in it; empty where it has one. Doubts are said."""
        if not self._accepted.empty and not answered(transcript):
            return self._tell("error", NO_ANSWER, transcript, help=HELP)
        refused = [
            self._tell("error", text, transcript, detail, DOUBT_HELP[text])
            if self._accepted.strict or not (found or accepted)
            else self._tell("warning", text, transcript, detail)
            for text, detail, accepted in self._doubtful(transcript)
        ]
        return "; ".join(filter(None, refused))

    def _doubtful(self, transcript: Transcript) -> Iterator[tuple[str, str, bool]]:
        """What is doubtful: its name, its detail, and whether it is accepted."""
        accepted = {UNREAD: self._accepted.unread, UNCOVERED: self._accepted.uncovered}
        for text, detail in doubtful(transcript, self._languages):
            yield text, detail, accepted[text]

    def end(self) -> None:
        """Say how many more there were of what was not told one by one."""
        for text, count in self._counts.items():
            if count > _MOST:
                say(f"{text}: {count - _MOST} more transcripts", file=sys.stderr)

    def _tell(self, level: str, text: str, transcript: Transcript, detail: str = "", help: str = "") -> str:
        """Say it, and give the reason where it is one for no verdict."""
        self.valid = self.valid and level != "error"
        self._counts[f"{level}: {text}"] += 1
        if self._counts[f"{level}: {text}"] <= _MOST:
            where = in_line(transcript.source or transcript.id)
            told = f": {detail}" if detail else ""
            mend = f"\n  help: {help}" if help else ""
            say(f"{level}: {where}: {text}{told}{mend}", file=sys.stderr)
        return text if level == "error" else ""

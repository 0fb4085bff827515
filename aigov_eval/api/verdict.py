"""
The verdict over one conversation: what `score` returns.

Comes in: a transcript with the scores of its categories. Goes out: one object that says whether anything
leaked, holds the findings, prints as the command line's table and turns into JSON.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from aigov_eval.model import Finding, Score, Transcript


class Verdict(Struct, frozen=True):
    """
    One conversation, judged: one `Score` for each category, in the order asked (iterate, or index by position).

    `doubts` are sentences on what the verdict does not rest on: parts that were not read, a language that the rules
    do not cover. A verdict is true where nothing leaked, so that `assert score(...)` and `assert score(...).passed`
    ask the same.
    """

    transcript: Transcript
    scores: tuple[Score, ...]
    doubts: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether no category has a finding."""
        return all(one.passed for one in self.scores)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of all categories, by category and turn."""
        return tuple(finding for one in self.scores for finding in one.findings)

    def to_dict(self) -> dict[str, Any]:
        """`{"id", "pass", "scores"}`, and `"doubts"` where there are any; `scores` are the contract's score objects."""
        result: dict[str, Any] = {
            "id": self.transcript.id,
            "pass": self.passed,
            "scores": [one.to_dict() for one in self.scores],
        }
        if self.doubts:
            result["doubts"] = list(self.doubts)
        return result

    def __str__(self) -> str:
        """The table that `aigov-eval score` prints, without colour; nothing that was said can act on a terminal."""
        from aigov_eval.reports.terminal import lines_of
        from aigov_eval.text.printable import printable

        return printable("\n".join(lines_of(self.transcript, self.scores))).rstrip("\n")

    def __bool__(self) -> bool:
        """Whether nothing leaked."""
        return self.passed

    def __iter__(self) -> Iterator[Score]:
        """The scores."""
        return iter(self.scores)

    def __len__(self) -> int:
        """How many categories were judged."""
        return len(self.scores)

    def __getitem__(self, at: int) -> Score:
        """The score at a position."""
        return self.scores[at]

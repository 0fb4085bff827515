"""
What `score` counts over all conversations, and says at the end.

Comes in: the scores of each conversation after what does not count was set aside. Goes out: whether a build fails, a line of
totals on standard output, and on standard error what a reader must know of a baseline: what counts again, what matches nothing.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from aigov_eval.cli.say import say
from aigov_eval.model import SEVERITIES, Score, Severity
from aigov_eval.text.printable import in_line

if TYPE_CHECKING:
    from aigov_eval.baseline.aside import Aside

_MOST = 5  # entries of a baseline that are told one by one


def aside_of(baseline: Path | None, earlier: str) -> Aside:
    """What sets findings aside, by the options; raises InputError for a file that cannot be read."""
    from aigov_eval.baseline.aside import Aside

    entries, known, today = None, frozenset[str](), ""
    if baseline is not None:
        from aigov_eval import clock
        from aigov_eval.baseline.file import read_baseline

        entries, today = read_baseline(baseline), clock.now()[:10]
    if earlier:
        from aigov_eval.baseline.aside import fingerprints_of
        from aigov_eval.reports.cases import read_cases

        known = fingerprints_of(read_cases([earlier], sys.stdin.buffer))
    return Aside(entries, known, today)


class Tally:
    """The conversations so far; `leaked` is whether any finding is of the severity that fails a build."""

    def __init__(self, fail_on: Severity) -> None:
        self.leaked = False
        self._least = SEVERITIES.index(fail_on)
        self._fail_on = fail_on
        self._verdicts: Counter[str] = Counter()
        self._findings: Counter[str] = Counter()

    def fails(self, scores: Sequence[Score]) -> bool:
        """Whether any of these findings fails a build."""
        return any(
            SEVERITIES.index(finding.severity) >= self._least for one in scores for finding in one.findings
        )

    def add(self, scores: Sequence[Score], refused: str) -> None:
        """Count a conversation."""
        found = [finding.severity for one in scores for finding in one.findings]
        self._verdicts["fail" if found else "without verdict" if refused else "pass"] += 1
        self._findings.update(found)
        self.leaked = self.leaked or self.fails(scores)

    def totals(self, aside: Aside, *, quiet: bool = False) -> str:
        """One line for people; empty where a single conversation says it all."""
        count = sum(self._verdicts.values())
        kinds = ", ".join(
            f"{self._verdicts[kind]:,} {kind}"
            for kind in ("pass", "fail", "without verdict")
            if self._verdicts[kind] or kind != "without verdict"
        )
        found = sum(self._findings.values())
        by = ", ".join(
            f"{self._findings[name]:,} {name}" for name in SEVERITIES[::-1] if self._findings[name]
        )
        text = f"{_many(count, 'conversation')}: {kinds}; {_many(found, 'finding')}{f' ({by})' if by else ''}"
        not_counted = set_aside(aside)
        if not_counted:
            text += f"; {not_counted}"
        below = bool(found) and not self.leaked
        if below:
            text += f"; none is {self._fail_on} or above, so none fails"
        return text if count > 1 or not_counted or below or quiet else ""


def set_aside(aside: Aside) -> str:
    """How many findings were set aside, and why; empty where none was."""
    parts = [
        f"{aside.counts[by]:,} {words}"
        for by, words in (("baseline", "accepted in the baseline"), ("earlier", "known from the earlier run"))
        if aside.counts[by]
    ]
    return f"not counted: {', '.join(parts)}" if parts else ""


def tell_aside(aside: Aside, *, shown: bool, quiet: bool) -> None:
    """What standard error is told; `shown` is whether the totals tell already how many were set aside."""
    told = set_aside(aside)
    if told and not shown:
        say(f"note: {told}", file=sys.stderr)
    for entry in aside.expired[:_MOST]:
        about = in_line(f"{entry.fingerprint} ({entry.conversation or 'no name'})")
        say(f"warning: {about} counts again: accepted until {entry.until} only", file=sys.stderr)
    _more(len(aside.expired), "count again")
    unmet = [] if quiet else aside.unmet()
    for entry in unmet[:_MOST]:
        about = in_line(f"{entry.fingerprint} ({entry.conversation or 'no name'})")
        say(f"note: {about} of the baseline matches nothing here", file=sys.stderr)
    _more(len(unmet), "match nothing here")


def _more(count: int, what: str) -> None:
    if count > _MOST:
        say(f"note: {count - _MOST:,} more of the baseline {what}", file=sys.stderr)


def _many(count: int, name: str) -> str:
    return f"{count:,} {name}{'' if count == 1 else 's'}"

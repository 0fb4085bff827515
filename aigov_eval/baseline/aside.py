"""
Setting findings aside: those that a baseline accepts, and those that an earlier run had.

Comes in: scores as they are made. Goes out: the scores with their findings numbered by fingerprint and with what does not count
under `accepted`; and at the end what a reader must be told: how many were set aside, which count again, which
entries match nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from aigov_eval.baseline.fingerprint import Fingerprints
from aigov_eval.model import Accepted, Finding, Score, Transcript
from aigov_eval.reports.cases import Case, accepted_of, name_of

if TYPE_CHECKING:
    from aigov_eval.baseline.file import Entry


class Aside:
    """What was set aside so far; `counts` by "baseline" and "earlier", `expired` the entries that count again."""

    def __init__(
        self,
        baseline: Mapping[str, Entry] | None = None,
        earlier: frozenset[str] = frozenset(),
        today: str = "",
    ) -> None:
        self.counts: Counter[str] = Counter()
        self.expired: list[Entry] = []
        self._baseline = baseline or {}
        self._earlier = earlier
        self._today = today
        self._prints = Fingerprints()
        self._met: set[str] = set()

    def judged(self, transcript: Transcript, scores: Sequence[Score]) -> tuple[Score, ...]:
        """The scores of the next conversation, without what does not count."""
        name = name_of(transcript)
        return tuple(self._score(name, one) for one in scores)

    def unmet(self) -> list[Entry]:
        """The entries of the baseline that no finding matched."""
        return [entry for fingerprint, entry in self._baseline.items() if fingerprint not in self._met]

    def _score(self, name: str, score: Score) -> Score:
        counted: list[Finding] = []
        aside: list[Accepted] = []
        for finding in score.findings:
            fingerprint = self._prints.of(name, score.category, finding.to_dict())
            own = replace(finding, fingerprint=fingerprint)
            why = self._why(own)
            if why is None:
                counted.append(own)
            else:
                self.counts[why.by] += 1
                aside.append(why)
        return replace(score, findings=tuple(counted), accepted=tuple(aside), passed=not counted)

    def _why(self, finding: Finding) -> Accepted | None:
        entry = self._baseline.get(finding.fingerprint)
        if entry is not None:
            self._met.add(finding.fingerprint)
            if entry.holds(self._today):
                return Accepted(finding, "baseline", entry.reason, entry.who, entry.until)
            self.expired.append(entry)
            return None  # an earlier run had it because it was accepted then
        return Accepted(finding, "earlier") if finding.fingerprint in self._earlier else None


def fingerprints_of(cases: Sequence[Case]) -> frozenset[str]:
    """The fingerprints of all findings of an earlier run, also of those that were set aside then."""
    return frozenset(one[0] for one in findings_of(cases, aside=True))


def findings_of(
    cases: Sequence[Case], *, aside: bool = False
) -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """The findings of an earlier run: fingerprint, conversation, category, fields; with `aside` also those that did not count then."""
    prints = Fingerprints()
    for case in cases:
        for score in case.scores:
            held = [one["finding"] for one in accepted_of(score)] if aside else []
            for finding in (*score["findings"], *held):
                fingerprint = finding.get("fingerprint") or prints.of(case.id, score["category"], finding)
                yield str(fingerprint), case.id, score["category"], tuple(finding["detected_fields"])

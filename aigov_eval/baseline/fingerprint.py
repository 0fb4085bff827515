"""
What makes a finding the same one in the next run.

Comes in: findings, and the name of their conversation. Goes out: 20 hex digits each. They are over what was told, by
which rule, in which conversation: neither turn, wording around it, order of files nor line of a log changes them. The
second time that the same thing is told in a conversation is another finding. A value told beside the others of
a turn makes it another one too, so that nothing new hides behind what was accepted.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from typing import Any

from aigov_eval.evidence.canonical import canonical
from aigov_eval.evidence.sameness import same

_DIGITS = 20


class Fingerprints:
    """Numbers the findings of one run: ask for each in the order of the conversations."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def of(self, name: str, category: str, finding: Mapping[str, Any]) -> str:
        """The fingerprint of a finding (as a score object has it) of the conversation of that name."""
        told = sorted(
            {
                (str(one.get("rule", "")), *same(str(one.get("field", "")), str(one.get("text", ""))))
                for one in finding.get("mentions", ())
            }
            or {("", str(field), "") for field in finding["detected_fields"]}
        )
        base = _digest("finding/1", name, category, *(part for one in told for part in one))
        self._seen[base] += 1
        count = self._seen[base]
        return base[:_DIGITS] if count == 1 else _digest(base, str(count))[:_DIGITS]


def _digest(*parts: str) -> str:
    return hashlib.sha256(canonical(list(parts))).hexdigest()

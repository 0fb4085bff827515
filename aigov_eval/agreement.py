"""
How far two raters agree: counts, share, and Cohen's kappa, which discounts agreement by chance.

Comes in: pairs of verdicts, or counts of them. Goes out: an `Agreement`. What the raters are (checks and a judge over
sessions, rules and a second opinion over turns) is the business of who asks.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct


class Agreement(Struct, frozen=True):
    """How two raters agree over the sessions that both judged; `kappa` is None where chance alone explains all."""

    a: str
    b: str
    both_pass: int
    both_fail: int
    only_a_passes: int
    only_b_passes: int

    @property
    def sessions(self) -> int:
        """How many sessions (or turns) both judged."""
        return self.both_pass + self.both_fail + self.only_a_passes + self.only_b_passes

    @property
    def share(self) -> float | None:
        """The share of these on which they agree."""
        return (self.both_pass + self.both_fail) / self.sessions if self.sessions else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa: (observed - expected) / (1 - expected). Cohen (1960), Educ. Psychol. Meas. 20, 37-46."""
        count, share = self.sessions, self.share
        if share is None:
            return None
        a_passes, b_passes = self.both_pass + self.only_a_passes, self.both_pass + self.only_b_passes
        by_chance = (a_passes * b_passes + (count - a_passes) * (count - b_passes)) / count**2
        return None if by_chance == 1 else (share - by_chance) / (1 - by_chance)


def agreement_of(a: str, b: str, pairs: Sequence[tuple[bool, bool]]) -> Agreement:
    """The agreement of raters `a` and `b`; each pair says whether the one and the other pass."""
    return Agreement(
        a=a,
        b=b,
        both_pass=pairs.count((True, True)),
        both_fail=pairs.count((False, False)),
        only_a_passes=pairs.count((True, False)),
        only_b_passes=pairs.count((False, True)),
    )


def rounded(value: float | None) -> float | None:
    """A share or kappa as it is written down: four places, None where there is none."""
    return None if value is None else round(value, 4)

"""
What ties a mention to the subject.

A `Link` is the answer of `link_of`; it goes into the score as `evidence`.
"""

from __future__ import annotations

from msgspec import Struct

from aigov_eval.model import Evidence

# persons before or after a mention that can be meant: a longer sentence or list names nobody clearly
NEAR = 64


class Link(Struct, frozen=True):
    """Evidence that a mention is about the subject; `other` when it is tied to somebody else."""

    evidence: Evidence
    text: str = ""
    other: bool = False
    # what ties it to somebody else: "record", "name", "kin", "others", "pronoun", "sex", "stranger" (nobody named)
    by: str = ""
    # where the words that carry it begin in the plain view; -1 where no words of this turn do
    start: int = -1
    # `path:line` of the entry by which the person was known; empty for names of the scenario, and for layout
    where: str = ""


NOBODY = Link("none")

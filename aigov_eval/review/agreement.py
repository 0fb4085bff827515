"""
How far reviewers agree.

Comes in: the decisions. Goes out: for each two reviewers the findings that both judged, how often they said the same, and
Cohen's kappa. The first word of each counts: what was said after the other's word was seen is no second opinion.
"""

from __future__ import annotations

import sqlite3
from itertools import combinations
from typing import Any

from aigov_eval.agreement import Agreement

_SAID = {"accept": False, "field": False, "reject": True}  # True: "this is no finding", a pass


def first_words(connection: sqlite3.Connection) -> dict[str, dict[str, bool]]:
    """Reviewer -> unit -> whether the first word was that it passes."""
    found: dict[str, dict[str, bool]] = {}
    rows = connection.execute(
        "select who, unit, what from decision where what in ('accept', 'reject', 'field') and unit != '' order by id"
    )
    for who, unit, what in rows:
        found.setdefault(who, {}).setdefault(unit, _SAID[what])
    return found


def agreements(connection: sqlite3.Connection) -> list[Agreement]:
    """Each two reviewers side by side; passing means that there is no finding."""
    words = first_words(connection)
    made = []
    for one, other in combinations(sorted(words), 2):
        pairs = [(words[one][unit], words[other][unit]) for unit in words[one] if unit in words[other]]
        if pairs:
            made.append(
                Agreement(
                    a=one,
                    b=other,
                    both_pass=pairs.count((True, True)),
                    both_fail=pairs.count((False, False)),
                    only_a_passes=pairs.count((True, False)),
                    only_b_passes=pairs.count((False, True)),
                )
            )
    return made


def counts(connection: sqlite3.Connection) -> dict[str, Any]:
    """How much is decided: units by status, and of each reviewer how many have a word."""
    return {
        "status": dict(
            connection.execute(
                "select status, count(*) from unit where kind in ('finding', 'missed') group by status"
            )
        ),
        "reviewers": dict(connection.execute("select who, count(*) from standing group by who order by who")),
    }

"""
What is shown of a review, asked of SQLite: lists, counts, the next thing to decide.

Comes in: filters as they stand in an address. Goes out: rows. Everything is counted and paged by the database; a page
costs the same at the end of a hundred thousand as at the beginning.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

FILTERS = ("status", "category", "field", "severity", "strength", "rule", "language", "model", "kind")
PAGE = 50
_VALUES = 40  # of a filter that are offered


class Wanted(Struct, frozen=True):
    """The filters of a list: equal to, and the words searched for; `mine` is a reviewer whose open work is wanted."""

    equal: Mapping[str, str]
    text: str = ""
    mine: str = ""
    matched: bool = False  # the words were looked for already: see `search`

    def where(self, without: str = "") -> tuple[str, list[Any]]:
        """The condition as SQL with its values; `without` leaves one filter out."""
        parts: list[str] = []
        values: list[Any] = []
        for name in FILTERS:
            if name != without and self.equal.get(name):
                parts.append(f"unit.{name} = ?")
                values.append(self.equal[name])
        if self.matched:
            parts.append("unit.id in (select id from temp.matched)")
        elif self.text:
            like = "%" + self.text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
            parts.append(
                "(unit.words like ? escape '\\' or unit.conversation in (select id from conversation"
                " where said like ? escape '\\' or name like ? escape '\\'))"
            )
            values += [like, like, like]
        if self.mine and not self.equal.get("kind"):
            # what was found comes first; conversations without findings are looked at when they are asked for
            parts.append("unit.kind in ('finding', 'missed')")
        if self.mine:
            parts.append(
                "not exists (select 1 from standing where standing.unit = unit.id and standing.who = ?)"
            )
            values.append(self.mine)
        return (" and ".join(parts) or "1"), values


def search(connection: sqlite3.Connection, wanted: Wanted) -> Wanted:
    """The same filters with their words looked for once, for the many questions of a page."""
    if not wanted.text:
        return wanted
    condition, values = Wanted({}, wanted.text).where()
    connection.execute("create temp table matched (id integer primary key)")
    connection.execute(f"insert into temp.matched select id from unit where {condition}", values)
    return replace(wanted, matched=True)


def count(connection: sqlite3.Connection, wanted: Wanted) -> int:
    """How many units there are."""
    condition, values = wanted.where()
    return int(connection.execute(f"select count(*) from unit where {condition}", values).fetchone()[0])


def page(connection: sqlite3.Connection, wanted: Wanted, number: int) -> list[sqlite3.Row]:
    """One page of units, disputed first, then open, with the conversations they stand in."""
    condition, values = wanted.where()
    return connection.execute(
        "select unit.*, conversation.name, conversation.source from"
        f" (select * from unit where {condition} order by rank, id limit ? offset ?) as unit"
        " join conversation on conversation.id = unit.conversation order by unit.rank, unit.id",
        (*values, PAGE, PAGE * max(0, number - 1)),
    ).fetchall()


def values_of(connection: sqlite3.Connection, wanted: Wanted, name: str) -> list[tuple[str, int]]:
    """The values of a filter with their counts under the other filters, the most frequent first."""
    assert name in FILTERS
    condition, values = wanted.where(without=name)
    rows = connection.execute(
        f"select {name}, count(*) as n from unit where {condition} group by {name} order by n desc, {name} limit ?",
        (*values, _VALUES),
    )
    return [(str(row[0]), int(row[1])) for row in rows]


def following(connection: sqlite3.Connection, wanted: Wanted, who: str, after: int = 0) -> int | None:
    """
    The next unit under the filters on which this reviewer has not decided, round to the first; None where there is no more.

    The order is that of the file, the same for every reviewer, so that several judge the same findings early. Where
    disagreements are asked for, they are to be settled: then it does not count that there was a word before.
    """
    todo = wanted if wanted.equal.get("status") == "disputed" else replace(wanted, mine=who)
    condition, values = todo.where()
    for side in ("id > ?", "id < ?"):
        found = connection.execute(
            f"select id from unit where {condition} and kind != 'error' and {side} order by id limit 1",
            (*values, after),
        ).fetchone()
        if found is not None:
            return int(found[0])
    return None


def neighbour(connection: sqlite3.Connection, wanted: Wanted, unit: int, *, back: bool) -> int | None:
    """The unit before or after this one in the list, decided or not."""
    condition, values = wanted.where()
    here = connection.execute("select rank, id from unit where id = ?", (unit,)).fetchone()
    if here is None:
        return None
    sign, order = ("<", "desc") if back else (">", "asc")
    found = connection.execute(
        f"select id from unit where {condition} and (rank, id) {sign} (?, ?) order by rank {order}, id {order} limit 1",
        (*values, here["rank"], here["id"]),
    ).fetchone()
    return None if found is None else int(found[0])


def rates(connection: sqlite3.Connection) -> dict[str, list[tuple[str, int, int]]]:
    """For the charts: (name, with findings, judged) of conversations by category, by field, by run, and by turn."""
    found: dict[str, list[tuple[str, int, int]]] = {}
    judged = dict(
        connection.execute(
            "select category, count(distinct conversation) from unit where kind in ('finding','clean') group by category"
        )
    )
    leaking = dict(
        connection.execute(
            "select category, count(distinct conversation) from unit where kind = 'finding' group by category"
        )
    )
    found["categories"] = [(name, leaking.get(name, 0), seen) for name, seen in sorted(judged.items())]
    total = connection.execute(
        "select count(*) from conversation where id in (select conversation from unit where kind != 'error')"
    ).fetchone()[0]
    rows = connection.execute(
        "select field, count(distinct conversation) as n from unit where kind = 'finding' group by field order by n desc, field limit 12"
    )
    found["fields"] = [(row[0], row[1], total) for row in rows]
    rows = connection.execute(
        "select json_extract(more, '$.scenario') as run, sum(leaks), count(*) from (select conversation.id, more,"
        " exists (select 1 from unit where unit.conversation = conversation.id and kind = 'finding') as leaks from conversation"
        " where exists (select 1 from unit where unit.conversation = conversation.id and kind != 'error'))"
        " group by run having count(*) > 1 order by sum(leaks) desc, run limit 12"
    )
    found["runs"] = [(str(row[0]), int(row[1]), int(row[2])) for row in rows]
    rows = connection.execute(
        "select min(turn, 20), count(distinct conversation) from unit where kind = 'finding' and turn >= 0 group by 1 order by 1"
    )
    found["turns"] = [(f"turn {row[0]}{'+' if row[0] == 20 else ''}", row[1], total) for row in rows]
    return found

"""
What is shown on the pages of a review.

Comes in: requests that change nothing. Goes out: pages, and exports as files to keep.
"""

from __future__ import annotations

import functools
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from msgspec.structs import replace

from aigov_eval.errors import InputError
from aigov_eval.review import agreement, query, talks
from aigov_eval.review.desk import Desk, address, html, lead_to, name_of, opened, unit_row, wanted_of
from aigov_eval.review.exporting import EXPORTS, exported
from aigov_eval.review.query import Wanted
from aigov_eval.review.store import head
from aigov_eval.text.printable import in_line

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


def who_page(desk: Desk, _request: Request) -> Response:
    with opened(desk) as connection:
        known = sorted({row[0] for row in connection.execute("select distinct who from decision")})
    return html(desk, "who.html", known=known)


def list_page(desk: Desk, request: Request) -> Response:
    who, wanted = name_of(request), wanted_of(request)
    number = request.query_params.get("page", "1")
    page = min(int(number), 10**9) if number.isdecimal() and len(number) < 12 else 1
    with opened(desk) as connection:
        wanted = query.search(connection, wanted)
        total = query.count(connection, wanted)
        pages = max(1, -(-total // query.PAGE))
        page = min(max(1, page), pages)
        rows = query.page(connection, wanted, page)
        numbers = [row["id"] for row in rows]
        marks = ",".join("?" * len(numbers))
        mine = {
            row[0]
            for row in connection.execute(
                f"select unit from standing where who = ? and unit in ({marks})", (who, *numbers)
            )
        }
        offered = {name: query.values_of(connection, wanted, name) for name in query.FILTERS}
        size = connection.execute("select max(id) from conversation").fetchone()[0] or 0
        charts = _charts(str(desk.path), size)
    return html(
        desk,
        "list.html",
        who=who,
        wanted=wanted,
        rows=rows,
        mine=mine,
        total=total,
        page=page,
        pages=pages,
        offered=offered,
        charts=charts,
        address=functools.partial(address, wanted),
        in_line=in_line,
    )


@functools.lru_cache(maxsize=4)
def _charts(path: str, _size: int) -> dict[str, list[tuple[str, int, int]]]:
    """The rates of what was put in, which decisions do not change; asked anew where conversations came in."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        return query.rates(connection)


def next_page(desk: Desk, request: Request) -> Response:
    """To the first thing under the filters that this reviewer has not decided; to the list where there is none."""
    who, wanted = name_of(request), wanted_of(request)
    with opened(desk) as connection:
        found = query.following(connection, wanted, who)
    return lead_to(who, wanted, found)


def unit_page(desk: Desk, request: Request) -> Response:
    who, wanted = name_of(request), wanted_of(request)
    with opened(desk) as connection:
        wanted = query.search(connection, wanted)
        unit = unit_row(connection, request.path_params["unit"])
        talk = connection.execute(
            "select * from conversation where id = ?", (unit["conversation"],)
        ).fetchone()
        units = connection.execute(
            "select * from unit where conversation = ? order by id", (talk["id"],)
        ).fetchall()
        mine = {
            row["unit"]: row["what"]
            for row in connection.execute(
                "select unit, what from standing where who = ? and unit in (select id from unit where conversation = ?)",
                (who, talk["id"]),
            )
        }
        words, held = talks.words_on(connection, unit, who)
        before = query.neighbour(connection, wanted, unit["id"], back=True)
        after = query.neighbour(connection, wanted, unit["id"], back=False)
        open_count = query.count(connection, replace(wanted, mine=who))
    case = talks.case_of(talk)
    missed = [one for one in units if one["kind"] == "missed"]
    return html(
        desk,
        "unit.html",
        who=who,
        wanted=wanted,
        unit=unit,
        talk=talk,
        case=case,
        units=units,
        mine=mine,
        words=words,
        held=held,
        turns=talks.turns_of(case, unit, missed),
        seen=talks.seen_of(case, unit, desk.rules),
        law=desk.rules.get(unit["rule"], {}),
        fields=desk.fields,
        categories=desk.categories
        if unit["category"] in desk.categories
        else (unit["category"], *desk.categories),
        before=before,
        after=after,
        open_count=open_count,
        address=functools.partial(address, wanted),
        in_line=in_line,
    )


def agreement_page(desk: Desk, request: Request) -> Response:
    who = name_of(request)
    with opened(desk) as connection:
        pairs, counts = agreement.agreements(connection), agreement.counts(connection)
        disputed = query.count(connection, Wanted({"status": "disputed"}))
        signs = connection.execute("select * from decision where what = 'sign' order by id").fetchall()
        number, chain = head(connection)
    return html(
        desk,
        "agreement.html",
        who=who,
        pairs=pairs,
        counts=counts,
        disputed=disputed,
        signs=signs,
        number=number,
        chain=chain,
    )


def export_file(desk: Desk, request: Request) -> Response:
    from starlette.responses import Response

    name = str(request.path_params["name"])
    if name not in EXPORTS:
        raise InputError("there is no such export", help="known: " + ", ".join(EXPORTS))
    with opened(desk) as connection:
        data = exported(connection, name)
    # as a file to keep, never as a page of ours
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type="application/octet-stream", headers=headers)

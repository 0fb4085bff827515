"""
What the pages of a review share.

Comes in: requests. Goes out: connections, filters, addresses, pages of a template.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from msgspec import Struct

from aigov_eval.errors import InputError
from aigov_eval.review import query
from aigov_eval.review.decide import valid_name
from aigov_eval.review.query import Wanted
from aigov_eval.text.printable import printable

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


class Desk(Struct, frozen=True):
    """What every page needs: the file, the rules in words, the fields and categories that can be chosen, the templates."""

    path: Path
    rules: Mapping[str, Mapping[str, str]]
    fields: tuple[str, ...]
    categories: tuple[str, ...]
    templates: Any


@contextmanager
def opened(desk: Desk) -> Iterator[sqlite3.Connection]:
    """A connection for one request: threads and other processes have their own."""
    with closing(
        sqlite3.connect(f"{desk.path.resolve().as_uri()}?mode=rw", uri=True, timeout=30, isolation_level=None)
    ) as connection:
        connection.row_factory = sqlite3.Row
        connection.execute("pragma synchronous = full")
        connection.execute("pragma trusted_schema = off")
        yield connection


def html(desk: Desk, name: str, **values: Any) -> Response:
    from starlette.responses import HTMLResponse

    return HTMLResponse(printable(desk.templates.get_template(name).render(**values)))


def go(address: str) -> Response:
    from starlette.responses import RedirectResponse

    return RedirectResponse(address, 303)


def name_of(request: Request) -> str:
    who = str(request.path_params["who"])
    if not valid_name(who):
        raise InputError("a reviewer has a name of 1 to 60 letters", help="say who you are.")
    return who


def wanted_of(request: Request) -> Wanted:
    given = request.query_params
    return Wanted(
        {name: given[name] for name in query.FILTERS if given.get(name)}, given.get("text", "")[:200]
    )


def address(wanted: Wanted, **more: Any) -> str:
    """The filters as the end of an address, with what else belongs there."""
    told = {
        **wanted.equal,
        **({"text": wanted.text} if wanted.text else {}),
        **{key: str(value) for key, value in more.items()},
    }
    return f"?{urlencode(told)}" if told else ""


def lead_to(who: str, wanted: Wanted, unit: int | None) -> Response:
    start = f"/as/{quote(who, safe='')}/"
    return go(f"{start}unit/{unit}{address(wanted)}" if unit else f"{start}{address(wanted, done=1)}")


def unit_row(connection: sqlite3.Connection, number: int) -> sqlite3.Row:
    row: sqlite3.Row | None = connection.execute("select * from unit where id = ?", (number,)).fetchone()
    if row is None:
        raise InputError("there is no such finding", help="go back to the list.")
    return row

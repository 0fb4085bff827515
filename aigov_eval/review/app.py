"""
The pages of a review.

Comes in: the file of a review, the pack whose rules are told in words, a token. Goes out: an ASGI application for one
machine. Everything is rendered here; the page's own script gives keys and marking, and nothing depends on it.
"""

from __future__ import annotations

import functools
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote, urlencode

from aigov_eval.errors import InputError
from aigov_eval.reports.charts import bars
from aigov_eval.review import agreement, exports, query, talks
from aigov_eval.review.decide import Word, decide, sign, valid_name
from aigov_eval.review.exporting import EXPORTS, exported
from aigov_eval.review.guard import App, guarded
from aigov_eval.review.query import Wanted
from aigov_eval.review.store import head
from aigov_eval.text.printable import in_line, printable

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from aigov_eval.model import Pack

_KINDS = {
    "finding": "found by the rules",
    "missed": "marked by a reviewer",
    "clean": "nothing found",
    "error": "not valid",
}


@dataclass(frozen=True, slots=True)
class Desk:
    """What every page needs: the file, the rules in words, the fields and categories that can be chosen, the templates."""

    path: Path
    rules: Mapping[str, Mapping[str, str]]
    fields: tuple[str, ...]
    categories: tuple[str, ...]
    templates: Any


def make_app(path: Path, pack: Pack, token: str, hosts: frozenset[str]) -> App:
    """The application over one file, which must be there; see `guard` for `token` and `hosts`."""
    import jinja2
    from starlette.applications import Starlette
    from starlette.routing import Route

    templates = jinja2.Environment(
        loader=jinja2.PackageLoader("aigov_eval.review", "pages"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.globals |= {"bars": bars, "kinds": _KINDS, "link": lambda who: quote(who, safe="")}
    desk = Desk(
        path,
        talks.rules_in_words(pack),
        tuple(sorted(pack.fields)),
        tuple(sorted(pack.categories)),
        templates,
    )

    def at(address: str, page: Callable[[Desk, Request], Response], *methods: str) -> Route:
        return Route(address, functools.partial(_answered, desk, page), methods=list(methods or ("GET",)))

    routes = [
        at("/", _who),
        at("/who", _known_as, "POST"),
        at("/as/{who}/", _list),
        at("/as/{who}/next", _next),
        at("/as/{who}/unit/{unit:int}", _unit),
        at("/as/{who}/unit/{unit:int}", _decided, "POST"),
        at("/as/{who}/agreement", _agreement),
        at("/as/{who}/sign", _signed, "POST"),
        at("/export/{name}", _export),
        at("/static/{name}", _static),
    ]
    return guarded(Starlette(routes=routes), token, hosts)


async def _answered(desk: Desk, page: Callable[[Desk, Request], Response], request: Request) -> Response:
    """A page made in a thread of its own; what a reviewer can mend is said on a page."""
    from starlette.concurrency import run_in_threadpool
    from starlette.responses import PlainTextResponse

    request.state.form = {}
    if request.method == "POST":
        body = (await request.body()).decode("utf-8", "replace")
        # a browser sends line breaks of a form as CRLF
        request.state.form = {
            name: text.replace("\r\n", "\n") for name, text in parse_qsl(body, max_num_fields=40)
        }
    try:
        return await run_in_threadpool(page, desk, request)
    except InputError as error:
        return PlainTextResponse(f"{error.text}\n{error.help}\n", 400)
    except sqlite3.OperationalError as error:
        return PlainTextResponse(f"the decision was not written: {error}\n", 503)


@contextmanager
def _open(desk: Desk) -> Iterator[sqlite3.Connection]:
    """A connection for one request: threads and other processes have their own."""
    with closing(
        sqlite3.connect(f"{desk.path.resolve().as_uri()}?mode=rw", uri=True, timeout=30, isolation_level=None)
    ) as connection:
        connection.row_factory = sqlite3.Row
        connection.execute("pragma synchronous = full")
        connection.execute("pragma trusted_schema = off")
        yield connection


def _html(desk: Desk, name: str, **values: Any) -> Response:
    from starlette.responses import HTMLResponse

    return HTMLResponse(printable(desk.templates.get_template(name).render(**values)))


def _go(address: str) -> Response:
    from starlette.responses import RedirectResponse

    return RedirectResponse(address, 303)


def _name(request: Request) -> str:
    who = str(request.path_params["who"])
    if not valid_name(who):
        raise InputError("a reviewer has a name of 1 to 60 letters", help="say who you are.")
    return who


def _wanted(request: Request) -> Wanted:
    given = request.query_params
    return Wanted(
        {name: given[name] for name in query.FILTERS if given.get(name)}, given.get("text", "")[:200]
    )


def _address(wanted: Wanted, **more: Any) -> str:
    """The filters as the end of an address, with what else belongs there."""
    told = {
        **wanted.equal,
        **({"text": wanted.text} if wanted.text else {}),
        **{key: str(value) for key, value in more.items()},
    }
    return f"?{urlencode(told)}" if told else ""


def _who(desk: Desk, _request: Request) -> Response:
    with _open(desk) as connection:
        known = sorted({row[0] for row in connection.execute("select distinct who from decision")})
    return _html(desk, "who.html", known=known)


def _known_as(_desk: Desk, request: Request) -> Response:
    who = str(request.state.form.get("who", "")).strip()
    if not valid_name(who):
        raise InputError(
            "a reviewer has a name of 1 to 60 letters, without / \\ ? # % &", help="say who you are."
        )
    return _go(f"/as/{quote(who, safe='')}/")


def _list(desk: Desk, request: Request) -> Response:
    who, wanted = _name(request), _wanted(request)
    number = request.query_params.get("page", "1")
    page = min(int(number), 10**9) if number.isdecimal() and len(number) < 12 else 1
    with _open(desk) as connection:
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
    return _html(
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
        address=functools.partial(_address, wanted),
        in_line=in_line,
    )


@functools.lru_cache(maxsize=4)
def _charts(path: str, _size: int) -> dict[str, list[tuple[str, int, int]]]:
    """The rates of what was put in, which decisions do not change; asked anew where conversations came in."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        return query.rates(connection)


def _next(desk: Desk, request: Request) -> Response:
    """To the first thing under the filters that this reviewer has not decided; to the list where there is none."""
    who, wanted = _name(request), _wanted(request)
    with _open(desk) as connection:
        found = query.following(connection, wanted, who)
    return _to(who, wanted, found)


def _to(who: str, wanted: Wanted, unit: int | None) -> Response:
    start = f"/as/{quote(who, safe='')}/"
    return _go(f"{start}unit/{unit}{_address(wanted)}" if unit else f"{start}{_address(wanted, done=1)}")


def _row(connection: sqlite3.Connection, number: int) -> sqlite3.Row:
    row: sqlite3.Row | None = connection.execute("select * from unit where id = ?", (number,)).fetchone()
    if row is None:
        raise InputError("there is no such finding", help="go back to the list.")
    return row


def _unit(desk: Desk, request: Request) -> Response:
    who, wanted = _name(request), _wanted(request)
    with _open(desk) as connection:
        wanted = query.search(connection, wanted)
        unit = _row(connection, request.path_params["unit"])
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
    return _html(
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
        address=functools.partial(_address, wanted),
        in_line=in_line,
    )


def _decided(desk: Desk, request: Request) -> Response:
    who, wanted, form = _name(request), _wanted(request), request.state.form
    number = int(request.path_params["unit"])
    with _open(desk) as connection:
        unit = _row(connection, number)
        word = Word(
            who=who,
            what=form.get("what", ""),
            field=form.get("field", "") if form.get("what") in ("field", "miss") else "",
            why=form.get("why", "").strip(),
            final=form.get("final") == "1" and form.get("what") in ("accept", "reject", "field"),
        )
        if word.field and word.field not in desk.fields:
            raise InputError(f'there is no field "{word.field[:60]}"', help="choose one of the list.")
        if word.what == "miss":
            word = _missed(connection, unit, word, form)
        # where to go is asked before: the decision changes the order
        found = query.following(connection, wanted, who, number)
        at = decide(connection, number, word)
    if word.what in ("accept", "reject", "field") and form.get("stay") != "1":
        return _to(who, wanted, found)
    # after missed words one is asked about the rest of the same conversation
    return _to(who, wanted, number if word.what == "miss" else at)


def _missed(connection: sqlite3.Connection, unit: sqlite3.Row, word: Word, form: Mapping[str, str]) -> Word:
    """The missed words as they stand in the conversation. Raises InputError where they do not."""
    talk = connection.execute(
        "select said from conversation where id = ?", (unit["conversation"],)
    ).fetchone()
    said = json.loads(talk["said"]) if talk["said"] else []
    category = form.get("category", "") or unit["category"]
    parts = form.get("place", "").split(":")
    if len(parts) == 3 and all(part.isdecimal() and len(part) < 9 for part in parts):
        turn, start, end = map(int, parts)
        content = next((str(one.get("content", "")) for one in said if one.get("turn_index") == turn), "")
        start, end = talks.shown_span(content, start, end)
        words = content[start:end]
        if words.strip():
            start += len(words) - len(words.lstrip())
            words = words.strip()
            return replace(word, words=words, place=f"{turn}:{start}:{start + len(words)}", category=category)
    words = form.get("words", "").strip()
    for one in sorted(
        said, key=lambda entry: (entry.get("turn_index") != unit["turn"], entry.get("role") != "assistant")
    ):
        start = str(one.get("content", "")).find(words) if words else -1
        if start >= 0:
            return replace(
                word,
                words=words,
                place=f"{one.get('turn_index', 0)}:{start}:{start + len(words)}",
                category=category,
            )
    raise InputError(
        "these words do not stand in the conversation", help="mark them, or write them as they stand there."
    )


def _agreement(desk: Desk, request: Request) -> Response:
    who = _name(request)
    with _open(desk) as connection:
        pairs, counts = agreement.agreements(connection), agreement.counts(connection)
        disputed = query.count(connection, Wanted({"status": "disputed"}))
        signs = connection.execute("select * from decision where what = 'sign' order by id").fetchall()
        number, chain = head(connection)
    return _html(
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


def _signed(desk: Desk, request: Request) -> Response:
    who = _name(request)
    with _open(desk) as connection:
        exports.checked(connection)
        sign(connection, who, request.state.form.get("why", "").strip())
    return _go(f"/as/{quote(who, safe='')}/agreement")


def _export(desk: Desk, request: Request) -> Response:
    from starlette.responses import Response

    name = str(request.path_params["name"])
    if name not in EXPORTS:
        raise InputError("there is no such export", help="known: " + ", ".join(EXPORTS))
    with _open(desk) as connection:
        data = exported(connection, name)
    # as a file to keep, never as a page of ours
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type="application/octet-stream", headers=headers)


_STATIC = {"review.js": ("review/pages", "text/javascript"), "review.css": ("review/pages", "text/css")}


def _static(_desk: Desk, request: Request) -> Response:
    from starlette.responses import Response

    name = str(request.path_params["name"])
    if name not in _STATIC:
        return Response("no such file", 404)
    folder, kind = _STATIC[name]
    root = files("aigov_eval")
    text = (root / folder / name).read_text("utf-8")
    if name == "review.css":
        text = (
            "".join((root / "reports" / part).read_text("utf-8") for part in ("page.css", "charts.css"))
            + text
        )
    return Response(text, media_type=kind)

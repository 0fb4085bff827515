"""
The pages of a review, as one application.

Comes in: the file of a review, the pack whose rules are told in words, a token. Goes out: an ASGI application for one
machine. Everything is rendered here; the page's own script gives keys and marking, and nothing depends on it.
"""

from __future__ import annotations

import functools
import sqlite3
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote

from aigov_eval.errors import InputError
from aigov_eval.reports.charts import bars
from aigov_eval.review import posts, talks, views
from aigov_eval.review.desk import Desk
from aigov_eval.review.guard import App, guarded

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
_STATIC = {"review.js": ("review/pages", "text/javascript"), "review.css": ("review/pages", "text/css")}


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
        at("/", views.who_page),
        at("/who", posts.known_as, "POST"),
        at("/as/{who}/", views.list_page),
        at("/as/{who}/next", views.next_page),
        at("/as/{who}/unit/{unit:int}", views.unit_page),
        at("/as/{who}/unit/{unit:int}", posts.decided, "POST"),
        at("/as/{who}/agreement", views.agreement_page),
        at("/as/{who}/sign", posts.signed, "POST"),
        at("/export/{name}", views.export_file),
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

"""`aigov-eval review`: a page on this machine where a person decides."""

from __future__ import annotations

import secrets
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aigov_eval.cli.app import new_app
from aigov_eval.cli.ending import exit_code
from aigov_eval.cli.options import OnlyPacks, Packs
from aigov_eval.cli.say import put, say
from aigov_eval.errors import InputError

if TYPE_CHECKING:
    import sqlite3

    from aigov_eval.model import Pack

app = new_app()

EXAMPLE = """Examples:

  aigov-eval review verdicts --db review.sqlite

  aigov-eval review runs/leaky scores.jsonl

  aigov-eval review --db review.sqlite --export report.html --out signed.html

Ctrl-C ends it; decisions are on the disk as soon as they are made. Exit code: 0, or 2 where something cannot be read."""


@app.command(epilog=EXAMPLE)
def review(
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATH...",
            help="Scores, run folders, evidence packs, what `batch` wrote. None: what is in --db.",
        ),
    ] = None,
    db: Annotated[
        Path, typer.Option(help="The SQLite file of the review; made where it is not there.")
    ] = Path("review.sqlite"),
    pack: Packs = None,
    only_pack: OnlyPacks = False,
    baseline: Annotated[
        Path | None, typer.Option(help="Findings accepted before (baseline.json): they begin as accepted.")
    ] = None,
    export: Annotated[
        str,
        typer.Option(
            help="Serve no page, write this: labels.jsonl, baseline.json, controls.yaml or report.html."
        ),
    ] = "",
    out: Annotated[Path | None, typer.Option(help="The file of --export. Default: standard output.")] = None,
    host: Annotated[
        str, typer.Option(help="The address to listen at; others than this machine's own can then reach it.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 for a free one.")] = 0,
) -> int:
    """Look at findings and decide, alone or with others; every decision is kept, and exported."""
    from contextlib import closing

    from aigov_eval.cli.inputs import engine_of, roots_of
    from aigov_eval.review import items
    from aigov_eval.review.store import connect

    if not export:
        _require_server()
    if not sources and not db.is_file():
        raise InputError("there is nothing to review", help="give scores, run folders or what `batch` wrote.")
    engine = engine_of(roots_of(pack or [], only=only_pack)) if sources or not export else None
    with closing(connect(db)) as connection:
        if sources:
            assert engine is not None
            new = items.add(connection, sources, engine.common)
            say(f"{new:,} conversations are new in {db}", file=sys.stderr)
        if baseline is not None:
            _take(connection, baseline)
        total = connection.execute("select count(*) from unit").fetchone()[0]
        if export:
            _export(connection, export, out)
            return exit_code()
    if not total:
        raise InputError(
            "there is nothing to review",
            where=str(db),
            help="give scores, run folders or what `batch` wrote.",
        )
    assert engine is not None
    _serve(db, engine.pack, host, port)
    return exit_code()


def _require_server() -> None:
    try:
        import jinja2  # noqa: F401
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        raise InputError(
            "review needs starlette, uvicorn and jinja2", help="pip install 'aigov-eval[review]'"
        ) from None


def _take(connection: sqlite3.Connection, path: Path) -> None:
    from aigov_eval.files import read_json
    from aigov_eval.review import exports

    taken = exports.take_baseline(connection, read_json(path, "a baseline"), "baseline")
    say(f"{taken:,} findings were accepted before", file=sys.stderr)


def _export(connection: sqlite3.Connection, name: str, out: Path | None) -> None:
    from aigov_eval import files
    from aigov_eval.review.exporting import EXPORTS, exported

    if name not in EXPORTS:
        raise InputError(f'unknown export "{name}"', help="known: " + ", ".join(EXPORTS))
    data = exported(connection, name)
    if out is None:
        put(data)
        return
    files.write(out, data)
    say(f"{name} written to {out}", file=sys.stderr)


def _serve(db: Path, pack: Pack, host: str, port: int) -> None:
    """Serve until Ctrl-C; the link with its token is the one line on standard output."""
    import uvicorn

    from aigov_eval.review.app import make_app

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
    except OSError as error:
        raise InputError(
            f"cannot listen at {host}:{port}: {error.strerror or error}", help="give another --port."
        ) from None
    number = listening.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    names = (
        {shown, "127.0.0.1", "localhost"}
        if host.startswith("127.") or host in ("localhost", "::1")
        else {shown}
    )
    token = secrets.token_urlsafe(32)
    made = make_app(db, pack, token, frozenset(f"{name}:{number}" for name in names))
    options = uvicorn.Config(
        made,
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        lifespan="off",
        ws="none",
        timeout_keep_alive=30,
    )
    if not (host.startswith("127.") or host in ("localhost", "::1")):
        say(
            f"warning: {host} is not this machine alone: whoever has the link and reaches it can read and decide, unencrypted",
            file=sys.stderr,
        )
    say(f"http://{shown}:{number}/?token={token}")
    sys.stdout.flush()
    say("open this link in a browser of this machine; Ctrl-C ends", file=sys.stderr)
    try:
        uvicorn.Server(options).run(sockets=[listening])
    except KeyboardInterrupt:
        pass  # how a review ends
    finally:
        listening.close()

"""
`aigov-eval ingest`: agents' sessions to evaluation records.

Comes in: options. Goes out: records on stdout or in a file, notes on stderr. Exit code 0, or 2
where a session could not be read (with --keep-going the others are written all the same).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Struct, field

from aigov_eval.cli.app import new_app
from aigov_eval.cli.columns import columns
from aigov_eval.cli.ending import exit_code
from aigov_eval.cli.say import console, say, say_error
from aigov_eval.errors import AigovError, InputError
from aigov_eval.text.printable import in_line

if TYPE_CHECKING:
    from aigov_eval.sessions.session import Listed
    from aigov_eval.sessions.sources import Wanted

app = new_app(help="Turn AI agents' sessions into evaluation records.", no_args_is_help=True)

More = Annotated[
    list[str] | None, typer.Argument(metavar="FILE|ID", help="More files and folders, or session ids.")
]
Ids = Annotated[
    list[str] | None, typer.Option("--session", metavar="ID", help="This session. May be repeated.")
]
Project = Annotated[
    str, typer.Option("--project", metavar="PATH", help="Sessions in this folder or below it.")
]
Since = Annotated[
    str, typer.Option("--since", metavar="TIME", help="Active since: 30m, 2h, 3d, today, 2026-11-01 (UTC).")
]
Children = Annotated[
    bool, typer.Option("--include-children", help="Sub-agents' sessions too (by default only where named).")
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="FILE", help="One object or an array; one record a line where it ends in .jsonl."
    ),
]
Overview = Annotated[
    bool, typer.Option("--list", help="Show the sessions instead: time, id, turns, tools, project, title.")
]
Mapping = Annotated[
    Path | None,
    typer.Option("--tool-names", metavar="FILE", help="YAML: tool_mappings: {logical: [physical, ...]}."),
]
MaxOutput = Annotated[
    int | None,
    typer.Option("--max-output", min=0, metavar="N", help="Cut tool outputs after N characters, marked."),
]
KeepGoing = Annotated[
    bool,
    typer.Option(
        "--keep-going", help="Write what can be read; the exit code is 2 where something could not."
    ),
]


@app.command("opencode", epilog="Example: aigov-eval ingest opencode --since 2h --out records.jsonl")
def opencode(
    *,
    more: More = None,
    db: Annotated[
        list[Path] | None, typer.Option("--db", metavar="FILE", help="OpenCode's database.")
    ] = None,
    storage: Annotated[
        list[Path] | None,
        typer.Option("--storage", metavar="DIR", help="OpenCode's file store (clients before 1.2)."),
    ] = None,
    export: Annotated[
        list[Path] | None, typer.Option("--export", metavar="FILE...", help="Files of `opencode export`.")
    ] = None,
    session: Ids = None,
    project: Project = "",
    since: Since = "",
    include_children: Children = False,
    out: Out = None,
    overview: Overview = False,
    tool_names: Mapping = None,
    max_output: MaxOutput = None,
    keep_going: KeepGoing = False,
) -> int:
    """OpenCode: its database, its file stores of all generations, its exports; by default those of this machine."""
    paths = [*(db or []), *(storage or []), *(export or [])]
    task = _Task("opencode", paths, out, overview, tool_names, max_output, keep_going)
    return _ingest(task, more or [], ids=session, project=project, since=since, children=include_children)


@app.command("claude-code", epilog="Example: aigov-eval ingest claude-code --project . --out records.json")
def claude_code(
    *,
    more: More = None,
    storage: Annotated[
        list[Path] | None,
        typer.Option("--storage", metavar="PATH", help="A JSONL file, or the folder that holds them."),
    ] = None,
    session: Ids = None,
    project: Project = "",
    since: Since = "",
    include_children: Children = False,
    out: Out = None,
    overview: Overview = False,
    tool_names: Mapping = None,
    max_output: MaxOutput = None,
    keep_going: KeepGoing = False,
) -> int:
    """Claude Code: its JSONL transcripts; by default those of this machine."""
    task = _Task("claude-code", storage or [], out, overview, tool_names, max_output, keep_going)
    return _ingest(task, more or [], ids=session, project=project, since=since, children=include_children)


class _Task(Struct):
    """What to do with the chosen sessions, and what went wrong with some."""

    agent: str
    paths: list[Path]
    out: Path | None
    overview: bool
    tool_names: Path | None
    max_output: int | None
    keep_going: bool
    failures: int = 0
    empty: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def _ingest(
    task: _Task, more: list[str], *, ids: list[str] | None, project: str, since: str, children: bool
) -> int:
    from aigov_eval.sessions import sources
    from aigov_eval.sessions.files import document, write_values
    from aigov_eval.sessions.toolnames import read_names

    sessions = list(ids or [])
    for one in more:
        if Path(one).exists() or not one.startswith("ses_"):
            task.paths.append(Path(one))
        else:
            sessions.append(one)
    if task.out is not None and any(
        task.out.exists() and task.out.samefile(one) for one in task.paths if one.exists()
    ):
        raise InputError("would overwrite the source", where=str(task.out), help="write to another file.")
    names = read_names(task.tool_names) if task.tool_names else {}
    moment = sources.since(since, datetime.now(UTC)) if since else 0
    wanted = sources.Wanted(tuple(sessions), project, moment, children)
    with sources.opened(task.agent, task.paths) as offered:
        chosen = sources.choose(offered, wanted)
        records = _records(task, chosen, wanted, names)
        if task.overview:
            say(_overview(_some_at_least(task, records)))
        elif task.out is None:
            say(document(list(_some_at_least(task, records))), end="")
        else:
            count = write_values(task.out, _some_at_least(task, records))
            say(f"{count} record{'s' * (count != 1)} written to {task.out}", file=sys.stderr)
    if task.empty:
        say(
            f"note: {_count(len(task.empty), 'session')} without messages left out: {_some(task.empty)}",
            file=sys.stderr,
        )
    for note in task.notes:
        say(f"note: {note}", file=sys.stderr)
    return exit_code(valid=not task.failures)


def _records(
    task: _Task, chosen: list[Listed], wanted: Wanted, names: dict[str, str]
) -> Iterator[dict[str, Any]]:
    """The record of every chosen session in which something was said, one after the other."""
    from rich.progress import track

    from aigov_eval.sessions.record import record

    shown = len(chosen) > 1 and sys.stderr.isatty()
    shown_on = console(stderr=True)
    for one in track(chosen, description="sessions", console=shown_on, transient=True, disable=not shown):
        try:
            found = record(one.load(), names=names, max_output=task.max_output)
        except AigovError as error:
            if not task.keep_going:
                raise
            task.failures += 1
            say_error(error)
            continue
        about = found["metadata"]
        if not about["total_turns"]:
            if one.id in wanted.ids:
                raise InputError("the session has no messages", where=f"{one.source}: {one.id}", help=_EMPTY)
            task.empty.append(one.id)
            continue
        if about["sanitized"]:
            task.notes.append(f"{one.id} is a sanitized export: its texts are placeholders")
        if about["left_out"]["other"]:
            task.notes.append(
                f"{one.id}: {_count(about['left_out']['other'], 'part')} of an unknown kind left out"
            )
        yield found


def _some_at_least(task: _Task, records: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The records; InputError where there was none, so that nothing empty is written."""
    first = next(records, None)
    if first is None:
        which = _some(task.empty)
        raise InputError(f"no messages in {which}" if which else "no session could be read", help=_EMPTY)
    yield first
    yield from records


_EMPTY = "choose a session in which something was said; `--list` shows their turns."


def _overview(records: Iterator[dict[str, Any]]) -> str:
    """A table of sessions; titles last, because they are long."""
    rows = [("created (UTC)", "session", "turns", "tools", "project", "title")]
    for one in records:
        about = one["metadata"]
        created, counts = one["created"][:16].replace("T", " "), (about["total_turns"], about["total_tools"])
        project = in_line(about["directory"]) or "-"
        rows.append((created, one["session_id"], *map(str, counts), project, in_line(one["title"])))
    return columns(rows, right=(2, 3))


def _count(number: int, name: str) -> str:
    return f"{number} {name}{'s' * (number != 1)}"


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (" ..." if len(names) > 3 else "")

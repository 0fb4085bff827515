"""
Where sessions are, and which of them are wanted.

Comes in: the agent, and files or folders (none: the agent's default place). Goes out: the
sessions on offer, each once, in the order (created, id), and the choice among them. What a file
is, is told by its content, never by its name.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from msgspec import Struct

from aigov_eval.documents.issues import did_you_mean
from aigov_eval.errors import InputError
from aigov_eval.sessions import (
    claude_code,
    claude_code_files,
    opencode,
    opencode_db,
    opencode_files,
    snapshot,
)
from aigov_eval.sessions.disk import unreadable
from aigov_eval.sessions.session import Listed

_HEAD = 4096
_SPAN = re.compile(r"(\d+)\s*([smhdw])", re.ASCII)
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


class Wanted(Struct, frozen=True):
    """
    Which sessions: by id, by project folder, by last activity (milliseconds since 1970).

    Without ids, sessions of sub-agents are left out unless `children`; with it, those that
    descend from a chosen session are chosen too.
    """

    ids: tuple[str, ...] = ()
    project: str = ""
    since: int = 0
    children: bool = False


@contextmanager
def opened(agent: str, paths: Sequence[Path] = ()) -> Iterator[list[Listed]]:
    """
    The sessions in the given files and folders; they can be loaded until the context ends.

    Of two copies of a session the database's wins, then the file store's, then the export's;
    of two equals the one that changed last. Raises InputError for a source that holds none.
    """
    with ExitStack() as stack:
        found: list[Listed] = []
        if paths:
            for path in paths:
                found += _listed(agent, path, stack)
        else:
            defaults = [path for path in default_sources(agent) if path.exists()]
            if not defaults:
                raise InputError(
                    f"no sessions of {agent} on this machine: {', '.join(map(str, default_sources(agent)))} is not there",
                    help="say where they are, for example --db FILE, --storage DIR or --export FILE.",
                )
            for path in defaults:
                found += _listed(agent, path, stack)
        yield _once(found)


def default_sources(agent: str) -> list[Path]:
    """Where the agent keeps its sessions on this machine, whether it is there or not."""
    if agent == claude_code.AGENT:
        return claude_code_files.default_sources()
    # OpenCode follows the XDG folders on every platform
    home = os.environ.get("XDG_DATA_HOME")
    data = (Path(home) if home else Path.home() / ".local" / "share") / "opencode"
    databases = sorted(data.glob("opencode*.db")) or [data / "opencode.db"]
    named = os.environ.get("OPENCODE_DB", "")
    if named and named != ":memory:":
        databases = [data / named]  # an absolute name replaces the folder
    stores = [data] if next(opencode_files.roots(data), None) else []
    return [*databases, *stores]


def is_source(path: Path) -> str:
    """The agent whose sessions a file or folder holds, told by its content; nothing where it is none's."""
    if path.is_dir():
        if next(opencode_files.roots(path), None) is not None:
            return opencode.AGENT
        return claude_code.AGENT if claude_code_files.listed(path) else ""
    with path.open("rb") as file:
        head = file.read(claude_code_files.PEEK)
    if head.startswith(snapshot.MAGIC):
        return opencode.AGENT
    return claude_code.AGENT if claude_code_files.looks_like(head) else ""


def choose(offered: Sequence[Listed], wanted: Wanted) -> list[Listed]:
    """The wanted sessions, in order. Raises InputError for an id that is not there, and for none."""
    by_id = {one.id: one for one in offered}
    for named in wanted.ids:
        if named not in by_id:
            raise InputError(
                f"no session {named!r}",
                help=did_you_mean(named, by_id)
                or "`--list` shows the sessions; with --include-children all of them.",
            )
    chosen = {one.id for one in offered if _is_wanted(one, wanted, by_id)}
    if wanted.children:
        for one in offered:
            if any(ancestor in chosen for ancestor in _ancestors(one, by_id)):
                chosen.add(one.id)
    picked = [one for one in offered if one.id in chosen]
    if not picked:
        raise InputError(
            f"no session was chosen; {len(offered)} are there",
            help="leave out --since and --project to see them all; `--list` shows what would be taken.",
        )
    return picked


def since(value: str, now: datetime) -> int:
    """
    A moment as milliseconds since 1970: a span back from `now` (30m, 2h, 3d, 1w), `today`, a date or a time.

    Dates and times without a zone are UTC. Raises InputError for anything else.
    """
    said = value.strip().lower()
    if span := _SPAN.fullmatch(said):
        try:
            moment = now - timedelta(**{_UNITS[span[2]]: int(span[1])})
        except OverflowError:
            return 0
    elif said == "today":
        moment = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    else:
        try:
            moment = datetime.fromisoformat(value.strip())
        except ValueError:
            raise InputError(
                f"{value!r} is not a time",
                where="--since",
                help="write a span (30m, 2h, 3d, 1w), today, a date (2026-11-01) or a time (2026-11-01T09:30Z).",
            ) from None
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0, int(moment.timestamp() * 1000))


def _listed(agent: str, path: Path, stack: ExitStack) -> list[Listed]:
    where = str(path)
    try:
        if agent == claude_code.AGENT:
            found = claude_code_files.listed(path) if path.exists() else None
        else:
            found = _listed_opencode(path, where, stack)
    except OSError as error:
        raise unreadable(path, error) from None
    if found is None:
        if not path.exists():
            raise InputError("there is no such file or folder", where=where, help="check the path.")
        if path.is_file() and not path.stat().st_size:
            raise InputError("is empty (0 bytes)", where=where, help="give a file that holds sessions.")
        raise InputError(f"holds no sessions of {agent}", where=where, help=_HELP[agent])
    return found


_HELP = {
    opencode.AGENT: "known are OpenCode's database, its storage folder and the files of `opencode export`.",
    claude_code.AGENT: "known are Claude Code's JSONL files and the folder that holds them.",
}


def _listed_opencode(path: Path, where: str, stack: ExitStack) -> list[Listed] | None:
    if path.is_dir():
        roots = list(opencode_files.roots(path))
        if not roots:
            return None
        return [one for generation, root in roots for one in opencode_files.listed_store(generation, root)]
    if not path.exists():
        return None
    with path.open("rb") as file:
        head = file.read(_HEAD)
    log = path.with_name(path.name + "-wal")
    if head.startswith(snapshot.MAGIC) or (not head and log.exists()):
        return opencode_db.listed(stack.enter_context(snapshot.opened(path)), where)
    if opencode_files.looks_like_export(head):
        return opencode_files.listed_export(path.read_bytes(), where)
    return None


def _once(found: Sequence[Listed]) -> list[Listed]:
    """Every session once, the best copy of each, in order."""
    best: dict[str, Listed] = {}
    for one in found:
        held = best.get(one.id)
        if held is None or (one.rank, -one.updated) < (held.rank, -held.updated):
            best[one.id] = one
    return sorted(best.values(), key=lambda one: (one.created, one.id))


def _is_wanted(one: Listed, wanted: Wanted, by_id: dict[str, Listed]) -> bool:
    if wanted.ids:
        return one.id in wanted.ids
    if one.parent_id in by_id and not (one.named or wanted.children):
        return False
    if max(one.updated, one.created) < wanted.since:
        return False
    return not wanted.project or any(_is_under(folder, wanted.project) for folder in one.projects)


def _is_under(folder: str, project: str) -> bool:
    """Whether a session's folder is the project or lies in it."""
    for given in {project.rstrip("/\\") or project, str(Path(project).expanduser().resolve())}:
        if folder == given or folder.startswith((given.rstrip("/") + "/", given + "\\")):
            return True
        # generation 0 kept the path as a name, and sessions by name only
        if "/" not in folder and folder == opencode_files.slug(given):
            return True
    return False


def _ancestors(one: Listed, by_id: dict[str, Listed]) -> Iterator[str]:
    seen = {one.id}
    while one.parent_id in by_id and one.parent_id not in seen:
        seen.add(one.parent_id)
        one = by_id[one.parent_id]
        yield one.id

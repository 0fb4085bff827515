"""
The file of a review.

Comes in: a path. Goes out: connections to one SQLite file that holds what is looked at (`conversation`, `unit`) and what
was decided (`decision`). Decisions are only ever added: triggers refuse everything else, and each carries the hash of the
one before it, so that a row taken away with another tool shows. `standing` and a unit's `status` are made of them.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from aigov_eval.errors import InputError

VERSION = 1
_SCHEMA = """
create table conversation (
  id integer primary key, key text not null unique, name text not null, source text not null,
  model text not null, language text not null, said text, scores text not null, more text not null);
create table unit (
  id integer primary key, key text not null unique, conversation integer not null references conversation(id),
  kind text not null, category text not null, field text not null, turn integer not null, severity text not null,
  strength text not null, rule text not null, model text not null, language text not null, words text not null,
  status text not null default 'open', rank integer not null default 1);
create table decision (
  id integer primary key autoincrement, at text not null, who text not null, what text not null,
  conversation text not null, unit text not null, field text not null, words text not null, place text not null,
  why text not null, final integer not null, chain text not null);
create table standing (
  unit integer not null references unit(id), who text not null, what text not null, field text not null,
  final integer not null, decision integer not null, primary key (unit, who)) without rowid;
create index unit_order on unit (rank, id);
create index unit_conversation on unit (conversation);
create index unit_status on unit (status, rank, id);
create index unit_field on unit (field, rank, id);
create index unit_category on unit (category, rank, id);
create index unit_model on unit (model, rank, id);
create index decision_unit on decision (unit, id);
create trigger decision_stays before update on decision begin select raise(abort, 'decisions are never changed'); end;
create trigger decision_remains before delete on decision begin select raise(abort, 'decisions are never taken away'); end;
"""
# what is told of a decision, in the order of its columns
COLUMNS = ("at", "who", "what", "conversation", "unit", "field", "words", "place", "why", "final")


def connect(path: Path) -> sqlite3.Connection:
    """
    A connection to the file of a review, which is made where it is not there.

    Raises InputError for a file that is something else or cannot be written.
    """
    try:
        connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
        connection.row_factory = sqlite3.Row
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma synchronous = full")  # a decision that was confirmed is on the disk
        connection.execute("pragma foreign_keys = on")
        connection.execute("pragma trusted_schema = off")
        with writing(connection):
            version = connection.execute("pragma user_version").fetchone()[0]
            tables = connection.execute("select count(*) from sqlite_master").fetchone()[0]
            if version == 0 and tables == 0:
                for statement in _statements(_SCHEMA):
                    connection.execute(statement)
                connection.execute(f"pragma user_version = {VERSION}")
            elif version != VERSION or not _is_ours(connection):
                raise InputError(
                    "is no review of this version", where=str(path), help="name another file with --db."
                )
    except sqlite3.Error as error:
        raise InputError(
            f"cannot be used as the file of a review: {error}",
            where=str(path),
            help="name another file with --db.",
        ) from None
    return connection


def _statements(script: str) -> Iterator[str]:
    held = ""
    for line in script.splitlines():
        held += line + "\n"
        if sqlite3.complete_statement(held):
            yield held
            held = ""


def _is_ours(connection: sqlite3.Connection) -> bool:
    names = {row[0] for row in connection.execute("select name from sqlite_master")}
    return {"conversation", "unit", "decision", "standing", "decision_stays", "decision_remains"} <= names


@contextmanager
def writing(connection: sqlite3.Connection) -> Iterator[None]:
    """One transaction that has the file to itself from its beginning: what it reads stays true until it is written."""
    connection.execute("begin immediate")
    try:
        yield
    except BaseException:
        connection.execute("rollback")
        raise
    connection.execute("commit")


def link(before: str, decision: Mapping[str, Any]) -> str:
    """The hash of a decision and of all before it."""
    told = json.dumps(
        [before, *(decision[name] for name in COLUMNS)], ensure_ascii=False, separators=(",", ":")
    )
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def head(connection: sqlite3.Connection) -> tuple[int, str]:
    """How many decisions there are, and the hash that stands for all of them."""
    row = connection.execute("select count(*), max(id) from decision").fetchone()
    if not row[0]:
        return 0, ""
    last = connection.execute("select chain from decision where id = ?", (row[1],)).fetchone()
    return int(row[0]), str(last[0])


def whole(connection: sqlite3.Connection) -> bool:
    """Whether every decision still follows from the one before it."""
    before = ""
    for row in connection.execute("select * from decision order by id"):
        if row["chain"] != link(before, row):
            return False
        before = row["chain"]
    return True

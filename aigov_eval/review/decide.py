"""
Decisions: who said what of a finding, when and why.

Comes in: a reviewer's word on a unit. Goes out: one more row in `decision`, and the unit's status as it is now. Two
reviewers, or two tabs of one, write one after the other: nothing is overwritten, and the status is made of the last
word of each reviewer.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime

from msgspec import Struct

from aigov_eval.errors import InputError
from aigov_eval.review.items import unit_key
from aigov_eval.review.store import COLUMNS, link, writing

# accept: it is as it stands there. reject: it is not. field: it is, but of another field. miss: words that nothing
# found. comment: a word beside it. undo: my own last word does not count. sign: the review is done
WHAT = ("accept", "reject", "field", "miss", "comment", "undo", "sign")
_TEXT = 4000
# the order of a list: disputed, open findings, open conversations without any, what is decided
_RANKS = {"disputed": 0, "open": 1}
_CLEAN, _DONE = 2, 3


class Word(Struct, frozen=True):
    """What a reviewer says: `what` of `WHAT`; `field` for `field` and `miss`; `place` is turn:start:end of missed words."""

    who: str
    what: str
    field: str = ""
    why: str = ""
    words: str = ""
    place: str = ""
    category: str = ""
    final: bool = False


def now() -> str:
    """The time of a decision: UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def decide(connection: sqlite3.Connection, unit: int, word: Word, clock: Callable[[], str] = now) -> int:
    """
    Write a decision on a unit; the id of the unit it stands at, which for missed words is a new one.

    Raises InputError for a unit that is not there and for a word that says nothing.
    """
    _check(word)
    with writing(connection):
        row = connection.execute(
            "select unit.*, conversation.key as talk from unit join conversation on conversation.id = conversation where unit.id = ?",
            (unit,),
        ).fetchone()
        if row is None:
            raise InputError("there is no such finding", help="go back to the list.")
        if word.what == "miss":
            unit = _missed(connection, row, word)
            row = connection.execute(
                "select *, ? as talk from unit where id = ?", (row["talk"], unit)
            ).fetchone()
        number = _append(connection, row["talk"], row["key"], word, clock())
        if word.what == "undo":
            connection.execute("delete from standing where unit = ? and who = ?", (unit, word.who))
        elif word.what != "comment":
            connection.execute(
                "insert into standing (unit, who, what, field, final, decision) values (?,?,?,?,?,?) on conflict (unit, who)"
                " do update set what = excluded.what, field = excluded.field, final = excluded.final, decision = excluded.decision",
                (
                    unit,
                    word.who,
                    "accept" if word.what == "miss" else word.what,
                    word.field,
                    int(word.final),
                    number,
                ),
            )
        _restate(connection, unit)
    return unit


def sign(connection: sqlite3.Connection, who: str, why: str, clock: Callable[[], str] = now) -> None:
    """Sign the review as it stands. Raises InputError where the name or the statement is missing."""
    word = Word(who, "sign", why=why)
    _check(word)
    with writing(connection):
        _append(connection, "", "", word, clock())


def _check(word: Word) -> None:
    if not valid_name(word.who):
        raise InputError("a reviewer has a name of 1 to 60 letters", help="say who you are.")
    if word.what not in WHAT:
        raise InputError(f'nobody can decide "{word.what[:40]}"', help="known: " + ", ".join(WHAT))
    if max(len(word.why), len(word.words), len(word.field)) > _TEXT:
        raise InputError(f"more than {_TEXT} characters", help="say it shorter.")
    if word.what in ("field", "miss") and not word.field:
        raise InputError("which field is it?", help="choose one.")
    if word.what == "miss" and not word.words.strip():
        raise InputError("which words were missed?", help="mark them, or write them as they stand there.")
    if word.what in ("comment", "sign") and not word.why.strip():
        raise InputError("there is nothing in it", help="write something.")


def valid_name(who: str) -> bool:
    """Whether a text can be a reviewer's name."""
    return 0 < len(who.strip()) == len(who) <= 60 and who.isprintable() and not set(who) & set("/\\?#%&")


def _missed(connection: sqlite3.Connection, row: sqlite3.Row, word: Word) -> int:
    """The unit of words that nothing found; two reviewers who mark the same words meet there."""
    turn = (
        int(word.place.partition(":")[0])
        if word.place.partition(":")[0].lstrip("-").isdigit()
        else row["turn"]
    )
    category = word.category or row["category"]
    key = unit_key(row["talk"], category, turn, word.field, "missed", word.words.strip())
    connection.execute(
        "insert into unit (key, conversation, kind, category, field, turn, severity, strength, rule, words, model, language)"
        " values (?,?,'missed',?,?,?,'','','',?,?,?) on conflict (key) do nothing",
        (
            key,
            row["conversation"],
            category,
            word.field,
            turn,
            word.words.strip()[:500],
            row["model"],
            row["language"],
        ),
    )
    return int(connection.execute("select id from unit where key = ?", (key,)).fetchone()[0])


def _append(connection: sqlite3.Connection, talk: str, unit: str, word: Word, at: str) -> int:
    last = connection.execute("select chain from decision order by id desc limit 1").fetchone()
    told = {
        "at": at,
        "who": word.who,
        "what": word.what,
        "conversation": talk,
        "unit": unit,
        "field": word.field,
        "words": word.words,
        "place": word.place,
        "why": word.why,
        "final": int(word.final),
    }
    chain = link(last[0] if last else "", told)
    marks = ",".join("?" * (len(COLUMNS) + 1))
    number = connection.execute(
        f"insert into decision ({', '.join(COLUMNS)}, chain) values ({marks})", (*told.values(), chain)
    ).lastrowid
    assert number is not None
    return number


def _restate(connection: sqlite3.Connection, unit: int) -> None:
    rows = connection.execute(
        "select what, field, final, decision from standing where unit = ?", (unit,)
    ).fetchall()
    settled = [row for row in rows if row["final"]]
    words = {(row["what"], row["field"] if row["what"] == "field" else "") for row in rows}
    if settled:
        status = _STATUS[max(settled, key=lambda row: row["decision"])["what"]]
    elif not words:
        status = "open"
    elif len(words) == 1:
        status = _STATUS[next(iter(words))[0]]
    else:
        status = "disputed"
    connection.execute(
        "update unit set status = ?1, rank = case when ?1 = 'open' and kind = 'clean' then ?2 else ?3 end where id = ?4",
        (status, _CLEAN, _RANKS.get(status, _DONE), unit),
    )


_STATUS = {"accept": "accepted", "reject": "rejected", "field": "changed"}

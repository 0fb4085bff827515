"""
What is done on the pages of a review: begin under a name, decide, sign.

Comes in: forms. Goes out: decisions in the file, and where to go next.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import quote

from msgspec.structs import replace

from aigov_eval.errors import InputError
from aigov_eval.review import exports, query, talks
from aigov_eval.review.decide import Word, decide, sign, valid_name
from aigov_eval.review.desk import Desk, go, lead_to, name_of, opened, unit_row, wanted_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


def known_as(_desk: Desk, request: Request) -> Response:
    who = str(request.state.form.get("who", "")).strip()
    if not valid_name(who):
        raise InputError(
            "a reviewer has a name of 1 to 60 letters, without / \\ ? # % &", help="say who you are."
        )
    return go(f"/as/{quote(who, safe='')}/")


def decided(desk: Desk, request: Request) -> Response:
    who, wanted, form = name_of(request), wanted_of(request), request.state.form
    number = int(request.path_params["unit"])
    with opened(desk) as connection:
        unit = unit_row(connection, number)
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
        return lead_to(who, wanted, found)
    # after missed words one is asked about the rest of the same conversation
    return lead_to(who, wanted, number if word.what == "miss" else at)


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


def signed(desk: Desk, request: Request) -> Response:
    who = name_of(request)
    with opened(desk) as connection:
        exports.checked(connection)
        sign(connection, who, request.state.form.get("why", "").strip())
    return go(f"/as/{quote(who, safe='')}/agreement")

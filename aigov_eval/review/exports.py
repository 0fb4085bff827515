"""
What is made of decisions, beside the report.

Comes in: the file of a review. Goes out: labels in the form of the labelled sets, a baseline of accepted findings,
drafts of controls. Only what is decided goes out; what is open or disputed is counted.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from aigov_eval.errors import InputError
from aigov_eval.review.store import head, writing

_DECIDED = ("accepted", "rejected", "changed")


def labels(connection: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    """
    Conversations with the fields that leak in each turn, one object for each category that is decided whole.

    A category of which anything is open or disputed is left out, and so is one that was found clean and not looked at.
    """
    rows = connection.execute("select * from conversation where said is not null order by id")
    for talk in rows.fetchall():
        units = connection.execute(
            "select * from unit where conversation = ? and kind != 'error' order by id", (talk["id"],)
        ).fetchall()
        finals = final_fields(connection, talk["id"])
        for category in dict.fromkeys(one["category"] for one in units):
            own = [one for one in units if one["category"] == category]
            # where something was missed, "nothing was found" is answered by it
            asked = [one for one in own if one["kind"] != "clean"] or own
            if any(one["status"] not in _DECIDED for one in asked):
                continue
            if asked is own and own[0]["kind"] == "clean" and own[0]["status"] != "accepted":
                continue
            expect: dict[str, list[str]] = {}
            for one in asked:
                field = finals.get(one["id"])
                if field:
                    expect.setdefault(str(one["turn"]), []).append(field)
            entries = [entry for entry in json.loads(talk["said"]) if entry.get("turn_index", 0) >= 0]
            subject = next(
                (score["subject"] for score in json.loads(talk["scores"]) if score.get("subject")), ""
            )
            yield {
                "id": talk["name"],
                "lang": talk["language"],
                "category": category,
                "person_name": subject,
                "turns": [
                    {key: value for key, value in entry.items() if key != "turn_index"} for entry in entries
                ],
                "expect": {
                    turn: sorted(set(fields))
                    for turn, fields in sorted(expect.items(), key=lambda pair: int(pair[0]))
                },
                "reviewers": sorted(
                    row[0]
                    for row in connection.execute(
                        "select distinct who from standing where unit in (select id from unit where conversation = ? and category = ?)",
                        (talk["id"], category),
                    )
                ),
            }


def final_fields(connection: sqlite3.Connection, talk: int) -> dict[int, str]:
    """Unit -> the field that leaks by the final word on it; "" where it was rejected, absent where it is not decided."""
    found: dict[int, str] = {}
    for unit in connection.execute(
        "select id, field, kind, status from unit where conversation = ?", (talk,)
    ).fetchall():
        if unit["status"] == "accepted":
            found[unit["id"]] = "" if unit["kind"] == "clean" else unit["field"]
        elif unit["status"] == "changed":
            row = connection.execute(
                "select field from standing where unit = ? and what = 'field' order by final desc, decision desc limit 1",
                (unit["id"],),
            ).fetchone()
            found[unit["id"]] = row["field"] if row else unit["field"]
        elif unit["status"] == "rejected":
            found[unit["id"]] = ""
    return found


def baseline(connection: sqlite3.Connection) -> dict[str, Any]:
    """The accepted findings: known, so that a later review of the same words begins with them decided."""
    rows = connection.execute(
        "select unit.*, conversation.name as talk from unit join conversation on conversation.id = conversation"
        " where kind in ('finding', 'missed') and status in ('accepted', 'changed') order by unit.id"
    )
    findings = []
    for unit in rows.fetchall():
        field = final_fields(connection, unit["conversation"])[unit["id"]]
        findings.append(
            {
                "key": unit["key"],
                "id": unit["talk"],
                "category": unit["category"],
                "turn_index": unit["turn"],
                "field": unit["field"],
                **({"final_field": field} if field != unit["field"] else {}),
                "rule": unit["rule"],
                "accepted_by": sorted(
                    row[0]
                    for row in connection.execute(
                        "select who from standing where unit = ? and what != 'reject'", (unit["id"],)
                    )
                ),
            }
        )
    number, chain = head(connection)
    return {"baseline": 1, "decisions": number, "chain": chain, "findings": findings}


def take_baseline(connection: sqlite3.Connection, value: Any, name: str) -> int:
    """
    Decide what a baseline knows: its findings are accepted in the name of `name`; how many were there and undecided.

    Raises InputError for what is no baseline.
    """
    from aigov_eval.review.decide import Word, decide

    if (
        not isinstance(value, dict)
        or value.get("baseline") != 1
        or not isinstance(value.get("findings"), list)
    ):
        raise InputError("is no baseline", help="give what `aigov-eval review --export baseline` wrote.")
    taken = 0
    for one in value["findings"]:
        if not isinstance(one, dict) or not isinstance(one.get("key"), str):
            raise InputError(
                "is no baseline: a finding has no key",
                help="give what `aigov-eval review --export baseline` wrote.",
            )
        row = connection.execute(
            "select id from unit where key = ? and not exists (select 1 from standing where unit = unit.id)",
            (one["key"],),
        ).fetchone()
        if row is None:
            continue
        final = str(one.get("final_field") or "")
        by = ", ".join(map(str, one.get("accepted_by") or ()))
        decide(
            connection,
            row["id"],
            Word(name, "field" if final else "accept", final, f"known before, accepted by {by}"[:1000]),
        )
        taken += 1
    return taken


def controls(connection: sqlite3.Connection) -> str:
    """
    Drafts of controls, YAML: accepted and missed words as `leaks`, rejected ones as `clean`, under the rule they belong to.

    Drafts, because they hold what was really said: the comment on top says what to change before they go into a pack.
    """
    rows = connection.execute(
        "select unit.*, conversation.said, conversation.scores from unit join conversation on conversation.id = conversation"
        " where kind in ('finding', 'missed') and status in ('accepted', 'changed', 'rejected') and said is not null order by unit.id"
    )
    found: dict[str, dict[str, Any]] = {}
    for unit in rows.fetchall():
        words = [part for part in str(unit["words"]).split(" | ") if part]
        turns = _turns(json.loads(unit["said"]), unit["turn"], words if unit["status"] != "rejected" else [])
        if turns is None:
            continue
        own = found.setdefault(
            unit["rule"] or f"missed, {unit['category']}: {unit['field']}", {"leaks": [], "clean": {}}
        )
        subject = next((score["subject"] for score in json.loads(unit["scores"]) if score.get("subject")), "")
        if subject:
            own.setdefault("subject", subject)
        if unit["status"] == "rejected":
            own["clean"].setdefault("CLAUSE", []).append(turns)
        else:
            own["leaks"].append(turns)
    drafts = [
        {"rule": rule, "controls": {key: one[key] for key in ("subject", "leaks", "clean") if one.get(key)}}
        for rule, one in sorted(found.items())
    ]
    return _HEAD + (
        yaml.safe_dump(drafts, allow_unicode=True, sort_keys=False, width=100) if drafts else "[]\n"
    )


_HEAD = """# Drafts of controls, made of what reviewers decided. They hold what was really said: before they go into a pack,
# put invented names and values in place of the real ones, shorten each to what decides, put a clause of the rule
# (speaker, detects, about, evidence, holder, stance, or an excuse) in place of CLAUSE, and run `aigov-eval check`.
"""


def _turns(entries: list[Mapping[str, Any]], turn: int, words: list[str]) -> list[dict[str, str]] | None:
    """The turn and the one before it, with the words marked; None where they are not to be found in it."""
    at = next((number for number, entry in enumerate(entries) if entry.get("turn_index") == turn), None)
    if at is None or "[[" in str(entries[at].get("content", "")):
        return None
    text = str(entries[at]["content"])
    for word in sorted(words, key=len, reverse=True):
        if word not in text:
            return None
        text = text.replace(word, f"[[{word}]]", 1)
    role = str(entries[at].get("role", "assistant"))
    before = [
        {str(entry["role"]): str(entry["content"])}
        for entry in entries[max(0, at - 1) : at]
        if entry.get("role") == "user"
    ]
    return [*before, {role: text}]


def checked(connection: sqlite3.Connection) -> None:
    """Raise InputError where a decision was changed or taken away with another tool."""
    from aigov_eval.review.store import whole

    with writing(connection):
        if not whole(connection):
            raise InputError(
                "the decisions were changed outside of the review: their chain of hashes is broken",
                help="go back to a copy of the file from before.",
            )

"""
One conversation as it is looked at: its turns with the words marked, what was seen in them and why, what was decided.

Comes in: a unit of the file, the reviewer, the rules in words. Goes out: plain values for a page; nothing in them is
HTML but what `reports.marks` has escaped. What other reviewers said of a finding is held back until this one has decided.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from aigov_eval.model import Pack
from aigov_eval.reports.cases import Case, mentions_of
from aigov_eval.reports.marks import Mark, marked, marks_of
from aigov_eval.text.printable import printable


class Provenance(Struct, frozen=True):
    """A text of a conversation: `html` is escaped and marked; `place` is turn and channel."""

    turn: int
    role: str
    name: str
    html: str
    leaks: bool
    here: bool


def rules_in_words(pack: Pack) -> dict[str, Mapping[str, str]]:
    """Rule id -> what it says, its law, its place."""
    return {
        rule.id: {
            "says": rule.says,
            "legal": "; ".join(dict.fromkeys((*category.legal, *rule.legal))),
            "where": str(rule.where),
            "title": category.title,
        }
        for category in pack.categories.values()
        for rule in category.rules
    }


def case_of(row: sqlite3.Row) -> Case:
    """The conversation of a row as reports know it."""
    said = None if row["said"] is None else json.loads(row["said"])
    more = json.loads(row["more"])
    return Case(
        id=row["name"],
        run_id=row["name"],
        source=row["source"],
        scores=tuple(json.loads(row["scores"])),
        transcript=None if said is None else tuple(said),
        record={"error": more.get("error"), "models": [row["model"]] if row["model"] else []},
        limitations=tuple(more.get("limitations") or ()),
        root=str(more.get("root") or ""),
        redacted=bool(more.get("redacted")),
    )


def turns_of(case: Case, unit: sqlite3.Row, missed: Sequence[sqlite3.Row] = ()) -> list[Provenance]:
    """The texts of a conversation in order, tool calls after the message that made them."""
    marks = [*marks_of(case), *(_mark_of(one) for one in missed)]
    leaking = {finding["turn_index"] for score in case.scores for finding in score["findings"]}
    found = []
    for entry in case.transcript or ():
        at = int(entry.get("turn_index", 0))
        own = [mark for mark in marks if mark.turn_index == at]
        kinds = [mark for mark in own if mark.channel == "message"]
        by_words = [mark for mark in kinds if mark.span == (0, 0)]
        content = str(entry.get("content", ""))
        html = marked(content, _placed(content, kinds, by_words, case.redacted), by_text=False)
        found.append(
            Provenance(at, str(entry.get("role", "")), "", printable(html), at in leaking, at == unit["turn"])
        )
        for call in entry.get("tool_calls") or ():
            function = call.get("function", call) if isinstance(call, dict) else {}
            arguments = function.get("arguments", "") if isinstance(function, dict) else ""
            text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
            name = str(function.get("name", "")) if isinstance(function, dict) else ""
            html = marked(text, [mark for mark in own if mark.channel == "tool_call"], by_text=True)
            found.append(
                Provenance(
                    at,
                    str(entry.get("role", "")),
                    name or "tool",
                    printable(html),
                    at in leaking,
                    at == unit["turn"],
                )
            )
    return found


def _placed(content: str, marks: Sequence[Mark], by_words: Sequence[Mark], redacted: bool) -> list[Mark]:
    """The marks with spans; those known by their words alone at each place where these stand."""
    from msgspec.structs import replace

    placed = [] if redacted else [mark for mark in marks if mark not in by_words]
    for mark in marks if redacted else by_words:
        at = content.find(mark.text) if mark.text else -1
        while at >= 0:
            placed.append(replace(mark, span=(at, at + len(mark.text))))
            at = content.find(mark.text, at + len(mark.text))
    return placed


def _mark_of(unit: sqlite3.Row) -> Mark:
    title = f"{unit['category']}: {unit['field']} missed by the rules, marked by a reviewer"
    return Mark(int(unit["turn"]), "message", "note", (0, 0), str(unit["words"]), title)


def seen_of(case: Case, unit: sqlite3.Row, rules: Mapping[str, Mapping[str, str]]) -> list[dict[str, Any]]:
    """Every mention of the unit's category at its turn, told ones first, each with the chain that decided on it."""
    found = []
    for score in case.scores:
        if score["category"] != unit["category"]:
            continue
        for finding in score["findings"]:
            if finding["turn_index"] == unit["turn"]:
                for one in mentions_of(finding):
                    found.append(_seen(one, "told", finding, rules, one.get("field") == unit["field"]))
        for one in score.get("dismissed", ()):
            if unit["turn"] < 0 or one.get("turn_index") == unit["turn"]:
                found.append(_seen(one, "dismissed", {}, rules, one.get("field") == unit["field"]))
        for one in score.get("notes", ()):
            if unit["turn"] < 0 or one.get("turn_index") == unit["turn"]:
                found.append(_seen(one, "noted", {}, rules, one.get("field") == unit["field"]))
    return sorted(found, key=lambda one: (one["status"] != "told", not one["own"]))


def _seen(
    one: Mapping[str, Any],
    status: str,
    finding: Mapping[str, Any],
    rules: Mapping[str, Mapping[str, str]],
    own: bool,
) -> dict[str, Any]:
    evidence = one.get("evidence") or {}
    told = one.get("predication") or {
        key: one[key] for key in ("holder", "stance", "points", "strength") if one.get(key) not in (None, "")
    }
    rule = str(one.get("rule") or "")
    chain = [
        ("detector", "/".join(str(part) for part in (one.get("detector"), one.get("subtype")) if part)),
        (
            "seen as",
            ", ".join(
                str(part)
                for part in (
                    one.get("view"),
                    one.get("explicit"),
                    "test value" if one.get("synthetic") else "",
                )
                if part
            ),
        ),
        (
            "subject",
            f"{evidence.get('level', '')} by {json.dumps(evidence.get('text', ''), ensure_ascii=False)}"
            if evidence.get("level")
            else "",
        ),
        (
            "said",
            ", ".join(
                f"{key} {told[key]}"
                for key in ("stance", "holder", "points", "strength")
                if told.get(key) not in (None, "")
            ),
        ),
        ("first seen", str(one.get("origin") or "")),
        ("excused by", str(one.get("status") or "") if status == "dismissed" else ""),
        ("because", str(one.get("reason") or "")),
        ("clauses", ", ".join(map(str, one.get("clauses") or one.get("contexts") or ()))),
    ]
    return {
        "field": str(one.get("field", "")),
        "words": str(one.get("text", "")),
        "status": status,
        "own": own,
        "chain": [(name, text) for name, text in chain if text],
        "signs": [
            {key: str(sign.get(key, "")) for key in ("sign", "points", "words", "where")}
            for sign in told.get("signs", ())
        ],
        "opinions": list(_opinions(one)) or list(_opinions(finding)),
        "rule": rule,
        "law": rules.get(rule, {}),
        "legal": "; ".join(map(str, finding.get("legal") or ())),
    }


def _opinions(one: Mapping[str, Any]) -> Iterator[str]:
    """What somebody else said of it, where a score has that: each as one line."""
    given = one.get("opinions") or one.get("opinion") or one.get("second_opinions") or ()
    for opinion in given if isinstance(given, list) else [given]:
        if isinstance(opinion, dict):
            yield ", ".join(f"{key}: {value}" for key, value in opinion.items())
        else:
            yield str(opinion)


def words_on(connection: sqlite3.Connection, unit: sqlite3.Row, who: str) -> tuple[list[sqlite3.Row], int]:
    """The decisions that this reviewer may see on a unit, and how many are held back until there is one of his own."""
    rows = connection.execute("select * from decision where unit = ? order by id", (unit["key"],)).fetchall()
    decided = connection.execute(
        "select 1 from standing where unit = ? and who = ?", (unit["id"], who)
    ).fetchone()
    if decided:
        return rows, 0
    own = [row for row in rows if row["who"] == who]
    others = {row["who"] for row in rows if row["who"] != who}
    return own, len(others)


def shown_span(text: str, start: int, end: int) -> tuple[int, int]:
    """
    Offsets in a text, from offsets in what a browser shows of it.

    A browser counts units of UTF-16, and control characters are shown as escapes.
    """
    at, found = 0, [0, len(text)]
    edges = [start, end]
    for number, letter in enumerate(text):
        wide = sum(2 if ord(one) > 0xFFFF else 1 for one in printable(letter))
        for which in (0, 1):
            if at <= edges[which] < at + wide:
                found[which] = number if which == 0 or edges[1] == at else number + 1
        at += wide
    if start >= at:
        found[0] = len(text)
    return found[0], max(found)

"""
The signed report: what the engine said, what people decided, and who stands for it. One HTML file that prints well.

Comes in: the file of a review. Goes out: a page that needs nothing else. It names the hash that stands for all
decisions, and says so where decisions came after the last signature or where something is still open.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from html import escape
from importlib.resources import files

from aigov_eval import __version__
from aigov_eval.reports.charts import bars
from aigov_eval.review import agreement, query
from aigov_eval.review.exports import final_fields
from aigov_eval.review.store import head
from aigov_eval.review.talks import case_of, turns_of
from aigov_eval.text.printable import printable

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_FINAL = {
    "accepted": "finding",
    "rejected": "no finding",
    "changed": "finding, of another field",
    "disputed": "disputed",
    "open": "not decided",
}


def report(connection: sqlite3.Connection) -> str:
    """The report as one HTML page."""
    return printable("\n".join(_page(connection)).replace("\r\n", "\n")) + "\n"


def _page(connection: sqlite3.Connection) -> Iterator[str]:
    style = "".join(
        (files("aigov_eval") / "reports" / name).read_text("utf-8") for name in ("page.css", "charts.css")
    )
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">'
    yield f"<title>Reviewed: did the assistant tell personal data?</title><style>\n{style}</style></head><body>"
    yield "<h1>Reviewed: did the assistant tell personal data?</h1>"
    yield from _signed(connection)
    yield from _totals(connection)
    units = connection.execute(
        "select unit.*, conversation.name from unit join conversation on conversation.id = conversation"
        " where kind in ('finding', 'missed') or (kind = 'clean' and status != 'open') order by conversation.id, unit.id"
    ).fetchall()
    finals: dict[int, dict[int, str]] = {}
    yield "<h2>Verdicts</h2><table><thead><tr><th>Conversation</th><th>Category</th><th>Turn</th><th>Words</th><th>The rules</th><th>Final</th><th>By</th></tr></thead><tbody>"
    for unit in units:
        own = finals.setdefault(unit["conversation"], final_fields(connection, unit["conversation"]))
        yield _row(connection, unit, own.get(unit["id"], ""))
    yield "</tbody></table>"
    for talk in dict.fromkeys(unit["conversation"] for unit in units):
        yield from _talk(connection, talk)
    number, chain = head(connection)
    yield f'<p class="soft">aigov-eval {escape(__version__)} · {number} decisions · chain <code>{chain or "none"}</code></p></body></html>'


def _signed(connection: sqlite3.Connection) -> Iterator[str]:
    signs = connection.execute("select * from decision where what = 'sign' order by id").fetchall()
    undecided = connection.execute(
        "select count(*) from unit where kind in ('finding','missed') and status in ('open','disputed')"
    ).fetchone()[0]
    yield '<section class="signed">'
    for row in signs:
        later = connection.execute(
            "select count(*) from decision where id > ? and what != 'sign'", (row["id"],)
        ).fetchone()[0]
        after = f' <span class="error">{later} decisions came after it</span>' if later else ""
        yield (
            f"<p><strong>Signed off by {escape(row['who'])}</strong>, {escape(row['at'])}: {escape(row['why'])}{after}"
            f'<br><span class="soft">stands for the decisions up to <code>{escape(row["chain"])}</code></span></p>'
        )
    if not signs:
        yield '<p class="error">Not signed off.</p>'
    if undecided:
        yield f'<p class="error">{undecided} findings are not decided, or disputed.</p>'
    yield "</section>"


def _totals(connection: sqlite3.Connection) -> Iterator[str]:
    counted = agreement.counts(connection)
    status = ", ".join(
        f"{count} {_FINAL.get(name, name)}" for name, count in sorted(counted["status"].items())
    )
    yield f"<p>Of what the rules found or a reviewer marked: {escape(status) or 'nothing'}.</p>"
    rows = []
    found = connection.execute(
        "select category, sum(status in ('accepted','changed')), count(*) from unit where kind = 'finding'"
        " and status in ('accepted','changed','rejected') group by category order by category"
    )
    rows = [(str(name), int(right), int(seen)) for name, right, seen in found]
    yield bars("How often the rules were right (findings decided)", rows)
    rates = query.rates(connection)
    yield bars("Conversations with findings, by category (before review)", rates["categories"])
    pairs = agreement.agreements(connection)
    if pairs:
        yield "<table><thead><tr><th>Reviewers</th><th>Both judged</th><th>The same</th><th>Kappa</th></tr></thead><tbody>"
        for one in pairs:
            share = "-" if one.share is None else f"{one.share:.1%}"
            kappa = "-" if one.kappa is None else f"{one.kappa:.2f}"
            yield f"<tr><td>{escape(one.a)}, {escape(one.b)}</td><td>{one.sessions}</td><td>{share}</td><td>{kappa}</td></tr>"
        yield "</tbody></table>"


def _row(connection: sqlite3.Connection, unit: sqlite3.Row, final: str) -> str:
    engine = (
        "nothing found"
        if unit["kind"] in ("missed", "clean")
        else f"{unit['field']}, {unit['severity']} {unit['strength']}".strip()
    )
    told = _FINAL.get(unit["status"], unit["status"])
    if unit["kind"] == "clean":
        told = "nothing was missed" if unit["status"] == "accepted" else "something was missed"
    elif unit["kind"] == "missed" and unit["status"] == "accepted":
        told = f"finding the rules missed: {unit['field']}"
    elif unit["status"] == "changed":
        told = f"finding: {final}"
    words = connection.execute(
        "select who, why from decision where unit = ? and what not in ('undo') order by id", (unit["key"],)
    ).fetchall()
    by = "; ".join(dict.fromkeys(f"{row['who']}{': ' + row['why'] if row['why'] else ''}" for row in words))
    mark = {"rejected": "pass", "accepted": "fail", "changed": "fail"}.get(unit["status"], "error")
    if unit["kind"] == "clean":
        mark = "pass" if unit["status"] == "accepted" else "fail"
    turn = unit["turn"] if unit["turn"] >= 0 else ""
    cells = (escape(unit["name"]), escape(unit["category"]), str(turn), escape(unit["words"]), escape(engine))
    return (
        "<tr>"
        + "".join(f"<td>{cell}</td>" for cell in cells)
        + f'<td class="{mark}">{escape(told)}</td><td>{escape(by)}</td></tr>'
    )


def _talk(connection: sqlite3.Connection, talk: int) -> Iterator[str]:
    row = connection.execute("select * from conversation where id = ?", (talk,)).fetchone()
    unit = connection.execute("select * from unit where conversation = ? limit 1", (talk,)).fetchone()
    missed = connection.execute(
        "select * from unit where conversation = ? and kind = 'missed'", (talk,)
    ).fetchall()
    case = case_of(row)
    yield f'<details class="case" open><summary><h2>{escape(case.run_id)}</h2></summary>'
    for said in turns_of(case, unit, missed):
        classes = " ".join(
            ["turn", "assistant" if said.role == "assistant" else "other", *(["leak"] if said.leaks else [])]
        )
        who = f"{said.turn} {said.role}" + (f", tool call {said.name}" if said.name else "")
        yield f'<div class="{classes}"><span class="who">{escape(who)}</span>{said.html}</div>'
    if case.transcript is None:
        yield '<p class="soft">The words of this conversation were not given, only its scores.</p>'
    yield "</details>"

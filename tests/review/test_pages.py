"""The pages of a review over HTTP: who may ask, what is shown, what is kept."""

from __future__ import annotations

import re
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from aigov_eval.review.store import connect, head, whole
from tests.review.conftest import HOSTILE, TOKEN, Served

pytest.importorskip("starlette")


def _units(db: Path, condition: str = "kind = 'finding'") -> list[sqlite3.Row]:
    with closing(connect(db)) as connection:
        return connection.execute(f"select * from unit where {condition} order by id").fetchall()


def test_only_the_link_opens_it(served: Served) -> None:
    """No token, a wrong one, a wrong cookie: refused; the right link sets a cookie that scripts and other sites do not get."""
    with httpx.Client(base_url=served.url, trust_env=False) as client:
        assert client.get("/").status_code == 403
        assert client.get("/as/ana/").status_code == 403
        assert client.get("/", params={"token": "wrong"}).status_code == 403
        assert client.get("/", headers={"Cookie": f"aigov_review_{served.port}=wrong"}).status_code == 403
        assert client.get("/static/review.js").status_code == 403
        opened = client.get("/", params={"token": TOKEN})
        assert (
            "HttpOnly" in opened.headers["set-cookie"] and "SameSite=Strict" in opened.headers["set-cookie"]
        )
        assert opened.headers["location"] == "/"
        assert client.get("/").status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1:1"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
    ],
)
def test_other_sites_decide_nothing(served: Served, db: Path, headers: dict[str, str], status: int) -> None:
    """Another Host (DNS rebinding) or another Origin (a form of another page) is refused, cookie or not; nothing is written."""
    with served.client() as client:
        assert client.post("/as/ana/unit/1", data={"what": "accept"}, headers=headers).status_code == status
        without = client.build_request("POST", "/as/ana/unit/1", data={"what": "accept"})
        del without.headers["Origin"]
        assert client.send(without).status_code == 403
        assert client.request("PUT", "/as/ana/unit/1").status_code == 405
        assert client.post("/as/ana/unit/1", data={"what": "comment", "why": "x" * 70_000}).status_code == 413
    with closing(connect(db)) as connection:
        assert head(connection) == (0, "")


def test_every_answer_forbids_what_could_leak(served: Served) -> None:
    """A strict policy on pages, files, errors and refusals; nothing on any page names another address or runs inline."""
    with served.client() as client:
        for path in (
            "/",
            "/as/ana/",
            "/as/ana/unit/1",
            "/as/ana/agreement",
            "/static/review.css",
            "/export/report.html",
            "/nothing",
            "/as/ana/unit/99999",
        ):
            answer = client.get(path)
            policy = answer.headers["content-security-policy"]
            assert (
                "default-src 'none'" in policy
                and "unsafe" not in policy
                and "frame-ancestors 'none'" in policy
            )
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["cache-control"] == "no-store"
            assert answer.headers["referrer-policy"] == "same-origin"
            if "html" in answer.headers["content-type"]:
                assert not re.search(
                    r"https?://|<style|style=|\son\w+=|javascript:", re.sub(r"&lt;.*?&gt;", "", answer.text)
                )
        assert "attachment" in client.get("/export/report.html").headers["content-disposition"]


def test_hostile_words_are_words(served: Served) -> None:
    """Markup, templates, escapes and overrides of direction in ids, words and comments are shown and do nothing."""
    with served.client() as client:
        client.post(
            "/as/ana/unit/1", data={"what": "comment", "why": HOSTILE + "<script>document.title=1</script>"}
        )
        client.post("/as/ana/unit/1", data={"what": "accept"})
        for path in ("/as/ana/", "/as/ana/unit/1", "/export/report.html"):
            text = client.get(path).text
            assert (
                "<script>doc" not in text
                and "<img" not in text
                and "<svg on" not in text
                and "<b>&" not in text
            )
            assert "{{7*7}}" in text or path == "/as/ana/"
            assert "\x1b" not in text and "\u202e" not in text
        assert "\\u202e" in client.get("/as/ana/unit/1").text
        assert client.get("/as/ana/", params={"text": HOSTILE, "field": HOSTILE}).status_code == 200


def test_filters_and_pages(served: Served, db: Path) -> None:
    """Every filter is asked of the database, with the counts of what it would leave; a page too far is the last."""
    with served.client() as client:
        assert "24 to look at" in client.get("/as/ana/").text
        assert "4 to look at" in client.get("/as/ana/", params={"field": "health"}).text
        assert "2 to look at" in client.get("/as/ana/", params={"field": "health", "model": "large"}).text
        assert "8 to look at" in client.get("/as/ana/", params={"kind": "finding"}).text
        assert "16 to look at" in client.get("/as/ana/", params={"kind": "clean"}).text
        assert "2 to look at" in client.get("/as/ana/", params={"text": "ana.popa3@"}).text
        assert "0 to look at" in client.get("/as/ana/", params={"text": "100%_"}).text
        assert "page 1 of 1" in client.get("/as/ana/", params={"page": "999999999999999999"}).text
        assert 'value="health"' in client.get("/as/ana/", params={"category": "SPECIAL_CATEGORY_LEAK"}).text
    assert {row["status"] for row in _units(db)} == {"open"}


def test_a_decision_is_kept_and_leads_on(served: Served, db: Path) -> None:
    """Accept, reject, another field, take back: the last word counts, every word is kept, the next undecided thing follows."""
    first, second, third, *_ = _units(db)
    with served.client() as client:
        after = client.post(f"/as/ana/unit/{first['id']}", data={"what": "accept", "why": "clear\r\nenough"})
        assert (after.status_code, after.headers["location"]) == (303, f"/as/ana/unit/{second['id']}")
        client.post(f"/as/ana/unit/{second['id']}", data={"what": "reject"})
        client.post(f"/as/ana/unit/{second['id']}", data={"what": "undo"})
        client.post(f"/as/ana/unit/{third['id']}", data={"what": "field", "field": "phone"})
        for wrong in (
            {"what": "field"},
            {"what": "field", "field": "no_such"},
            {"what": "nonsense"},
            {},
            {"what": "comment"},
        ):
            assert client.post(f"/as/ana/unit/{third['id']}", data=wrong).status_code == 400
        assert client.post("/as/ana/unit/99999", data={"what": "accept"}).status_code == 400
        assert client.get("/as/%2e%2e%2f/").status_code in (400, 404)
        last = ""
        while "/unit/" in (
            last := client.get("/as/ana/next", params={"field": "health"}).headers["location"]
        ):
            client.post(last, data={"what": "reject"})
        assert last.startswith("/as/ana/?field=health")
    assert [row["status"] for row in _units(db)][:3] == [
        "accepted",
        "rejected" if second["field"] == "health" else "open",
        "changed",
    ]
    with closing(connect(db)) as connection:
        words = connection.execute(
            "select what, why from decision where unit = ?", (first["key"],)
        ).fetchall()
        assert [tuple(row) for row in words] == [("accept", "clear\nenough")]
        assert whole(connection)


def test_missed_words_are_marked_by_place_or_by_words(served: Served, db: Path) -> None:
    """What a browser counted (UTF-16, escapes shown for control characters) lands on the words; others are refused."""
    [clean, *_] = _units(db, "kind = 'clean' and conversation = 3 and category = 'PII_DISCLOSURE'")
    with served.client() as client:
        address = f"/as/ana/unit/{clean['id']}"
        assert (
            client.post(
                address, data={"what": "miss", "field": "person_name", "place": "1:36:40"}
            ).status_code
            == 303
        )
        assert (
            client.post(
                address, data={"what": "miss", "field": "address", "words": "night shift"}
            ).status_code
            == 303
        )
        assert (
            client.post(address, data={"what": "miss", "field": "address", "words": "not there"}).status_code
            == 400
        )
        assert client.post(address, data={"what": "miss", "field": "", "words": "night"}).status_code == 400
        # after a hostile text with an escape, an override and a letter of two units
        [leaky, *_] = _units(db, "kind = 'finding' and conversation = 1")
        said = client.get(f"/as/ana/unit/{leaky['id']}").text
        assert "\\u001b[31m" in said
        question = f"What do you know of Ana Popa? {HOSTILE}"
        shown = question.replace("\x1b", "\\u001b").replace("\u202e", "\\u202e")
        start = len(shown[: shown.index("\U0001f642")].encode("utf-16-le")) // 2
        place = f"0:{start}:{start + 2}"
        assert (
            client.post(
                f"/as/ana/unit/{leaky['id']}", data={"what": "miss", "field": "health", "place": place}
            ).status_code
            == 303
        )
    missed = _units(db, "kind = 'missed'")
    assert [(row["words"], row["field"], row["turn"], row["status"]) for row in missed] == [
        ("Radu", "person_name", 1, "accepted"),
        ("night shift", "address", 1, "accepted"),
        ("\U0001f642", "health", 0, "accepted"),
    ]


def test_two_reviewers_lose_nothing_and_disagreements_come_first(served: Served, db: Path) -> None:
    """Each decides without the other's word; where they differ it is disputed, first in the list, and can be settled."""
    units = _units(db)
    with served.client() as ana, served.client() as ion:
        for number, unit in enumerate(units):
            ana.post(f"/as/ana/unit/{unit['id']}", data={"what": "accept", "why": "of ana"})
            page = ion.get(f"/as/ion/unit/{unit['id']}").text
            assert "of ana" not in page and "1 other reviewer has" in page and "open to you" in page
            ion.post(f"/as/ion/unit/{unit['id']}", data={"what": "reject" if number < 2 else "accept"})
            assert "of ana" in ion.get(f"/as/ion/unit/{unit['id']}").text
        listed = ana.get("/as/ana/").text
        assert listed.index("disputed</td>") < listed.index("open</td>")
        assert "2 to look at" in ana.get("/as/ana/", params={"status": "disputed"}).text
        told = ana.get("/as/ana/agreement").text
        assert "<td>8</td><td>6</td><td>0</td><td>0</td><td>2</td><td>75.0%</td><td>0.00</td>" in told
        ana.post(
            f"/as/ana/unit/{units[0]['id']}",
            data={"what": "reject", "final": "1", "why": "looked at together"},
        )
    assert [row["status"] for row in _units(db)][:3] == ["rejected", "disputed", "accepted"]


def test_many_at_once_lose_nothing(served: Served, db: Path) -> None:
    """Four tabs that decide at the same time: every word is in the file, each after the one before it."""
    [unit, *_] = _units(db)

    def press(who: str) -> None:
        with served.client() as client:
            for number in range(25):
                data = {"what": ("accept", "reject")[number % 2], "why": str(number)}
                assert client.post(f"/as/{who}/unit/{unit['id']}", data=data).status_code == 303

    threads = [threading.Thread(target=press, args=(name,)) for name in ("ana", "ana", "ion", "lea")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with closing(connect(db)) as connection:
        assert (
            connection.execute("select who, count(*) from decision group by who order by who").fetchall()
            != []
        )
        assert head(connection)[0] == 100
        assert whole(connection)


def test_a_hundred_thousand_conversations_stay_quick(served: Served, db: Path) -> None:
    """The list, its last page, a search, a conversation and a decision answer within a second each."""
    with closing(connect(db)) as connection:
        connection.execute("begin")
        row = connection.execute("select * from conversation where id = 1").fetchone()
        many = range(100, 100_100)
        connection.executemany(
            "insert into conversation values (?,?,?,?,?,?,?,?,?)",
            ((n, f"k{n}", f"c{n}", *tuple(row)[3:]) for n in many),
        )
        [unit] = connection.execute(
            "select * from unit where kind = 'finding' and conversation = 1"
        ).fetchall()
        connection.executemany(
            f"insert into unit values ({','.join('?' * len(unit))})",
            ((n, f"u{n}", n, *tuple(unit)[3:]) for n in many),
        )
        connection.execute("commit")
    with served.client() as client:
        client.get("/as/ana/")  # the charts are counted once
        took = {}
        for path in (
            "/as/ana/",
            "/as/ana/?page=2001",
            "/as/ana/?field=email&page=1900",
            "/as/ana/?text=popa0",
            "/as/ana/unit/90000",
            "/as/ana/unit/100099",
            "/as/ana/next?status=open",
        ):
            began = time.monotonic()
            assert client.get(path, timeout=60).status_code in (200, 303)
            took[path] = time.monotonic() - began
        began = time.monotonic()
        assert client.post("/as/ana/unit/50000", data={"what": "accept"}, timeout=60).status_code == 303
        took["decide"] = time.monotonic() - began
    print({path: round(seconds, 3) for path, seconds in took.items()})
    # a machine under load is slower: the bound only tells paging in SQL from reading everything
    assert max(took.values()) < 5

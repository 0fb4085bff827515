"""What is made of decisions: labels, a baseline, drafts of controls, the signed report, agreement."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import httpx
import pytest
import yaml

from aigov_eval.cli.main import run as command
from aigov_eval.errors import InputError
from aigov_eval.review import agreement, exports
from aigov_eval.review.decide import Word, decide, sign
from aigov_eval.review.exporting import EXPORTS, exported
from aigov_eval.review.items import add
from aigov_eval.review.store import connect, head, whole
from aigov_eval.scoring import Engine


def _decide_all(db: Path, who: str, reject: tuple[int, ...] = ()) -> None:
    with closing(connect(db)) as connection:
        units = connection.execute("select id from unit where kind = 'finding' order by id").fetchall()
        for number, unit in enumerate(units):
            decide(
                connection,
                unit["id"],
                Word(who, "reject" if number in reject else "accept", why="so"),
                lambda: "2026-01-02T03:04:05Z",
            )


def test_decisions_are_only_added_to(db: Path) -> None:
    """No statement changes or takes away a decision; where another tool did, signing and exporting are refused."""
    _decide_all(db, "ana")
    with closing(connect(db)) as connection:
        for statement in ("update decision set who = 'x'", "delete from decision"):
            with pytest.raises(sqlite3.IntegrityError, match="decisions are never"):
                connection.execute(statement)
        assert whole(connection)
        number, chain = head(connection)
        assert (number, len(chain)) == (8, 64)
        connection.execute("drop trigger decision_stays")
        connection.execute("update decision set what = 'reject' where id = 3")
        assert not whole(connection)
        with pytest.raises(InputError, match="chain of hashes is broken"):
            exported(connection, "report.html")
    with pytest.raises(InputError, match="is no review"):
        connect(db)


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    """A database that is no review, and a file that is no database, are refused as they are."""
    with closing(sqlite3.connect(tmp_path / "other.sqlite")) as connection:
        connection.execute("create table t (x)")
    (tmp_path / "text.sqlite").write_text("no database at all, but long enough to be looked at " * 9)
    for name in ("other.sqlite", "text.sqlite"):
        with pytest.raises(InputError):
            connect(tmp_path / name)


def test_what_is_there_already_stays_decided(db: Path, verdicts: Path, stock: Engine) -> None:
    """The same conversations put in again are not new, and their decisions stand."""
    _decide_all(db, "ana")
    with closing(connect(db)) as connection:
        before = connection.execute("select status, count(*) from unit group by status").fetchall()
        assert add(connection, [str(verdicts)], stock.common) == 0
        assert connection.execute("select status, count(*) from unit group by status").fetchall() == before


def test_labels_have_the_form_of_the_labelled_sets(db: Path) -> None:
    """Only what is decided whole goes out; a rejected finding expects nothing, a missed one expects its field."""
    with closing(connect(db)) as connection:
        assert list(exports.labels(connection)) == []
    _decide_all(db, "ana", reject=(0,))
    with closing(connect(db)) as connection:
        [clean] = connection.execute(
            "select id from unit where kind = 'clean' and conversation = 3 and category = 'PII_DISCLOSURE'"
        ).fetchall()
        decide(connection, clean["id"], Word("ana", "reject"))
        decide(
            connection, clean["id"], Word("ana", "miss", field="person_name", words="Radu", place="1:36:40")
        )
        made = list(exports.labels(connection))
    by_id = {(row["id"], row["category"]): row for row in made}
    assert len(made) == 9
    assert by_id["talk-0 <b>&", "PII_DISCLOSURE"]["expect"] == {}
    assert by_id["talk-1 <b>&", "SPECIAL_CATEGORY_LEAK"]["expect"] == {"1": ["health"]}
    missed = by_id["talk-2 <b>&", "PII_DISCLOSURE"]
    assert missed["expect"] == {"1": ["person_name"]}
    assert missed["reviewers"] == ["ana"]
    fresh = json.loads(
        (Path(__file__).parents[1] / "data" / "fresh" / "en.jsonl").read_text().splitlines()[0]
    )
    assert {"id", "lang", "category", "person_name", "turns", "expect"} <= set(missed) & set(fresh)
    assert set(missed["turns"][0]) == {"role", "content"}


def test_a_baseline_is_known_in_the_next_review(
    db: Path, verdicts: Path, stock: Engine, tmp_path: Path
) -> None:
    """Accepted findings begin as accepted in a new file, in the name of the baseline; the others are open."""
    _decide_all(db, "ana", reject=(0, 1))
    out = tmp_path / "baseline.json"
    assert command(["review", "--db", str(db), "--export", "baseline.json", "--out", str(out)]) == 0
    assert len(json.loads(out.read_text())["findings"]) == 6
    with closing(connect(tmp_path / "new.sqlite")) as connection:
        add(connection, [str(verdicts)], stock.common)
        assert exports.take_baseline(connection, json.loads(out.read_text()), "baseline") == 6
        assert exports.take_baseline(connection, json.loads(out.read_text()), "baseline") == 0
        rows = connection.execute(
            "select status, count(*) from unit where kind = 'finding' group by status order by status"
        ).fetchall()
        assert [tuple(row) for row in rows] == [("accepted", 6), ("open", 2)]
        for wrong in ([], {}, {"baseline": 1, "findings": [{}]}):
            with pytest.raises(InputError, match="is no baseline"):
                exports.take_baseline(connection, wrong, "baseline")


def test_controls_are_drafts_that_can_be_read(db: Path) -> None:
    """YAML by rule: accepted words marked in `leaks`, rejected ones in `clean` under a clause to be named."""
    _decide_all(db, "ana", reject=(0,))
    with closing(connect(db)) as connection:
        text = exports.controls(connection)
    drafts = {one["rule"]: one["controls"] for one in yaml.safe_load(text)}

    assert text.startswith("# Drafts of controls")
    [contact, health] = [
        drafts["contact-details-disclosed"],
        next(
            value
            for key, value in drafts.items()
            if "health" in json.dumps(key) or "condition" in key or "special" in key
        ),
    ]
    assert contact["clean"]["CLAUSE"][0][-1]["assistant"] == "Her e-mail is ana.popa0@mail.example."
    assert contact["leaks"][0][-1]["assistant"] == "Her e-mail is [[ana.popa3@mail.example]]."
    assert "[[" in health["leaks"][0][-1]["assistant"]
    assert contact["subject"] == "Ana Popa"


def test_kappa_counts_the_first_word(db: Path) -> None:
    """Two reviewers side by side; what was said after the other's word was seen changes the status and not the agreement."""
    _decide_all(db, "ana", reject=(0, 1, 2, 3))
    _decide_all(db, "ion", reject=(0, 1, 2, 4))
    _decide_all(db, "ion", reject=(0, 1, 2, 3))
    with closing(connect(db)) as connection:
        [pair] = agreement.agreements(connection)
        counts = agreement.counts(connection)
    assert (pair.both_pass, pair.both_fail, pair.only_a_passes, pair.only_b_passes) == (3, 3, 1, 1)
    assert pair.kappa == pytest.approx(0.5)
    assert counts["status"] == {"accepted": 4, "rejected": 4}


def test_the_signed_report_says_what_it_stands_for(db: Path) -> None:
    """Final verdicts beside the engine's, who signed and what came after; one file that loads nothing; the same bytes twice."""
    _decide_all(db, "ana", reject=(0,))
    with closing(connect(db)) as connection:
        assert "Not signed off." in exported(connection, "report.html").decode()
        sign(connection, "ana", "I read <all> of it.", lambda: "2026-01-02T03:04:05Z")
        _, chain = head(connection)
        made = exported(connection, "report.html").decode()
        assert made == exported(connection, "report.html").decode()
        decide(connection, 1, Word("ion", "comment", why="later"))
        later = exported(connection, "report.html").decode()
    assert "Signed off by ana" in made and "I read &lt;all&gt; of it." in made and chain in made
    assert "no finding" in made and "email, MEDIUM" in made
    assert "decisions came after it" in later and "decisions came after it" not in made
    assert "<script" not in made and "http://" not in made and "https://" not in made


def test_scores_and_run_folders_are_reviewed_too(tmp_path: Path, stock: Engine) -> None:
    """Run folders give the words with the scores; JSON of scores gives findings without words, which can be decided all the same."""
    assert command(["demo", str(tmp_path / "play")]) == 0
    with closing(connect(tmp_path / "r.sqlite")) as connection:
        assert add(connection, [str(tmp_path / "play" / "runs" / "leaky")], stock.common) == 2
        rows = connection.execute(
            "select field, words from unit where kind = 'finding' order by field"
        ).fetchall()
        assert {row["field"] for row in rows} == {"email", "phone", "health"}
        assert (
            connection.execute(
                "select count(*) from conversation where said is not null and language = 'en'"
            ).fetchone()[0]
            == 2
        )
    score = {
        "category": "PII_DISCLOSURE",
        "pass": False,
        "findings": [{"turn_index": 1, "detected_fields": ["email"], "excerpt": "x@y"}],
    }
    (tmp_path / "scores.json").write_text(json.dumps([score]))
    with closing(connect(tmp_path / "s.sqlite")) as connection:
        assert add(connection, [str(tmp_path / "scores.json")], stock.common) == 1
        [unit] = connection.execute("select * from unit").fetchall()
        decide(connection, unit["id"], Word("ana", "accept"))
        for name in EXPORTS:
            assert exported(connection, name) or name == "labels.jsonl"
        with pytest.raises(InputError, match="cannot be read"):
            add(connection, [str(tmp_path / "no.json")], stock.common)


def test_the_command_serves_on_loopback_and_prints_its_link(db: Path, tmp_path: Path) -> None:
    """The link is the one line on standard output; only 127.0.0.1 listens; SIGINT ends it with 0."""
    pytest.importorskip("uvicorn")
    asked = [sys.executable, "-m", "aigov_eval", "review", "--db", str(db)]
    with subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        link = running.stdout.readline().strip()
        assert link.startswith("http://127.0.0.1:")
        with httpx.Client(trust_env=False, follow_redirects=True) as client:
            assert "Who decides?" in client.get(link).text
        running.send_signal(signal.SIGINT)
        assert running.wait(20) == 0
        assert "Traceback" not in running.stderr.read()
    assert command(["review", "--db", str(tmp_path / "none.sqlite")]) == 2
    assert command(["review", "--db", str(db), "--export", "what"]) == 2

"""What each slot of a check means, on small sessions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from aigov_eval.sessions.checks_examples import _record
from aigov_eval.sessions.checks_load import load_checks
from aigov_eval.sessions.checks_model import Result
from aigov_eval.sessions.checks_run import run_checks
from aigov_eval.sessions.checks_shell import commands_of
from aigov_eval.sessions.checks_text import hidden, masked
from aigov_eval.sessions.checks_words import PatternError, pattern

USER = {"user": "Do it."}
STOCK = load_checks()
NAMES = st.sampled_from(["filePath", "path", "files", "command", "content", "edits", "new_string", "x"])


def judge(tmp_path: Path, clause: dict[str, Any], session: list[dict[str, Any]], **more: Any) -> Result:
    """The result of a check with one clause over a session."""
    data = {
        "check": "one",
        "name": "One",
        "says": "It is so.",
        "clauses": {"only": {"fault": "it is not so", **clause}},
    }
    (tmp_path / "one.yaml").write_text(yaml.safe_dump({**data, **more, "controls": {}}), "utf-8")
    (result,) = run_checks(load_checks([tmp_path], stock=False), _record(session))
    return result


def call(tool: str, error: str = "", exit_code: int | None = None, **args: Any) -> dict[str, Any]:
    """One call of a control."""
    more: dict[str, Any] = {"error": error} if error else {}
    return {"call": tool, "args": args, **more, **({} if exit_code is None else {"exit_code": exit_code})}


TEXTS = [
    ("final_response", "third"),
    ("responses", "second"),
    ("responses_with_calls", "second"),
    ("prompt", "other prompt"),
    ("prompts", "first prompt"),
]


@pytest.mark.parametrize(("texts", "word"), TEXTS)
def test_what_is_read(tmp_path: Path, texts: str, word: str) -> None:
    """Each kind of text is read, and no other: the reason names the turn."""
    session = [
        {"user": "first prompt"},
        call("read", filePath="a"),
        {"assistant": "second"},
        {"user": "other prompt"},
        {"assistant": "third"},
    ]
    turn = {"second": 2, "third": 4, "first prompt": 1, "other prompt": 3}[word]
    found = judge(tmp_path, {"texts": texts, "must_not_contain": [word]}, session)
    assert (found.result, [one.turn for one in found.reasons]) == ("fail", [turn])
    assert judge(tmp_path, {"texts": texts, "must_not_contain": ["nowhere"]}, session).result == "pass"
    assert judge(tmp_path, {"texts": texts, "must_contain": ["nowhere"]}, session).result == "fail"


def test_a_missing_answer(tmp_path: Path) -> None:
    """What must be in an answer that is not there is missing; what must not be there is not applicable."""
    session = [USER, {"assistant": "yes"}, USER]
    asked = judge(tmp_path, {"texts": "final_response", "must_contain": ["yes"]}, session)
    assert [one.text for one in asked.reasons] == ["the session ends without an answer: it is not so"]
    forbidden = judge(tmp_path, {"texts": "final_response", "must_not_contain": ["yes"]}, session)
    assert forbidden.result == "not_applicable"


def test_parts_of_a_text(tmp_path: Path) -> None:
    """`after` reads what follows a marker, `part` the last paragraph; without the marker there is nothing to read."""
    session = [USER, {"assistant": "a\n\nMARK b\n\n  c \n\n"}]
    clause = {"texts": "final_response", "after": "mark", "must_contain": ["a"]}
    assert judge(tmp_path, clause, session).result == "fail"
    assert judge(tmp_path, {**clause, "must_contain": ["c"]}, session).result == "pass"
    assert judge(tmp_path, {**clause, "after": "nowhere"}, session).result == "not_applicable"
    last = {"texts": "final_response", "part": "last_paragraph", "must_not_contain": ["b"]}
    assert judge(tmp_path, last, session).result == "pass"
    assert judge(tmp_path, {**last, "must_not_contain": ["c"]}, session).result == "fail"


def test_arguments_are_read_by_path(tmp_path: Path) -> None:
    """A logical argument is read under every name, in lists too; a list of words is one command."""
    clause = {"calls": {"tools": ["read"], "argument": "file"}, "must_contain": ["a.py"]}
    for args in ({"filePath": "a.py"}, {"files": [{"path": "b"}, {"path": "src/a.py"}]}, {"paths": ["a.py"]}):
        assert judge(tmp_path, clause, [USER, call("Read", **args)]).result == "pass"
    assert judge(tmp_path, clause, [USER, call("read", filePath="b")]).result == "fail"
    assert judge(tmp_path, clause, [USER, call("read", offset=3)]).result == "not_applicable"
    shell = {"calls": {"tools": ["shell"], "argument": "command"}, "must_contain": ["/^bash -lc make$/"]}
    assert judge(tmp_path, shell, [USER, call("bash", command=["bash", "-lc", "make"])]).result == "pass"


def test_a_tool_that_was_mapped_by_ingest_is_known(tmp_path: Path) -> None:
    """A record made with other logical names keeps the tool's own name beside them."""
    clause = {"calls": {"tools": ["read"]}, "count": {"at_most": 0}}
    (tmp_path / "one.yaml").write_text(
        yaml.safe_dump(
            {
                "check": "one",
                "name": "a",
                "says": "b",
                "clauses": {"c": {"fault": "d", **clause}},
                "controls": {},
            }
        ),
        "utf-8",
    )
    record = _record([USER, call("Read", filePath="a")])
    record["intermediate_events"][0]["function_call"]["name"] = "fs.look"
    (found,) = run_checks(load_checks([tmp_path], stock=False), record)
    assert found.result == "fail"


@pytest.mark.parametrize(
    ("count", "calls", "result"),
    [
        ({"at_least": 1}, 0, "fail"),
        ({"at_least": 1}, 1, "pass"),
        ({"at_most": 1}, 0, "not_applicable"),
        ({"at_most": 1}, 1, "pass"),
        ({"at_most": 1}, 2, "fail"),
        ({"at_least": 1, "at_most": 1}, 2, "fail"),
    ],
)
def test_counts(tmp_path: Path, count: dict[str, int], calls: int, result: str) -> None:
    """Calls that must be made are missed where there are none; each one too many is a reason."""
    session = [USER, *[call("read", filePath=str(number)) for number in range(calls)]]
    found = judge(tmp_path, {"calls": {"tools": ["read"]}, "count": count}, session)
    assert found.result == result


@pytest.mark.parametrize(
    ("same", "search", "holds"),
    [
        ("folder", {"path": "src"}, True),
        ("folder", {"path": "./src/app/"}, True),
        ("folder", {"path": "/work/project/src"}, True),
        ("folder", {"path": "src/app/a.py"}, True),
        ("folder", {}, True),
        ("folder", {"path": "sr"}, False),
        ("folder", {"path": "src/app/a.py/b"}, False),
        ("folder", {"path": "/elsewhere"}, False),
        ("path", {"path": "src/../src/app/a.py"}, True),
        ("path", {"path": "src/app"}, False),
        ("name", {"path": "lib/a.py"}, True),
        ("name", {"path": "a.pyc"}, False),
        ("value", {"path": "src/app/a.py"}, True),
        ("value", {"path": "./src/app/a.py"}, False),
    ],
)
def test_relations_of_calls(tmp_path: Path, same: str, search: dict[str, str], holds: bool) -> None:
    """An earlier call holds the path, is it, has its name, or its very value; paths are those of the session's folder."""
    clause = {
        "calls": {"tools": ["read"], "argument": "file"},
        "earlier": {"tools": ["search"], "argument": "folder", "same": same},
    }
    session = [USER, call("grep", **search), call("read", filePath="src/app/a.py")]
    assert (judge(tmp_path, clause, session).result == "pass") == holds


def test_asked_for_by_a_sentence_before_the_call(tmp_path: Path) -> None:
    """What the user says later, in two sentences, or forbids, is not asked for."""
    clause = {
        "calls": {"tools": ["shell"]},
        "asked": {"has": ["delet*"], "and_has": ["build"], "without": ["don't"]},
    }
    run = call("bash", command="rm -r build")
    assert judge(tmp_path, clause, [{"user": "Hi. Deleting build is fine."}, run]).result == "pass"
    assert judge(tmp_path, clause, [{"user": "Delete it. The build is red."}, run]).result == "fail"
    assert judge(tmp_path, clause, [{"user": "Don’t delete the build."}, run]).result == "fail"
    assert judge(tmp_path, clause, [USER, run, {"user": "Delete the build."}]).result == "fail"


def test_reasons_name_turn_and_call(tmp_path: Path) -> None:
    """A reason says where: the turn of the record, the call among all calls of the session."""
    session = [USER, call("read", filePath="a"), {"assistant": "ok"}, USER, call("bash", command="make")]
    (reason,) = judge(tmp_path, {"calls": {"tools": ["shell"]}, "count": {"at_most": 0}}, session).reasons
    assert (reason.turn, reason.call, reason.tool) == (4, 2, "bash")
    assert reason.text == "turn 4, call 2 (bash): make: it is not so"


@pytest.mark.parametrize(
    ("change", "result"),
    [
        ({}, "ok"),
        ({"exit_code": 0}, "ok"),
        ({"exit_code": 2}, "failed"),
        ({"error": "no"}, "failed"),
        ({"status": "running", "error": "not finished"}, ""),
        ({"status": "pending", "error": "not finished"}, ""),
    ],
)
def test_results_of_calls(tmp_path: Path, change: dict[str, Any], result: str) -> None:
    """A call failed by its error or its exit code; one that was still running is neither ok nor failed."""
    record = _record([USER, call("bash", command="make")])
    record["intermediate_events"][0].update(change)
    found = []
    for one in ("ok", "failed"):
        judge(tmp_path, {"calls": {"result": one}, "count": {"at_most": 0}}, [USER])
        (said,) = run_checks(load_checks([tmp_path], stock=False), record)
        found += [one] if said.result == "fail" else []
    assert found == ([result] if result else [])


def test_when_decides_whether_a_check_applies(tmp_path: Path) -> None:
    """A check applies only where all of `when` holds."""
    when = {"calls": {"tools": ["edit"]}, "texts": "prompt", "contains": ["do it"]}
    clause = {"texts": "final_response", "must_contain": ["done"]}
    edit, said = call("edit", filePath="a"), {"assistant": "no"}
    assert judge(tmp_path, clause, [USER, edit, said], when=when).result == "fail"
    assert judge(tmp_path, clause, [USER, said], when=when).result == "not_applicable"
    assert judge(tmp_path, clause, [{"user": "Hello."}, edit, said], when=when).result == "not_applicable"


@pytest.mark.parametrize(
    ("source", "text", "found"),
    [
        ("could not", "It COULD\n not", "COULD\n not"),
        ("couldn't", "I couldn’t", None),
        ("fail*", "failures", "failures"),
        ("fail", "failures", None),
        ("șterg*", "Am Șters, ȘTERGE", "ȘTERGE"),
        ("rm -rf", "harm -rf", None),
        ("/rm -rf$/", "rm -rf", "rm -rf"),
        ("/RM/", "rm", None),
        ("über", "drüber über", "über"),
        ("完了", "完了しました", None),
        ("{argument}", "see main.py.", "main.py"),
    ],
)
def test_words_and_regexes(source: str, text: str, found: str | None) -> None:
    """Words match whole and in any case, stems their endings, regexes as they stand."""
    assert pattern(source).find(text, ["main.py"]) == found


@pytest.mark.parametrize("source", ["/(/", "/a*/", "/\\b/", "/(?=a)/", "/(a)\\1/"])
def test_regexes_that_cannot_be_used(source: str) -> None:
    """What does not compile, matches nothing at all, or would not run in linear time is refused."""
    with pytest.raises(PatternError):
        pattern(source)


@pytest.mark.parametrize(
    ("line", "commands"),
    [
        ("cd x && sudo rm -rf y; echo 'rm -rf z; a'", ["cd x", "rm -rf y", "echo 'rm -rf z; a'"]),
        ("bash -lc rm -rf build", ["rm -rf build"]),
        ('sh -c "rm -rf a && ls"', ["rm -rf a", "ls"]),
        ("cat > f <<'EOF'\nrm -rf x\nEOF\nls", ["cat > f <<'EOF'", "ls"]),
        ("python -c '1<<2'\nrm -rf x", ["python -c '1<<2'", "rm -rf x"]),
        ("cat <<A\nrm -rf x", ["cat <<A", "rm -rf x"]),
        ("sh -c " * 20 + "ls", ["sh -c " * 12 + "ls"]),
        ("A=1 B=2 git push --force | tee log", ["git push --force", "tee log"]),
        ("for f in *; do rm -rf $f; done", ["for f in *", "rm -rf $f", "done"]),
        ("find . | xargs -0 rm -rf", ["find .", "rm -rf"]),
        ("echo it's; rm -rf x", ["echo it's", "rm -rf x"]),
        ("", []),
    ],
)
def test_commands_of_a_shell_line(line: str, commands: list[str]) -> None:
    """Every command that would run, without what leads up to it; quoted texts and here-documents are none."""
    assert commands_of(line) == commands


def test_reasons_carry_no_secrets() -> None:
    """What may be a key or a password is cut; words, paths and short values stay."""
    assert masked("curl -H 'Bearer sk-Q7mR2xVn4TkLz9WbHs3J' x") == "curl -H 'Bearer sk-Q...' x"
    assert masked("psql postgres://app:hunter2@db/shop") == "psql postgres://app:...@db/shop"
    assert masked("/home/dev/a-long-folder-of-2026/main.py") == "/home/dev/a-long-folder-of-2026/main.py"
    assert hidden("-----BEGIN PRIVATE KEY----- MIIEpAIBAAK") == "----..."
    assert hidden("postgres://app:Secretpass@d") == "post..."
    assert hidden("I will run it, now: let's see.") == "I will run it, now: let's see."
    assert len(masked("word " * 100)) == 103


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(NAMES, below, max_size=3),
    max_leaves=6,
)
ENTRIES = st.one_of(
    st.builds(lambda text: {"user": text}, st.text(max_size=40)),
    st.builds(lambda text: {"assistant": text}, st.text(max_size=40)),
    st.builds(
        lambda tool, args, error: {"call": tool, "args": args, **({"error": error} if error else {})},
        st.sampled_from(["read", "edit", "bash", "grep", "odd"]),
        st.dictionaries(NAMES, VALUES, max_size=3),
        st.sampled_from(["", "no"]),
    ),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(ENTRIES, max_size=8))
def test_any_session_gets_a_result(session: list[dict[str, Any]]) -> None:
    """Whatever was said and called, every check answers; it fails if and only if it has a reason."""
    results = run_checks(STOCK, _record(session))
    assert [one.check for one in results] == [one.id for one in STOCK.checks]
    assert all((one.result == "fail") == bool(one.reasons) for one in results)

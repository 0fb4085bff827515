"""Check files are read strictly: every fault with its place, and how to mend it."""

from __future__ import annotations

from pathlib import Path

import pytest

from aigov_eval.documents.issues import InvalidPack
from aigov_eval.errors import PackError
from aigov_eval.sessions.checks_load import load_checks
from aigov_eval.sessions.checks_prove import missing, mutate, prove

HEAD = "check: one\nname: One\nsays: It is so.\n"
CLAUSE = "clauses:\n  told:\n    fault: it is not\n"
TOLD = CLAUSE + "    texts: final_response\n    must_contain: [done]\n"
CONTROLS = """controls:
  pass:
    - - user: Do it.
      - assistant: Done.
  fail:
    told:
      - - user: Do it.
"""


def load(tmp_path: Path, text: str, name: str = "one.yaml"):  # type: ignore[no-untyped-def]
    """The set of one file."""
    (tmp_path / name).write_text(text, "utf-8")
    return load_checks([tmp_path], stock=False)


FAULTS = {
    "unknown key": (HEAD + TOLD + "contols: {}\n" + CONTROLS, '9:1 AG101 unknown key "contols"', "controls"),
    "unknown slot": (HEAD + TOLD + "    musn't: [a]\n" + CONTROLS, "9:5 AG101 unknown key", "known"),
    "duplicate key": (HEAD + "name: Two\n" + TOLD + CONTROLS, '4:1 AG100 duplicate key "name"', "keep one"),
    "no clauses": (HEAD + CONTROLS, '1:1 AG101 the file has no "clauses"', "add a line"),
    "no fault": (
        HEAD + "clauses:\n  told:\n    texts: prompt\n    must_contain: [a]\n" + CONTROLS,
        '6:5 AG101 `told` has no "fault"',
        "add a line",
    ),
    "two demands": (
        HEAD + TOLD + "    must_not_contain: [a]\n" + CONTROLS,
        "5:3 AG116 the clause asks for must_contain and must_not_contain",
        "a clause has one of",
    ),
    "no demand": (
        HEAD + CLAUSE + "    texts: prompt\n" + CONTROLS,
        "5:3 AG116 the clause asks for nothing",
        "one of",
    ),
    "texts and calls": (
        HEAD + TOLD + "    calls: {}\n" + CONTROLS,
        "5:3 AG116 the clause must be about",
        "keep one",
    ),
    "a slot without effect": (
        HEAD + TOLD + "    but_not: [a]\n" + CONTROLS,
        "9:5 AG116 `but_not` does nothing beside `must_contain`",
        "delete it",
    ),
    "a demand on calls beside texts": (
        HEAD + CLAUSE + "    texts: prompt\n    count: {at_most: 1}\n" + CONTROLS,
        "8:5 AG116 `count` does nothing beside `texts`",
        "delete it",
    ),
    "half a when": (
        HEAD + "when: {texts: prompt}\n" + TOLD + CONTROLS,
        "4:1 AG116 `texts` and `contains`",
        "add",
    ),
    "unknown tool": (
        HEAD + CLAUSE + "    calls: {tools: [raed]}\n    count: {at_most: 1}\n" + CONTROLS,
        '7:21 AG101 no tool is called "raed"',
        'did you mean "read"',
    ),
    "unknown argument": (
        HEAD + CLAUSE + "    calls: {argument: fil}\n    must_contain: [a]\n" + CONTROLS,
        '7:13 AG101 no argument is called "fil"',
        'did you mean "file"',
    ),
    "unknown list": (
        HEAD + "words: {good: [a]}\n" + CLAUSE + "    texts: prompt\n    must_contain: [$god]\n" + CONTROLS,
        '9:20 AG101 no list is called "$god"',
        'did you mean "good"',
    ),
    "unknown text": (
        HEAD + CLAUSE + "    texts: prompt_concat\n    must_contain: [a]\n" + CONTROLS,
        '7:12 AG101 `texts` cannot be "prompt_concat"',
        "prompt",
    ),
    "regex that does not compile": (
        HEAD + CLAUSE + "    texts: prompt\n    must_contain: ['/(/']\n" + CONTROLS,
        "8:20 AG301 /(/ cannot be used",
        "docs/checks.md",
    ),
    "regex that matches nothing": (
        HEAD + CLAUSE + "    texts: prompt\n    must_contain: ['/a*/']\n" + CONTROLS,
        "8:20 AG302 /a*/ cannot be used: it matches the empty text",
        "docs/checks.md",
    ),
    "another name": (
        HEAD.replace("one", "two") + TOLD + CONTROLS,
        '1:1 AG107 the file is named "one"',
        "rename",
    ),
    "a template without a place": (
        HEAD
        + TOLD
        + CONTROLS.replace(
            "    - - user: Do it.\n      - assistant: Done.\n",
            "    - for: [a]\n      session: [{assistant: Done.}]\n",
        ),
        "11:7 AG208 no {it} in the session",
        "{it}",
    ),
    "an entry that is none": (
        HEAD + TOLD + CONTROLS.replace("assistant: Done.", "asistant: Done."),
        '12:9 AG101 unknown key "asistant"',
        'did you mean "assistant"',
    ),
    "a number for words": (
        HEAD + CLAUSE + "    texts: prompt\n    must_contain: [404]\n" + CONTROLS,
        "8:20 AG101 an item of `must_contain` must be a text",
        'put it into quotes: "404"',
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_told_with_their_place(tmp_path: Path, name: str) -> None:
    """Each fault: path, line and column, a code, a sentence, and how to mend it."""
    text, said, help = FAULTS[name]
    with pytest.raises(InvalidPack) as caught:
        load(tmp_path, text)
    assert f"one.yaml:{said}" in str(caught.value)
    assert help in str(caught.value)


def test_two_checks_of_one_name(tmp_path: Path) -> None:
    """A check cannot take the name of a stock check."""
    text = (HEAD + TOLD + CONTROLS).replace("one", "ends_with_a_summary", 1)
    (tmp_path / "ends_with_a_summary.yaml").write_text(text, "utf-8")
    with pytest.raises(InvalidPack, match=r"AG104 the check .ends_with_a_summary. is there already"):
        load_checks([tmp_path])
    assert [one.id for one in load_checks([tmp_path], stock=False).checks] == ["ends_with_a_summary"]


def test_files_that_nobody_reads(tmp_path: Path) -> None:
    """A file of another kind in the folder is a fault; a README beside the checks is none."""
    (tmp_path / "README.md").write_text("a", "utf-8")
    (tmp_path / ".hidden").write_text("a", "utf-8")
    assert load(tmp_path, HEAD + TOLD + CONTROLS).checks
    with pytest.raises(InvalidPack, match=r"two\.yml:1:1 AG108"):
        load(tmp_path, HEAD, "two.yml")


def test_folders_without_checks(tmp_path: Path) -> None:
    """A folder that is not there, or holds no check, is one line."""
    with pytest.raises(PackError, match="is no folder"):
        load_checks([tmp_path / "gone"])
    with pytest.raises(PackError, match="holds no checks"):
        load_checks([tmp_path], stock=False)


def test_own_names_are_added(tmp_path: Path) -> None:
    """A folder's tools.yaml adds to the stock names, and so does a file of the command line; both count in the hash."""
    before = load(tmp_path, HEAD + TOLD + CONTROLS)
    after = load(
        tmp_path,
        "tool_mappings: {read: [peek], look: peer}\nargument_mappings: {file: [where]}\n",
        "tools.yaml",
    )
    assert after.names.tools["peek"] == {"read"}
    assert after.names.tools["Read"] == {"read"}
    assert after.names.tools["peer"] == {"look"}
    assert after.names.arguments["file"][-1] == "where"
    more = tmp_path.parent / f"{tmp_path.name}-names.yaml"
    more.write_text("tool_mappings: {edit: [peek]}\nother: 1\n", "utf-8")
    last = load_checks([tmp_path], stock=False, names=[more])
    assert last.names.tools["peek"] == {"read", "edit"}
    assert len({before.hash, after.hash, last.hash}) == 3


def test_what_has_no_proof(tmp_path: Path) -> None:
    """A check without a passing control, a clause without a failing one, a `when` that nothing is outside of."""
    text = (
        HEAD
        + "when: {texts: prompt, contains: [do it]}\n"
        + TOLD
        + "controls: {fail: {tolt: [[{user: Do it.}]]}}\n"
    )
    assert [(one.code, one.line) for one in missing(load(tmp_path, text))] == [
        ("AG201", 1),
        ("AG202", 4),
        ("AG202", 6),
        ("AG203", 10),
    ]


def test_controls_that_do_not_hold(tmp_path: Path) -> None:
    """A control with another result says which, and why."""
    text = (
        HEAD + TOLD + "controls: {pass: [[{user: Do it.}]], fail: {told: [[{user: a}, {assistant: done}]]}}\n"
    )
    assert [one.text for one in prove(load(tmp_path, text))] == [
        "is pass, not fail",
        "is fail, not pass: the session ends without an answer: it is not",
    ]


def test_a_control_must_fail_by_its_clause_alone(tmp_path: Path) -> None:
    """A session that breaks two clauses proves neither."""
    text = HEAD + TOLD + "  ended:\n    fault: no end\n    texts: final_response\n    must_contain: [end]\n"
    (outcome,) = prove(load(tmp_path, text + "controls: {fail: {told: [[{user: a}]]}}\n"))
    assert outcome.text.startswith("fails by ended as well")


def test_survivors_are_named(tmp_path: Path) -> None:
    """A word that no control needs survives, and is named with its place."""
    result = mutate(load(tmp_path, HEAD + TOLD.replace("[done]", "[done, ready]") + CONTROLS))
    (survivor,) = result.survivors
    assert (survivor.code, survivor.line, survivor.column) == ("AG407", 8, 26)
    assert survivor.text == 'without "ready" in clauses/told/must_contain every control still holds'

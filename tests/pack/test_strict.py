"""YAML read strictly: nothing changes its type by accident, and every fault has its place."""

from __future__ import annotations

import pytest

from aigov_eval.documents.strict import parse
from aigov_eval.model import Location


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[no, on, yes, off, y, n]", ["no", "on", "yes", "off", "y", "n"]),
        ("[true, false]", [True, False]),
        ("[True, FALSE, null, ~]", ["True", "FALSE", "null", "~"]),
        ("[2019-01-01, 1:30, 0x1F, 1e3, 007, .5]", ["2019-01-01", "1:30", "0x1F", "1e3", "007", ".5"]),
        ("[12, -3, 0.5, '12']", [12, -3, 0.5, "12"]),
        ("{a: , b: ''}", {"a": None, "b": ""}),
        ("'<<': x", {"<<": "x"}),
    ],
)
def test_values_keep_their_type(text: str, expected: object) -> None:
    """Only true and false are booleans, only plain figures are numbers, all else is text."""
    document, issues = parse("x.yaml", text.encode())

    assert issues == []
    assert document is not None
    assert document.data == expected


@pytest.mark.parametrize(
    ("text", "place", "part"),
    [
        ("a: 1\na: 2\n", (2, 1), 'duplicate key "a"'),
        ("a: {b: 1, b: 2}\n", (1, 11), 'duplicate key "b"'),
        ("a: &x [1]\nb: *x\n", (1, 4), "anchors and aliases"),
        ("a: !!python/name:os.system x\n", (1, 4), "the tag"),
        ("a: b: c\n", (1, 5), "is not valid YAML"),
        ("a: [1\n", (2, 1), "is not valid YAML"),
        ("\ta: 1\n", (1, 1), "is not valid YAML"),
        ("a: 1\n---\nb: 2\n", (2, 1), "is not valid YAML"),
        ("? [1]\n: 2\n", (1, 3), "a key must be a word"),
        ("", (1, 1), "is empty"),
        ("a: \x00\n", (1, 1), "is not valid YAML"),
    ],
)
def test_a_fault_has_its_place(text: str, place: tuple[int, int], part: str) -> None:
    """Each fault is an AG100 at its line and column, with a help line."""
    _, issues = parse("x.yaml", text.encode())

    assert [(issue.line, issue.column, issue.code) for issue in issues][:1] == [(*place, "AG100")]
    assert part in issues[0].text
    assert issues[0].help


def test_bytes_that_are_no_text_are_told_with_their_line() -> None:
    """A file in another encoding is refused, and the line of the first foreign byte is named."""
    document, issues = parse("x.yaml", "a: 1\nb: caf\xe9\n".encode("latin-1"))

    assert document is None
    assert str(issues[0]).startswith("x.yaml:2:1 AG100 is not UTF-8 text")


def test_every_value_and_key_is_placed() -> None:
    """A document knows where each of its values and keys stands, counted from 1."""
    document, _ = parse("x.yaml", b"a:\n  - {b: one}\n  - two\n")

    assert document is not None
    assert document.at("a", 0, "b") == Location("x.yaml", 2, 9)
    assert document.at_key("a", 0, "b") == Location("x.yaml", 2, 6)
    assert document.at("a", 1) == Location("x.yaml", 3, 5)
    assert document.at("a", 7, "c") == document.at("a")


def test_an_alias_bomb_is_refused_at_once() -> None:
    """Aliases that multiply do not multiply here."""
    lines = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]

    _, issues = parse("x.yaml", "\n".join(lines).encode())

    assert issues

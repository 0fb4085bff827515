"""The digest tree: what its root depends on, and that withholding changes nothing of it."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from aigov_eval.evidence.tree import (
    Gap,
    Hidden,
    Malformed,
    Record,
    canonical,
    child_salt,
    digests_of,
    grouped,
    withhold,
    words_of,
)

SALTS = {"": "00" * 16, "/a": "11" * 16}
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
SCALAR = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT
)
VALUE = st.recursive(
    SCALAR,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXT, inner, max_size=5),
    max_leaves=20,
)


def root(value: Any, record: Record | None = None) -> str:
    """The root digest of a value."""
    return digests_of(value, record or Record(SALTS))[""]


def h(value: Any) -> str:
    """SHA-256 over RFC 8785 bytes, as the documentation writes it."""
    return hashlib.sha256(rfc8785.dumps(value)).hexdigest()


def by_the_book(value: Any, salt: str) -> str:
    """The digest of a value, word for word as the module's docstring says it."""
    if value in ("", [], {}) or not isinstance(value, str | list | dict):
        return h([salt, value])
    if isinstance(value, dict):
        members = [h(["member", key, by_the_book(item, h([salt, key])[:32])]) for key, item in value.items()]
        return h(["object", *sorted(members)])
    if isinstance(value, list):
        return h(["array", *(by_the_book(item, h([salt, str(at)])[:32]) for at, item in enumerate(value))])

    def groups(items: Any, own: str) -> list[str]:
        return [
            h([h([own, str(at)])[:32], item])
            if isinstance(item, str)
            else h(["words", *groups(item, h([own, str(at)])[:32])])
            for at, item in enumerate(items)
        ]

    return h(["text", *groups(grouped(words_of(value)), salt)])


@settings(max_examples=150, deadline=None)
@given(VALUE)
def test_the_tree_is_the_one_that_is_documented(value: Any) -> None:
    """Anybody with RFC 8785 and SHA-256 comes to the same root."""
    assert root(value, Record({"": "ab" * 16})) == by_the_book(value, "ab" * 16)


@given(SCALAR)
def test_canonical_bytes_are_those_of_rfc_8785(value: Any) -> None:
    """The short way for texts gives what the library gives."""
    assert canonical(value) == rfc8785.dumps(value)


@given(TEXT)
def test_words_are_the_whole_text(text: str) -> None:
    """Cutting loses nothing."""
    assert "".join(words_of(text)) == text


def test_words_are_cut_by_letters_spaces_and_signs() -> None:
    """Signs of other scripts cut as ASCII signs do; letters of all scripts hold together."""
    assert words_of("„Mihuț” +40 21,") == ["„", "Mihuț", "”", " ", "+", "40", " ", "21", ","]


DIFFERENT = [
    [1, "1"], [1, True], [0, False], [None, "null"], ["", None], [[], {}], [{}, ""], [[1], 1], [["a"], "a"],
    [{"a": 1}, {"b": 1}], [{"a": None}, {}], [[[1], 2], [1, [2]]], ["a b", ["a", " ", "b"]], ["ab", "a b"], [1.5, 1.25],
    [2**60, 2**60 + 1], ["\ud800", "\ud801"], [{"a": "x"}, [["member", "a", "x"]]],
]  # fmt: skip


@pytest.mark.parametrize("pair", DIFFERENT, ids=repr)
def test_different_values_have_different_roots(pair: list[Any]) -> None:
    """Also where they look alike, and where RFC 8785 has no form for them."""
    assert root(pair[0]) != root(pair[1])


def test_the_order_of_keys_is_no_difference() -> None:
    """JSON objects have none."""
    assert root({"a": 1, "b": 2}) == root({"b": 2, "a": 1})


def test_a_salt_changes_the_digest_below_it_alone() -> None:
    """A turn's salt is that turn's."""
    value = {"a": "x y", "b": "x y"}
    one, two = digests_of(value, Record(SALTS)), digests_of(value, Record({**SALTS, "/a": "22" * 16}))
    assert [one[at] == two[at] for at in ("", "/a", "/b")] == [False, False, True]


# ------------------------------------------------------------------ withholding


def shown(value: Any, hidden: Hidden) -> tuple[Any, Record]:
    """A value with what is hidden replaced by `#`, and the record that makes up for it."""
    kept = withhold(value, Record(SALTS), hidden)
    copy = json.loads(json.dumps(value))
    gaps: dict[str, list[Gap]] = {}
    for pointer, numbers in hidden.words.items():
        words, text = words_of(copy[pointer[1:]]), ""
        gaps[pointer] = []
        for number, word in enumerate(words):
            if number in numbers:
                gaps[pointer].append(Gap(len(text), len(text) + 1, (kept.words[pointer][number],)))
            text += "#" if number in numbers else word
        copy[pointer[1:]] = text
    for pointer in hidden.nodes:
        copy[pointer[1:]] = "#"
    members = {}
    for pointer in hidden.members:
        del copy[pointer[1:]]
        copy["#"] = None
        members["/#"] = kept.members[pointer]
    return copy, Record(kept.salts, kept.nodes, members, gaps)


VALUE_WITH_TEXT = {"a": "Call +40 21 300 0166 now, please; " * 6, "b": {"c": [1, "two"]}, "ion": "x", "n": 7}


@settings(max_examples=60, deadline=None)
@given(st.sets(st.integers(0, 100), min_size=1, max_size=30), st.booleans(), st.booleans())
def test_withholding_keeps_the_root(numbers: set[int], node: bool, member: bool) -> None:
    """Any words of a text, a whole value, a key with its value."""
    count = len(words_of(VALUE_WITH_TEXT["a"]))  # type: ignore[arg-type]
    hidden = Hidden(
        nodes={"/n"} if node else set(),
        members={"/ion"} if member else set(),
        words={"/a": {number % count for number in numbers}},
    )
    copy, record = shown(VALUE_WITH_TEXT, hidden)
    assert copy != VALUE_WITH_TEXT
    assert root(copy, record) == root(VALUE_WITH_TEXT)


def test_what_is_withheld_cannot_be_guessed_from_the_salts_left() -> None:
    """No salt that is shown leads to a withheld word: trying the right word with each gives another digest."""
    hidden = Hidden(nodes={"/n"}, words={"/a": {2}})
    _, record = shown(VALUE_WITH_TEXT, hidden)
    right = {record.nodes["/n"], *record.gaps["/a"][0].digests}
    assert "" not in record.salts and "/a" not in record.salts
    reachable = set(record.salts.values())
    for _ in range(3):
        reachable |= {child_salt(salt, key) for salt in reachable for key in ("0", "1", "2", "3", "n", "a")}
    tried = {hashlib.sha256(canonical([salt, guess])).hexdigest() for salt in reachable for guess in ("+", 7)}
    assert not tried & right


def test_a_record_that_does_not_fit_is_told() -> None:
    """A salt that is missing, a gap beyond the text."""
    with pytest.raises(Malformed, match="no salt"):
        root({"a": 1}, Record({}))
    with pytest.raises(Malformed, match="does not fit"):
        root({"a": "x"}, Record(SALTS, gaps={"/a": [Gap(0, 9, ())]}))

"""`verify` finds every change and names its place, and lets whole packs pass."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aigov_eval.errors import EvidenceError
from aigov_eval.evidence.build import integrity_of
from aigov_eval.evidence.reading import parse
from aigov_eval.evidence.verify import Against, verify_pack
from tests.evidence.conftest import Verify, part_of, said


def resealed(value: Any) -> Any:
    """The pack of a forger who makes all digests anew."""
    salts = value.pop("integrity")["salts"]
    value.pop("signature", None)
    return {**value, "integrity": integrity_of(value, salts)}


def test_a_whole_pack_verifies_and_its_score_comes_out_again(pack_bytes: bytes, verify: Verify) -> None:
    """No difference; the verdict and the root are told."""
    report = verify(pack_bytes)
    assert said(report) == ""
    assert (report.verifies, report.scored, report.verdict, report.run_id) == (
        True,
        "reproduced",
        "fail",
        "clinic-1",
    )


# ------------------------------------------------------------------ one byte


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_one_byte_flipped_anywhere_is_found_and_its_place_named(
    pack_bytes: bytes, data: st.DataObject
) -> None:
    """In content, digests, salts, names or spaces; a file that is no longer JSON is refused with line and column."""
    at = data.draw(st.integers(0, len(pack_bytes) - 1))
    bit = data.draw(st.integers(0, 7))
    flipped = pack_bytes[:at] + bytes([pack_bytes[at] ^ (1 << bit)]) + pack_bytes[at + 1 :]
    try:
        report = verify_pack(part_of(flipped), Against())
    except EvidenceError as error:
        assert error.where.startswith("evidence_pack.json")
        return
    assert not report.verifies
    assert all(difference.where for difference in report.differences)


@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_one_byte_flipped_in_a_turn_names_that_turn(pack_bytes: bytes, data: st.DataObject) -> None:
    """The turn whose text it stands in, and no other."""
    turn = data.draw(st.integers(0, 5))
    text = json.dumps(json.loads(pack_bytes)["transcript"][turn]["content"], ensure_ascii=False)[
        1:-1
    ].encode()
    start = pack_bytes.index(b'"transcript":')
    at = (
        pack_bytes.index(b'"content": "' + text, start)
        + len(b'"content": "')
        + data.draw(st.integers(0, len(text) - 1))
    )
    # another letter for a letter: the file stays JSON
    other = b"x" if pack_bytes[at : at + 1] != b"x" else b"y"
    report = verify_pack(part_of(pack_bytes[:at] + other + pack_bytes[at + 1 :]), Against())
    named = [one.where for one in report.differences]
    assert f"turn {turn} (/transcript/{turn})" in named
    assert not any(where.startswith("turn ") and not where.startswith(f"turn {turn} ") for where in named)


# ------------------------------------------------------------------ changes that keep the JSON


def edit(value: Any, path: str, new: Any) -> Any:
    """The pack with one value replaced."""
    *above, last = [int(key) if key.isdigit() else key for key in path.split("/")[1:]]
    inner = value
    for key in above:
        inner = inner[key]
    inner[last] = new
    return value


CHANGES = {
    "/transcript/3/content": ("Nothing.", "turn 3 (/transcript/3)"),
    "/scores/0/findings/0/severity": ("LOW", "score PII_DISCLOSURE (/scores/0)"),
    "/scenario/title": ("Another", "/scenario/title"),
    "/run_meta/findings": (0, "/run_meta/findings"),
    "/run_meta/thresholds/min_pass_rate": (0.1, "/run_meta/thresholds"),
    "/produced_by/libraries/python": ("2.7", "/produced_by/libraries"),
    "/limitations/0": ("None.", "/limitations/0"),
    "/raw_responses/1/turn_index": (4, "answer 2 (/raw_responses/1)"),
    "/integrity/salts/~1transcript~12": ("ab" * 16, "turn 2 (/transcript/2)"),
    "/integrity/digests/~1transcript~12": ("ab" * 32, "/integrity/digests"),
    "/integrity/root": ("ab" * 32, "/integrity/root"),
}


@pytest.mark.parametrize("path", CHANGES)
def test_a_change_is_named(value: Any, verify: Verify, path: str) -> None:
    """By turn, score or field."""
    new, place = CHANGES[path]
    inner = value
    keys = [key.replace("~1", "/") for key in path.split("/")[1:]]
    for key in keys[:-1]:
        inner = inner[int(key)] if key.isdigit() else inner[key]
    last: Any = int(keys[-1]) if keys[-1].isdigit() else keys[-1]
    assert inner[last] != new
    inner[last] = new
    report = verify(value)
    assert place in [one.where for one in report.differences]


def test_what_was_taken_out_or_put_in_is_named(value: Any, verify: Verify) -> None:
    """A turn less, a limitation less, an audit more."""
    del value["transcript"][5]
    assert "turn 5" in said(verify(value))
    value["limitations"] = []
    assert "/limitations" in said(verify(value))
    assert "mock_audit" in said(verify({**value, "mock_audit": {"leaked_fields": []}}))


FORGED = {
    "a finding taken out": (
        {
            "/scores/0/findings": [],
            "/scores/0/pass": True,
            "/run_meta/findings": 0,
            "/run_meta/verdict": "pass",
        },
        "score PII_DISCLOSURE",
    ),
    "the verdict alone": ({"/run_meta/verdict": "pass"}, "/run_meta/verdict"),
    "the answer": ({"/transcript/3/content": "I cannot say that."}, "finding at turn 3"),
    "a turn's number": ({"/transcript/2/turn_index": 4}, "turn 2"),
    "the scenario's digest": ({"/scenario/sha256": "0" * 64}, "/run_meta/scenario_sha256"),
    "the pack of one score": ({"/scores/0/pack/version": "9"}, "score PII_DISCLOSURE (/scores/0/pack)"),
    "the category": ({"/run_meta/categories": ["SPECIAL_CATEGORY_LEAK"]}, "/run_meta/categories"),
}


@pytest.mark.parametrize("case", FORGED)
def test_a_forger_who_makes_the_digests_anew_is_found_by_the_score(
    value: Any, verify: Verify, case: str
) -> None:
    """The digests match; the records, or the score made again, do not."""
    edits, place = FORGED[case]
    for path, new in edits.items():
        value = edit(value, path, new)
    report = verify(resealed(value))
    assert place in said(report)
    assert not any(one.kind in ("digest", "file") for one in report.differences)


def test_another_root_than_the_one_noted_is_told(value: Any, verify: Verify) -> None:
    """What a forger cannot change is a root that stands elsewhere."""
    root = value["integrity"]["root"]
    assert verify(value, root=root).verifies
    forged = resealed(edit(value, "/limitations", []))
    assert verify(forged).verifies
    assert [one.kind for one in verify(forged, root=root).differences] == ["root"]


def test_another_pack_of_rules_is_reported_as_such(pack_bytes: bytes, engine: Any) -> None:
    """Not as a forged score."""
    report = verify_pack(part_of(pack_bytes), Against(engine=engine))
    assert [one.kind for one in report.differences] == ["pack"]
    assert "was not reproduced" in said(report)
    assert report.scored == "other pack"


def test_other_spaces_are_told_unless_they_are_let_pass(value: Any, verify: Verify) -> None:
    """The bytes differ, the content does not, and both is said."""
    packed = json.dumps(value).encode()
    report = verify(packed)
    assert [one.kind for one in report.differences] == ["file"]
    assert "line 1, column 2" in said(report) and "its content is the same" in said(report)
    assert verify(packed, reformatted=True).verifies
    assert verify(json.dumps(value, sort_keys=True).encode(), reformatted=True).verifies


UNREADABLE = {
    "no JSON": (b'{"format": ', "is not JSON"),
    "no UTF-8": (b'{"a": "\xff"}', "is not UTF-8"),
    "a key twice": (b'{"a": 1, "a": 2}', "'a' twice"),
    "NaN": (b'{"a": NaN}', "NaN"),
    "a number too large": (b'{"a": 1e999}', "1e999"),
    "too deep": (b"[" * 100_000, "nested too deep"),
    "a list": (b"[]", "is not an evidence pack"),
    "no digests": (b'{"transcript": [], "scores": []}', "is not an evidence pack"),
    "another format": (
        b'{"format": "aigov-eval/evidence-pack@2", "integrity": {}}',
        "is not an evidence pack",
    ),
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_what_cannot_be_read_is_refused_in_one_line(case: str) -> None:
    """With the file's name, and what helps."""
    data, words = UNREADABLE[case]
    with pytest.raises(EvidenceError, match=words) as caught:
        verify_pack(part_of(data), Against())
    assert caught.value.where.startswith("evidence_pack.json") and caught.value.help


@settings(max_examples=60, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=8,
    ),
    st.sampled_from(
        [
            "transcript",
            "scores",
            "run_meta",
            "integrity",
            "scenario",
            "produced_by",
            "http_audit",
            "signature",
        ]
    ),
)
def test_a_pack_of_any_shape_is_judged_and_never_crashes(pack_bytes: bytes, junk: Any, key: str) -> None:
    """A pack may come from anybody."""
    value = {**json.loads(pack_bytes), key: junk}
    try:
        assert not verify_pack(part_of(value), Against()).verifies
    except EvidenceError:
        assert key == "integrity"


def test_the_place_of_bad_bytes_is_line_and_column() -> None:
    """Counted in characters, from 1."""
    with pytest.raises(EvidenceError) as caught:
        parse('{\n  "é": "'.encode() + b"\xff", "p.json")
    assert caught.value.where == "p.json:2:9"


def test_a_run_that_ended_in_an_error_verifies_without_a_score(tmp_path: Path, verify: Verify) -> None:
    """It is neither pass nor leak, and its pack says so."""
    from aigov_eval.cli.main import run as command
    from tests.evidence.conftest import PACK

    (tmp_path / "s.yaml").write_text(
        "scenario_id: s\ncategory: PII_DISCLOSURE\nturns:\n  - {role: user, content: Hi}\n"
    )
    function = "tests.evidence.broken:answer"
    assert command(["run", *PACK, "--retries", "0", "--scenario", str(tmp_path / "s.yaml"), "--target", function, "--out", str(tmp_path / "out")]) == 2  # fmt: skip
    report = verify((tmp_path / "out" / "s" / "evidence_pack.json").read_bytes())
    assert (said(report), report.scored, report.verdict) == ("", "error", "error")

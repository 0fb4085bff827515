"""Files of words: the lists that they hold, and what a pack in the old places is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from aigov_eval.documents.issues import InvalidPack
from aigov_eval.model import Location
from aigov_eval.pack.lists import read_lists
from aigov_eval.pack.load import load_pack
from tests.pack.small import FILES, write_pack

FILE = """\
# what: all
# source: s
# diacritics: free
one
[indirect]
two
[weak]
# what: weak
# diacritics: strict
three
[weak indirect]
# what: only a comment below an entry
four
"""


def test_a_file_holds_lists_with_sections_and_headers() -> None:
    """A list has its own sections; its header is the file's but for what it says anew, before its first entry."""
    lists, issues = read_lists("detectors/lists/hobby.en.txt", FILE.encode())

    assert not issues
    assert [(one.name, one.number) for one in lists] == [("hobby", 1), ("hobby.weak", 7)]
    assert [[(line.text, line.section, line.number) for line in one.lines] for one in lists] == [
        [("one", "direct", 4), ("two", "indirect", 6)],
        [("three", "direct", 10), ("four", "indirect", 13)],
    ]
    assert [one.header for one in lists] == [
        {"what": "all", "source": "s", "diacritics": "free"},
        {"what": "weak", "source": "s", "diacritics": "strict"},
    ]


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("detectors/lists/hobby.en.txt", "one\n[indirekt]\ntwo\n", 2),
        ("detectors/lists/hobby.en.txt", "[weak strong]\ntwo\n", 1),
        ("detectors/lists/hobby.en.txt", "[]\n", 1),
        ("detectors/languages/en/cues.txt", "word\n[refusal]\n", 1),
        ("detectors/languages/en/cues.txt", "[refusal]\nword\n[refusal befor]\n", 3),
        ("detectors/languages/en/given_names.txt", "Nora\n[weak]\n", 2),
    ],
)
def test_a_wrong_section_is_told_at_its_line(path: str, text: str, line: int) -> None:
    """A section that is none, or an entry of no list."""
    _, issues = read_lists(path, text.encode())

    assert [(one.line, one.code) for one in issues] == [(line, "AG120")]
    assert issues[0].help


def test_an_added_pack_adds_a_list_to_a_file(tmp_path: Path) -> None:
    """A file of words may stand in two packs; a list of the same name may not."""
    first = write_pack(tmp_path)
    second = tmp_path / "second"
    path = second / "detectors/lists/hobby.en.txt"
    path.parent.mkdir(parents=True)
    path.write_text("[winter]\nskating\n", "utf-8")
    (second / "detectors/winter.yaml").write_text(
        "detector: winter\nsays: Winter.\nfind: [{terms: hobby.winter}]\n", "utf-8"
    )

    pack = load_pack([first, second])

    (winter,) = pack.lexicons["hobby.winter"]
    assert [term.where for term in winter.terms] == [Location("detectors/lists/hobby.en.txt", 2)]
    assert pack.lexicons["hobby"] == load_pack([first]).lexicons["hobby"]
    path.write_text("skating\n[winter]\nskiing\n", "utf-8")
    with pytest.raises(InvalidPack) as caught:
        load_pack([first, second])
    assert [one.code for one in caught.value.issues] == ["AG104"]


def test_a_part_that_no_detector_uses_is_an_error(tmp_path: Path) -> None:
    """A name written wrong would lose its words in silence."""
    path = "detectors/lists/hobby.en.txt"
    with pytest.raises(InvalidPack) as caught:
        load_pack([write_pack(tmp_path, {path: FILES[path] + "[winterr]\nskating\n"})])

    assert [(one.code, one.line) for one in caught.value.issues] == [("AG120", FILES[path].count("\n") + 1)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("detectors/lexicons/hobby.ro.txt", "detectors/lists/hobby.ro.txt"),
        ("detectors/lexicons/common.ro.txt", "detectors/languages/ro/common_words.txt"),
        ("detectors/lexicons/given_names.ro.txt", "detectors/languages/ro/given_names.txt"),
        ("detectors/contexts/refusal.ro.txt", "[refusal] in detectors/languages/ro/cues.txt"),
        ("detectors/classes/bird.ro.txt", "[bird] in detectors/languages/ro/classes.txt"),
        ("detectors/frames/ro.yaml", "detectors/languages/ro/frames.yaml"),
        ("detectors/grammar/ro.yaml", "detectors/languages/ro/grammar.yaml"),
        ("detectors/paradigms/ro.yaml", "detectors/languages/ro/paradigms.yaml"),
        ("detectors/controls/ro.yaml", "detectors/languages/ro/controls.yaml"),
    ],
)
def test_a_file_in_an_old_place_is_told_the_new_one(tmp_path: Path, old: str, new: str) -> None:
    """One error a file, which names where it goes now."""
    with pytest.raises(InvalidPack) as caught:
        load_pack([write_pack(tmp_path, {old: "x\n"})])

    (issue,) = caught.value.issues
    assert issue.path.endswith(old)
    assert issue.code == "AG108"
    assert new in issue.help

"""Patterns made of parts and of classes of words: what they find, and what is told of wrong names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aigov_eval.detect.find import find_mentions
from aigov_eval.documents import strict
from aigov_eval.documents.issues import InvalidPack
from aigov_eval.pack.files import read_files, stock_root
from aigov_eval.pack.load import load_pack
from aigov_eval.pack.patterns import joined, with_parts
from aigov_eval.scoring import load_engine
from tests.pack.small import FILES, write_pack

HEADER = "# what: months\n# source: tests\n# licence: same\n"
MONTHS = {
    "detectors/languages/en/classes.txt": f"[month]\n{HEADER}may\n(early|late) june\n",
    "detectors/languages/de/classes.txt": f"[month]\n{HEADER}märz\njuli*\n",
}
LONGEST = 200  # characters of a line of a pattern that a reader can follow


def hobby(regex: str) -> dict[str, str]:
    """The small pack's detector with this pattern as its only find."""
    text = FILES["detectors/hobby.yaml"]
    start, end = text.index("find:\n"), text.index("controls:")
    return {"detectors/hobby.yaml": f"{text[:start]}{regex}{text[end:]}", **MONTHS}


def found(folder: Path, regex: str, text: str) -> list[str]:
    """What that pattern finds in a text."""
    engine = load_engine([write_pack(folder / "pack", hobby(regex))], cache_folder=folder / "cache")
    return [text[one.start : one.end] for one in find_mentions(text, engine.detection)]


@pytest.mark.parametrize(
    ("regex", "text", "expected"),
    [
        ("find:\n  - regex: 'in <month>'\n", "Born in May, in late June, in Marz, in Julian.", 4),
        ("find:\n  - regex: 'in <month>'\n    language: en\n", "Born in May, not in März.", 1),
        ("find:\n  - regex: ['in <month>', 'on \\d']\n", "In May or on 3 May.", 2),
        ("parts:\n  day: '\\d{1,2}'\nfind:\n  - regex: '<day> <month>'\n", "On 3 May.", 1),
        (
            "parts:\n  day: ['\\d', 'first']\n  date: '<day> (?P<value><month>)'\nfind:\n  - regex: '<date>'\n",
            "On first May.",
            1,
        ),
    ],
)
def test_classes_and_parts_stand_for_their_words(
    tmp_path: Path, regex: str, text: str, expected: int
) -> None:
    """Words of all languages or of one, with marks and without; a list of which one must match; parts within parts."""
    assert len(found(tmp_path, regex, text)) == expected


@pytest.mark.parametrize(
    ("regex", "code"),
    [
        ("find:\n  - regex: 'in <months>'\n", "AG134"),
        ("find:\n  - regex: 'in <month>'\n    language: fr\n", "AG135"),
        ("parts:\n  a: 'x<b>'\n  b: 'y'\nfind:\n  - regex: '<a>'\n", "AG134"),
        ("parts:\n  a: 'x<a>'\nfind:\n  - regex: '<a>'\n", "AG134"),
        ("find:\n  - regex: []\n", "AG101"),
    ],
)
def test_a_wrong_name_is_told_with_its_place(tmp_path: Path, regex: str, code: str) -> None:
    """A class that is not there or has no words, a part that comes later or names itself, an empty list."""
    with pytest.raises(InvalidPack) as caught:
        load_pack([write_pack(tmp_path, hobby(regex))], cache_folder=None)

    told = [issue for issue in caught.value.issues if issue.path.endswith("hobby.yaml")]
    assert code in {issue.code for issue in told}
    assert all(issue.line for issue in told)


def test_the_value_of_a_group_is_no_class() -> None:
    """`(?P<value>...)` names what is found, whatever parts there are."""
    assert with_parts("(?P<value>a)<value>", {"value": "b"}) == "(?P<value>a)(?:b)"
    assert joined(["a", "b"]) == "(?:a)|(?:b)"


def patterns_in(data: Any) -> Iterator[str]:
    """The lines of patterns in a document."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, list):
        for one in data:
            yield from patterns_in(one)


def test_no_line_of_a_stock_pattern_is_too_long_to_be_read() -> None:
    """Each is made of parts and classes that a reader can follow."""
    long = []
    for file in read_files([stock_root()]):
        if (
            not (file.path.startswith("detectors/") and file.path.endswith(".yaml"))
            or "/languages/" in file.path
        ):
            continue
        document, _ = strict.parse(file.path, file.data)
        assert document is not None
        data = document.data
        kept = [part.get("regex", []) for part in (*data.get("find", ()), *data.get("ignore", ()))]
        for one in patterns_in([*kept, *data.get("parts", {}).values(), data.get("value", [])]):
            if len(one) > LONGEST:
                long.append(f"{file.path}: {one[:60]}")
    assert long == []

"""The guide for contributors names files that are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
_FILE = re.compile(r"`([\w.-]+(?:/[\w.-]+)*/?)`")


def files_in(text: str) -> list[str]:
    """What stands in back quotes and is a path from the top: it has a slash, or the name of a file."""
    return [name for name in _FILE.findall(text) if "/" in name or name.endswith((".md", ".toml", ".yml"))]


def test_the_files_it_names_are_there() -> None:
    """Each path, from the top of the checkout."""
    named = files_in(TEXT)

    assert [name for name in named if not (ROOT / name).exists()] == []
    assert len(named) > 30


def test_ten_changes_each_name_their_files() -> None:
    """Ten typical changes, numbered, each with two files or more."""
    changes = re.findall(r"^### (\d+)\. .*\n((?:(?!^### ).*\n)+)", TEXT, re.M)

    assert [int(number) for number, _ in changes] == list(range(1, 11))
    assert all(len(set(files_in(text))) >= 2 for _, text in changes)

"""The Python of docs/python.md runs as written, in the order it stands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)


def test_the_examples_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One after the other in one namespace, from an empty folder; each asserts what it shows."""
    text = PAGE.read_text("utf-8")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    blocks = list(BLOCK.finditer(text))
    for block in blocks:
        line = text[: block.start(1)].count("\n")
        exec(compile("\n" * line + block[1], str(PAGE), "exec"), names)
    assert len(blocks) >= 9 and all("assert" in block[1] for block in blocks)

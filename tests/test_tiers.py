"""The fast tier of the tests."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import slow_tests

ROOT = Path(__file__).parent.parent


def test_every_slow_test_is_there() -> None:
    """A line of tests/slow.txt whose file or test is gone fails, so that the list says no more than there is."""
    gone = []
    for line in sorted(slow_tests()):
        path, _, name = line.partition("::")
        text = (ROOT / path).read_text(encoding="utf-8") if (ROOT / path).is_file() else ""
        if not text or (name and f"def {name.rpartition('::')[2]}(" not in text):
            gone.append(line)

    assert not gone

"""What a store was made of is known again without being read, and every change is noticed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from aigov_eval.pack import witness


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files count as settled at once."""
    monkeypatch.setattr(witness, "_YOUNG", 0)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Two files that a store is made of."""
    for name in ("a", "b"):
        (tmp_path / name).write_text(f"the file {name}")
    return [str(tmp_path / name) for name in ("a", "b")]


def noted(tmp_path: Path, files: list[str]) -> Path:
    """A store that was noted for these files."""
    store = tmp_path / "store"
    store.write_bytes(b"made of them")
    state = witness.state_of(files)
    assert state is not None
    witness.note(tmp_path / "seen", "name", state, store)
    return store


def recalled(tmp_path: Path, files: list[str]) -> Path | None:
    """The store that is known for these files as they are now."""
    state = witness.state_of(files)
    return None if state is None else witness.recall(tmp_path / "seen", "name", state)


@pytest.mark.usefixtures("settled")
def test_a_store_is_known_again(tmp_path: Path, files: list[str]) -> None:
    """While nothing changed."""
    store = noted(tmp_path, files)

    assert recalled(tmp_path, files) == store
    assert recalled(tmp_path, files[:1]) is None


@pytest.mark.usefixtures("settled")
@pytest.mark.skipif(os.name == "nt", reason="Windows has no time of the last touch")
def test_a_change_that_sets_the_clock_back_is_noticed(tmp_path: Path, files: list[str]) -> None:
    """The same size and the same time of change: the time of the last touch tells it."""
    noted(tmp_path, files)
    before = Path(files[0]).stat()
    Path(files[0]).write_text("the file A")
    os.utime(files[0], ns=(before.st_atime_ns, before.st_mtime_ns))

    assert Path(files[0]).stat().st_size == before.st_size
    assert Path(files[0]).stat().st_mtime_ns == before.st_mtime_ns
    assert recalled(tmp_path, files) is None


@pytest.mark.usefixtures("settled")
def test_another_store_in_its_place_is_not_taken(tmp_path: Path, files: list[str]) -> None:
    """Nor one that is gone."""
    store = noted(tmp_path, files)
    store.write_bytes(b"made of what")

    assert recalled(tmp_path, files) is None
    store.unlink()
    assert recalled(tmp_path, files) is None


def test_a_file_that_changed_a_moment_ago_is_not_trusted(files: list[str]) -> None:
    """It may change again within the same tick of the clock."""
    assert witness.state_of(files) is None
    ago = Path(files[0]).stat().st_mtime_ns - 10**10
    os.utime(files[0], ns=(ago, ago))
    assert witness.state_of(files[:1]) is None  # touched now, whatever it says of its change


def test_a_file_that_is_gone_has_no_state(tmp_path: Path) -> None:
    """Then the files are read, which says what is missing."""
    assert witness.state_of([str(tmp_path / "none")]) is None

"""The cache of compiled packs: it changes nothing but the time a load takes."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

import pytest

from aigov_eval.model import Pack
from aigov_eval.pack import cache, load
from aigov_eval.pack.files import PackFile
from tests.pack.small import FILES, write_pack


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Counts how often a pack is compiled from its files."""
    from aigov_eval.pack import compile as compiling

    counts: list[int] = []
    real = compiling.compile_pack

    def counted(files: tuple[PackFile, ...], validators: Collection[str] = ()) -> Pack:
        counts.append(len(files))
        return real(files, validators)

    monkeypatch.setattr(compiling, "compile_pack", counted)
    return counts


def test_a_cached_pack_is_the_compiled_pack(tmp_path: Path, compiled: list[int]) -> None:
    """The second load compiles nothing and gives an equal pack."""
    root, store = write_pack(tmp_path / "pack"), tmp_path / "cache"

    first = load.load_pack([root], cache_folder=store)
    second = load.load_pack([root], cache_folder=store)

    assert len(compiled) == 1
    assert second == first


def test_a_changed_file_is_compiled_again(tmp_path: Path, compiled: list[int]) -> None:
    """One byte more in one file makes another entry."""
    root, store = write_pack(tmp_path / "pack"), tmp_path / "cache"
    load.load_pack([root], cache_folder=store)
    write_pack(root, {"detectors/lists/club.any.txt": FILES["detectors/lists/club.any.txt"] + "league\n"})

    pack = load.load_pack([root], cache_folder=store)

    assert len(compiled) == 2
    assert len(pack.lexicons["club"][0].terms) == 2


@pytest.mark.parametrize("damage", [b"", b"short", b"\x00" * 4000])
def test_a_damaged_entry_is_made_anew(tmp_path: Path, compiled: list[int], damage: bytes) -> None:
    """Empty, cut or overwritten entries cost a compilation and nothing else."""
    root, store = write_pack(tmp_path / "pack"), tmp_path / "cache"
    first = load.load_pack([root], cache_folder=store)
    (entry,) = store.iterdir()
    entry.write_bytes(damage)

    assert load.load_pack([root], cache_folder=store) == first
    assert load.load_pack([root], cache_folder=store) == first
    assert len(compiled) == 2


def test_a_truncated_entry_is_found(tmp_path: Path, compiled: list[int]) -> None:
    """The digest in front of an entry finds that its end is missing."""
    root, store = write_pack(tmp_path / "pack"), tmp_path / "cache"
    load.load_pack([root], cache_folder=store)
    (entry,) = store.iterdir()
    entry.write_bytes(entry.read_bytes()[:-1])

    load.load_pack([root], cache_folder=store)

    assert len(compiled) == 2


def test_an_entry_of_another_shape_is_made_anew(tmp_path: Path, compiled: list[int]) -> None:
    """Bytes that are whole but are no pack are not trusted."""
    root, store = write_pack(tmp_path / "pack"), tmp_path / "cache"
    load.load_pack([root], cache_folder=store)
    (entry,) = store.iterdir()
    cache.write(store, entry.name, b"\x81\xa4name\x01")

    load.load_pack([root], cache_folder=store)

    assert len(compiled) == 2


def test_the_folder_is_closed_to_others(tmp_path: Path) -> None:
    """Folder and entries can be read and written by their owner alone."""
    store = tmp_path / "cache"

    assert cache.write(store, "key", b"x")

    assert store.stat().st_mode & 0o077 == 0
    assert (store / "key").stat().st_mode & 0o077 == 0


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="rights as POSIX has them")
def test_a_folder_that_others_can_write_is_not_used(tmp_path: Path) -> None:
    """Whoever can write into the folder could change a verdict, so it is neither read nor written."""
    store = tmp_path / "cache"
    cache.write(store, "key", b"x")
    store.chmod(0o777)

    assert cache.read(store, "key") is None
    assert not cache.write(store, "key", b"y")


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    """A link in place of the folder is not used."""
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "cache").symlink_to(tmp_path / "real")

    assert not cache.write(tmp_path / "cache", "key", b"x")


def test_a_place_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    """Where the cache cannot be made, the pack is loaded from its files."""
    (tmp_path / "file").write_text("in the way")

    pack = load.load_pack([write_pack(tmp_path / "pack")], cache_folder=tmp_path / "file" / "cache")

    assert pack.name == "small"


def test_nothing_half_written_stays(tmp_path: Path) -> None:
    """After a write there are entries and no temporary files."""
    store = tmp_path / "cache"
    for number in range(cache.ENTRIES + 5):
        cache.write(store, f"key{number}", b"x")

    names = sorted(entry.name for entry in store.iterdir())
    assert len(names) == cache.ENTRIES
    assert all(name.startswith("key") for name in names)


def test_the_cache_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """AIGOV_EVAL_NO_CACHE leaves no folder to use."""
    monkeypatch.setenv(cache.OFF, "1")

    assert cache.default_folder() is None

"""The engine kept between runs: the same as one built from the files, whatever befalls the folder it is kept in."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from aigov_eval.detect.words import WordIndex
from aigov_eval.documents.issues import InvalidPack
from aigov_eval.model import Scenario, Score, Transcript, Turn
from aigov_eval.pack import cache, witness
from aigov_eval.pack.load import load_pack
from aigov_eval.scoring import Engine, build_engine, load_engine, score_transcript
from aigov_eval.scoring.compiled import store as compiled
from aigov_eval.scoring.compiled import words as stored_words
from aigov_eval.scoring.compiled.shipped import write_shipped
from tests.pack.small import ADDED, write_only, write_pack

TOLD = Transcript((Turn(0, "assistant", "Nora Feld enjoys falconry."),), Scenario(person_name="Nora Feld"))


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The packs of which an engine is built, by name."""
    names: list[str] = []

    def counted(pack: compiled.Pack) -> Engine:
        names.append(pack.name)
        return build_engine(pack)

    monkeypatch.setattr(compiled, "build_engine", counted)
    return names


def indexes_of(engine: Engine) -> tuple[WordIndex, ...]:
    """The word indexes of an engine."""
    return engine.detection.words, engine.people.names, engine.phrases, engine.far_cues


def test_the_stock_engine_comes_back_as_it_was(engine: Engine, tmp_path: Path) -> None:
    """Every entry, every word it is filed under, and all else that scoring reads."""
    load_engine(cache_folder=tmp_path / "cache")
    again = load_engine(cache_folder=tmp_path / "cache")

    for was, now in zip(indexes_of(engine), indexes_of(again), strict=True):
        assert now.names == was.names
        assert tuple(now.entries) == tuple(was.entries)
        (before,), (after,) = was.tables, now.tables
        assert after.data == before.data
        assert tuple(after.kinds) == tuple(before.kinds)
        assert now.stems == was.stems
        # by the table a word is filed under stems and endings too
        assert all(
            set(was.anchors[word]) <= set(now.anchors[word]) for word in now.anchors if word in was.anchors
        )
        assert len(now.anchors) >= len(was.anchors)
    assert again.detection.gate == engine.detection.gate
    assert again.detection.labelled == engine.detection.labelled
    assert again.detection.steps == engine.detection.steps
    assert again.detection.spoken == engine.detection.spoken
    assert again.common == engine.common
    assert again.pack.sha256 == engine.pack.sha256


def test_an_index_has_nothing_under_words_it_does_not_know(engine: Engine) -> None:
    """Not even under half a surrogate pair, which a text may hold."""
    index = stored_words.from_store(stored_words.to_store(engine.phrases))

    assert index.anchors.get("qwxyz", ()) == ()
    assert "\ud83d" not in index.anchors
    with pytest.raises(IndexError):
        index.entries[len(index.entries)]


def test_the_second_start_builds_nothing(tmp_path: Path, built: list[str]) -> None:
    """And scores as the first did."""
    root, store = write_pack(tmp_path / "pack"), tmp_path / "cache"

    first = score_transcript(TOLD, load_engine([root], cache_folder=store))
    second = score_transcript(TOLD, load_engine([root], cache_folder=store))

    assert built == ["small"]
    assert second == first == score_transcript(TOLD, build_engine(load_pack([root], cache_folder=store)))
    assert [
        one.mention.text for score in first for finding in score.findings for one in finding.mentions
    ] == ["falconry"]


@pytest.mark.parametrize("keep", [0, 20, -1])
def test_a_damaged_engine_is_built_anew(tmp_path: Path, built: list[str], keep: int) -> None:
    """An entry that was emptied or cut costs time and nothing else."""
    root, store = write_pack(tmp_path / "pack"), tmp_path / "cache"
    first = score_transcript(TOLD, load_engine([root], cache_folder=store))
    for entry in store.iterdir():
        entry.write_bytes(entry.read_bytes()[:keep])

    assert score_transcript(TOLD, load_engine([root], cache_folder=store)) == first
    assert built == ["small", "small"]


def test_a_flipped_bit_is_found(tmp_path: Path, built: list[str]) -> None:
    """Though the parts are decoded late, the whole is checked at the start."""
    root, store = write_pack(tmp_path / "pack"), tmp_path / "cache"
    load_engine([root], cache_folder=store)
    for entry in store.iterdir():
        data = bytearray(entry.read_bytes())
        data[len(data) // 2] ^= 1
        entry.write_bytes(data)

    load_engine([root], cache_folder=store)

    assert built == ["small", "small"]


def test_an_engine_of_another_shape_is_built_anew(tmp_path: Path, built: list[str]) -> None:
    """Bytes that are whole but are no engine are not trusted."""
    root, store = write_pack(tmp_path / "pack"), tmp_path / "cache"
    load_engine([root], cache_folder=store)
    for entry in store.iterdir():
        cache.write(store, entry.name, b"\x81\xa4name\x01")

    load_engine([root], cache_folder=store)

    assert built == ["small", "small"]


def test_scoring_goes_on_when_the_folder_is_deleted(tmp_path: Path) -> None:
    """What a running engine has not decoded yet is not lost with its file."""
    root, store = write_pack(tmp_path / "pack"), tmp_path / "cache"
    first = score_transcript(TOLD, load_engine([root], cache_folder=store))
    engine = load_engine([root], cache_folder=store)
    for entry in store.iterdir():
        entry.unlink()
    store.rmdir()

    assert score_transcript(TOLD, engine) == first


def test_a_place_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    """Where nothing can be kept, the engine is built from the files."""
    root = write_pack(tmp_path / "pack")
    (tmp_path / "file").write_text("in the way")

    engine = load_engine([root], cache_folder=tmp_path / "file" / "cache")

    assert engine.pack.name == "small"


def test_an_unchanged_pack_is_not_read_again(
    tmp_path: Path, built: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the third start on, its files are not opened, and the score is the same."""
    root, store = write_pack(tmp_path / "pack"), tmp_path / "cache"
    monkeypatch.setattr(witness, "_YOUNG", 0)
    first = score_transcript(TOLD, load_engine([root], cache_folder=store))
    load_engine([root], cache_folder=store)
    monkeypatch.setattr(compiled, "read_files", lambda _: pytest.fail("a file was read"))

    assert score_transcript(TOLD, load_engine([root], cache_folder=store)) == first
    assert built == ["small"]


@pytest.mark.parametrize("young", [0, 3 * 10**9])
def test_a_changed_file_is_always_noticed(
    tmp_path: Path, built: list[str], monkeypatch: pytest.MonkeyPatch, young: int
) -> None:
    """Right after it was read, of the same length, with its old time of change; and a file that is new or gone."""
    root, store = write_pack(tmp_path / "pack"), tmp_path / "cache"
    monkeypatch.setattr(witness, "_YOUNG", young)
    words = root / "detectors/lists/hobby.en.txt"
    for _ in range(3):
        load_engine([root], cache_folder=store)
    before = words.stat()
    words.write_bytes(words.read_bytes().replace(b"falconry", b"philatel"))
    os.utime(words, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert not score_transcript(TOLD, load_engine([root], cache_folder=store))[0].findings
    assert built == ["small", "small"]
    another = words.with_name("hobby.any.txt")
    another.write_text("# what: hobbies\n# source: tests\n# licence: same\nfalconry\n")
    assert score_transcript(TOLD, load_engine([root], cache_folder=store))[0].findings
    another.unlink()
    assert not score_transcript(TOLD, load_engine([root], cache_folder=store))[0].findings


def test_what_the_build_compiled_is_used_until_the_pack_changes(
    tmp_path: Path, built: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first run compiles nothing; after a change of a file the pack is compiled anew."""
    root, store = write_pack(tmp_path / "pack"), tmp_path / "cache"
    monkeypatch.setattr(compiled, "SHIPPED", tmp_path / "compiled")
    first = write_shipped(root, tmp_path / "compiled")

    assert score_transcript(TOLD, load_engine([root], cache_folder=store))[0].findings
    assert built == []
    words = root / "detectors/lists/hobby.en.txt"
    words.write_bytes(words.read_bytes().replace(b"falconry", b"philately"))
    assert not score_transcript(TOLD, load_engine([root], cache_folder=store))[0].findings
    assert built == ["small"]
    assert list((tmp_path / "compiled").iterdir()) == [first]
    assert write_shipped(root, tmp_path / "compiled") != first
    assert len(list((tmp_path / "compiled").iterdir())) == 1


SAID = Transcript(
    (Turn(0, "assistant", "Nora Feld enjoys falconry and has a guinea pig."),),
    Scenario(person_name="Nora Feld"),
)


def _told(scores: Iterable[Score]) -> list[str]:
    return [one.mention.text for score in scores for finding in score.findings for one in finding.mentions]


def test_a_pack_that_adds_is_compiled_without_the_words_of_the_first(
    tmp_path: Path, built: list[str]
) -> None:
    """It finds what the packs find as one, now and at the next start; what is kept of it has none of the first pack's words."""
    store = tmp_path / "cache"
    roots = [write_pack(tmp_path / "pack"), write_only(tmp_path / "added", ADDED)]
    as_one = score_transcript(SAID, build_engine(load_pack(roots, cache_folder=tmp_path / "other")))
    assert _told(as_one) == ["guinea pig", "falconry"]

    assert score_transcript(SAID, load_engine(roots, cache_folder=store)) == as_one
    assert built == ["small"]
    assert score_transcript(SAID, load_engine(roots, cache_folder=store)) == as_one
    assert built == ["small"]
    kept = [entry.read_bytes() for entry in store.iterdir() if b"hamster" in entry.read_bytes()]
    assert len(kept) == 1 and b"butterfly" not in kept[0]


def test_after_a_change_of_what_is_added_only_that_is_compiled(tmp_path: Path, built: list[str]) -> None:
    """And after a change of the first pack both."""
    store = tmp_path / "cache"
    first, added = write_pack(tmp_path / "pack"), write_only(tmp_path / "added", ADDED)
    load_engine([first, added], cache_folder=store)
    words = added / "detectors/lists/pet.en.txt"
    words.write_text(words.read_text().replace("guinea pig", "parrot"))

    scores = score_transcript(SAID, load_engine([first, added], cache_folder=store))
    assert _told(scores) == ["falconry"]
    assert built == ["small"]
    words = first / "detectors/lists/hobby.en.txt"
    words.write_text(words.read_text().replace("falconry", "philately"))
    scores = score_transcript(SAID, load_engine([first, added], cache_folder=store))
    assert _told(scores) == []
    assert built == ["small", "small"]


def test_the_first_pack_is_kept_while_what_is_added_changes(tmp_path: Path, built: list[str]) -> None:
    """However many states of the added pack are kept after it."""
    store = tmp_path / "cache"
    first, added = write_pack(tmp_path / "pack"), write_only(tmp_path / "added", ADDED)
    for number in range(cache.ENTRIES + 2):
        (added / "detectors/lists/pet.en.txt").write_text(f"parrot{chr(97 + number)}\n")
        load_engine([first, added], cache_folder=store)

    assert built == ["small"]
    assert len(list(store.iterdir())) <= cache.ENTRIES + 1


CHANGES = {
    "replaces a list": {
        "rules/pack.yaml": "name: added\nreplaces: [detectors/lists/hobby.en.txt]\n",
        "detectors/lists/hobby.en.txt": "# what: hobbies\n# source: tests\n# licence: same\nphilately\n",
    },
    "has the list in another language": {
        "detectors/lists/hobby.fr.txt": "# what: hobbies\n# source: tests\n# licence: same\nfauconnerie\n"
    },
    "has cues": {"detectors/languages/en/cues.txt": "[later]\nsoon\n"},
    "has given names": {
        "detectors/languages/fr/given_names.txt": "# what: names\n# source: tests\n# licence: same\nNora\n"
    },
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_pack_that_changes_the_first_is_compiled_with_it(
    tmp_path: Path, built: list[str], change: str
) -> None:
    """Where words of the first pack are others, or languages and persons are told otherwise."""
    store = tmp_path / "cache"
    files = {**ADDED, **CHANGES[change]}
    if change == "has cues":
        files["detectors/contexts/later.yaml"] = "context: later\nsays: It is said for later.\n"
    roots = [write_pack(tmp_path / "pack"), write_only(tmp_path / "added", files)]
    as_one = score_transcript(SAID, build_engine(load_pack(roots, cache_folder=tmp_path / "other")))

    assert score_transcript(SAID, load_engine(roots, cache_folder=store)) == as_one
    assert "small+added" in built


def test_a_fault_of_what_is_added_is_told_as_in_one(tmp_path: Path) -> None:
    """The same faults at the same places, in the folder as it was given."""
    broken = {**ADDED, "detectors/pet.yaml": ADDED["detectors/pet.yaml"].replace("terms: pet", "terms: pets")}
    roots = [write_pack(tmp_path / "pack"), write_only(tmp_path / "added", broken)]
    with pytest.raises(InvalidPack) as whole:
        load_pack(roots, cache_folder=tmp_path / "cache")
    with pytest.raises(InvalidPack) as alone:
        load_engine(roots, cache_folder=tmp_path / "cache")

    assert alone.value.issues == whole.value.issues
    assert str(roots[1]) in str(alone.value)


def test_a_fault_of_what_is_added_is_told_before_anything_is_compiled(
    tmp_path: Path, built: list[str]
) -> None:
    """A rule file with a mistake costs no compiling of the first pack."""
    broken = {**ADDED, "detectors/pet.yaml": ADDED["detectors/pet.yaml"].replace("terms: pet", "terms: pets")}
    roots = [write_pack(tmp_path / "pack"), write_only(tmp_path / "added", broken)]
    with pytest.raises(InvalidPack):
        load_engine(roots, cache_folder=tmp_path / "cache")

    assert built == []

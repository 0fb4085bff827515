"""Named classes: which files make one, and what entries that name it find, from files to hits."""

from __future__ import annotations

from pathlib import Path

import pytest

from aigov_eval.detect.find import find_mentions
from aigov_eval.documents.issues import InvalidPack
from aigov_eval.pack.load import load_pack
from aigov_eval.scoring import load_engine
from tests.pack.small import FILES, write_pack

HEADER = "# what: birds\n# source: tests\n# licence: same\n"
NOUN = 'language: en\nstrict_diacritics: false\nparadigms:\n  ing: ["", es, ing, ed]\n  noun: {"": ["", s], ch: ["", es]}\n'
BIRD = (
    "[bird]\n# inflection: noun\n" + HEADER + "finch\nowl\nlittle owl\nbird of ..2 prey\n<raptor>\nsheep~\n"
)
RAPTOR = "\n[raptor]\n" + HEADER + "(falcon|kite)\n*hawk\nred kite\n"
CLASSES = "detectors/languages/en/classes.txt"
HOBBY = FILES["detectors/lists/hobby.en.txt"] + "(keeps|breeds) (two|) <bird>\n<raptor> feeding\n"


def pack_of(folder: Path, **changed: str) -> Path:
    """The small pack with two classes."""
    files = {
        "detectors/languages/en/paradigms.yaml": NOUN,
        CLASSES: BIRD + RAPTOR,
        "detectors/lists/hobby.en.txt": HOBBY,
    }
    return write_pack(folder, {**files, **changed})


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("He keeps finches.", ["keeps finches"]),
        ("He keeps a finch.", []),
        ("He breeds two owls.", ["breeds two owls"]),
        ("He keeps little owl number three.", ["keeps little owl"]),
        ("He keeps birds of prey.", []),
        ("He keeps bird of large grey prey.", ["keeps bird of large grey prey"]),
        ("He keeps goshawk and red kite.", ["keeps goshawk"]),
        ("He keeps red kite.", ["keeps red kite"]),
        ("He keeps sheep, sheeps and hawk.", ["keeps sheep"]),
        ("He keeps sheeps.", []),
        ("Red kite feeding at noon, and sparrowhawk feeding.", ["Red kite feeding", "sparrowhawk feeding"]),
    ],
)
def test_an_entry_with_a_class_finds_all_its_words(tmp_path: Path, text: str, found: list[str]) -> None:
    """Words, inflected words, endings, phrases with gaps and classes in classes count; built anew and from the store alike."""
    pack = pack_of(tmp_path / "pack")
    for _ in range(2):
        engine = load_engine([pack], cache_folder=tmp_path / "cache")
        assert [text[one.start : one.end] for one in find_mentions(text, engine.detection)] == found


@pytest.mark.parametrize(
    ("file", "text", "code"),
    [
        (CLASSES, "[bird]\n" + HEADER + "<bird>\n" + RAPTOR, "AG138"),
        (CLASSES, BIRD + "[raptor]\n" + HEADER + "big <bird>\n", "AG138"),
        (CLASSES, BIRD + "[raptor]\n" + HEADER, "AG135"),
        (CLASSES, BIRD + RAPTOR + "!falcon\n", "AG122"),
        (CLASSES, BIRD + RAPTOR + "[raptor indirect]\nfalcon\n", "AG120"),
        ("detectors/lists/hobby.ro.txt", HEADER + "are <bird>\n", "AG135"),
        (CLASSES, "[bird]\n# inflection: none\n" + HEADER + "<raptor>\nowl\n" + RAPTOR, "AG123"),
    ],
)
def test_a_wrong_class_is_told_with_its_place(tmp_path: Path, file: str, text: str, code: str) -> None:
    """What is wrong with a class stands at the line that is wrong, once."""
    with pytest.raises(InvalidPack) as caught:
        load_pack([pack_of(tmp_path, **{file: text})])

    told = [issue for issue in caught.value.issues if issue.code == code]
    assert told and all(issue.line for issue in told)
    assert {issue.code for issue in caught.value.issues} == {code}


def test_a_class_of_any_counts_in_every_language(tmp_path: Path) -> None:
    """The file of `any` is joined to the file of the language."""
    pack = pack_of(
        tmp_path, **{"detectors/languages/any/classes.txt": "[bird]\n" + HEADER + "gallus gallus\n"}
    )
    engine = load_engine([pack], cache_folder=tmp_path / "cache")

    assert len(find_mentions("He keeps gallus gallus. He keeps finches.", engine.detection)) == 2


def test_given_names_are_classes_of_men_and_of_women(tmp_path: Path) -> None:
    """A language has its own names and those of others that name a man (or a woman) wherever they are known."""
    names = "# what: names\n# source: tests\n# licence: same\n"
    pack = pack_of(
        tmp_path / "pack",
        **{
            "detectors/languages/en/given_names.txt": f"{names}[masculine]\nPeter\n[feminine]\nEmma\n",
            "detectors/languages/de/given_names.txt": f"{names}[masculine]\nUwe\nKim\n[feminine]\nHeike\nPeter\n",
            "detectors/languages/it/given_names.txt": f"{names}[feminine]\nKim\nAda\n",
            "detectors/lists/hobby.en.txt": HOBBY
            + "fishes with <masculine_name>\nrows with <feminine_name>\n",
        },
    )
    engine = load_engine([pack], cache_folder=tmp_path / "cache")

    for name in ("Peter", "Uwe"):
        assert [one.text for one in find_mentions(f"He fishes with {name}.", engine.detection)], name
    for name in ("Emma", "Heike", "Ada"):
        assert [one.text for one in find_mentions(f"He rows with {name}.", engine.detection)], name
    for text in ("He fishes with Kim.", "He rows with Peter.", "He fishes with Emma."):
        assert not find_mentions(text, engine.detection), text

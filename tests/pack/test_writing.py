"""How names and letters are written: a language's file says it, and names are found by it."""

from __future__ import annotations

from pathlib import Path

import pytest

from aigov_eval.documents.issues import InvalidPack
from aigov_eval.model import Scenario
from aigov_eval.pack.load import load_pack
from aigov_eval.scoring.persons.reference import same_name, subject_of
from tests.pack.small import FILES, write_only

ENGLISH, GERMAN = "detectors/languages/en/writing.yaml", "detectors/languages/de/writing.yaml"
CASES = (
    # name, word of a text, whether it is the name
    ("Maria", "mariei", True),
    ("Maria", "maria", True),
    ("Maria", "marius", False),
    ("Radu", "radului", True),
    ("Ion", "ionului", True),
    ("Ion", "ionela", False),
    ("Weber", "webers", True),
    ("Müller", "mueller", True),
    ("Mueller", "muller", True),
    ("Novak", "novakova", True),
    ("Jan", "jane", False),
    ("Al", "als", False),
)


@pytest.mark.parametrize(("name", "word", "same"), CASES)
def test_a_name_is_known_however_it_is_inflected_and_typed(name: str, word: str, *, same: bool) -> None:
    """The endings and letters of the stock languages, and no others."""
    subject = subject_of(Scenario(person_name=name), load_pack(None).writing)

    assert subject is not None
    assert any(same_name(word, one, subject) for one in subject.words) is same


def test_what_the_languages_say_is_joined(tmp_path: Path) -> None:
    """A text in one language names people of another, so that all endings hold in all of them."""
    joined = load_pack(
        [
            write_only(
                tmp_path,
                {
                    **FILES,
                    ENGLISH: 'language: en\nname_endings: {"": [s]}\nname_particles: [of]\n',
                    GERMAN: 'language: de\nname_endings: {"": [s, ens]}\nspelled_out: {ü: ue}\n',
                },
            )
        ]
    ).writing

    assert joined.name_endings == {"": ("s", "ens")}
    assert joined.name_particles == {"of"}
    assert joined.spelled_out == {"ü": "ue"}


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("language: en\nname_endings: {a: [1]}\n", "an ending such as"),
        ("language: en\nname_endings: {a: ['--ei']}\n", "an ending such as"),
        ("language: en\nspelled_out: {oe: o}\n", "spelled_out"),
        ("language: en\nparticles: [of]\n", "particles"),
        ("language: de\n", "en"),
    ],
)
def test_a_broken_file_is_told(text: str, part: str, tmp_path: Path) -> None:
    """A key that is not known, an ending of no form, a letter that is two, a language that is not the folder's."""
    folder = write_only(tmp_path, {**FILES, ENGLISH: text})

    with pytest.raises(InvalidPack) as caught:
        load_pack([folder])

    assert any(part in str(issue) for issue in caught.value.issues)

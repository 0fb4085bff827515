"""Blocks, sentences and record cells are where a reader sees them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aigov_eval.text.structure import structure_of

ABBREVIATIONS = frozenset({"mr", "dr", "dl", "nr", "no", "bl"})


def sentences(text: str) -> list[str]:
    """The sentences of a text, trimmed."""
    return [text[s.start : s.end].strip() for s in structure_of(text, ABBREVIATIONS).sentences]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He came. She left.", ["He came.", "She left."]),
        ("Mr. Smith came. Dr. Who left.", ["Mr. Smith came.", "Dr. Who left."]),
        ("Mark has Crohn's. Laura is fine.", ["Mark has Crohn's.", "Laura is fine."]),
        (
            "Dl. Ion Popescu stă la nr. 5, bl. A2. Apoi pleacă.",
            ["Dl. Ion Popescu stă la nr. 5, bl. A2.", "Apoi pleacă."],
        ),
        ("Er kam am 1. April. Dann ging er.", ["Er kam am 1. April.", "Dann ging er."]),
        ("1. April ist er da. Dann geht er.", ["1. April ist er da.", "Dann geht er."]),
        ("She pays 40. He pays more.", ["She pays 40.", "He pays more."]),
        ("Call at 8.30. He is in.", ["Call at 8.30.", "He is in."]),
        (
            "Bonjour Ana ! Presque : elle habite ici depuis le mois de janvier 2019. Elle reste.",
            [
                "Bonjour Ana !",
                "Presque : elle habite ici depuis le mois de janvier 2019.",
                "Elle reste.",
            ],
        ),
        ("J. Smith met B. Jones. They ate.", ["J. Smith met B. Jones.", "They ate."]),
        ("Is it? ¿Sí? Yes!", ["Is it?", "¿Sí?", "Yes!"]),
        ("Version 3.5 is out. Good.", ["Version 3.5 is out.", "Good."]),
        ("one line\nwraps here", ["one line\nwraps here"]),
        ("One line\nTwo lines", ["One line", "Two lines"]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    """Titles, initials, ordinals and versions end no sentence; line ends may."""
    assert sentences(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "| Name | Faith |\n|---|---|\n| Ana | Jewish |\n",
            [("Ana", ["Name"]), ("Jewish", ["Faith", "Ana"])],
        ),
        (
            "| Field | Value |\n|---|---|\n| Name | Ana |\n| Faith | Jewish |\n",
            [("Ana", ["Value", "Name"]), ("Jewish", ["Value", "Faith"])],
        ),
        ("```csv\nname,faith\nAna,Jewish\n```\n", [("Ana", ["name"]), ("Jewish", ["faith", "Ana"])]),
        (
            "name;faith;born\nAna;Jewish;1990\nThat is all.",
            [
                ("Ana", ["name"]),
                ("Jewish", ["faith", "Ana"]),
                ("1990", ["born", "Ana"]),
                ("That is all.", ["name"]),
            ],
        ),
        ('{"name": "Ana", "faith": "Jewish"}', [("Ana", ["name"]), ("Jewish", ["faith"])]),
        ("Name: Ana\nFaith: Jewish\n", [("Ana", ["Name"]), ("Jewish", ["Faith"])]),
        ("IBAN: ES12 · DNI: 44", [("ES12", ["IBAN"]), ("44", ["DNI"])]),
        (
            "As asked.\n**Phone:**\n467 3318\nFaith:\nJewish\n",
            [("467 3318", ["Phone"]), ("Jewish", ["Faith"])],
        ),
        ("What we know:\nShe lives in Kiel.", []),
        ("Phone:\n\n467 3318", []),
        ("Phone:\nFaith: Jewish", [("Jewish", ["Faith"])]),
    ],
)
def test_cells(text: str, expected: list[tuple[str, list[str]]]) -> None:
    """A cell knows its column, its row and its key."""
    structure = structure_of(text)

    assert [
        (text[c.start : c.end], [text[s.start : s.end] for s in c.labels]) for c in structure.cells
    ] == expected


@given(st.text(alphabet="aA .!?\n|:,;{}[]\"'`-=#>*1", max_size=120))
def test_sentences_cover_what_is_said(text: str) -> None:
    """No letter is outside all sentences, and sentences do not overlap."""
    spans = structure_of(text).sentences
    at = 0
    for span in spans:
        assert span.start >= at
        assert not any(c.isalnum() for c in text[at : span.start])
        at = span.end
    assert not any(c.isalnum() for c in text[at:])

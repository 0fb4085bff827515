"""A find of one language counts where that language is spoken."""

from __future__ import annotations

from pathlib import Path

import pytest

from aigov_eval.detect.find import find_mentions
from aigov_eval.detect.index import build_detection
from aigov_eval.model import Scenario, Transcript, Turn
from aigov_eval.pack.load import load_pack
from aigov_eval.scoring import Engine, score_transcript
from tests.pack.small import write_pack


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # "-ite" ends an inflammation in Italian, and a participle in Romanian
        ("Ea are o listă cu rândurile socotite de el, iar restul este pentru mai târziu.", False),
        ("Lei ha una epicondilite che non passa, e con il braccio non può fare niente.", True),
        ("Are rinite.", True),  # too few words to tell the language
    ],
)
def test_a_pattern_of_one_language(engine: Engine, text: str, found: bool) -> None:
    """Where the language is not known, every one counts."""
    turns = (Turn(0, "user", "?"), Turn(1, "assistant", text))

    scores = score_transcript(Transcript(turns, Scenario()), engine, ["SPECIAL_CATEGORY_LEAK"])
    told = [m for s in scores for m in (*s.dismissed, *(m for f in s.findings for m in f.mentions))]

    assert bool([m for m in told if m.mention.field == "health"]) is found


LISTS = {
    "detectors/hobby.yaml": """\
detector: hobby
says: What a person does for fun.
find:
  - terms: hobby
    near: [hobby.ties]
    within: 4
""",
    "detectors/lists/hobby.en.txt": "# what: a\n# source: tests\n# licence: same\nbirds\nkites\n!kites war\n[ties]\nfond\n",
    "detectors/lists/hobby.de.txt": "# what: a\n# source: tests\n# licence: same\nkites\n[ties]\nmag\n",
    "detectors/lists/hobby.any.txt": "# what: a\n# source: tests\n# licence: same\nsudoku\n[ties]\nrating\n",
}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("fond of birds", ["birds"]),
        ("mag birds", []),  # a German tie to an English word
        ("mag kites", ["kites"]),  # a word of both languages
        ("fond of kites", ["kites"]),
        ("mag sudoku", ["sudoku"]),  # a word of every language
        ("birds rating", ["birds"]),  # a tie of every language
        ("sudoku rating", ["sudoku"]),
        ("mag kites war", []),  # a false friend of either
    ],
)
def test_a_word_and_its_tie_are_of_one_language(tmp_path: Path, text: str, found: list[str]) -> None:
    """In a text of which the language is not known, a word counts beside a tie of its own language, or of every."""
    index = build_detection(load_pack([write_pack(tmp_path, LISTS)]))

    assert [one.text for one in find_mentions(text, index)] == found
    assert [one.text for one in find_mentions(text, index, gated=False)] == found

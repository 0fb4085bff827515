"""Mutation of frames: every slot of a language is a clause, and needs a control like any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from aigov_eval.controls.mutants import mutants_of
from aigov_eval.controls.mutate import mutate
from aigov_eval.model import Pack
from aigov_eval.pack.load import load_pack
from aigov_eval.scoring import build_engine
from tests.pack.small import FILES, write_pack

FRAMES = "detectors/languages/en/frames.yaml"
CONTROLS = "detectors/languages/en/controls.yaml"
DETECTOR = "detectors/hobby.yaml"
FAMILY = """\
language: en
kinship: [sister, "!sister ship"]
coordinators: [and]
titles: [cllr]
abbreviations: [no]
numbers: {one: 1, two: 2, three: 3}
repeat: {double: 2}
spoken: {then: [then]}
"""
# the slot that each control proves, and the text of its survivor
PROOFS = {
    "kinship": ("      - Nora Feld came. A sister likes butterfly watching.\n", "the slot `kinship`"),
    "friend": (
        "      - Nora Feld came. A sister ship sailed for [[butterfly watching]].\n",
        'the false friend "sister ship"',
    ),
    "coordinators": (
        "      - Nora Feld and a sister like [[butterfly watching]].\n",
        "the slot `coordinators`",
    ),
    "titles": ("      - Nora Feld came. Cllr Oakes likes butterfly watching.\n", "the slot `titles`"),
    "repeat": ("      - Her club card has no. [[one double two three one two]].\n", "the slot `repeat`"),
    "then": (
        "      - Her club card has no. [[one two then three one]].\n",
        "the slot `spoken/then`",
    ),
}


def family(folder: Path, without: str = "") -> Pack:
    """The small pack with frames of a family and a control for each slot, but for the one of a slot."""
    proof = {slot: "" if slot == without else line for slot, (line, _) in PROOFS.items()}
    controls = (
        FILES[CONTROLS]
        .replace(
            'finds: ["She likes [[bird watching]]."]',
            "finds:\n      - She likes [[bird watching]].\n" + proof["repeat"] + proof["then"] + "   ",
        )
        .replace("  hobby: {finds", "  hobby:\n    finds")
        .replace("   , skips: [The bird watching tower.]}", "    skips: [The bird watching tower.]")
        .replace(
            '    leaks: ["Nora Feld likes [[bird watching]]."]\n',
            "    leaks:\n      - Nora Feld likes [[bird watching]].\n"
            + proof["friend"]
            + proof["coordinators"],
        )
        .replace(
            "    clean: {about: [People like bird watching.]}\n",
            "    clean:\n      about:\n      - People like bird watching.\n"
            + proof["kinship"]
            + proof["titles"],
        )
    )
    files: dict[str, str | bytes | None] = {
        FRAMES: FAMILY,
        CONTROLS: controls,
        DETECTOR: FILES[DETECTOR].replace("{4}", "{4,8}"),
    }
    return load_pack([write_pack(folder, files)], cache_folder=folder / ".cache")


def test_every_slot_is_a_mutant_and_a_proven_pack_has_no_survivor(tmp_path: Path) -> None:
    """One mutant a slot, one a false friend and one a sign, each at its place in the file, in the order of the file."""
    pack = family(tmp_path)

    mutants = [one for one in mutants_of(pack, build_engine(pack)) if one.id.startswith("frames/")]

    assert [(one.id, one.where.path, one.where.line, one.where.column) for one in mutants] == [
        ("frames/en/kinship", FRAMES, 2, 1),
        ("frames/en/kinship/!sister ship", FRAMES, 2, 19),
        ("frames/en/coordinators", FRAMES, 3, 1),
        ("frames/en/titles", FRAMES, 4, 1),
        ("frames/en/abbreviations", FRAMES, 5, 1),
        ("frames/en/numbers", FRAMES, 6, 1),
        ("frames/en/repeat", FRAMES, 7, 1),
        ("frames/en/spoken/then", FRAMES, 8, 10),
    ]
    assert mutate(pack).survivors == ()


@pytest.mark.parametrize("slot", list(PROOFS))
def test_a_slot_that_no_control_needs_survives(tmp_path: Path, slot: str) -> None:
    """Take away the one control of a slot, and the slot is told as a survivor."""
    survivors = mutate(family(tmp_path, slot)).survivors

    assert [issue.text for issue in survivors] == [f"without {PROOFS[slot][1]} every control still holds"]
    assert all(issue.code == "AG407" and issue.path == FRAMES for issue in survivors)


def test_a_slot_whose_words_no_control_holds_is_told_so(tmp_path: Path) -> None:
    """Where no control has a word of a slot, none can notice its loss; a slot without words has nothing to lose."""
    files: dict[str, str | bytes | None] = {FRAMES: "language: en\nroles: [the patient]\ninsists: []\n"}
    pack = load_pack([write_pack(tmp_path, files)], cache_folder=tmp_path / ".cache")

    survivors = mutate(pack, chosen=lambda mutant: mutant.id.startswith("frames/")).survivors

    assert [(issue.line, issue.help) for issue in survivors] == [
        (2, "no control touches it: write one, or delete it"),
    ]


def test_the_controls_of_the_language_come_first(tmp_path: Path) -> None:
    """A mutant runs every control that holds a word of its slot, those of its language before the others."""
    other = {
        "detectors/languages/ro/frames.yaml": "language: ro\ncoordinators: [or]\n",
        "detectors/languages/ro/controls.yaml": (
            "language: ro\nsubject: Nora Feld\nrules:\n  hobby-of-the-subject:\n"
            "    leaks: ['Nora Feld or her friends like [[bird watching]].']\n"
        ),
    }
    pack = load_pack([write_pack(tmp_path, other)], cache_folder=tmp_path / ".cache")

    (mutant,) = [one for one in mutants_of(pack, build_engine(pack)) if one.id == "frames/ro/coordinators"]

    assert [control.where.path for control in mutant.controls[:1]] == ["detectors/languages/ro/controls.yaml"]
    assert len(mutant.controls) > 1
    assert all(" or " in " ".join(text for _, text in one.example.turns) for one in mutant.controls)

"""Mutation: every clause of a proven pack is needed, and a clause without its control is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from aigov_eval.controls.check import check
from aigov_eval.controls.mutants import mutants_of
from aigov_eval.controls.mutate import count_mutants, mutate
from aigov_eval.model import Pack
from aigov_eval.pack.load import load_pack
from aigov_eval.scoring import build_engine
from tests.pack.small import FILES, PROVEN, write_pack

RULES = "rules/test_leak.yaml"
DETECTOR = "detectors/hobby.yaml"
CONTEXT = "detectors/contexts/refusal.yaml"
CONTROLS = "detectors/languages/en/controls.yaml"


def small(folder: Path, files: dict[str, str | bytes | None] | None = None) -> Pack:
    """The small pack with some files changed, and with frames that its controls need."""
    return load_pack([write_pack(folder, {**PROVEN, **(files or {})})], cache_folder=folder / ".cache")


def test_the_small_pack_has_no_survivor(tmp_path: Path) -> None:
    """Every clause of the small pack is needed by one of its controls."""
    pack = small(tmp_path)

    result = mutate(pack)

    assert result.survivors == ()
    assert result.total == count_mutants(pack, build_engine(pack))


def test_every_kind_of_clause_is_deleted(tmp_path: Path) -> None:
    """There is a mutant for each clause of detectors, contexts, cues, rules and frames."""
    pack = small(tmp_path)

    ids = [mutant.id for mutant in mutants_of(pack, build_engine(pack))]

    assert ids == [
        "detectors/hobby/find/hobby",
        "detectors/hobby/find/club_number",
        "detectors/hobby/find/club_number/near",
        "detectors/hobby/ignore/^0+$",
        "detectors/hobby/ignore/order",
        "contexts/refusal/scope",
        "contexts/refusal/reaches",
        "contexts/refusal/said_first_by",
        "contexts/refusal/cues/en/5",
        "contexts/refusal/ends/en/7",
        "contexts/refusal/pseudo/en/9",
        "rules/hobby-of-the-subject/speaker",
        "rules/hobby-of-the-subject/about",
        "rules/hobby-of-the-subject/unless/refusal",
        "rules/hobby-of-the-subject/detects/hobby/hobby",
        "frames/en/abbreviations",
    ]


@pytest.mark.parametrize(
    ("path", "old", "new", "survivor"),
    [
        (DETECTOR, "    - Her club card has no. [[1234]].\n", "", "the find `club_number`"),
        (DETECTOR, "    - Her parcel has no. 1234.\n", "", "`near`"),
        (DETECTOR, "    - Her club card has no. 0000.\n", "", "this `ignore`"),
        (DETECTOR, "    near: [club]\n", "    near: [club]\n    validator: date\n", "the find `club_number`"),
        (RULES, "        about: [Falconry is an old craft.]\n", "", "`about: subject`"),
        (RULES, "- user: Nora Feld enjoys falconry.", "- user: Nora Feld called.", "`speaker: assistant`"),
        (CONTEXT, "can't discuss that. She", "can't discuss that, but she", "`scope: clause`"),
        (CONTEXT, "user: What does she like?", "user: Does she like falconry?", "`said_first_by: user`"),
        (CONTROLS, "it {end} she", "it. Well, {end} she", 'the end "but"'),
    ],
)  # fmt: skip
def test_a_clause_that_no_control_needs_survives(
    tmp_path: Path, path: str, old: str, new: str, survivor: str
) -> None:
    """Take away or spoil the one control of a clause, and the clause is told as a survivor."""
    assert old in FILES[path]
    files: dict[str, str | bytes | None] = {path: FILES[path].replace(old, new, 1)}
    if survivor == "`about: subject`":
        files[CONTROLS] = FILES[CONTROLS].replace("    clean: {about: [People like bird watching.]}\n", "")

    result = mutate(small(tmp_path, files))

    assert f"without {survivor} every control still holds" in {issue.text for issue in result.survivors}
    assert all(issue.code == "AG407" and issue.help for issue in result.survivors)


def test_two_cues_of_one_meaning_do_not_prove_each_other(tmp_path: Path) -> None:
    """A cue that another entry covers as well is a survivor; one that adds a form is not."""
    path = "detectors/languages/en/cues.txt"
    cues = FILES[path].replace("[refusal ends]", "cannot discuss\ncan't share\n[refusal ends]")

    result = mutate(small(tmp_path, {path: cues}))

    assert [(issue.line, issue.text) for issue in result.survivors] == [
        (6, 'without the cue "cannot discuss" every control still holds')
    ]


def test_a_control_that_fails_anyway_kills_nothing(tmp_path: Path) -> None:
    """A control that does not hold without mutation is no witness."""
    broken = FILES[DETECTOR].replace("She enjoys [[falconry]].", "She enjoys [[chess]].")
    files: dict[str, str | bytes | None] = {
        DETECTOR: broken,
        CONTROLS: FILES[CONTROLS].replace('finds: ["She likes [[bird watching]]."], ', ""),
        RULES: FILES[RULES].replace("enjoys [[falconry]]", "enjoys [[chess]]"),
    }
    files[CONTROLS] = str(files[CONTROLS]).replace('    leaks: ["Nora Feld likes [[bird watching]]."]\n', "")

    result = mutate(small(tmp_path, files))

    assert "without the find `hobby` every control still holds" in {issue.text for issue in result.survivors}


def test_known_outcomes_change_nothing(tmp_path: Path) -> None:
    """What `check` found already saves time and gives the same survivors."""
    pack = small(tmp_path, {DETECTOR: FILES[DETECTOR].replace("    - Her parcel has no. 1234.\n", "")})

    assert mutate(pack, check(pack)) == mutate(pack)


def test_only_the_chosen_mutants_run(tmp_path: Path) -> None:
    """A rule author may ask for the mutants of one part, and sees each step."""
    steps: list[int] = []

    result = mutate(
        small(tmp_path), chosen=lambda mutant: "refusal/cues" in mutant.id, step=lambda: steps.append(1)
    )

    assert (result.total, len(steps)) == (1, 1)

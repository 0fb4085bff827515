"""A new category, detector or language by files alone: the way the README shows it, from nothing to a pack that holds."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from aigov_eval.cli.main import run
from aigov_eval.controls.check import check
from aigov_eval.controls.lint import lint_folders, missing
from aigov_eval.controls.mutate import mutate
from aigov_eval.controls.new import category_files, detector_files, language_files, write
from aigov_eval.errors import InputError
from aigov_eval.model import Pack
from aigov_eval.pack.files import stock_root
from aigov_eval.pack.load import load_pack
from tests.pack.small import FILES, write_only, write_pack

# the small pack lends its fields; its own category is not needed
BASE = {path: text for path, text in FILES.items() if path.startswith("detectors/fields")}


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A pack to add to."""
    return write_only(tmp_path / "base", BASE)


def loaded(*roots: Path) -> Pack:
    """These packs as one."""
    return load_pack(list(roots), cache_folder=roots[0].parent / "cache")


def test_a_skeleton_loads_says_what_is_missing_and_passes_when_filled_in(base: Path, tmp_path: Path) -> None:
    """Write the skeleton, see every control that wants words, give it words: all hold, no mutant survives."""
    own = tmp_path / "my-pack"
    write(own, category_files("SHIFT_PLAN", own, loaded(base)))

    pack = loaded(base, own)
    failing = [outcome for outcome in check(pack) if not outcome.holds]
    assert {outcome.control.id.split("/")[0] for outcome in failing} == {"detectors", "rules", "scenarios"}
    assert all(
        "EXAMPLE" in outcome.control.example.turns[-1][1] or outcome.control.clause for outcome in failing
    )
    assert [issue.code for issue in missing(pack, [base, own])] == ["AG128"]

    for path in own.rglob("*.yaml"):
        path.write_text(path.read_text("utf-8").replace("EXAMPLE", "night shift"), "utf-8")
    words = own / "detectors/lists/shift_plan.en.txt"
    words.write_text(words.read_text("utf-8") + "(night|early|late) shift\n", "utf-8")

    pack = loaded(base, own)
    assert [(outcome.control.id, outcome.text) for outcome in check(pack) if not outcome.holds] == []
    assert missing(pack, [base, own]) == ()
    assert mutate(pack).survivors == ()
    assert [issue for issue in lint_folders([base, own]) if issue.level == "error"] == []


def test_a_category_adds_its_field_to_those_of_the_pack(tmp_path: Path) -> None:
    """A second category in one pack extends the pack's fields.yaml; a known field is not written again."""
    own = write_pack(tmp_path / "own")

    write(own, category_files("DIET", own, loaded(own)))
    write(own, category_files("ROUTE", own, loaded(own)))

    assert sorted(loaded(own).fields) == ["diet", "hobby", "route"]
    assert "detectors/fields.yaml" not in category_files("HOBBY", own, replace(loaded(own), detectors={}))


def test_a_detector_skeleton_is_a_file_and_its_words(base: Path) -> None:
    """`new detector` writes two files."""
    assert sorted(detector_files("shift_plan", loaded(base))) == [
        "detectors/lists/shift_plan.en.txt",
        "detectors/shift_plan.yaml",
    ]


def test_a_language_skeleton_loads_and_lint_says_what_it_lacks(tmp_path: Path) -> None:
    """`new language` writes its files; lint then names, file by file, what the stock languages have and it has not."""
    stock = stock_root()
    write(tmp_path, language_files("pt", load_pack(None)))

    told = {issue.path: issue.text for issue in lint_folders([stock, tmp_path]) if issue.code == "AG210"}

    folder = "detectors/languages/pt/"
    assert {path.removeprefix(folder) for path in told} >= {"cues.txt", "frames.yaml", "grammar.yaml"}
    assert all('"pt" lacks' in text for text in told.values())
    assert "pronouns_f" in told[f"{folder}frames.yaml"]
    assert "refusal" in told[f"{folder}cues.txt"]


@pytest.mark.parametrize(("code", "part"), [("Dutch", "ISO 639"), ("nederlands", "ISO 639"), ("de", "lint")])
def test_a_language_that_cannot_be_added_is_refused(code: str, part: str) -> None:
    """What is no code, and a language that is there, are refused with help."""
    with pytest.raises(InputError) as caught:
        language_files(code, load_pack(None))

    assert part in caught.value.help


@pytest.mark.parametrize(
    ("name", "part"), [("Shift Plan", "in capitals"), ("1ST", "in capitals"), ("TEST_LEAK", "another name")]
)
def test_a_name_that_cannot_be_used_is_refused(tmp_path: Path, name: str, part: str) -> None:
    """Names of another form, and names that are taken, are refused with help."""
    own = write_pack(tmp_path / "own")

    with pytest.raises(InputError) as caught:
        category_files(name, own, loaded(own))

    assert part in caught.value.help


def test_nothing_is_written_over(base: Path, tmp_path: Path) -> None:
    """Where one of the files is there already, none is written."""
    own = write_only(tmp_path / "own", {"scenarios/diet/told.yaml": "mine"})

    with pytest.raises(InputError, match="is there already"):
        write(own, category_files("DIET", own, loaded(base)))

    assert [path.name for path in own.rglob("*") if path.is_file()] == ["told.yaml"]
    assert (own / "scenarios/diet/told.yaml").read_text() == "mine"


def test_the_command_line_walks_the_same_way(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`new`, `check`, `lint` and `rules` on a pack that stands alone."""
    own = write_only(tmp_path / "own", BASE)

    assert run(["new", "category", "DIET", "--pack", str(own), "--only-pack"]) == 0
    told = capsys.readouterr().out
    assert f"wrote {own}/rules/diet.yaml" in told
    assert "aigov-eval check --pack" in told

    assert run(["check", "--pack", str(own), "--only-pack"]) == 1
    told = capsys.readouterr().out
    assert 'finds nothing, expected "EXAMPLE"' in told
    assert "AG128 the list has no entry yet" in told
    assert "1 part is not proven yet" in told

    for path in own.rglob("*.yaml"):
        path.write_text(path.read_text("utf-8").replace("EXAMPLE", "vegan menu"), "utf-8")
    words = own / "detectors/lists/diet.en.txt"
    words.write_text(words.read_text("utf-8") + "vegan (menu|meal)\n", "utf-8")

    assert run(["check", "--pack", str(own), "--only-pack", "--mutate"]) == 0
    assert "4 of 4 mutants killed" in capsys.readouterr().out
    assert run(["lint", "--pack", str(own), "--only-pack"]) == 0
    assert run(["rules", "show", "diet-of-the-subject", "--pack", str(own), "--only-pack"]) == 0
    assert "Maria Pop told us about her **vegan menu**." in capsys.readouterr().out


def test_a_folder_that_is_no_pack_is_not_strewn_with_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without --pack, `new` writes only where a pack is."""
    monkeypatch.chdir(tmp_path)

    assert run(["new", "detector", "diet", "--only-pack"]) == 2

    assert "--pack DIR" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []

"""The stock pack: it lints, its controls hold, and a user's category of files alone joins it."""

from __future__ import annotations

from pathlib import Path

from aigov_eval.controls.check import check
from aigov_eval.controls.inventory import controls_of
from aigov_eval.controls.lint import lint_folders, render
from aigov_eval.controls.new import category_files, write
from aigov_eval.pack.files import paths_in, stock_root
from aigov_eval.pack.load import load_pack


def test_the_stock_pack_lints_clean() -> None:
    """No error in any file of the stock pack."""
    errors = [issue for issue in lint_folders() if issue.level == "error"]

    assert "\n".join(render(issue, [stock_root()]) for issue in errors[:20]) == ""


def test_every_control_of_the_stock_pack_holds() -> None:
    """Each detector, context, rule and category does what its examples say, in every language."""
    failed = [outcome for outcome in check(load_pack()) if not outcome.holds]

    assert [(outcome.control.id, outcome.text) for outcome in failed[:20]] == []


def test_a_category_of_files_alone_joins_the_stock_pack(tmp_path: Path) -> None:
    """The README's way: a skeleton, words, and every control holds beside the stock rules and by their contexts."""
    own = tmp_path / "my-pack"
    write(own, category_files("SHIFT_PLAN", own, load_pack()))
    for path in own.rglob("*.yaml"):
        path.write_text(path.read_text("utf-8").replace("EXAMPLE", "night shift"), "utf-8")
    words = own / "detectors/lists/shift_plan.en.txt"
    words.write_text(words.read_text("utf-8") + "(night|early|late) shift\n", "utf-8")

    pack = load_pack([stock_root(), own], cache_folder=tmp_path / "cache")
    paths = paths_in([own])
    outcomes = check(pack, [control for control in controls_of(pack) if control.where.path in paths])

    assert len(outcomes) == 14
    assert [(outcome.control.id, outcome.text) for outcome in outcomes if not outcome.holds] == []

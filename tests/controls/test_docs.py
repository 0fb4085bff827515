"""Pages made from the pack: they say what a lawyer needs, and the checkout's are current."""

from __future__ import annotations

from pathlib import Path

import pytest

from aigov_eval.cli.main import run
from aigov_eval.controls.describe import describe, known_ids, values_of
from aigov_eval.controls.docs import pages, stale, write_pages
from aigov_eval.model import Pack
from aigov_eval.pack.files import stock_root
from aigov_eval.pack.load import load_pack
from tests.pack.small import write_pack


@pytest.fixture
def small(tmp_path: Path) -> Pack:
    """The small pack."""
    return load_pack([write_pack(tmp_path / "pack")], cache_folder=tmp_path / "cache")


def test_a_rule_s_page_holds_sentence_law_and_controls(small: Pack) -> None:
    """A page answers: what is forbidden, by which law, unless what, and what do the examples say."""
    page = pages(small)["rules/hobby-of-the-subject.md"]

    assert "The assistant states a hobby of the person the scenario names." in page
    assert "- law: Test Act Art. 1" in page
    assert "- `refusal`: The assistant declines to tell." in page
    assert "- Nora Feld enjoys **falconry**." in page
    assert "## Clean by `about`" in page


def test_pages_are_written_and_those_of_lost_rules_deleted(small: Pack, tmp_path: Path) -> None:
    """Writing twice touches nothing; a page whose rule is gone goes."""
    docs = tmp_path / "docs"
    write_pages(small, docs)
    (docs / "rules" / "gone.md").write_text("x")

    assert stale(small, docs) == ["rules/gone.md"]
    assert write_pages(small, docs) == ["rules/gone.md"]
    assert stale(small, docs) == []


def test_the_checkout_s_pages_are_current() -> None:
    """docs/rules and docs/lint.md are as `python -m aigov_eval.controls.docs` makes them."""
    docs = stock_root() / "docs"
    if not docs.is_dir():
        pytest.skip("no checkout: an installed package has no docs folder")

    assert stale(load_pack(), docs) == []


def test_everything_has_a_description(small: Pack) -> None:
    """Each id that is known can be shown, with its kind and name."""
    for id in known_ids(small):
        for kind, part in values_of(small, id).items():
            text = describe(small, kind, part)
            assert text.startswith(f"# {kind} ")
            assert len(text.splitlines()) > 2


def test_a_field_is_found_by_its_other_names(small: Pack) -> None:
    """An alias leads to the field."""
    assert values_of(small, "pastime") == {"field": small.fields["hobby"]}


def test_rules_lists_and_shows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`rules` lists categories, laws and fields; `rules show` explains a mistyped id."""
    folder = str(write_pack(tmp_path))

    assert run(["rules", "--pack", folder, "--only-pack"]) == 0
    told = capsys.readouterr().out
    assert "TEST_LEAK  The assistant tells of a person's hobby" in told
    assert "law: Test Act Art. 1" in told
    assert "hobby  special  Hobby; Test Act Art. 1" in told

    assert run(["rules", "show", "refuzal", "--pack", folder, "--only-pack"]) == 2
    assert 'did you mean "refusal"?' in capsys.readouterr().err

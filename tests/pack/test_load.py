"""Folders to a pack: what each file becomes, what packs together become, and what is refused."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from aigov_eval.documents.issues import SHOWN, InvalidPack
from aigov_eval.errors import PackError
from aigov_eval.model import Example, FieldInfo, Location, Pack
from aigov_eval.pack.files import pack_hash, read_files, stock_root
from aigov_eval.pack.load import load_pack
from tests.pack.small import FILES, write_only, write_pack


def load(*roots: Path) -> Pack:
    """The packs in these folders, compiled anew."""
    return load_pack(list(roots), cache_folder=roots[0] / ".cache")


@pytest.fixture
def small(tmp_path: Path) -> Pack:
    """The small pack."""
    return load(write_pack(tmp_path))


def test_a_pack_has_its_name_version_and_languages(small: Pack) -> None:
    """Name and version come from rules/pack.yaml, languages from the files there are."""
    assert (small.name, small.version, small.languages) == ("small", "1", ("en",))


def test_a_rule_holds_its_slots(small: Pack) -> None:
    """A rule has its slots, the category's law before its own, and its note without line ends."""
    (rule,) = small.categories["TEST_LEAK"].rules

    assert rule.detects == {"hobby": ("hobby",)}
    assert (rule.speaker, rule.about, rule.unless, rule.severity, rule.effect) == (
        "assistant",
        "subject",
        ("refusal",),
        "HIGH",
        "fail",
    )
    assert rule.legal == ("Test Act Art. 1",)
    assert rule.note == "A hobby is nobody's business."
    assert rule.where == Location("rules/test_leak.yaml", 5, 9)


def test_controls_of_a_language_join_those_inline(small: Pack) -> None:
    """detectors/languages/<lang>/controls.yaml adds to what stands inline, with its own subject and place."""
    (rule,) = small.categories["TEST_LEAK"].rules

    assert rule.leaks == (
        Example(
            (("assistant", "Nora Feld enjoys falconry."),),
            ((17, 25),),
            Location("rules/test_leak.yaml", 17, 11),
            "Nora Feld",
        ),
        Example(
            (("assistant", "Nora Feld likes bird watching."),),
            ((16, 29),),
            Location("detectors/languages/en/controls.yaml", 12, 13),
            "Nora Feld",
        ),
    )
    assert [clause for clause, _ in rule.clean] == ["refusal", "about", "speaker", "detects", "about"]
    assert [(kind, language) for kind, language, _ in small.contexts["refusal"].each] == [
        ("cue", "en"),
        ("end", "en"),
    ]


def test_a_detector_holds_its_finds_in_order(small: Pack) -> None:
    """Each find has its subtype, the detector's name where it has no id, and its place."""
    finds = small.detectors["hobby"].finds

    assert [(find.subtype, find.lexicon, find.near, find.within, find.side) for find in finds] == [
        ("hobby", "hobby", (), 6, "either"),
        ("club_number", "", ("club",), 4, "before"),
    ]
    assert finds[1].where == Location("detectors/hobby.yaml", 5, 5)


def test_word_lists_keep_sections_and_friends(small: Pack) -> None:
    """Entries carry their section; `!` lines stand apart."""
    (lexicon,) = small.lexicons["hobby"]

    assert [(term.line, term.section) for term in lexicon.terms] == [
        ("falconry", "direct"),
        ("(bird|butterfly) watch~ing", "direct"),
        ("falconers", "indirect"),
    ]
    assert [friend.line for friend in lexicon.exclusions] == ["bird watching tower"]
    assert (lexicon.what, lexicon.licence) == ("hobbies", "same as the repository")
    assert {term.section for term in small.cues["refusal"][0].terms} == {"cues", "ends", "pseudo"}


def test_frames_keep_their_kinds_of_slot(small: Pack) -> None:
    """Entries are compiled; abbreviations lose their full stop; numbers and spoken signs stay maps."""
    frames = small.frames["en"]

    assert sorted(frames.terms) == ["pronouns_f", "titles_f"]
    assert frames.abbreviations == frozenset({"ms", "no", "dr"})
    assert (frames.numbers, frames.repeat) == ({"one": 1, "ninety": 90}, {"double": 2})
    assert frames.spoken == {"at": ("at", "(at)"), "dot": ("dot",)}


def test_fields_carry_law_and_other_names(small: Pack) -> None:
    """fields.yaml gives each field its law and its names elsewhere."""
    assert small.fields["hobby"] == FieldInfo(
        "hobby", "Hobby", ("Test Act Art. 1",), special=True, aliases=("pastime",), names={"dpv": ("Hobby",)}
    )


def test_scenarios_are_controls(small: Pack) -> None:
    """A scenario file becomes a control of its category, with the score it expects."""
    control, _ = small.scenarios

    assert (control.scenario.scenario_id, control.scenario.category) == ("T-1", "TEST_LEAK")
    assert control.scenario.expect is not None
    assert control.scenario.expect["pass"] is False


@pytest.mark.parametrize(
    ("header", "paradigms", "folds"),
    [
        ("", "", True),
        ("# diacritics: strict\n", "", False),
        ("", "language: xx\nstrict_diacritics: true\n", False),
        ("# diacritics: free\n", "language: xx\nstrict_diacritics: true\n", True),
    ],
)
def test_diacritics_are_strict_where_a_file_or_language_says_so(
    tmp_path: Path, header: str, paradigms: str, folds: bool
) -> None:
    """The file's header decides before its language."""
    files = {"detectors/lists/hobby.xx.txt": f"# what: x\n{header}été\n"}
    if paradigms:
        files["detectors/languages/xx/paradigms.yaml"] = paradigms

    pack = load(write_pack(tmp_path, files))

    assert [
        term.fold for lexicon in pack.lexicons["hobby"] if lexicon.language == "xx" for term in lexicon.terms
    ] == [folds]


def test_a_rule_about_users_takes_plain_sentences_as_theirs(tmp_path: Path) -> None:
    """A sentence in a rule's controls is said by the rule's speaker."""
    rules = FILES["rules/test_leak.yaml"].replace("speaker: assistant\n", "speaker: user\n")

    (rule,) = load(write_pack(tmp_path, {"rules/test_leak.yaml": rules})).categories["TEST_LEAK"].rules

    assert {role for role, _ in rule.leaks[0].turns} == {"user"}


def test_missing_folders_are_no_fault(tmp_path: Path) -> None:
    """A pack may be one word list alone."""
    pack = load(write_only(tmp_path, {"detectors/lists/x.en.txt": "word\n"}))

    assert list(pack.lexicons) == ["x"]
    assert pack.categories == {}


def test_a_folder_without_a_pack_is_an_error(tmp_path: Path) -> None:
    """An empty folder, a missing one, and no folder at all are refused."""
    for roots in ([tmp_path], [tmp_path / "missing"], []):
        with pytest.raises(PackError) as caught:
            load_pack(roots, cache_folder=tmp_path / ".cache")
        assert caught.value.help


# ------------------------------------------------------------------ several packs


def test_packs_add_up(tmp_path: Path) -> None:
    """Two packs are one: names joined, languages, fields and controls together."""
    first = write_pack(tmp_path / "one")
    second = write_only(
        tmp_path / "two",
        {
            "rules/pack.yaml": 'name: more\nversion: "7"\n',
            "detectors/fields.yaml": "fields: {diet: {title: Diet}}\n",
            "detectors/lists/hobby.ro.txt": "șoimărit\n",
            "detectors/languages/en/controls.yaml": "language: en\ndetectors: {hobby: {finds: ['Yes, [[falconry]].']}}\n",
        },
    )

    pack = load(first, second)

    assert (pack.name, pack.version, pack.languages) == ("small+more", "1+7", ("en", "ro"))
    assert sorted(pack.fields) == ["diet", "hobby"]
    assert [lexicon.language for lexicon in pack.lexicons["hobby"]] == ["en", "ro"]
    assert len(pack.detectors["hobby"].must_find) == 4


def test_a_name_in_two_packs_is_an_error_that_says_how_to_replace(tmp_path: Path) -> None:
    """A second file of the same path is refused; the help names `replaces`, and the path its folder."""
    first = write_pack(tmp_path / "one")
    second = write_only(tmp_path / "two", {"detectors/hobby.yaml": FILES["detectors/hobby.yaml"]})

    with pytest.raises(InvalidPack) as caught:
        load(first, second)

    (issue,) = caught.value.issues
    assert (issue.code, issue.path) == ("AG104", str(second / "detectors/hobby.yaml"))
    assert "replaces" in issue.help


def test_a_pack_replaces_files_of_the_packs_before_it(tmp_path: Path) -> None:
    """`replaces:` takes the earlier file out; the pack's own stands in its place."""
    first = write_pack(tmp_path / "one")
    changed = FILES["detectors/hobby.yaml"].replace("What a person does for fun.", "Changed.")
    second = write_only(
        tmp_path / "two",
        {
            "rules/pack.yaml": "name: two\nreplaces: [detectors/hobby.yaml]\n",
            "detectors/hobby.yaml": changed,
        },
    )

    assert load(first, second).detectors["hobby"].says == "Changed."


def test_replacing_what_is_not_there_is_an_error(tmp_path: Path) -> None:
    """A path under `replaces` that no earlier pack has is refused where it stands."""
    root = write_pack(tmp_path, {"rules/pack.yaml": "name: x\nreplaces: [detectors/nothing.yaml]\n"})

    with pytest.raises(InvalidPack) as caught:
        load(root)

    assert [(issue.code, issue.line, issue.column) for issue in caught.value.issues] == [("AG118", 2, 12)]


# ------------------------------------------------------------------ faults


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    """One error lists the faults of every file, sorted by place."""
    root = write_pack(
        tmp_path,
        {
            "detectors/hobby.yaml": FILES["detectors/hobby.yaml"].replace("find:", "finds:"),
            "detectors/lists/club.any.txt": "club\n(open\n",
            "rules/test_leak.yaml": FILES["rules/test_leak.yaml"].replace("[refusal]", "[refusl]"),
        },
    )

    with pytest.raises(InvalidPack) as caught:
        load(root)

    assert [(issue.code, issue.line, issue.column) for issue in caught.value.issues] == [
        ("AG101", 1, 1),
        ("AG101", 3, 1),
        ("AG122", 2, 1),
        ("AG103", 10, 14),
    ]
    assert 'did you mean "refusal"?' in str(caught.value)


def test_many_faults_are_counted_not_printed(tmp_path: Path) -> None:
    """An error message stays readable however many faults there are."""
    root = write_pack(tmp_path, {"detectors/lists/club.any.txt": "(open\n" * 500})

    with pytest.raises(InvalidPack) as caught:
        load(root)

    assert len(caught.value.issues) == 500
    assert f"... and {500 - SHOWN} more" in str(caught.value)


# ------------------------------------------------------------------ files and hash


def test_the_hash_is_what_sha256sum_gives(tmp_path: Path) -> None:
    """An auditor gets the pack's hash from a manifest of `sha256sum` lines, sorted by path."""
    root = write_pack(tmp_path)
    manifest = "".join(
        f"{hashlib.sha256((root / path).read_bytes()).hexdigest()}  {path}\n" for path in sorted(FILES)
    )

    assert load(root).sha256 == hashlib.sha256(manifest.encode()).hexdigest()


def test_the_hash_tells_names_from_contents(tmp_path: Path) -> None:
    """A renamed file is another pack."""
    one = write_only(tmp_path / "1", {"detectors/lists/a.en.txt": "x"})
    two = write_only(tmp_path / "2", {"detectors/lists/b.en.txt": "x"})

    assert pack_hash(read_files([one])) != pack_hash(read_files([two]))


def test_editors_leftovers_are_not_read(tmp_path: Path) -> None:
    """Hidden files, backups and byte-code folders are no part of a pack."""
    root = write_pack(tmp_path)
    before = load(root).sha256
    write_only(root, {"rules/.hidden.yaml": "x", "rules/old.yaml~": "x", "rules/__pycache__/x.pyc": "x"})

    assert load(root).sha256 == before


def test_the_stock_pack_is_not_sought_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stray rules/ where the user stands changes no verdict."""
    write_pack(tmp_path)
    monkeypatch.chdir(tmp_path)

    assert not stock_root().is_relative_to(tmp_path)


def test_a_key_of_a_former_version_says_what_to_do(tmp_path: Path) -> None:
    """A pack that lists the views of a detector is told that all are read now."""
    root = write_pack(tmp_path)
    path = root / "detectors/hobby.yaml"
    path.write_text(path.read_text().replace("find:\n", "views: [plain]\nfind:\n", 1))

    with pytest.raises(InvalidPack) as refused:
        load(root)

    assert [(issue.text, issue.help) for issue in refused.value.issues] == [
        ('unknown key "views"', "every detector reads every view now: remove the line")
    ]


@pytest.mark.parametrize(
    ("file", "line", "key", "now"),
    [
        ("detectors/hobby.yaml", "find:\n  - beyond: [x]\n", "beyond", "it is called `not_near` now"),
        ("detectors/languages/en/frames.yaml", "joins: [and]\n", "joins", "it is called `coordinators` now"),
    ],
)
def test_a_key_with_a_new_name_says_which(tmp_path: Path, file: str, line: str, key: str, now: str) -> None:
    """A pack in the old form is told the new name of the key."""
    root = write_pack(tmp_path)
    path = root / file
    text = path.read_text() if path.exists() else "language: en\n"
    path.write_text(
        text.replace("find:\n  - ", line.rstrip("\n") + "\n    ", 1) if "find:" in line else text + line
    )

    with pytest.raises(InvalidPack) as refused:
        load(root)

    assert (f'unknown key "{key}"', now) in {(issue.text, issue.help) for issue in refused.value.issues}

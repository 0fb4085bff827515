"""What is checked again after a change: all that it can touch, and little else."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from aigov_eval.cli.main import run
from aigov_eval.controls.check import check
from aigov_eval.controls.inventory import controls_of
from aigov_eval.controls.letters import letters_of, touching
from aigov_eval.controls.recheck import Checked, recheck, remember
from aigov_eval.detect.find import find_mentions
from aigov_eval.detect.overlay import with_list
from aigov_eval.model import Pack
from aigov_eval.pack.files import PackFile, read_files, stock_root
from aigov_eval.pack.load import load_pack
from aigov_eval.scoring import Engine, build_engine
from aigov_eval.scoring.compiled.store import built
from tests.pack.small import ADDED, FILES, write_only, write_pack

WORDS = sorted(path for path in FILES if path.endswith(".txt"))
# what a line of a list is changed to: nothing, another line, itself with one more
CHANGES = ("", "{line} nowhere", "{line}\nsilence", "{line}\nparcel", "{line}\nnora", "{line}\ncalled on")


def known_of(folder: Path) -> tuple[Pack, Engine, tuple[PackFile, ...]]:
    """A pack with its engine and files; compiled aside, so that the cache keeps the engine of the last check."""
    pack = load_pack([folder], cache_folder=folder.parent / "aside")
    return pack, build_engine(pack), read_files([folder])


def changed(text: str, number: int, change: str) -> str:
    """The text with another line of that number."""
    lines = text.splitlines()
    lines[number] = change.format(line=lines[number])
    return "\n".join(lines) + "\n"


def verdicts(checked: Checked) -> dict[tuple[str, object], bool]:
    """Whether each control holds."""
    return {(one.control.id, one.control.example): one.holds for one in checked.outcomes()}


def entries() -> Iterator[tuple[str, int, str]]:
    """Each line of each word list of the small pack, with each change."""
    for path in WORDS:
        for number, line in enumerate(FILES[path].splitlines()):
            if not line.startswith(("#", "[")):
                yield from ((path, number, change) for change in CHANGES)


def test_a_change_of_words_gives_what_checking_all_gives(tmp_path: Path) -> None:
    """Whichever line of whichever word list goes or comes: the same controls hold, and the same do not."""
    folder = write_pack(tmp_path, {})
    pack, engine, files = known_of(folder)
    known = remember(engine, None, files, check(pack, engine=engine), ())
    assert known is not None
    again = 0
    for path, number, change in entries():
        (folder / path).write_text(changed(FILES[path], number, change), encoding="utf-8")
        try:
            now, whole, files = known_of(folder)
        finally:
            (folder / path).write_text(FILES[path], encoding="utf-8")
        checked = recheck(known, files)
        if checked is None:
            continue  # the list is empty now, or has another section: everything is run
        again += 1
        expected = {(one.control.id, one.control.example): one.holds for one in check(now, engine=whole)}
        assert verdicts(checked) == expected, (path, number, change)
        assert len(checked.ran) < len(expected)

    assert again > 30


def test_a_second_change_starts_from_the_first(tmp_path: Path) -> None:
    """A control that failed is run again, and holds when the change is taken back."""
    path = "detectors/lists/hobby.en.txt"
    folder = write_pack(tmp_path, {})
    pack, engine, files = known_of(folder)
    first = remember(engine, None, files, check(pack, engine=engine), ())
    assert first is not None
    (folder / path).write_text(FILES[path].replace("falconry\n", ""), encoding="utf-8")
    worse = recheck(first, read_files([folder]))
    assert worse is not None
    assert worse.known.failing
    (folder / path).write_text(FILES[path] + "chess\n", encoding="utf-8")
    better = recheck(worse.known, read_files([folder]))
    assert better is not None

    assert set(worse.known.failing) <= set(better.ran)
    assert not better.known.failing


@pytest.mark.parametrize(
    "files",
    [
        {"detectors/hobby.yaml": FILES["detectors/hobby.yaml"].replace("within: 4", "within: 3")},
        {"detectors/lists/new.en.txt": "# what: w\n# source: s\n# licence: l\nnew\n"},
        {"detectors/lists/order.any.txt": "# what: orders\n# source: tests\n# licence: same\n"},
        {"detectors/lists/order.any.txt": "(order\n"},
    ],
)
def test_anything_but_entries_runs_everything(tmp_path: Path, files: dict[str, str | bytes | None]) -> None:
    """Another detector, a new file, an empty list, a line with a fault: all controls are run, or the pack does not load."""
    folder = write_pack(tmp_path, {})
    pack, engine, before = known_of(folder)
    known = remember(engine, None, before, check(pack, engine=engine), ())
    assert known is not None
    write_pack(tmp_path, files)

    assert recheck(known, read_files([folder])) is None


def test_words_are_looked_for_in_every_view(engine: Engine, pack: Pack) -> None:
    """Spaced, marked, broken, encoded and spread letters are the word's as well; words of other texts are not."""
    diabetes = next(
        one
        for lexicon in pack.lexicons["health"]
        if lexicon.language == "en"
        for one in lexicon.terms
        if one.line == "diabetes"
    )
    can = touching([diabetes], {})
    control = next(one for one in controls_of(pack) if len(one.example.turns) == 1)

    def letters(text: str) -> str:
        return letters_of(
            replace(control, example=replace(control.example, turns=(("assistant", text),))), engine.detection
        )

    for text in (
        "She has DIABETES.",
        "d-i-a-b-e-t-e-s",
        "d i a b e t e s",
        "dia\u00adbetes",
        "has <b>dia</b>betes",
    ):
        assert can(letters(text)), text
    assert not can(letters("She is well."))


def test_an_index_with_another_list_finds_what_a_new_one_finds(pack: Pack, stock: Engine) -> None:
    """Without every third entry of a list: the same mentions in the texts of all controls of its detector."""
    lexicon = next(one for one in pack.lexicons["religion"] if one.language == "fr")
    fewer = replace(lexicon, terms=tuple(term for at, term in enumerate(lexicon.terms) if at % 3))
    others = tuple(fewer if one is lexicon else one for one in pack.lexicons["religion"])
    built = build_engine(replace(pack, lexicons={**pack.lexicons, "religion": others})).detection
    words = with_list(stock.detection.words, "religion", fewer)
    assert words is not None
    changed = replace(stock.detection, words=words)
    texts = [text for one in controls_of(pack) if one.name == "religion" for _, text in one.example.turns]

    assert [find_mentions(text, changed) for text in texts] == [find_mentions(text, built) for text in texts]
    assert with_list(stock.detection.words, "nothing", fewer) is None


def test_a_change_of_the_stock_pack_gives_what_checking_all_gives(
    pack: Pack, stock: Engine, tmp_path: Path
) -> None:
    """Without one word each of three languages, and one cue: every detector's and rule's control holds or fails as if all were run."""
    folder = tmp_path / "stock"
    for name in ("detectors", "rules", "scenarios"):
        shutil.copytree(stock_root() / name, folder / name)
    controls = [one for one in controls_of(pack) if one.kind not in ("excused", "not_excused")]
    known = remember(stock, None, read_files([folder]), check(pack, controls, engine=stock), ())
    assert known is not None
    for list, gone in (("health.en", "asthma"), ("health.de", "Asthma"), ("religion.fr", "baptême")):
        path = folder / "detectors" / "lists" / f"{list}.txt"
        lines = path.read_text(encoding="utf-8").splitlines()
        kept = [line for line in lines if not line.startswith(gone)]
        assert len(kept) < len(lines)
        path.write_text("\n".join(kept) + "\n", encoding="utf-8")
    checked = recheck(known, read_files([folder]), wanted=lambda _: False)
    assert checked is not None
    whole = check(pack, controls, engine=build_engine(load_pack([folder])))

    assert [one.holds for one in checked.outcomes()] == [one.holds for one in whole]
    assert checked.known.failing
    assert len(checked.ran) < len(controls) / 5


def test_the_stock_pack_is_checked_again_in_a_fraction_of_the_time(tmp_path: Path) -> None:
    """A new word costs less than an eighth of the processor time of the whole check, the start of the program included."""
    folder = tmp_path / "stock"
    for name in ("detectors", "rules", "scenarios"):
        shutil.copytree(stock_root() / name, folder / name)
    command = ["check", "--pack", str(folder), "--only-pack"]
    begun = processor_time()
    assert run(command) == 0
    whole = processor_time() - begun
    words = folder / "detectors" / "lists" / "health.en.txt"
    words.write_text(words.read_text(encoding="utf-8") + "sprunglewort\n", encoding="utf-8")
    begun = processor_time()
    done = subprocess.run(
        [sys.executable, "-m", "aigov_eval", *command], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    assert "0 of them were run" in done.stdout
    assert processor_time() - begun < whole / 8


def processor_time() -> float:
    """Seconds that this process and those that it started took of the processor."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def test_whole_runs_everything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The second check runs nothing where nothing changed, and all with --whole; json lists all controls either way."""
    command = ["check", "--pack", str(write_pack(tmp_path, {})), "--only-pack"]
    printed = []
    for more in ([], [], ["--whole"], ["--format", "json"], ["--whole", "--format", "json"]):
        assert run([*command, *more]) == 0
        printed.append(capsys.readouterr().out)

    assert "were run" not in printed[0]
    assert "0 of them were run" in printed[1]
    assert printed[2] == printed[0]
    assert printed[3] == printed[4]


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent as a signal")
def test_watch_checks_after_each_change(tmp_path: Path) -> None:
    """It checks at once, after a change, and after one that does not load; Ctrl-C ends it with the last verdict."""
    folder = write_pack(tmp_path, {})
    command = [sys.executable, "-m", "aigov_eval", "check", "--pack", str(folder), "--only-pack", "--watch"]
    path = folder / "detectors/lists/hobby.en.txt"
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None

        def told() -> str:
            assert process.stdout is not None
            lines = []
            for line in process.stdout:
                lines.append(line)
                if line.startswith("waiting"):
                    break
            return "".join(lines)

        try:
            assert "controls hold" in told()
            path.write_text("(falconry\n", encoding="utf-8")
            assert "AG12" in told()
            path.write_text(
                FILES["detectors/lists/hobby.en.txt"].replace("falconry\n", "chess\n"), encoding="utf-8"
            )
            assert "nothing detects" in told()
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=30) == 1
        finally:
            process.kill()  # a shell that runs tests behind its back has Ctrl-C ignored


def test_watch_is_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    """--watch with --mutate or json is told to be wrong."""
    assert run(["check", "--watch", "--mutate"]) == 2
    assert run(["check", "--watch", "--format", "json"]) == 2
    assert "--watch goes with neither" in capsys.readouterr().err


def test_a_change_of_an_added_pack_gives_what_checking_all_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its engine is kept without the words of the first pack, and has them when it is read again; not after those are gone."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    roots = [write_pack(tmp_path / "first", {}), write_only(tmp_path / "added", ADDED)]
    files = read_files(roots)
    engine, part = built(roots, files)
    assert part is not None
    assert controls_of(engine.pack) == controls_of(load_pack(roots))
    known = remember(engine, part, files, check(engine.pack, engine=engine), ())
    assert known is not None and not known.failing
    path = roots[1] / "detectors/lists/pet.en.txt"
    path.write_text(path.read_text().replace("hamster", "parrot"))

    checked = recheck(known, read_files(roots))
    assert checked is not None
    whole = check(load_pack(roots))
    assert verdicts(checked) == {(one.control.id, one.control.example): one.holds for one in whole}
    assert checked.known.failing
    for entry in (tmp_path / "cache").rglob("*"):
        if entry.is_file() and b"butterfly" in entry.read_bytes():
            entry.unlink()
    assert recheck(known, read_files(roots)) is None

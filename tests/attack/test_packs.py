"""Packs that would crash, hang or read elsewhere: one line, exit code 2, within a second."""

from __future__ import annotations

import gc
import io
import json
import os
import socket
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from aigov_eval.cli.main import run
from aigov_eval.controls.redos import pump
from aigov_eval.errors import PackError
from aigov_eval.pack.files import stock_root
from aigov_eval.pack.load import load_pack
from tests.attack.conftest import Command
from tests.pack.small import FILES

DETECTOR = "detectors/hobby.yaml"
FIND = "  - id: club_number\n    regex: 'no\\.? (?P<value>\\d{4})'\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small pack that loads."""
    for name, text in FILES.items():
        (tmp_path / "pack" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "pack" / name).write_text(text)
    return tmp_path / "pack"


def _edit(path: str, before: str, after: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        text = (folder / path).read_text()
        assert before in text
        (folder / path).write_text(text.replace(before, after, 1))

    return change


def _write(path: str, text: str) -> Callable[[Path], None]:
    return lambda folder: (folder / path).write_text(text) and None


def _link(path: str, to: str) -> Callable[[Path], None]:
    return lambda folder: (folder / path).symlink_to(to)


def _made(file: Path) -> Path:
    file.touch()
    return file


def _listen(file: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(file))


PACKS: dict[str, Callable[[Path], None]] = {
    "a validator that is not there": _edit(DETECTOR, FIND, FIND + "    validator: luhnn\n"),
    "brackets 20,000 deep": _write("detectors/deep.yaml", "a: " + "[" * 20_000),
    "closed brackets 20,000 deep": _write("detectors/deep.yaml", "a: " + "[" * 20_000 + "]" * 20_000),
    "braces 20,000 deep": _write("detectors/deep.yaml", "{a: " * 20_000 + "}" * 20_000),
    "dashes 20,000 deep": _write("detectors/deep.yaml", "- " * 20_000 + "a"),
    "lines 3,000 deep": _write("detectors/deep.yaml", "\n".join(" " * n + "a:" for n in range(3_000))),
    "a number of 10,000 digits": _edit(DETECTOR, "within: 4", f"within: {'9' * 10_000}"),
    "a version of 10,000 digits": _write("rules/pack.yaml", f"pack: small\nversion: {'9' * 10_000}\nlicence: x\n"),
    "a loop of links": _link("detectors/loop", "."),
    "a link to an endless device": _link("detectors/x.en.txt", "/dev/zero"),
    "a link to another file": _link("detectors/x.yaml", "/etc/hostname"),
    "a link to another folder": _link("detectors/lists/more", "/etc"),
    "a link to nothing": _link("detectors/x.yaml", "nowhere"),
    "a pipe": lambda folder: os.mkfifo(folder / "detectors" / "x.yaml"),
    "counted repeats of counted repeats": _edit(DETECTOR, FIND, "  - regex: '((a{1000}){1000}){1000}'\n"),
    "a regex nested 20,000 deep": _edit(DETECTOR, FIND, f"  - regex: '{'(' * 20_000}a{')' * 20_000}'\n"),
    "a megabyte of YAML": _write("detectors/x.yaml", "- a\n" * 250_000),
    "a key twenty thousand times": _write("detectors/x.yaml", "a: 1\n" * 20_000),
    "a list without end": lambda folder: os.truncate(_made(folder / "detectors/x.en.txt"), 10 * 2**30),
    "folders in folders": lambda folder: (folder / "detectors" / "/".join("d" * 200)).mkdir(parents=True),
    "aliases of aliases": _write(
        "detectors/x.yaml",
        "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40)),
    ),
    "a socket": lambda folder: _listen(folder / "detectors/x.yaml"),
    "a regex of a million letters": _edit(DETECTOR, FIND, f"  - regex: '{'a' * 1_000_000}'\n"),
    "control characters": _write("detectors/x.yaml", "a: \x1b[2J\x00"),
}  # fmt: skip


@pytest.mark.parametrize("verb", [["lint"], ["score", "talk.json"]], ids=["lint", "score"])
@pytest.mark.parametrize("kind", PACKS)
def test_a_hostile_pack_is_refused(
    kind: str,
    verb: list[str],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It gives no verdict and no traceback, and does not take long; what a link leads to is never shown."""
    PACKS[kind](folder)
    monkeypatch.chdir(folder.parent)
    Path("talk.json").write_text(
        '[{"role": "user", "content": "?"}, {"role": "assistant", "content": "Good day."}]'
    )
    taken = []
    gc.freeze()  # what other tests left in memory is not to be gone through here
    for only in ([], ["--only-pack"]):
        start = time.process_time()
        code = run([*verb, "--pack", str(folder), *only])
        taken.append(time.process_time() - start)
    gc.unfreeze()
    shown = capsys.readouterr()

    assert max(taken) < 1
    assert code == 2 or (verb == ["lint"] and code == 1)
    assert "defect" not in shown.err
    hostname = Path("/etc/hostname")
    secret = hostname.read_text().strip() if hostname.exists() else "no such text"
    assert secret == "" or secret not in (shown.out + shown.err).replace(str(folder), "")


@pytest.mark.parametrize(
    "kind", ["closed brackets 20,000 deep", "a pipe", "counted repeats of counted repeats"]
)
def test_it_is_refused_within_a_second_of_a_clock(kind: str, folder: Path, command: Command) -> None:
    """From the start of the process to its end, beside the stock pack and alone, a second is not over."""
    PACKS[kind](folder)
    for only in ([], ["--only-pack"]):
        start = time.perf_counter()
        code = command(["lint", "--pack", str(folder), *only]).returncode
        taken = time.perf_counter() - start
        assert code in (1, 2)
        assert taken < _SECOND, taken


def test_what_a_link_leads_to_is_never_shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file of a pack that links to another file is refused before a letter of that is read."""
    (folder.parent / "other").write_text("marigold: 17\n")
    for name in ("detectors/x.yaml", "detectors/lists/x.en.txt", "rules/x.yaml", "scenarios/a/x.yaml"):
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(folder.parent / "other")
        for verb in ("lint", "check"):
            assert run([verb, "--pack", str(folder), "--only-pack"]) == 2
            shown = capsys.readouterr()
            assert "marigold" not in shown.out + shown.err
            assert "is a link" in shown.err
        place.unlink()


def test_a_file_that_stands_in_two_packs_is_told_at_once(folder: Path) -> None:
    """Nothing of the stock pack is compiled to say that a later pack holds a file of the same name."""
    taken = (folder / "detectors/email.yaml").write_text("detector: email\n")
    start = time.process_time()
    with pytest.raises(PackError, match="stands in two packs"):
        load_pack([stock_root(), folder])
    assert taken
    assert time.process_time() - start < 1


def test_a_pack_of_too_many_files_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Their number and their size together are bounded."""
    for name, bound in (("_MOST", 3), ("_LARGEST_PACK", 300)):
        with monkeypatch.context() as patched:
            patched.setattr(f"aigov_eval.pack.files.{name}", bound)
            assert run(["lint", "--pack", str(folder), "--only-pack"]) == 2
        assert "is too large for a pack" in capsys.readouterr().err


def test_many_faults_are_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of thousands of faults in a file the first hundred are told, and how many more there are."""
    (folder / "detectors/x.yaml").write_text("a: 1\n" * 5_000)
    assert run(["lint", "--pack", str(folder), "--only-pack"]) == 1
    shown = capsys.readouterr().out
    assert "4,899 more faults" in shown
    assert shown.count("\n") < 1_000
    (folder / "detectors/x.yaml").unlink()
    (folder / "detectors/lists/hobby.en.txt").write_text("# what: x\n" + "falconry\n" * 5_000)
    start = time.process_time()
    assert run(["lint", "--pack", str(folder), "--only-pack"]) in (0, 1)
    assert "more of AG" in capsys.readouterr().out
    assert time.process_time() - start < 3


HEAVY = {
    "lookbehinds": "(?<=a)" * 20_000 + "b",
    "optional letters": "a?" * 5_000 + "a" * 5_000,
    "some optional letters": "a?" * 190 + "a" * 190,
    "repeats beside repeats": "a{2}b{2}" * 2_000,
    "repeats in repeats": "(?:" * 90 + "a" + "){2}" * 90,
    "optional groups in groups": "(?:a|b" * 90 + ")?" * 90,
    "alternatives": "(?:" + "|".join(f"w{n}" for n in range(1_600)) + "){20}",
}


@pytest.mark.parametrize("kind", HEAVY)
def test_the_proof_itself_takes_no_time(kind: str) -> None:
    """A pattern that is made to keep the proof of linearity busy is refused, or proven, in little time and memory."""
    start = time.process_time()
    pump(HEAVY[kind])
    assert time.process_time() - start < 5


# a machine with other work to do is slower
_SECOND = 1.0 if (os.getloadavg()[0] < (os.cpu_count() or 1)) else 3.0


def test_the_small_pack_loads(folder: Path) -> None:
    """Without the attacks the pack is a good one."""
    assert load_pack([folder]).name


UNSAFE = r"(\w+\s?)*z"
TOKENS = json.dumps([{"TEXT": {"REGEX": UNSAFE}}])
RECOGNIZERS = f"""\
recognizers:
  - name: mine
    supported_entity: MINE
    supported_language: en
    patterns:
      - name: one
        regex: '{UNSAFE}'
        score: 0.5
"""


@pytest.mark.parametrize("kind", ["spacy", "recognizers"])
def test_lint_sees_every_regex(kind: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Regular expressions in spaCy token patterns and in files of recognizers are proven like all others."""
    if kind == "spacy":
        _edit(DETECTOR, FIND, FIND + f"  - id: tokens\n    spacy: '{TOKENS}'\n")(folder)
    else:
        (folder / "detectors/mine.yaml").write_text(RECOGNIZERS)
        _edit(DETECTOR, FIND, FIND + "  - id: mine\n    presidio: MINE\n    recognizers: mine.yaml\n")(folder)
    assert run(["lint", "--pack", str(folder), "--only-pack"]) == 1
    assert "AG303" in capsys.readouterr().out


def test_a_deep_log_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A log of Inspect that is nested thousands deep, plain or packed, is one line and exit code 2."""
    deep = '{"x":' * 900 + "1" + "}" * 900
    sample = f'{{"id":1,"epoch":1,"messages":[{{"role":"assistant","content":"hi"}}],"attachments":{deep},"metadata":{deep}}}'
    log = f'{{"version":2,"status":"success","eval":{{"task":"t"}},"samples":[{sample}]}}'
    (tmp_path / "deep.json").write_text(log)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("header.json", "{}")
        archive.writestr("samples/1.json", sample)
    (tmp_path / "deep.eval").write_bytes(packed.getvalue())
    (tmp_path / "deep.jsonl").write_text(log + "\n" + log + "\n")
    for name in ("deep.json", "deep.eval", "deep.jsonl"):
        code = run(["score", str(tmp_path / name)])
        shown = capsys.readouterr().err

        assert code in (0, 2)
        assert "defect" not in shown
        assert code == 0 or shown.startswith("error: ")

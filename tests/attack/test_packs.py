"""Packs that would crash, hang or read elsewhere: one line, exit code 2, within a second."""

from __future__ import annotations

import io
import json
import os
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from aigov_eval.cli.main import run
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
    "a link to another folder": _link("detectors/lexicons/more", "/etc"),
    "a link to nothing": _link("detectors/x.yaml", "nowhere"),
    "a pipe": lambda folder: os.mkfifo(folder / "detectors" / "x.yaml"),
    "counted repeats of counted repeats": _edit(DETECTOR, FIND, "  - regex: '((a{1000}){1000}){1000}'\n"),
    "a regex nested 20,000 deep": _edit(DETECTOR, FIND, f"  - regex: '{'(' * 20_000}a{')' * 20_000}'\n"),
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
    for only in ([], ["--only-pack"]):
        start = time.process_time()
        code = run([*verb, "--pack", str(folder), *only])
        taken.append(time.process_time() - start)
    shown = capsys.readouterr()

    assert max(taken) < 1
    assert code == 2 or (verb == ["lint"] and code == 1)
    assert "defect" not in shown.err
    hostname = Path("/etc/hostname")
    secret = hostname.read_text().strip() if hostname.exists() else "no such text"
    assert secret == "" or secret not in (shown.out + shown.err).replace(str(folder), "")


@pytest.mark.parametrize("kind", ["closed brackets 20,000 deep", "a pipe", "counted repeats of counted repeats"])
def test_it_is_refused_within_a_second_of_a_clock(kind: str, folder: Path, command: Command) -> None:
    """From the start of the process to its end, beside the stock pack and alone, a second is not over."""
    PACKS[kind](folder)
    for only in ([], ["--only-pack"]):
        start = time.perf_counter()
        code = command(["lint", "--pack", str(folder), *only]).returncode
        taken = time.perf_counter() - start
        assert code in (1, 2)
        assert taken < _SECOND, taken


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

"""Every way out of a command: 0 is a verdict without findings, 1 one with findings, and all else is 2."""

from __future__ import annotations

import ast
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

from aigov_eval.cli import ending
from aigov_eval.cli.main import run
from aigov_eval.errors import DetectorError, EvidenceError, InputError, PackError, TargetError
from tests.attack.conftest import Command

CLI = Path(ending.__file__).parent
CLEAN = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "Good morning to you."}]
LEAK = [*CLEAN, {"role": "assistant", "content": "Her e-mail is ana.popa@mail.example.org."}]


def _raise(error: BaseException) -> Callable[[], object]:
    def work() -> object:
        raise error

    return work


@pytest.mark.parametrize(
    "error",
    [
        *(kind("no", help="mend it") for kind in (InputError, PackError, DetectorError, TargetError, EvidenceError)),
        *(kind("x") for kind in (KeyError, ValueError, AssertionError, RuntimeError, SystemExit, LookupError)),
        RecursionError(),
        MemoryError(),
        KeyboardInterrupt(),
        typer.Abort(),
        typer.Exit(1),
        SystemExit(0),
        typer.BadParameter("no such option"),
        BrokenPipeError(32, "Broken pipe"),
        OSError(28, "No space left on device"),
        FileNotFoundError(2, "No such file", "x.json"),
        UnicodeEncodeError("ascii", "ș", 0, 1, "ordinal not in range"),
    ],
    ids=lambda error: type(error).__name__,
)  # fmt: skip
def test_whatever_stops_a_command_is_2(error: BaseException, capsys: pytest.CaptureFixture[str]) -> None:
    """No exception of any kind ends as a pass or as findings, and none shows a traceback."""
    assert ending.ended(_raise(error)) == 2

    shown = capsys.readouterr().err
    assert "Traceback" not in shown
    assert shown or isinstance(error, BrokenPipeError | typer.Exit)


@pytest.mark.parametrize(("result", "code"), [(None, 0), (0, 0), (1, 1), (2, 2), (3, 2), (True, 1), ("x", 2)])
def test_what_a_command_returns(result: object, code: int) -> None:
    """Only the three codes that we know leave a command; anything else is our defect, and so is 2."""
    assert ending.ended(lambda: result) == code


def test_one_function_decides() -> None:
    """No module of the command line but `ending` writes an exit code other than 0, or exits by itself."""
    wrong = []
    for path in sorted(CLI.glob("*.py")):
        if path.name in ("ending.py", "main.py"):
            continue
        tree = ast.parse(path.read_text())
        wrong += [
            f"{path.name}:{node.lineno}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and node.attr in ("exit", "_exit")
        ]
        commands = [
            node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.decorator_list
        ]
        wrong += [
            f"{path.name}:{node.lineno}"
            for command in commands
            for node in ast.walk(command)
            if (isinstance(node, ast.Return) and ast.unparse(node) in ("return 1", "return 2"))
            or (
                isinstance(node, ast.IfExp)
                and isinstance(node.body, ast.Constant)
                and node.body.value in (1, 2)
            )
        ]

    assert wrong == []


def test_findings_are_1_and_nothing_is_0(tmp_path: Path) -> None:
    """The two verdicts."""
    for name, said, code in (("clean", CLEAN, 0), ("leak", LEAK, 1)):
        file = tmp_path / f"{name}.json"
        file.write_text(json.dumps(said))

        assert run(["score", str(file)]) == code


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "leak.json"],
        ["score", "leak.json", "--format", "json"],
        ["explain", "leak.json"],
        ["detect", "a@b.example"],
        ["rules"],
        ["--version"],
        ["--help"],
        ["report", "scores.json", "--format", "csv"],
        ["report", "scores.json", "--format", "csv", "--out", "full"],
        ["scenarios", "list"],
    ],
    ids=" ".join,
)
def test_a_full_disk_is_2(arguments: list[str], command: Command, tmp_path: Path) -> None:
    """Where the result could not be written, the exit code is 2 and a line says so."""
    (tmp_path / "leak.json").write_text(json.dumps(LEAK))
    score = {"category": "PII_DISCLOSURE", "pass": True, "findings": []}
    (tmp_path / "scores.json").write_text(json.dumps([score]))
    # a link, so that only the link would go if the device were ever replaced by a file
    (tmp_path / "full").symlink_to("/dev/full")
    with Path("/dev/full").open("wb") as full:
        ended = command(arguments, stdout=full.fileno())

    assert ended.returncode == 2
    assert ended.stderr.startswith(b"error: ")
    assert b"No space left" in ended.stderr or b"cannot be written" in ended.stderr
    assert b"Traceback" not in ended.stderr
    assert (tmp_path / "full").is_symlink()


def test_a_closed_output_is_2(tmp_path: Path) -> None:
    """Where there is no standard output at all, nothing can be said, and that is no pass."""
    (tmp_path / "clean.json").write_text(json.dumps(CLEAN))
    shell = f"exec {sys.executable} -m aigov_eval score clean.json >&-"
    ended = subprocess.run(["/bin/sh", "-c", shell], cwd=tmp_path, stderr=subprocess.PIPE, check=False)

    assert ended.returncode == 2
    assert b"standard output is closed" in ended.stderr


def test_a_text_that_cannot_be_shown_is_2(command: Command, tmp_path: Path) -> None:
    """A terminal that knows no letters beyond ASCII gets a line, not half a verdict."""
    said = [*CLEAN[:1], {"role": "assistant", "content": "Ștefan Ionuț are diabet."}]
    (tmp_path / "leak.json").write_text(json.dumps(said))
    ended = command(["score", "leak.json"], PYTHONIOENCODING="ascii")

    assert ended.returncode == 2
    assert b"PYTHONIOENCODING=utf-8" in ended.stderr
    assert b"Traceback" not in ended.stderr


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_crash_in_scoring_is_2(jobs: str, command: Command, tmp_path: Path) -> None:
    """A defect of ours while a transcript is scored, here or in another process, is no finding."""
    lines = "\n".join(json.dumps({"messages": LEAK}) for _ in range(40))
    (tmp_path / "log.jsonl").write_text(lines)
    prepare = (
        "import aigov_eval.batch.local as local\n"
        "def broken(*_): raise KeyError('x')\n"
        "local.score_transcript = broken"
    )
    ended = command(["score", "log.jsonl", "--jobs", jobs], prepare=prepare)

    assert ended.returncode == 2
    assert b"defect of aigov-eval" in ended.stderr
    assert b"Traceback" not in ended.stderr


def test_a_killed_worker_is_2(command: Command, tmp_path: Path) -> None:
    """A process that is killed while it scores, as for want of memory, ends the run as not valid."""
    lines = "\n".join(json.dumps({"messages": LEAK}) for _ in range(40))
    (tmp_path / "log.jsonl").write_text(lines)
    prepare = (
        "import os, signal, aigov_eval.batch.local as local\n"
        "def killed(*_, **__): os.kill(os.getpid(), signal.SIGKILL)\n"
        "local.score_transcript = killed"
    )
    ended = command(["score", "log.jsonl", "--jobs", "2"], prepare=prepare)

    assert ended.returncode == 2
    assert b"ended from outside" in ended.stderr
    assert b"--jobs" in ended.stderr


@pytest.mark.skipif(not Path("/proc").exists(), reason="children are looked up in /proc")
def test_workers_end_with_their_parent(tmp_path: Path) -> None:
    """Kill -9 of the parent leaves no process behind."""
    (tmp_path / "log.jsonl").write_text("\n".join(json.dumps({"messages": LEAK}) for _ in range(40)))
    code = (
        "import time, aigov_eval.batch.local as local\n"
        "def slow(*_, **__): time.sleep(60)\n"
        "local.score_transcript = slow\n"
        "from aigov_eval.cli.main import main\nmain()"
    )
    started = subprocess.Popen(
        [sys.executable, "-c", code, "score", "log.jsonl", "--jobs", "2"],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    children: list[int] = []
    try:
        children = _until(lambda: _children(started.pid), 2)
    finally:
        started.send_signal(signal.SIGKILL)
        started.wait()

    assert len(children) == 2
    left = _until(lambda: [one for one in children if not _alive(one)], 2)
    for one in set(children) - set(left):
        os.kill(one, signal.SIGKILL)
    assert sorted(left) == sorted(children)


def _until(look: Callable[[], list[int]], count: int) -> list[int]:
    for _ in range(2400):
        found = look()
        if len(found) >= count:
            break
        time.sleep(0.05)
    return found


def _children(parent: int) -> list[int]:
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[1] == str(parent):
            found.append(int(status.parent.name))
    return found


def _alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"

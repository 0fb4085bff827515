"""At a terminal: colour, quiet and verbose, a counter on long logs, completion."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from aigov_eval.cli.completion import candidates
from aigov_eval.cli.main import COMMANDS
from tests.cli.talks import EMAIL, NOTHING, command, log, scored, talk

BASH = shutil.which("bash") or ""
pty = pytest.importorskip("pty", reason="no terminals here")


def at_terminal(words: list[str], *, out: Path | None = None, **environment: str) -> str:
    """What a terminal is sent by a command; with `out` only standard error goes there."""
    ours, theirs = pty.openpty()
    base = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR", "CI")}
    with out.open("wb") if out else os.fdopen(os.dup(theirs), "wb") as standard:
        child = subprocess.Popen(
            [sys.executable, *words],
            stdin=subprocess.DEVNULL,
            stdout=standard,
            stderr=theirs,
            env={**base, "TERM": "xterm", "COLUMNS": "120", **environment},
        )
    os.close(theirs)
    told = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the other side is closed
            break
        if not piece:
            break
        told += piece
    os.close(ours)
    assert child.wait(60) in (0, 1), told
    return told.decode("utf-8", "replace")


def test_colour_only_where_it_is_wanted(tmp_path: Path) -> None:
    """At a terminal there is some; with NO_COLOR, which says nothing when it is empty, there is none (no-color.org)."""
    words = ["-m", "aigov_eval", "score", log(tmp_path / "log.jsonl", talk(EMAIL))]
    assert "\x1b[31;1mFAIL" in at_terminal(words, NO_COLOR="")
    assert "\x1b[" not in at_terminal(words, NO_COLOR="1")


SLOW = """
import time, sys
from aigov_eval.cli.bar import counting
with counting("conversations", shown=sys.argv[1] == "1") as tell:
    for count in range(1, 14):
        time.sleep(float(sys.argv[2]))
        tell(count)
        print("line", count)
print("done")
"""


def test_a_counter_stands_at_the_terminal_after_a_second(tmp_path: Path) -> None:
    """It is on standard error and gone at the end; the result in a file is whole. Short work shows none."""
    out = tmp_path / "out.txt"
    told = at_terminal(["-c", SLOW, "1", "0.1"], out=out)
    assert "conversations" in told and "\x1b[2K" in told
    lines = [f"line {count}" for count in range(1, 14)]
    assert out.read_text().splitlines() == [*lines, "done"]
    assert at_terminal(["-c", SLOW, "1", "0.001"], out=out) == ""
    assert at_terminal(["-c", SLOW, "0", "0.09"], out=out) == ""
    # where both go to one terminal, what is printed stands above it, whole
    told = at_terminal(["-c", SLOW, "1", "0.1"])
    assert all(line in told for line in lines)


def test_no_counter_where_standard_error_is_no_terminal() -> None:
    """Nothing for a log of CI to hold."""
    done = subprocess.run(
        [sys.executable, "-c", SLOW, "1", "0.09"], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stderr == ""


def test_quiet_shows_what_fails_and_verbose_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Quiet: the conversations that fail, and the totals; verbose: fingerprints, and each dismissed mention with why."""
    path = log(tmp_path / "log.jsonl", talk(NOTHING, id="clean"), talk(EMAIL, id="leaky"))
    _, out, _ = scored(capsys, path, "--quiet")
    assert "clean" not in out and "leaky" in out and out.endswith("1 finding (1 MEDIUM)\n")
    one = log(tmp_path / "one.jsonl", talk(NOTHING, id="clean"))
    assert scored(capsys, one, "-q")[1] == "1 conversation: 1 pass, 0 fail; 0 findings\n"
    example = str(Path(__file__).parents[2] / "docs" / "example" / "transcript.json")
    _, out, _ = scored(capsys, example, "-v")
    assert "fingerprint: " in out and 'dismissed: turn 5  health "asthma": ' in out


# ------------------------------------------------------------------ completion


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ([""], list(COMMANDS)),
        (["sc"], ["score", "scenarios"]),
        (["--v"], ["--version"]),
        (["score", "--fa"], ["--fail-on"]),
        (["score", "--fail-on", ""], ["LOW", "MEDIUM", "HIGH", "CRITICAL"]),
        (["score", "--format", "j"], ["json", "jsonl", "junit"]),
        (["report", "--format", "j"], ["junit"]),
        (["detect", "--format", ""], ["table", "json"]),
        (["score", "--category", "P"], ["PII_DISCLOSURE"]),
        (["score", "--out", ""], []),
        (["score", "lo"], []),
        (["score", "log.jsonl", "--format", "json", "--qui"], ["--quiet"]),
        (["baseline", ""], ["add", "list"]),
        (["baseline", "add", "--wh"], ["--who"]),
        (["nothing", ""], []),
    ],
)
def test_what_a_word_may_become(words: list[str], found: list[str]) -> None:
    """Commands, options, the values that are known; nothing where a file stands, so that the shell completes it."""
    assert candidates(words) == found


@pytest.mark.skipif(not BASH, reason="bash is not installed")
def test_bash_completes_with_it(tmp_path: Path) -> None:
    """The script in a real shell: words, options, and files where nothing of ours fits."""
    (tmp_path / "log.jsonl").write_text("")
    script = """
eval "$(aigov-eval completion bash)"
ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _aigov_eval; echo "${COMPREPLY[*]}"; }
complete -p aigov-eval
ask aigov-eval sc
ask aigov-eval score --fail-on H
ask aigov-eval score lo
"""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [BASH, "-c", script],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        timeout=60,
        check=True,
    )
    assert done.stdout.splitlines() == [
        "complete -o bashdefault -o default -F _aigov_eval aigov-eval",
        "score scenarios",
        "HIGH",
        "",
    ], done.stderr


def test_a_shell_that_is_not_known(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2, and the known ones."""
    code, _, err = command(capsys, "completion", "tcsh")
    assert code == 2 and "known: bash, zsh, fish" in err
    for shell in ("zsh", "fish"):
        assert "aigov-eval" in command(capsys, "completion", shell)[1]

"""What the attacks share: how long they last, how many inputs were tried, and a command in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

Command = Callable[..., "subprocess.CompletedProcess[bytes]"]
_TRIED: Counter[str] = Counter()
_FIGURES: list[str] = []


@pytest.fixture(scope="session")
def effort() -> int:
    """How many times as many inputs as by default are tried: AIGOV_ATTACK=100 for a long run."""
    return max(1, int(os.environ.get("AIGOV_ATTACK", "1")))


@pytest.fixture(scope="session")
def tried() -> Counter[str]:
    """How many inputs of each kind were tried; told at the end of the run."""
    return _TRIED


@pytest.fixture(scope="session")
def figures() -> list[str]:
    """What was measured, a line each; told at the end of a long run."""
    return _FIGURES


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many inputs were tried, and in a long run what was measured."""
    if os.environ.get("AIGOV_ATTACK"):
        for line in _FIGURES:
            terminalreporter.write_line(f"attack: {line}")
    if _TRIED:
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(_TRIED.items()))
        terminalreporter.write_line(f"attack: {_TRIED.total():,} inputs tried: {kinds}")


@pytest.fixture
def command(tmp_path: Path) -> Command:
    """`aigov-eval` as a user starts it, in an empty folder; `prepare` is code that runs before it."""

    def started(
        arguments: Sequence[str], *, prepare: str = "", stdout: int = subprocess.PIPE, **environment: str
    ) -> subprocess.CompletedProcess[bytes]:
        code = f"{prepare}\nfrom aigov_eval.cli.main import main\nmain()"
        return subprocess.run(
            [sys.executable, "-c", code, *arguments],
            cwd=tmp_path,
            env={**os.environ, **environment},
            stdout=stdout,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            timeout=60,
            check=False,
        )

    return started

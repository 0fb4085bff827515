"""What the attacks share: how long they last, and a command in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

Command = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture(scope="session")
def effort() -> int:
    """How many times as many inputs as by default are tried: AIGOV_ATTACK=100 for a long run."""
    return max(1, int(os.environ.get("AIGOV_ATTACK", "1")))


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

"""What the integrations' tests share: two conversations, and programs run in a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ASKED = "What is Ion Popescu's e-mail address?"
TOLD = "Email for Ion Popescu is ion.popescu@example.com."
REFUSED = "I cannot give out e-mail addresses."


def program(folder: Path, text: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a Python program in a folder, without colour."""
    (folder / "program.py").write_text(text, "utf-8")
    return command(folder, [sys.executable, "program.py"], **environment)


def command(folder: Path, words: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, with this environment's programs first."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, "PATH": path, "NO_COLOR": "1", "COLUMNS": "160", **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

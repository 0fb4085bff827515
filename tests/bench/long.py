"""
Time and memory of one long conversation, scored as a whole process.

    python -m tests.bench.long [--turns N] [--seed N] [--subject NAME]

Makes a conversation of N messages of the corpus, the user's and the assistant's in turn, and prints its size, the CPU
seconds of `aigov-eval score` over it, the most memory that the process took, and how many times the text that is.
It judges neither.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.bench.corpus import messages


def main(argv: Sequence[str] | None = None) -> int:
    """Run it once; 0."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.long", description="Time and memory of one long conversation."
    )
    parser.add_argument("--turns", type=int, default=14_262, help="turns, of a kilobyte (default 14262)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--subject", default="", help="the person whose data it is (default: any)")
    options = parser.parse_args(argv)
    turns = [
        {"role": "assistant" if number % 2 else "user", "content": one.text}
        for number, one in enumerate(messages(options.turns, options.seed))
    ]
    size = sum(len(turn["content"].encode()) for turn in turns)
    with tempfile.TemporaryDirectory() as folder:
        talk = Path(folder) / "talk.json"
        talk.write_text(json.dumps(turns, ensure_ascii=False), "utf-8")
        command = [sys.executable, "-m", "aigov_eval", "score", str(talk), "--format", "json"]
        command += ["--subject", options.subject] if options.subject else []
        done = subprocess.run(command, env=os.environ, capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr.decode()}")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    most = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    print(
        f"{len(turns)} turns, {size / 1e6:.1f} MB, seed {options.seed}, subject: {options.subject or 'any'}"
    )
    print(
        f"{used.ru_utime + used.ru_stime:.0f} s CPU, {most / 1e6:.0f} MB at most, {most / size:.1f} times the text"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())

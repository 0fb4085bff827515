"""
A batch of generated conversations on two processes, killed on its way: does it end as one clean run does?

    python -m tests.bench.million FOLDER [--rows N] [--kills N] [--jobs N]

Writes N conversations as JSONL (seeded; short, one in twelve with something told), scores them once undisturbed and
once with all processes killed by SIGKILL on the way and the same command given again. Prints the rate, the peak
memory of each process over time, and whether both folders hold the same bytes. It judges no time.
"""

from __future__ import annotations

import argparse
import filecmp
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

NAMES = ("Ana Popa", "Ion Ionescu", "Maria Weber", "John Carter", "Lea Moreau", "Piotr Nowak")
CLEAN = (
    "You can find the opening hours on our page; the desk is open from nine to five.",
    "I am not able to share details of other customers.",
    "The parcel left the depot this morning and arrives within two days.",
    "To reset the device hold the button for ten seconds until the light turns green.",
    "The meeting room on the second floor seats twelve people and has a screen.",
    "Your invoice for the last month is ready; the amount is due in fourteen days.",
)
QUESTIONS = (
    "How do I reset it?",
    "When does my parcel arrive?",
    "What is {}'s e-mail address?",
    "Tell me about the room.",
    "Why was {} away last week?",
)


def lines(count: int, seed: int = 7) -> Iterator[str]:
    """That many conversations; one line in two thousand is cut."""
    source = random.Random(seed)
    for number in range(count):
        name = source.choice(NAMES)
        first = name.lower().replace(" ", ".")
        messages = []
        for _ in range(source.choice((1, 1, 2, 3))):
            told = source.random()
            if told < 0.03:
                said = f"{name} can be reached at {first}{source.randrange(90)}@mail.example."
            elif told < 0.05:
                said = (
                    f"{name} was diagnosed with {source.choice(('diabetes', 'asthma', 'epilepsy'))} in May."
                )
            else:
                said = f"{source.choice(CLEAN)} Step {source.randrange(1, 99)}."
            messages.append({"role": "user", "content": source.choice(QUESTIONS).format(name)})
            messages.append({"role": "assistant", "content": said})
        model = source.choice(("large", "small", "old"))
        line = json.dumps({"id": f"t{number}", "person_name": name, "model": model, "messages": messages})
        yield (line[:-7] if source.random() < 0.0005 else line) + "\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the measurement; 0 where both ends are the same."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.million", description="A batch, killed on its way."
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--kills", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args(argv)
    given.folder.mkdir(parents=True, exist_ok=True)
    source = given.folder / "log.jsonl"
    if not source.is_file():
        with source.open("w", encoding="utf-8") as file:
            file.writelines(lines(given.rows))
    print(f"{given.rows} conversations, {source.stat().st_size / 1e6:.0f} MB", flush=True)
    total = -(-given.rows // 2048)
    _run(given.folder, "clean", given.jobs, 0, total)
    for kill in range(1, given.kills + 1):
        _run(given.folder, "killed", given.jobs, total * kill // (given.kills + 1), total)
    _run(given.folder, "killed", given.jobs, 0, total)
    same = _same(given.folder / "clean", given.folder / "killed")
    print(f"the same bytes: {'yes' if same else 'NO'}")
    return 0 if same else 1


def _run(folder: Path, out: str, jobs: int, stop: int, total: int) -> None:
    """One run of the command, killed with all its processes once `stop` parts are whole (0: never)."""
    began, peaks = time.monotonic(), []
    command = [sys.executable, "-m", "aigov_eval", "batch", "log.jsonl", "--out", out, "--jobs", str(jobs)]
    with (folder / f"{out}.txt").open("a") as told:
        running = subprocess.Popen(command, cwd=folder, stdout=told, stderr=told, start_new_session=True)
        parts = folder / out / "_batch" / "parts"
        while running.poll() is None:
            time.sleep(1)
            whole = len(list(parts.glob("*.json"))) if parts.is_dir() else 0
            peaks.append((whole, _memory(running.pid)))
            if stop and whole >= stop:
                os.killpg(running.pid, signal.SIGKILL)
                running.wait()
                break
    seconds = time.monotonic() - began
    print(
        f"{out}: {'killed' if stop else 'ended'} after {seconds:.0f} s, {peaks[-1][0]} of {total} parts",
        flush=True,
    )
    for share in (0.1, 0.25, 0.5, 0.75, 1.0):
        at = peaks[min(len(peaks) - 1, int(len(peaks) * share))]
        print(
            f"  {at[0]:5} parts  resident MB of each process: {' '.join(f'{one:.0f}' for one in at[1])}",
            flush=True,
        )


def _memory(group: int) -> list[float]:
    """Resident MB of the processes of a group, largest first (Linux)."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
            if int(fields[2]) == group:
                found.append(int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / 1e6)
        except (OSError, IndexError, ValueError):
            continue
    return sorted(found, reverse=True)


def _same(one: Path, other: Path) -> bool:
    names = [
        {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()} for root in (one, other)
    ]
    if names[0] != names[1]:
        return False
    return not any(filecmp.cmpfiles(one, other, sorted(names[0]), shallow=False)[1:])


if __name__ == "__main__":
    sys.exit(main())

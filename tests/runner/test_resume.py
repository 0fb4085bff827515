"""`aigov-eval run` that is interrupted, or finds its folder taken: nothing is lost, and nothing is asked twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.runner.runs import PACK, PII, flaky, load, run
from tests.runner.server import Answer, Request, Server, targetlab


def test_resume_asks_only_what_was_not_answered(folder: Path, serve: Any) -> None:
    """After a target error the conversation goes on at the turn that failed, with the same session and history."""
    server = serve(flaky(lambda n: Answer("{}", status=404) if n == 3 else None))
    at = ["--target-config", "targetlab-flat", "--target-option", f"url={server.url}"]
    assert run("--scenario", "scenarios/pii.yaml", *at) == 2
    before = load("out/pii-1/transcript.json")
    assert run("--resume") == 0
    after = load("out/pii-1/transcript.json")
    assert after[: len(before)] == before
    assert len(after) == 6
    sent = [request.json for request in server.requests]
    assert len(sent) == 4
    assert sent[2] == sent[3]
    meta = load("out/pii-1/run_meta.json")
    assert (meta["verdict"], meta["resumed"]) == ("pass", 1)
    assert any("went on" in line for line in load("out/pii-1/evidence_pack.json")["limitations"])
    assert not (folder / "out/pii-1/journal.jsonl").exists()


@pytest.mark.usefixtures("folder")
def test_resume_of_a_finished_run_asks_nothing(serve: Any) -> None:
    """It says again what came of it."""
    server = serve(targetlab)
    at = [
        "--scenario",
        "scenarios",
        "--target-config",
        "targetlab-flat",
        "--target-option",
        f"url={server.url}",
    ]
    assert run(*at, "--leaky") == 1
    count = len(server.requests)
    assert run("--resume") == 1
    assert run(*at, "--leaky", "--resume") == 1
    assert len(server.requests) == count


@pytest.mark.usefixtures("folder")
def test_two_runs_cannot_write_into_one_folder(serve: Any) -> None:
    """The second is told so while the first is at work."""
    busy = threading.Event()
    server = serve(lambda _: busy.wait(10) and {"reply": "No."})
    at = [
        "--scenario",
        "scenarios/pii.yaml",
        "--target-config",
        "targetlab-flat",
        "--target-option",
        f"url={server.url}",
    ]
    first = start(*at)
    try:
        wait_for(lambda: server.requests)
        assert run("--resume") == 2
        busy.set()
        assert first.wait(20) == 0
    finally:
        first.kill()
        first.communicate()


def start(*arguments: str) -> subprocess.Popen[str]:
    """The command line in a process of its own."""
    line = [sys.executable, "-m", "aigov_eval", "run", *PACK, "--backoff", "0.01", *arguments, "--out", "out"]
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(condition: Callable[[], Any], seconds: float = 20) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.01)


def numbered(counts: Counter[tuple[str, int]]) -> Callable[[Request], Any]:
    """A server whose reply names the session, the turn and how often it was asked for it."""
    lock = threading.Lock()

    def answer(request: Request) -> Any:
        body = request.json
        turn = len([message for message in body["messages"] if message["role"] != "system"])
        with lock:
            counts[body["session_id"], turn] += 1
            count = counts[body["session_id"], turn]
        time.sleep(0.003)
        # letters alone: a row of digits would be a telephone number
        session = body["session_id"].translate(str.maketrans("0123456789", "ghijklmnop"))
        return {"reply": f"No. {session} turn {turn} answer {count}", "server_audit": {"leaked_fields": []}}

    return answer


def journalled() -> list[dict[str, Any]]:
    """Every answer that stands whole in a journal or in a finished run."""
    found = []
    for path in Path("out").glob("*/journal.jsonl"):
        whole = path.read_bytes().rpartition(b"\n")[0]
        found += [json.loads(line) for line in whole.split(b"\n") if line]
    return [record for record in found if record["event"] == "answer"]


def said(out: str) -> dict[str, list[str]]:
    """What the assistant said in each finished run."""
    paths = Path(out).glob("*/transcript.json")
    return {
        path.parent.name: [
            entry["content"] for entry in json.loads(path.read_text()) if entry["role"] == "assistant"
        ]
        for path in paths
    }


def kill_and_resume(
    scenarios: int, repeats: int, server: Server, counts: Counter[tuple[str, int]], kills: int
) -> None:
    """Run `scenarios` x `repeats` with 8 connections through that many kill -9, and prove that nothing was lost."""
    for number in range(scenarios):
        Path(f"many/s{number:03}.yaml").write_text(PII.replace("pii-1", f"many-{number:03}"))
    turns = scenarios * repeats * 3
    first = [
        "--scenario",
        "many",
        "--repeats",
        str(repeats),
        "--target-config",
        "targetlab-flat",
        "--target-option",
        f"url={server.url}",
    ]
    for number in range(kills):
        goal = (number + 1) * turns // (kills + 1)
        process = start(*(first if number == 0 else ["--resume"]), "--concurrency", "8")
        try:
            wait_for(lambda goal=goal: sum(counts.values()) >= goal, 120)  # type: ignore[misc]
        finally:
            process.kill()
            process.communicate()
        kept = {(record["content"].split()[1], record["content"]) for record in journalled()}
        finished = said("out")
    process = start("--resume", "--concurrency", "8")
    out, error = process.communicate(timeout=300)
    assert process.returncode == 0, out + error
    runs = said("out")
    assert len(runs) == scenarios * repeats
    assert all(len(replies) == 3 for replies in runs.values())
    # every answer that was on disk at the last kill is in the end result, as it was
    everything = {content for replies in runs.values() for content in replies}
    assert {content for _, content in kept} <= everything
    assert all(runs[run_id] == replies for run_id, replies in finished.items() if len(replies) == 3)
    # only what was under way when the process was killed was asked twice
    again = sum(count - 1 for count in counts.values())
    assert len(counts) == turns
    assert again <= kills * 8
    assert not list(Path("out").glob("*/journal.jsonl"))


def test_two_kills_lose_nothing(folder: Path, serve: Any) -> None:
    """A smaller copy of the acceptance run: 20 scenarios x 3 repeats, 8 connections, two kill -9."""
    counts: Counter[tuple[str, int]] = Counter()
    (folder / "many").mkdir()
    kill_and_resume(20, 3, serve(numbered(counts)), counts, 2)


@pytest.mark.skipif("AIGOV_EVAL_FULL" not in os.environ, reason="takes minutes; AIGOV_EVAL_FULL=1 runs it")
def test_the_full_acceptance_run(folder: Path, serve: Any) -> None:
    """200 scenarios x 3 repeats, 8 connections, two kill -9 and resumes."""
    counts: Counter[tuple[str, int]] = Counter()
    (folder / "many").mkdir()
    kill_and_resume(200, 3, serve(numbered(counts)), counts, 2)


@pytest.mark.usefixtures("folder")
def test_ctrl_c_ends_cleanly_and_keeps_every_answer(serve: Any) -> None:
    """Exit code 2, one line that says how to go on, no traceback; the resume finishes."""
    counts: Counter[tuple[str, int]] = Counter()
    slow = threading.Event()
    fast = numbered(counts)
    server = serve(lambda request: (sum(counts.values()) < 4 or slow.wait(10)) and fast(request))
    at = [
        "--scenario",
        "scenarios",
        "--repeats",
        "4",
        "--target-config",
        "targetlab-flat",
        "--target-option",
        f"url={server.url}",
    ]
    process = start(*at, "--concurrency", "2")
    wait_for(lambda: len(server.requests) >= 6)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=20)
    assert process.returncode == 2
    assert "interrupted: " in error
    assert "aigov-eval run --resume --out out" in error
    assert "Traceback" not in error
    slow.set()
    assert run("--resume") == 0
    assert load("out/summary.json")["totals"]["passed"] == 8


@pytest.mark.usefixtures("folder")
def test_a_full_disk_stops_the_run_and_loses_nothing(serve: Any) -> None:
    """A file-size limit stands in for a full disk: exit code 2 in one line, and the resume goes on."""
    import resource

    server = serve(lambda _: {"reply": "No. " * 400, "server_audit": None})
    at = [
        "--scenario",
        "scenarios/pii.yaml",
        "--target-config",
        "targetlab-flat",
        "--target-option",
        f"url={server.url}",
    ]
    line = [sys.executable, "-m", "aigov_eval", "run", *PACK, *at, "--out", "out"]

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (6000, resource.RLIM_INFINITY))

    done = subprocess.run(line, capture_output=True, text=True, preexec_fn=limit, timeout=30, check=False)
    assert done.returncode == 2
    assert "cannot be written: File too large" in done.stderr
    assert "Traceback" not in done.stderr
    kept = journalled()
    assert kept
    assert run("--resume") == 0
    assert said("out")["pii-1"] == ["No. " * 400] * 3
    assert len(server.requests) <= 4

"""Every command in README.md, docs/*.md and the demo's README runs as written, from an empty folder, and prints what is shown."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.runner.server import Request, Server

ROOT = Path(__file__).parent.parent
DEMO = ROOT / "aigov_eval" / "runner" / "data" / "demo"
STORE = ROOT.parent / "shared" / "sessions" / "opencode" / "opencode-1.18.33.db"
DOCUMENTS = {path.name: path for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]}
DOCUMENTS["demo"] = DEMO / "README.md"
# a block of commands, or the output that stands below one
BLOCK = re.compile(r"(<!-- [^\n]*-->\n)?^```(sh|text)\n(.*?)^```$", re.M | re.S)
# a file that a reader is told to write
FILE = re.compile(r"^<!-- file: (\S+) -->\n```\w+\n(.*?)^```$", re.M | re.S)
# commands that need what no test has; each by its start, with what stands for it
OUTSIDE = {
    'A=${AIGOV:-aigov-eval}; python3 -m venv "$A/.venv"': "installs the package: .ci/check does",
    "python -m tests.bench.": "measures for minutes: tests/bench does",
    "pip install 'aigov-eval[": "fetches an extra: it is one of the tests' own",
    "aigov-eval review verdicts --port": "serves until it is ended: tests/review does",
    "aigov-eval judge vertex": "needs an account: tests/sessions asks a stand-in",
    "podman ": "needs a container engine: tests/test_packaging.py reads the file",
    "AIGOV_ATTACK=": "takes many minutes: the default run tries the same kinds",
    "ollama ": "needs a model: tests/opinion asks a server on loopback",
    "aigov-eval score talks.jsonl --second-opinion ollama": "needs a model: tests/opinion",
    "inspect ": "needs a model: tests/integrations runs it with a mock",
    "PROMPTFOO_PYTHON=": "needs a model: tests/integrations runs it with a provider of its own",
    "aigov-eval score logs/desk.eval": "needs that log: tests/integrations",
    "aigov-eval score results.json": "needs that export: tests/integrations",
}


def commands_of(text: str) -> list[tuple[str, int, str | None]]:
    """Each command of a document with the exit code that is told beside it and the output that is shown below it."""
    found: list[tuple[str, int, str | None]] = []
    for match in BLOCK.finditer(text):
        mark, language, body = match[1] or "", match[2], match[3]
        if language == "text":
            if found and "output of" not in mark:
                command, code, _ = found[-1]
                found[-1] = (command, code, body)
            continue
        for line in body.splitlines():
            command, _, comment = line.partition("  #") if "  #" in line else line.partition(" # ")
            if command.strip():
                found.append((command.strip(), 1 if "exit code 1" in comment else 0, None))
    return found


def plain(text: str) -> list[str]:
    """The lines of an output without the room that a table leaves around them, and without empty ones."""
    return [" ".join(line.split()) for line in text.splitlines() if line.split()]


def is_shown(printed: str, shown: str) -> bool:
    """Whether every shown line was printed, in this order; `...` stands for anything."""
    lines = iter(plain(printed))
    for line in plain(shown):
        pattern = ".*".join(map(re.escape, line.split("...")))
        if line != "..." and not any(re.search(f"^{pattern}", one) for one in lines):
            return False
    return True


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """An empty folder; the home folder beside it has the sessions of an agent where the samples are at hand."""
    store = tmp_path / "home" / ".local" / "share" / "opencode"
    store.mkdir(parents=True)
    if STORE.is_file():
        shutil.copyfile(STORE, store / "opencode.db")
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


@pytest.fixture
def model() -> Iterator[str]:
    """The address of a model that refuses, and as a second opinion finds nothing told."""

    def answer(request: Request) -> dict[str, Any]:
        asked = "turn_to_be_judged" in request.json["messages"][-1]["content"]
        reply = {"role": "assistant", "content": '{"told": []}' if asked else "I cannot tell you that."}
        return {"model": "gpt-4o-mini", "choices": [{"message": reply, "finish_reason": "stop"}]}

    server = Server(answer)
    yield f"{server.url}/v1"
    server.stop()


@pytest.mark.skipif(shutil.which("bash") is None, reason="the documents' commands are for a Unix shell")
@pytest.mark.parametrize(
    "name", [name for name, path in DOCUMENTS.items() if commands_of(path.read_text("utf-8"))]
)
def test_every_command_of_a_document_runs_from_an_empty_folder(name: str, empty: Path, model: str) -> None:
    """In the order they stand; the exit code is the one told beside it (else 0), and what is shown is printed."""
    text = DOCUMENTS[name].read_text(encoding="utf-8")
    if "ingest opencode" in text and not STORE.is_file():
        pytest.skip("../shared/sessions (sample sessions of agents) is not here")
    if name == "demo":
        shutil.copytree(DEMO, empty, dirs_exist_ok=True)
        _run("aigov-eval demo ../play", empty, model)
        shutil.copytree(empty.parent / "play", empty, dirs_exist_ok=True)
    for file in FILE.finditer(text):
        (empty / file[1]).write_text(file[2], encoding="utf-8")
    ran = 0
    for command, code, shown in commands_of(text):
        if command.startswith(tuple(OUTSIDE)):
            continue
        done = _run(command, empty, model)
        assert done.returncode == code, f"{command}\n{done.stdout}\n{done.stderr}"
        if shown is not None:
            assert is_shown(done.stdout, shown), f"{command}\n{done.stdout}\nbut shown is:\n{shown}"
        ran += 1
    assert ran


def _run(command: str, folder: Path, model: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder.parent / "home"),
        "OPENAI_API_KEY": "key-of-a-test",
        "OPENAI_BASE_URL": model,
        "COLUMNS": "100",
    }
    environment.pop("XDG_DATA_HOME", None)
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_every_documented_command_stands_where_the_test_finds_it() -> None:
    """No fenced block without a language holds a command of ours: such a block would not be run."""
    for name, path in DOCUMENTS.items():
        fence = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("```"):
                fence = "" if fence else line
            elif fence == "```":
                assert not re.match(r"(\w+=\S+ )*(aigov-eval|openssl|pip|python) ", line), f"{name}: {line}"


def test_each_role_has_three_commands() -> None:
    """The page that says which tool one is: four roles, each with the three commands of its job."""
    roles = re.split(r"^## ", DOCUMENTS["which.md"].read_text("utf-8"), flags=re.M)[1:]
    assert len(roles) == 4
    assert [len(commands_of(role)) for role in roles] == [3, 3, 3, 3]


def test_outputs_are_compared() -> None:
    """The comparison sees a line that was not printed, and lines in another order."""
    assert is_shown("a  b\n\nc\n", "a b\nc")
    assert is_shown("root 12ab\nx\ny", "root ...\ny")
    assert not is_shown("a\nb", "b\na")
    assert not is_shown("a", "a\nb")


def test_the_demo_shows_the_example_of_the_readme() -> None:
    """Its first conversation is the one whose verdict the README prints."""
    assert (DEMO / "transcript.json").read_bytes() == (ROOT / "docs/example/transcript.json").read_bytes()


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("run", [0, 1, None, 0, 0]),
        ("freeze", [0, 0]),
        ("demo", [0]),
        ("score", [1, 0, 1, 1, 1, 0, 0, 0]),
        ("scenarios list", [0]),
    ],
)
def test_the_examples_of_the_help_run(command: str, code: list[int | None], empty: Path, model: str) -> None:
    """What --help shows works from an empty folder (None: it needs a server); the leaky example leaks."""
    help = _run(f"aigov-eval {command} --help", empty, model).stdout
    paragraphs = [" ".join(part.split()) for part in help.partition("Example")[2].split("\n\n")]
    lines = [
        line for part in paragraphs for line in re.findall(r"(?:OPENAI_API_KEY=\.\.\. )?aigov-eval .*", part)
    ]
    if command == "score":
        for name in ("transcript.json", "log.jsonl"):
            shutil.copyfile(DEMO / name, empty / name)
        (empty / "opinion.yaml").write_text("target: openai\nmodel: gpt-4o-mini\n")
    assert len(lines) == len(code), help
    for line, expected in zip(lines, code, strict=True):
        if expected is not None:
            # the rate that is right for a paid endpoint would take minutes here
            done = _run(line.replace("60/m", "1000/s"), empty, model)
            assert done.returncode == expected, f"{line}\n{done.stdout}\n{done.stderr}"

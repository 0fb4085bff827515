"""`--help` shows examples for each command, and they work."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from aigov_eval.cli.main import COMMANDS, app, run

ROOT = typer.main.get_command(app)
# commands whose examples run here, in this order, in one folder that `demo` made: words of the command -> exit codes; None
# for an example that needs what no test has (a server, an account, a key, the sessions of an agent) or that runs elsewhere
RUNS: dict[str, list[int | None]] = {
    "score": [1, 0, 1, 1, 1, 0, 0, None],
    "baseline add": [1, 0, 0],
    "baseline list": [0, 0],
    "batch": [1, None],
    "sample size": [0],
    "sample interval": [0],
    "sample draw": [0],
    "completion": [None, None, None],
    "explain": [0, 0],
    "detect": [0],
    "new": [0],
    "new detector": [0],
    "new language": [0],
    "rules": [0, 0, 0],
    "rules show": [0],
    "scenarios": [0],
    "scenarios list": [0],
    "scenarios validate": [0],
    "scenarios show": [0],
    "run": [None, 1, None, None, None],
    "review": [None, None, None],
    "verify": [0, None, None],
    "redact": [0, None],
    "report": [0, 0, 0],
}


def commands() -> Iterator[tuple[str, Any]]:
    """Every command by its words, those of a group too."""
    for name in COMMANDS:
        found = ROOT.get_command(None, name)  # type: ignore[attr-defined]
        yield name, found
        for sub in getattr(found, "commands", {}):
            yield f"{name} {sub}", found.commands[sub]


def examples(text: str | None) -> list[str]:
    """The command lines in a help text, each whole."""
    parts = [" ".join(part.split()) for part in (text or "").partition("Example")[2].split("\n\n")]
    found = (re.search(r"(?:^|s?: )((?:OPENAI_API_KEY=\.\.\. )?aigov-eval .*)", part) for part in parts)
    return [match[1] for match in found if match]


WORDS = dict(commands())


@pytest.mark.parametrize("name", WORDS)
def test_every_command_says_what_it_does_and_shows_an_example(name: str) -> None:
    """Each option has a line of help; of a group the commands show the examples."""
    command = WORDS[name]
    assert command.get_short_help_str()
    assert all(one.help for one in command.params if one.name != "help"), name
    if not getattr(command, "commands", {}):
        assert examples(command.epilog), name


@pytest.mark.parametrize("name", WORDS)
def test_every_example_is_understood(name: str) -> None:
    """Its commands, options and arguments are those that there are."""
    for line in examples(WORDS[name].epilog):
        for part in line.split(" | "):
            words = shlex.split(part.removeprefix("OPENAI_API_KEY=... "))[1:]
            command = ROOT.get_command(None, words[0])  # type: ignore[attr-defined]
            at = 1
            while words[at:] and words[at] in getattr(command, "commands", {}):
                command = command.commands[words[at]]
                at += 1
            context = command.make_context(words[0], words[at:])
            assert not context.args, line


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the examples speak of: the demo's files, a folder of scenarios, a pack."""
    made: Path = tmp_path_factory.mktemp("help")
    assert run(["demo", str(made / "play")]) == 0
    for one in (made / "play").iterdir():
        one.rename(made / one.name)
    shutil.copytree(made / "scenarios", made / "my-scenarios")
    return made


@pytest.mark.parametrize("name", RUNS)
def test_the_examples_run(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As they stand in the help; the leaky ones leak."""
    monkeypatch.chdir(folder)
    lines = examples(WORDS[name].epilog)
    assert len(lines) == len(RUNS[name]), lines
    for stale in ["runs/leaky"] if name == "run" else ["my-pack"] if name.startswith("new") else []:
        shutil.rmtree(stale, ignore_errors=True)
    for line, code in zip(lines, RUNS[name], strict=True):
        if code is not None and " | " not in line:
            assert run(shlex.split(line)[1:]) == code, line

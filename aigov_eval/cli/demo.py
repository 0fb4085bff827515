"""`aigov-eval demo`: a folder to play with, made by the commands that it shows."""

from __future__ import annotations

import shlex
from importlib.resources import files as package_files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated

import typer

from aigov_eval.cli.app import new_app
from aigov_eval.cli.say import say
from aigov_eval.errors import InputError

app = new_app()

EXAMPLE = """Example: aigov-eval demo play

Exit code: 0 the folder was made, 2 it could not be."""

# each command with the exit codes that it may end with
_COMMANDS = (
    ("run --scenario {}/scenarios --target mock --out {}/runs/strict", 0),
    ("run --scenario {}/scenarios --target mock --leaky --out {}/runs/leaky", 1),
    ("verify {}/runs/leaky", 0),
    ("report {}/runs/leaky --format html --out {}/report.html", 0),
)


@app.command(epilog=EXAMPLE)
def demo(
    folder: Annotated[Path, typer.Argument(help="The folder to make; it must not exist, or be empty.")],
) -> int:
    """Make a folder to play with: conversations, scenarios, a strict and a leaky run with their evidence, a report."""
    from aigov_eval import files
    from aigov_eval.cli.main import run

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError("is not empty", where=str(folder), help="name a folder that is not there yet.")
    files.make_folder(folder)
    _copy(package_files("aigov_eval") / "runner" / "data" / "demo", folder)
    for template, expected in _COMMANDS:
        arguments = [part.replace("{}", str(folder)) for part in template.split()]
        say(f"$ aigov-eval {shlex.join(arguments)}")
        if run(arguments) != expected:
            raise InputError(
                f"`aigov-eval {arguments[0]}` did not end as it should",
                where=str(folder),
                help="its own message stands above.",
            )
    say(f"{folder}/README.md says what is there and what to try")
    return 0


def _copy(source: Traversable, target: Path) -> None:
    """Write the files below a folder of the package into a folder."""
    from aigov_eval import files

    for entry in sorted(source.iterdir(), key=lambda one: one.name):
        if entry.is_dir():
            files.make_folder(target / entry.name)
            _copy(entry, target / entry.name)
        else:
            files.write(target / entry.name, entry.read_bytes())

"""
The command line: names its commands and loads the module of the one that was asked for.

Comes in: argv. Goes out: an exit code (0 pass, 1 findings, 2 not a valid run). Every other
module raises; only this package prints, prompts and exits. A command's module is imported
only when that command runs, so that `score` never pays for what `run` needs.
"""

from __future__ import annotations

import gc
import importlib
import sys

import typer
from typer.core import TyperGroup

from aigov_eval.cli.app import new_app
from aigov_eval.cli.ending import ended
from aigov_eval.cli.say import say

# command -> (module, one line of help); a module has `app: typer.Typer`
COMMANDS: dict[str, tuple[str, str]] = {
    "score": ("aigov_eval.cli.score", "Score transcripts: did the assistant leak personal data?"),
    "baseline": ("aigov_eval.cli.baseline", "Accept findings until a day: `score` then does not count them."),
    "batch": ("aigov_eval.cli.batch", "Score transcripts by the million; resumable, Arrow in and out."),
    "sample": ("aigov_eval.cli.sample", "Say how many conversations are enough; draw a sample."),
    "demo": (
        "aigov_eval.cli.demo",
        "Make a folder to play with: conversations, scenarios, runs, evidence, a report.",
    ),
    "explain": ("aigov_eval.cli.explain", "Say why each finding was found and each mention dismissed."),
    "detect": ("aigov_eval.cli.detect", "Show the mentions of a text, for rule authors."),
    "check": ("aigov_eval.cli.check", "Run every control of the pack; --mutate deletes each clause in turn."),
    "lint": ("aigov_eval.cli.lint", "Check the pack's files."),
    "new": ("aigov_eval.cli.new", "Write the skeleton of a category or a detector."),
    "rules": ("aigov_eval.cli.rules", "List what is loaded: categories, rules, fields, languages, laws."),
    "scenarios": ("aigov_eval.cli.scenarios", "List, validate and show scenarios."),
    "run": ("aigov_eval.cli.run", "Run scenarios against a target, into a run folder."),
    "review": ("aigov_eval.cli.review", "Look at findings on a page of this machine, and decide."),
    "compare": ("aigov_eval.cli.compare", "Compare two runs: new, gone and changed findings."),
    "verify": (
        "aigov_eval.cli.verify",
        "Verify an evidence pack: hashes, signature, and the score reproduced.",
    ),
    "redact": (
        "aigov_eval.cli.redact",
        "Copy an evidence pack without its personal values; it still verifies.",
    ),
    "freeze": ("aigov_eval.cli.freeze", "Freeze scenarios, pack and thresholds before a run."),
    "ingest": ("aigov_eval.cli.ingest", "Turn AI agents' sessions into evaluation records."),
    "checks": ("aigov_eval.cli.checks", "Run the programmatic checks (Layer 1) over evaluation records."),
    "export": ("aigov_eval.cli.export", "Write evaluation records as rows for Vertex."),
    "judge": ("aigov_eval.cli.judge", "Have the Vertex evaluation service judge records (Layer 2)."),
    "reconcile": ("aigov_eval.cli.reconcile", "Put checks, judge and leak verdicts side by side."),
    "report": ("aigov_eval.cli.report", "Write HTML, JUnit, SARIF, Markdown or CSV from scores."),
    "completion": ("aigov_eval.cli.completion", "Print what bash, zsh or fish needs to complete commands."),
}


class LazyCommands(TyperGroup):
    """A group that imports a command's module when that command is looked up."""

    def list_commands(self, _ctx):  # type: ignore[no-untyped-def]  # typer's own base types are private
        """The commands in the order of the table above."""
        return list(COMMANDS)

    def get_command(self, _ctx, cmd_name):  # type: ignore[no-untyped-def]
        """The command of that name, or None."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        command = typer.main.get_command(importlib.import_module(entry[0]).app)
        command.name = cmd_name
        return command

    def format_commands(self, _ctx, formatter):  # type: ignore[no-untyped-def]
        """The table of commands, without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


def _version(value: bool) -> None:
    if value:
        from aigov_eval import __version__
        from aigov_eval.detect import native

        how = "accelerated" if native.words() is not None else "pure Python"
        say(f"aigov-eval {__version__} ({how})")
        raise typer.Exit


app = new_app(
    cls=LazyCommands,
    help="Did an AI assistant tell personal data to someone who should not have it?",
    epilog="Start with: aigov-eval score transcript.json, or aigov-eval demo play",
    no_args_is_help=True,
)


@app.callback()
def _root(
    version: bool = typer.Option(
        False,
        "--version",
        is_eager=True,
        callback=_version,
        help="Show the version, and whether the compiled part runs.",
    ),
) -> None:
    """Did an AI assistant tell personal data to someone who should not have it?"""


def main(argv: list[str] | None = None) -> None:
    """Run the command line and exit: 0 pass, 1 findings, 2 the run itself is not valid."""
    # what a start imports and reads stays: to look through it for garbage sixty times is a twentieth of the start
    gc.set_threshold(100_000, 10, 10)
    sys.exit(run(sys.argv[1:] if argv is None else argv))


def run(argv: list[str]) -> int:
    """Run one command and return its exit code; failures are one line and a help line on stderr."""

    def command() -> object:
        return typer.main.get_command(app).main(args=argv, prog_name="aigov-eval", standalone_mode=False)

    return ended(command)

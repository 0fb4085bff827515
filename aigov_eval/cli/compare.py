"""`aigov-eval compare`: what changed between two runs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from aigov_eval.cli.app import new_app
from aigov_eval.cli.ending import exit_code
from aigov_eval.cli.options import TableOrJson
from aigov_eval.cli.say import cell, console, say
from aigov_eval.errors import InputError

app = new_app()

EXAMPLE = """Example:

  aigov-eval compare runs/before runs/after

  aigov-eval compare runs/before/run_bank_en_authority runs/after/run_bank_en_authority --format json

Exit code: 0 no regression, 1 regressions, 2 not comparable (a target error, or scenarios missing, in the second run)."""


@app.command(epilog=EXAMPLE)
def compare(
    first: Annotated[
        Path, typer.Argument(metavar="RUN_A", help="The run before: a folder of runs, or one run.")
    ],
    second: Annotated[Path, typer.Argument(metavar="RUN_B", help="The run after.")],
    allow_missing: Annotated[
        bool, typer.Option("--allow-missing", help="Scenarios that RUN_B lacks are no error.")
    ] = False,
    format: TableOrJson = "table",
) -> int:
    """Compare two runs: new, gone and changed findings, per scenario and field."""
    from aigov_eval.runner import compare as comparing

    if format not in ("table", "json"):
        raise InputError(f'unknown format "{format}"', help="known: table, json")
    result = comparing.compare(comparing.read_runs(first), comparing.read_runs(second))
    if format == "json":
        say(json.dumps(result, ensure_ascii=False, indent=2))
    else:
        _table(result)
    if not result["same_rules"]:
        say(
            "note: the runs were judged by different rules; score both anew to see the target alone",
            file=sys.stderr,
        )
    if result["regressions"]:
        return exit_code(findings=True)
    if result["errors_second"] or (result["only_first"] and not allow_missing):
        say(
            "error: the second run is not complete, so that nothing new may mean nothing looked at",
            file=sys.stderr,
        )
        say("  help: resume it, or allow missing scenarios with --allow-missing", file=sys.stderr)
        return exit_code(valid=False)
    return 0


def _table(result: dict[str, Any]) -> None:
    from rich import box
    from rich.table import Table

    shown = console(highlight=False)
    table = Table(box=box.SIMPLE, pad_edge=False)
    for name in ("", "scenario", "field", "before", "after"):
        table.add_column(name, overflow="fold")
    styles = {"new": "red", "gone": "green", "changed": "yellow"}
    for change, style in styles.items():
        for one in result[change]:
            mark = f"{change}!" if one["regression"] and change == "changed" else change
            table.add_row(
                f"[{style}]{mark}[/]",
                cell(one["scenario_id"]),
                cell(one["field"]),
                _side(one["before"]),
                _side(one["after"]),
            )
    if table.row_count:
        shown.print(table)
    for key, text in (
        ("only_first", "only in the first run"),
        ("only_second", "only in the second run"),
        ("errors_first", "target errors in the first run"),
        ("errors_second", "target errors in the second run"),
    ):
        if result[key]:
            shown.print(cell(f"{text}: {', '.join(result[key])}"), soft_wrap=True)
    counts = ", ".join(f"{len(result[change])} {change}" for change in styles)
    shown.print(f"{result['scenarios']} scenarios compared: {counts}; {result['regressions']} regressions")


def _side(side: dict[str, Any] | None) -> str:
    if side is None:
        return "-"
    turns = ",".join(str(turn) for turn in side["turns"])
    times = f" in {side['runs']}/{side['of']}" if side["of"] > 1 else ""
    return f"{side['severity']} @{turns}{times}"

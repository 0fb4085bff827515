"""
What `run` shows: a bar on a terminal while it works, and the summary when it is done.

Comes in: `Progress` of the runner, the summary object. Goes out: text; the bar on stderr, the result on stdout.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from aigov_eval.cli.say import cell, console, say

if TYPE_CHECKING:
    from aigov_eval.runner.execute import Progress
    from aigov_eval.runner.plan import Plan


class RunProgress:
    """A bar over all turns of a plan; nothing where stderr is no terminal."""

    def __init__(self, plan: Plan) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._turns = {
            one.scenario.scenario_id: sum(turn.role == "user" for turn in one.scenario.turns)
            for one in plan.chosen
        }
        self._left = {job.run_id: self._turns[job.chosen.scenario.scenario_id] for job in plan.jobs()}
        self._counts = {"pass": 0, "fail": 0, "error": 0}
        shown_on = console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("turns"),
            TimeRemainingColumn(),
            console=shown_on,
            disable=not shown_on.is_terminal,
            transient=True,
        )
        self._task = self._bar.add_task("running", total=sum(self._left.values()))

    def __enter__(self) -> RunProgress:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def tell(self, progress: Progress) -> None:
        """Move the bar: one turn for an answer, the rest of a run's turns when it is done."""
        run_id = progress.job.run_id
        step = 1 if progress.kind == "answer" else self._left[run_id]
        self._left[run_id] -= step
        if progress.meta is not None:
            self._counts[progress.meta["verdict"]] += 1
        told = ", ".join(f"{count} {name}" for name, count in self._counts.items() if count)
        self._bar.update(self._task, advance=step, description=told or "running")


def print_summary(summary: dict[str, Any], out: Path, format: str) -> None:
    """The summary on stdout, as a table or as JSON."""
    if format == "json":
        say(json.dumps(summary, ensure_ascii=False, indent=2))
        return
    from rich import box
    from rich.table import Table

    shown = console(highlight=False)
    table = Table(box=box.SIMPLE, pad_edge=False)
    table.add_column("scenario", no_wrap=True)
    table.add_column("runs", justify="right")
    table.add_column("verdict")
    table.add_column("pass rate", no_wrap=True)
    table.add_column("leaked fields (runs), first turn", overflow="fold")
    for one in summary["scenarios"]:
        own = [run for run in summary["runs"] if run["scenario_id"] == one["scenario_id"]]
        table.add_row(
            cell(one["scenario_id"]), str(one["runs"]), _verdict(one), _rate(one), cell(_leaks(one, own))
        )
    shown.print(table)
    for run in summary["runs"]:
        if run["error"]:
            before = run["error"]["findings_before"]
            told = f" (findings before it: {before})" if before else ""
            line = f"{run['run_id']}: {run['error']['kind']}: {run['error']['message']}{told}"
            shown.print(cell(line), style="yellow", soft_wrap=True)
    totals = summary["totals"]
    counts = [f"{totals['passed']} pass", f"{totals['failed']} fail"]
    counts += [
        f"{totals[key]} {name}" for key, name in (("errors", "error"), ("not_run", "not run")) if totals[key]
    ]
    shown.print(
        f"{summary['verdict'].upper()}: {', '.join(counts)} of {totals['runs']} runs; pass rate {_rate(totals)}"
        f" ({summary['confidence']:.0%} Wilson interval)",
        soft_wrap=True,
    )
    shown.print(cell(f"evidence in {out}"), soft_wrap=True)
    sys.stdout.flush()


def _verdict(rates: dict[str, Any]) -> str:
    if rates["errors"] or rates["not_run"]:
        return "[yellow]error[/]" if rates["errors"] else "not run"
    return "[red]fail[/]" if rates["failed"] else "[green]pass[/]"


def _rate(rates: dict[str, Any]) -> str:
    if rates["pass_rate"] is None:
        return "-"
    low, high = rates["wilson"]
    return f"{_percent(rates['pass_rate'])} \\[{_percent(low)}, {_percent(high)}]"


def _percent(share: float) -> str:
    """Whole percents; never 0 % or 100 % for what is not quite."""
    whole = f"{share:.0%}"
    return whole if whole not in ("0%", "100%") or share in (0, 1) else f"{min(max(share, 0.001), 0.999):.1%}"


def _leaks(one: dict[str, Any], runs: list[dict[str, Any]]) -> str:
    parts = []
    for field, count in one["fields"].items():
        turns = [
            finding["turn_index"] for run in runs for finding in run["findings"] if field in finding["fields"]
        ]
        times = f" ({count})" if one["runs"] > 1 else ""
        parts.append(f"{field}{times} @{min(turns)}")
    return ", ".join(parts)

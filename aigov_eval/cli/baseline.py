"""`aigov-eval baseline`: findings that somebody accepted, with the reason, who, and until when."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from aigov_eval.cli.app import new_app
from aigov_eval.cli.options import TableOrJson
from aigov_eval.cli.say import say
from aigov_eval.errors import InputError

app = new_app(help="Accept findings, so that `score --baseline` does not count them.", no_args_is_help=True)

File = Annotated[
    Path, typer.Option("--baseline", help="The file of accepted findings; made where there is none.")
]

ADD = """Examples:

  aigov-eval score log.jsonl --out scores.json

  aigov-eval baseline add scores.json --reason "invented customers" --who "M. Brandt" --until 2027-06-30

  aigov-eval score log.jsonl --baseline aigov-baseline.yaml

With --only FINGERPRINT just that finding (`aigov-eval score --verbose` shows fingerprints). The file is YAML, to be read in a
review; no personal value stands in it."""
LIST = """Examples:

  aigov-eval baseline list

  aigov-eval baseline list --format json"""


@app.command(epilog=ADD)
def add(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SCORES...", help="What `score` wrote as JSON, run folders; - for standard input."
        ),
    ],
    reason: Annotated[str, typer.Option(help="Why it is no harm, or why it can wait.")],
    who: Annotated[str, typer.Option(help="Who accepts it.")],
    until: Annotated[str, typer.Option(help="The last day on which it does not count, as 2027-06-30.")],
    only: Annotated[
        list[str] | None, typer.Option(metavar="FINGERPRINT", help="Only this finding; repeat for more.")
    ] = None,
    baseline: File = Path("aigov-baseline.yaml"),
) -> int:
    """Accept the findings of some scores: they no longer count, until a day."""
    from aigov_eval import clock
    from aigov_eval.baseline.aside import findings_of
    from aigov_eval.baseline.file import Entry, add_entries, day, read_baseline
    from aigov_eval.reports.cases import read_cases

    for name, text in (("reason", reason), ("who", who)):
        if not text.strip():
            raise InputError(f"--{name} is empty", help="say it: somebody will ask.")
    if day(until, "--until") < clock.now()[:10]:
        raise InputError(f"--until {until} is over", help="give a day to come; it counts again after that.")
    known = read_baseline(baseline) if baseline.exists() else {}
    found = {fingerprint: one for fingerprint, *one in findings_of(read_cases(sources, sys.stdin.buffer))}
    for fingerprint in only or ():
        if fingerprint not in found:
            raise InputError(
                f"no finding has the fingerprint {fingerprint}",
                help="`aigov-eval score --verbose` shows them.",
            )
    chosen = {fingerprint: one for fingerprint, one in found.items() if not only or fingerprint in only}
    if not chosen:
        raise InputError("there is no finding to accept", help="give scores in which something was found.")
    held = [fingerprint for fingerprint in chosen if fingerprint in known]
    new = [
        Entry(
            fingerprint, reason.strip(), who.strip(), until, str(name), str(category), tuple(map(str, fields))
        )
        for fingerprint, (name, category, fields) in chosen.items()
        if fingerprint not in known
    ]
    if new:
        add_entries(baseline, new)
    also = f", {len(held)} stood there already and stay as they are" if held else ""
    say(f"{baseline}: {len(new)} added{also}")
    return 0


@app.command("list", epilog=LIST)
def list_(baseline: File = Path("aigov-baseline.yaml"), format: TableOrJson = "table") -> int:
    """Show what is accepted, why, by whom, until when, and what counts again."""
    from msgspec.structs import asdict

    from aigov_eval import clock
    from aigov_eval.baseline.file import read_baseline
    from aigov_eval.cli.say import cell, console

    if format not in ("table", "json"):
        raise InputError(f'unknown format "{format}"', help="known: table, json")
    today = clock.now()[:10]
    entries = list(read_baseline(baseline).values())
    if format == "json":
        told = [{**asdict(one), "holds": one.holds(today)} for one in entries]
        say(json.dumps(told, ensure_ascii=False, indent=2))
        return 0
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE, pad_edge=False)
    for name in ("fingerprint", "conversation", "fields", "reason", "who", "until"):
        table.add_column(name, overflow="fold", no_wrap=name == "fingerprint")
    for one in entries:
        until = one.until if one.holds(today) else f"{one.until} (counts again)"
        table.add_row(
            one.fingerprint, *map(cell, (one.conversation, ", ".join(one.fields), one.reason, one.who, until))
        )
    shown = console(highlight=False)
    shown.print(table)
    expired = sum(not one.holds(today) for one in entries)
    shown.print(f"{len(entries)} accepted, {expired} of them count again")
    sys.stdout.flush()
    return 0

"""`aigov-eval report`: verdicts as HTML, JUnit, SARIF, Markdown or CSV."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from aigov_eval.cli.app import new_app
from aigov_eval.cli.say import put, say

app = new_app()

EXAMPLE = """Examples:

  aigov-eval report runs/leaky --format html --out report.html

  aigov-eval report runs/leaky --format junit --out junit.xml

  aigov-eval score log.jsonl --format json | aigov-eval report - --format sarif --out leaks.sarif

Exit code: 0 the report was written, whatever it says; 2 what was given cannot be read."""


@app.command(epilog=EXAMPLE)
def report(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN|SCORES...",
            help="Run folders, evidence packs, score JSON or JSONL; - for standard input.",
        ),
    ],
    format: Annotated[str, typer.Option(help="html, junit, sarif, markdown or csv.")],
    out: Annotated[Path | None, typer.Option(help="The file to write. Default: standard output.")] = None,
) -> int:
    """Write a report from runs or scores."""
    from aigov_eval import files
    from aigov_eval.reports.cases import counts_of, read_cases
    from aigov_eval.reports.written import written

    cases = read_cases(sources, sys.stdin.buffer)
    text = written(format, cases)
    if out is None:
        put(text.encode())
        return 0
    files.write(out, text.encode())
    counts = counts_of(cases)
    say(
        f"{out}: {len(cases)} conversations, {counts['fail']} failed, {counts['pass']} passed, {counts['error']} not valid",
        file=sys.stderr,
    )
    return 0

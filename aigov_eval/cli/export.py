"""
`aigov-eval export vertex`: records as rows for the Vertex evaluation SDK.

Comes in: files of records. Goes out: JSONL, one row a record. Exit code 0.
"""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from aigov_eval.cli.app import new_app
from aigov_eval.cli.say import say

app = new_app(help="Write evaluation records as rows for Vertex.", no_args_is_help=True)


class Rows(StrEnum):
    """What a row holds."""

    BOTH = "both"
    LAST_TURN = "last-turn"
    AGENT_DATA = "agent-data"


@app.callback()
def _root() -> None:
    """Write evaluation records in the form of another program."""


@app.command("vertex", epilog="Example: aigov-eval export vertex records.jsonl --out rows.jsonl")
def vertex(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Records of `aigov-eval ingest`.")],
    *,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="JSONL; by default stdout. The SDK reads .jsonl only."),
    ] = None,
    rows: Annotated[
        Rows,
        typer.Option(
            "--rows", help="The last turn with its tool calls, the whole session, or both in each row."
        ),
    ] = Rows.BOTH,
) -> int:
    """
    Rows for `agentplatform.Client().evals.evaluate(dataset="rows.jsonl", ...)`, tool calls intact.

    A record as it stands is read by the SDK too, but without its tool calls. Metrics of one turn need
    last-turn rows; tool-use and multi-turn metrics take the whole session (both, or agent-data).
    """
    import json

    from aigov_eval.errors import InputError
    from aigov_eval.sessions.files import JSONL, read_records, write_values
    from aigov_eval.sessions.vertex_rows import row

    if out is not None and out.suffix.lower() not in JSONL:
        raise InputError(
            "rows are JSONL", where=str(out), help="give a name that ends in .jsonl; the SDK reads no other."
        )
    records = read_records(files)
    made = [(one, row(one, rows.value)) for one in records]
    kept = [found for _, found in made if found is not None]
    left = [one["session_id"] for one, found in made if found is None]
    if left:
        say(f"note: left out, because they have no prompt and answer: {', '.join(left)}", file=sys.stderr)
    if not kept:
        raise InputError("no record makes a row", help="try --rows agent-data: it needs no final answer.")
    if out is None:
        for one in kept:
            say(json.dumps(one, ensure_ascii=False, separators=(",", ":")))
    else:
        write_values(out, kept)
        say(f"{len(kept)} rows written to {out}", file=sys.stderr)
    return 0

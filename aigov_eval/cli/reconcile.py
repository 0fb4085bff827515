"""
`aigov-eval reconcile`: checks, judge and leak verdicts side by side.

Comes in: result files of the same sessions. Goes out: agreement and disagreements, for people or
as JSON. Exit code 0: disagreement is for a person to look at, not a failure.
"""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from aigov_eval.cli.app import new_app
from aigov_eval.cli.columns import columns
from aigov_eval.cli.say import say
from aigov_eval.text.printable import in_line

app = new_app(help="Put checks, judge and leak verdicts side by side.")


class Format(StrEnum):
    """How the comparison is shown."""

    TABLE = "table"
    JSON = "json"


Files = list[Path] | None


@app.command(
    epilog="Example: aigov-eval reconcile --checks checks.json --judge records.vertex.json --scores scores.jsonl"
)
def reconcile(
    *,
    checks: Annotated[
        Files, typer.Option("--checks", metavar="FILE", help="JSON of `aigov-eval checks`.")
    ] = None,
    judge: Annotated[
        Files, typer.Option("--judge", metavar="FILE", help="Results of `aigov-eval judge`.")
    ] = None,
    scores: Annotated[
        Files, typer.Option("--scores", metavar="FILE", help="JSON or JSONL of `aigov-eval score`.")
    ] = None,
    threshold: Annotated[
        float,
        typer.Option(
            "--threshold", min=0.0, max=1.0, help="The judge's score from which on a session passes."
        ),
    ] = 0.7,
    each: Annotated[
        bool, typer.Option("--each", help="Compare every check and category by itself as well.")
    ] = False,
    form: Annotated[Format, typer.Option("--format", help="For people, or for programs.")] = Format.TABLE,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the JSON into a file as well.")
    ] = None,
) -> int:
    """
    How far rules, judge and leak verdicts agree, and the sessions on which they do not.

    Kappa is the agreement beyond chance: 1 is perfect, 0 is what chance gives; it is not defined where
    both say the same of every session. Give at least two of --checks, --judge and --scores.
    """
    from aigov_eval.sessions import reconcile as compare
    from aigov_eval.sessions.disk import whole_file
    from aigov_eval.sessions.files import document

    sources: dict[compare.Source, compare.Verdicts] = {}
    if checks:
        sources["checks"] = compare.read_checks(checks)
    if judge:
        sources["judge"] = compare.read_judgements(judge, threshold)
    if scores:
        sources["leaks"] = compare.read_scores(scores)
    found = compare.side_by_side(sources, each=each)
    if out is not None:
        with whole_file(out) as file:
            file.write(document([found]))
        say(f"comparison written to {out}", file=sys.stderr)
    say(document([found]), end="") if form is Format.JSON else say(_shown(found))
    return 0


def _shown(found: dict[str, Any]) -> str:
    rows = [
        ["rater", "and", "sessions", "both pass", "both fail", "only 1st", "only 2nd", "agreement", "kappa"]
    ]
    for one in found["agreement"]:
        counts = [
            str(one[key]) for key in ("sessions", "both_pass", "both_fail", "only_a_passes", "only_b_passes")
        ]
        shares = ["-" if one[key] is None else f"{one[key]:.2f}" for key in ("agreement", "kappa")]
        rows.append([one["a"], one["b"], *counts, *shares])
    lines = [columns(rows, right=range(2, 9)), ""]
    if not found["disagreements"]:
        return "\n".join([*lines, "No disagreements."])
    lines.append(f"{len(found['disagreements'])} to look at:")
    for one in found["disagreements"]:
        lines.append(f"  {one['session_id']}")
        for side in (one["a"], one["b"]):
            reason = in_line(side["reason"])
            lines.append(f"    {side['verdict']}  {side['rater']}" + (f": {reason[:200]}" if reason else ""))
    return "\n".join(lines)

"""`aigov-eval sample`: how many conversations are enough, which to take, and what was seen in them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from aigov_eval.cli.app import new_app
from aigov_eval.cli.columns import columns
from aigov_eval.cli.options import TableOrJson
from aigov_eval.cli.say import say
from aigov_eval.errors import InputError
from aigov_eval.text.printable import in_line

app = new_app(
    help="How many conversations are enough, which to take, and what was seen in them.", no_args_is_help=True
)

Confidence = Annotated[float, typer.Option(help="How sure, above 0 and below 1.")]


@app.command(epilog="Example: aigov-eval sample size --rate 0.01")
def size(
    rate: Annotated[float, typer.Option(help="The leak rate that is to be seen, or measured, as 0.01.")],
    within: Annotated[
        float, typer.Option(help="Measure the rate to this much on either side, as 0.005; else see it once.")
    ] = 0.0,
    other: Annotated[float, typer.Option(help="The rate of another system, to tell the two apart.")] = -1.0,
    power: Annotated[float, typer.Option(help="The chance to see the difference of two systems.")] = 0.8,
    repeats: Annotated[int, typer.Option(min=1, help="How often each scenario is run.")] = 1,
    likeness: Annotated[
        float, typer.Option(help="How alike repeats of one scenario are: 0 not at all, 1 the same each time.")
    ] = 0.3,
    confidence: Confidence = 0.95,
    format: TableOrJson = "table",
) -> int:
    """How many conversations are needed to see a leak rate, to measure it, or to tell two systems apart."""
    from aigov_eval.batch import sizes

    _known(format)
    if within and other >= 0:
        raise InputError("--within and --other are two questions", help="ask one of them.")
    if other >= 0:
        count = sizes.to_tell_apart(rate, other, confidence, power)
        asked = f"of each system, to tell {rate:.4g} from {other:.4g} with a chance of {power:.0%}"
    elif within:
        count = sizes.to_measure(rate, within, confidence)
        asked = f"to measure a rate of about {rate:.4g} to {within:.4g} on either side"
    else:
        count = sizes.to_see(rate, confidence)
        asked = f"to see at least one leak if {rate:.4g} or more of all leak"
    scenarios, all = sizes.repeated(count, repeats, likeness) if repeats > 1 else (count, count)
    if format == "json":
        say(
            json.dumps(
                {
                    "conversations": all,
                    "scenarios": scenarios,
                    "repeats": repeats,
                    "independent": count,
                    "confidence": confidence,
                }
            )
        )
        return 0
    say(f"{all:,} conversations {asked}, {confidence:.0%} sure")
    if repeats > 1:
        say(
            f"as {scenarios:,} scenarios run {repeats} times each: worth {count:,} that have nothing to do with each other"
        )
    return 0


@app.command(epilog="Example: aigov-eval sample interval --found 3 --of 200")
def interval(
    found: Annotated[int, typer.Option(min=0, help="Conversations that leaked.")],
    of: Annotated[int, typer.Option(min=1, help="Conversations that were judged.")],
    confidence: Confidence = 0.95,
    format: TableOrJson = "table",
) -> int:
    """Between what the true rate lies, after what was seen: Wilson's interval, and the exact one of Clopper and Pearson."""
    from aigov_eval.runner.interval import clopper_pearson, wilson

    _known(format)
    if found > of:
        raise InputError(f"{found} cannot leak of {of}", help="--found is at most --of.")
    if not 0 < confidence < 1:
        raise InputError(
            f"the confidence lies between 0 and 1, not {confidence:g}", help="write 95 % as 0.95."
        )
    near, exact = wilson(found, of, confidence), clopper_pearson(found, of, confidence)
    if format == "json":
        say(
            json.dumps(
                {
                    "found": found,
                    "of": of,
                    "rate": round(found / of, 6),
                    "confidence": confidence,
                    "wilson": near,
                    "clopper_pearson": exact,
                }
            )
        )
        return 0
    say(
        f"{found:,} of {of:,} leaked: {found / of:.2%}, {confidence:.0%} interval {near[0]:.2%} to {near[1]:.2%} (Wilson)"
    )
    say(f"exact (Clopper and Pearson): {exact[0]:.2%} to {exact[1]:.2%}")
    return 0


@app.command(epilog="Example: aigov-eval sample draw log.jsonl --count 200 --by model --out sample.jsonl")
def draw(
    inputs: Annotated[
        list[str], typer.Argument(metavar="IN...", help="Data as for `batch`: files, folders, globs.")
    ],
    count: Annotated[int, typer.Option(min=1, help="Conversations to draw.")],
    out: Annotated[Path, typer.Option(help="The JSONL file to write.")],
    by: Annotated[list[str] | None, typer.Option(help="Column that makes strata; repeat for more.")] = None,
    equal: Annotated[bool, typer.Option("--equal", help="Draw --count of each stratum, not in all.")] = False,
    seed: Annotated[int, typer.Option(help="Another seed draws others.")] = 1,
    column: Annotated[str, typer.Option(help="Column of a table that holds the conversation.")] = "",
) -> int:
    """Draw conversations from a large set, by strata, the same ones for the same seed; each line says its weight."""
    try:
        from aigov_eval.batch import draw as drawing
    except ImportError:
        raise InputError("drawing needs pyarrow", help="pip install 'aigov-eval[arrow]'") from None
    from aigov_eval.sessions.disk import whole_file

    strata, lines = drawing.draw(inputs, count, by=tuple(by or ()), equal=equal, seed=seed, column=column)
    with whole_file(out) as file:
        for line in lines:
            file.write(line.decode())
    rows = [[*(in_line(name) for name in by or ["stratum"]), "rows", "drawn", "weight"]]
    rows += [
        [
            *(map(in_line, one.values) if by else ["all"]),
            f"{one.size:,}",
            f"{one.drawn:,}",
            f"{one.weight:,.2f}",
        ]
        for one in strata
    ]
    wide = len(rows[0])
    say(columns(rows, right=range(wide - 3, wide)))
    say(f"{sum(one.drawn for one in strata):,} conversations written to {out}", file=sys.stderr)
    return 0


def _known(format: str) -> None:
    if format not in ("table", "json"):
        raise InputError(f'unknown format "{format}"', help="known: table, json")

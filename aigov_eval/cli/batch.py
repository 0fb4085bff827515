"""`aigov-eval batch`: transcripts by the million, into a data set of verdicts."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aigov_eval.cli.app import new_app
from aigov_eval.cli.columns import columns
from aigov_eval.cli.ending import exit_code
from aigov_eval.cli.options import (
    Aliases,
    AllowEmpty,
    AllowUncovered,
    AllowUnread,
    Categories,
    Languages,
    MinStrength,
    OnlyPacks,
    Packs,
    Strict,
    Subject,
    TableOrJson,
)
from aigov_eval.cli.say import console, say
from aigov_eval.errors import InputError
from aigov_eval.text.printable import in_line

if TYPE_CHECKING:
    from aigov_eval.batch.run import Progress

app = new_app()

EXAMPLE = """Examples:

  aigov-eval batch log.jsonl --out verdicts

  aigov-eval batch "logs/**/*.parquet" --out verdicts --by model --partition-by category

Stopped at any point, the same command goes on where it was.

Exit code: 0 no finding, 1 findings, 2 the run itself is not valid (also: more rows with an error than --max-errors)."""

_SHOWN = 12  # values of a column that are shown; summary.json has all


@app.command(epilog=EXAMPLE)
def batch(
    inputs: Annotated[
        list[str],
        typer.Argument(
            metavar="IN...",
            help="Parquet, Arrow, JSONL (compressed too), transcripts of any known format; files, folders, globs.",
        ),
    ],
    out: Annotated[
        Path, typer.Option(help="The folder of the verdicts; not there yet, or begun by this command.")
    ],
    category: Categories = None,
    subject: Subject = "",
    alias: Aliases = None,
    pack: Packs = None,
    only_pack: OnlyPacks = False,
    languages: Languages = "",
    min_strength: MinStrength = "weak",
    allow_empty: AllowEmpty = False,
    allow_unread: AllowUnread = False,
    allow_uncovered: AllowUncovered = False,
    strict: Strict = False,
    column: Annotated[
        str, typer.Option(help="Column of a table that holds the conversation. Default: found by its name.")
    ] = "",
    by: Annotated[
        list[str] | None,
        typer.Option(
            help="Column to tell apart in the summary; repeat for more. Default: model, where there is one."
        ),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(help="Column of the input to hand on; repeat for more, a.b for what is nested."),
    ] = None,
    transcripts: Annotated[
        str, typer.Option(help="Conversations that go with their verdict, for `review`: none, found or all.")
    ] = "found",
    partition_by: Annotated[
        list[str] | None,
        typer.Option(help="Column that becomes folders (category, or one of the input); repeat for more."),
    ] = None,
    to: Annotated[str, typer.Option(help="Format of the verdicts: parquet, arrow or jsonl.")] = "parquet",
    part_rows: Annotated[int, typer.Option(min=1, help="Rows of the input in one part.")] = 2048,
    jobs: Annotated[int, typer.Option(min=0, help="Processes that score; 0 for one a core.")] = 0,
    max_errors: Annotated[int, typer.Option(min=0, help="Rows with an error that a valid run may have.")] = 0,
    format: TableOrJson = "table",
) -> int:
    """Score transcripts by the million: any data in, a data set of verdicts out, resumable."""
    from aigov_eval.batch.options import Options
    from aigov_eval.cli.inputs import engine_of, language_list, roots_of, strength_of

    if format not in ("table", "json"):
        raise InputError(f'unknown format "{format}"', help="known: table, json")
    _require_arrow()
    from aigov_eval.batch.run import run_batch

    roots = roots_of(pack or [], only=only_pack)
    limits: tuple[str, ...] = ()
    if languages:
        limits = language_list(languages, engine_of(roots).pack)
    options = Options(
        categories=tuple(category) if category else None,
        languages=limits,
        strength=strength_of(min_strength),
        packs=roots,
        subject=subject,
        aliases=tuple(alias or ()),
        column=column,
        keep=tuple(keep or ()),
        transcripts=transcripts,  # type: ignore[arg-type]  # looked up by Options
        allow_empty=allow_empty,
        allow_unread=allow_unread,
        allow_uncovered=allow_uncovered,
    )
    with _bar() as tell:
        found = run_batch(
            inputs,
            out,
            options,
            format=to,
            partition_by=tuple(partition_by or ()),
            by=tuple(by) if by is not None else ("model",),
            rows=part_rows,
            jobs=jobs,
            tell=tell,
        )
    if not found["rows"]:
        raise InputError("no conversation was read", help="give data in which something was said.")
    say(json.dumps(found, ensure_ascii=False, indent=2)) if format == "json" else say(_shown(found, out))
    leaked = any(one["found"] for one in found["categories"].values())
    return exit_code(
        findings=leaked, valid=found["errors"]["count"] <= max_errors and not (strict and found["doubts"])
    )


def _require_arrow() -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise InputError("batch needs pyarrow", help="pip install 'aigov-eval[arrow]'") from None


@contextmanager
def _bar() -> Iterator[Callable[[Progress], None]]:
    """A bar with rows a second and the time left, where somebody sits at a terminal; at the end the rate, in a line."""
    last: list[Progress] = []
    if not sys.stderr.isatty():
        yield last.append
    else:
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
        with Progress(*columns, console=console(stderr=True), transient=True) as bar:
            task = bar.add_task("scoring", total=None)

            def tell(one: Any) -> None:
                last.append(one)
                del last[:-1]
                told = (
                    f"{one.rows + one.before:,} verdicts, {one.rows / max(one.seconds, 0.001):,.0f} a second"
                )
                bar.update(task, total=one.total, completed=one.read, description=told)

            yield tell
    if last:
        one = last[-1]
        before = f"; {one.before:,} were there already" if one.before else ""
        say(
            f"{one.rows:,} verdicts in {one.seconds:,.0f} s, {one.rows / max(one.seconds, 0.001):,.0f} a second{before}",
            file=sys.stderr,
        )


def _shown(found: Mapping[str, Any], out: Path) -> str:
    rows = [["category", "transcripts", "with findings", "rate", "95 % interval"]]
    for name, one in found["categories"].items():
        rows.append([name, *_rate(one)])
        rows += [[f"  {field}", *_rate(own)] for field, own in one["fields"].items()]
    lines = [columns(rows, right=range(1, 4))]
    for name, values in found["by"].items():
        told = [value for value in values if value] or []
        if not told:
            continue
        rows = [[in_line(name), "category", "transcripts", "with findings", "rate", "95 % interval"]]
        # the most seen first: a column may have thousands of values
        ranked = sorted(told, key=lambda value: (-_seen(values[value]), value))
        for value in ranked[:_SHOWN]:
            rows += [
                [in_line(value)[:40], category, *_rate(one)]
                for category, one in values[value]["categories"].items()
            ]
        lines += ["", columns(rows, right=range(2, 5))]
        if len(ranked) > _SHOWN:
            lines.append(f"{len(ranked) - _SHOWN} more in {out}/_batch/summary.json")
    lines += [f"{in_line(name)}: too many values to tell apart" for name in found["too_many_values"]]
    errors = found["errors"]
    if errors["count"]:
        lines += ["", f"{errors['count']} rows with an error:"]
        lines += [f"  {in_line(where)}: {in_line(text)[:200]}" for where, text in errors["first"][:5]]
    lines += [f"{count:,} verdicts are doubtful: {in_line(name)}" for name, count in found["doubts"].items()]
    if found["passed_over"]:
        lines += ["", f"{found['passed_over']} files were passed over: their names are no data's"]
    return "\n".join([*lines, "", in_line(f"{found['rows']:,} verdicts in {out}")])


def _seen(value: Mapping[str, Any]) -> int:
    return max((one["transcripts"] for one in value["categories"].values()), default=0)


def _rate(one: Mapping[str, Any]) -> Sequence[str]:
    low, high = one["wilson"]
    rate = "-" if one["rate"] is None else f"{one['rate']:.2%}"
    return [f"{one['transcripts']:,}", f"{one['found']:,}", rate, f"{low:.2%} to {high:.2%}"]

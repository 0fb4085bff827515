"""`aigov-eval scenarios`: list, validate and show scenarios."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from aigov_eval.cli.app import new_app
from aigov_eval.cli.ending import exit_code
from aigov_eval.cli.options import OnlyPacks, Packs, TableOrJson
from aigov_eval.cli.say import cell, console, say, say_error
from aigov_eval.errors import AigovError, InputError
from aigov_eval.text.printable import in_line

app = new_app(
    no_args_is_help=True,
    help="List, validate and show scenarios.",
    epilog="Example: aigov-eval scenarios list --language ro",
)


@app.command(
    "list", epilog="Example: aigov-eval scenarios list --category SPECIAL_CATEGORY_LEAK --language de"
)
def list_scenarios(
    sources: Annotated[
        list[str] | None, typer.Argument(help="Files, folders or globs. Default: the stock scenarios.")
    ] = None,
    category: Annotated[str, typer.Option(help="Only this category.")] = "",
    language: Annotated[str, typer.Option(help="Only scenarios in this language.")] = "",
    controls: Annotated[
        bool, typer.Option("--controls", help="Also controls: scenarios with an expected score.")
    ] = False,
    format: TableOrJson = "table",
) -> int:
    """List scenarios for running: id, category, languages, subject, user turns, title."""
    from aigov_eval.runner.select import read_chosen, scenario_files, stock_folder

    files, _ = scenario_files(sources or [str(stock_folder())])
    rows: list[dict[str, Any]] = []
    for path in files:
        one = read_chosen(path)
        scenario = one.scenario
        if scenario.expect is not None and not controls:
            continue
        if (category and scenario.category != category) or (language and language not in scenario.languages):
            continue
        rows.append(
            {
                "scenario_id": scenario.scenario_id,
                "category": scenario.category,
                "languages": list(scenario.languages),
                "person_name": scenario.person_name,
                "user_turns": sum(turn.role == "user" for turn in scenario.turns),
                "title": scenario.title,
                "path": one.path,
            }
        )
    if format == "json":
        say(json.dumps(rows, ensure_ascii=False, indent=2))
    elif format == "table":
        _table(rows)
    else:
        raise InputError(f'unknown format "{format}"', help="known: table, json")
    return 0


@app.command("validate", epilog="Example: aigov-eval scenarios validate my-scenarios/")
def validate(
    sources: Annotated[list[str], typer.Argument(help="Files, folders or globs.")],
    pack: Packs = None,
    only_pack: OnlyPacks = False,
) -> int:
    """Check scenario files; every fault with path:line:column. Exit code 2 where there is one."""
    from aigov_eval.cli.inputs import engine_of, roots_of
    from aigov_eval.cli.scenario_checks import category_first, checked
    from aigov_eval.runner.select import check_runnable, read_chosen, scenario_files

    loaded = engine_of(roots_of(pack or [], only=only_pack)).pack
    files, _ = scenario_files(sources)
    seen: dict[str, str] = {}
    faults = 0
    for path in files:
        try:
            try:
                one = read_chosen(path)
            except InputError as error:
                raise category_first(error, loaded) from None
            checked(one, loaded)
            if one.scenario.expect is None:
                check_runnable(one)
            first = seen.setdefault(one.scenario.scenario_id, str(path))
            if first != str(path):
                raise InputError(
                    f"the scenario_id {one.scenario.scenario_id} stands in {first} too",
                    help="give each its own id.",
                )
        except AigovError as error:
            error.where = error.where or str(path)
            say_error(error)
            faults += 1
    say(f"{len(files)} scenarios, {faults} with faults" if faults else f"{len(files)} scenarios are valid")
    return exit_code(valid=not faults)


@app.command("show", epilog="Example: aigov-eval scenarios show run_bank_en_authority")
def show(
    source: Annotated[str, typer.Argument(help="A file, or the name of a stock scenario.")],
    format: Annotated[str, typer.Option(help="text for people, json for machines.")] = "text",
) -> int:
    """Show a scenario: what it tests, about whom, and the turns that are sent."""
    from aigov_eval.runner.select import read_chosen, scenario_dict, scenario_files

    if format not in ("text", "json"):
        raise InputError(f'unknown format "{format}"', help="known: text, json")
    for path in scenario_files([source])[0]:
        one = read_chosen(path)
        content = scenario_dict(one.scenario)
        if format == "json":
            say(json.dumps(content, ensure_ascii=False, indent=2))
            continue
        say(f"{one.scenario.scenario_id}  ({one.path})")
        for key, value in content.items():
            if key not in ("scenario_id", "turns", "expect"):
                say(f"  {key}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}")
        for number, turn in enumerate(one.scenario.turns):
            say(f"  {number:>3} {turn.role}: {in_line(turn.content)}")
    return 0


def _table(rows: list[dict[str, Any]]) -> None:
    from rich import box
    from rich.table import Table

    shown = console(highlight=False)
    for category in sorted({row["category"] for row in rows}):
        own = [row for row in rows if row["category"] == category]
        table = Table(box=box.SIMPLE, pad_edge=False)
        table.add_column(cell(category), no_wrap=True)
        table.add_column("lang", no_wrap=True)
        table.add_column("turns", justify="right")
        table.add_column("about")
        for row in own:
            about = f"{row['title']} ({row['person_name']})" if row["person_name"] else row["title"]
            table.add_row(
                cell(row["scenario_id"]), ",".join(row["languages"]), str(row["user_turns"]), cell(about)
            )
        shown.print(table)
    shown.print(f"{len(rows)} scenarios")

"""`aigov-eval check`: every control of the pack, and with --mutate whether every clause is needed by one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aigov_eval.cli.ending import exit_code
from aigov_eval.cli.say import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aigov_eval.controls.check import Outcome
    from aigov_eval.controls.mutants import Mutant
    from aigov_eval.controls.mutate import Mutation
    from aigov_eval.pack.issues import Issue

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)

EXAMPLE = """Examples:

  aigov-eval check

  aigov-eval check contexts/refusal --mutate

  aigov-eval check frames/de --mutate

  aigov-eval check --pack my-pack

Exit code: 0 all controls hold (and no mutant survives), 1 some do not, 2 the pack does not load."""


@app.command(epilog=EXAMPLE)
def check(
    match: Annotated[
        str,
        typer.Argument(
            help="Only controls and mutants whose id holds this text, as rules/health, contexts/refusal or frames/de."
        ),
    ] = "",
    *,
    mutate: Annotated[
        bool,
        typer.Option(
            "--mutate",
            help="Delete each clause, cue and slot of the frames in turn: some control must notice.",
        ),
    ] = False,
    pack: Annotated[
        list[Path] | None,
        typer.Option(
            help="Folder of a pack to add to the stock pack; its own controls are run. Repeat for more."
        ),
    ] = None,
    only_pack: Annotated[
        bool, typer.Option("--only-pack", help="Use the packs of --pack without the stock pack.")
    ] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="With --pack: run the stock pack's controls as well.")
    ] = False,
    format: Annotated[str, typer.Option(help="text for people, json for machines.")] = "text",
) -> int:
    """Run the controls: does each detector, context, rule and category do what its examples say?"""
    from aigov_eval.cli.bar import progress
    from aigov_eval.cli.packs import folders_of, known_format
    from aigov_eval.controls.check import check as run_controls
    from aigov_eval.controls.inventory import controls_of
    from aigov_eval.controls.lint import missing
    from aigov_eval.controls.mutate import count_mutants
    from aigov_eval.controls.mutate import mutate as run_mutants
    from aigov_eval.errors import InputError
    from aigov_eval.pack.files import paths_in
    from aigov_eval.pack.load import load_pack
    from aigov_eval.scoring import build_engine

    known_format(format, "text", "json")
    folders = folders_of(pack or [], only=only_pack)
    loaded = load_pack(folders if pack else None)
    own = paths_in(pack) if pack and not everything else None
    controls = [
        control
        for control in controls_of(loaded)
        if match in control.id
        and (
            own is None
            or control.where.path in own
            or (control.entry is not None and control.entry.path in own)
        )
    ]

    def chosen(mutant: Mutant) -> bool:
        return match in mutant.id and (own is None or mutant.where.path in own)

    engine = build_engine(loaded)
    mutants = count_mutants(loaded, engine, chosen) if mutate else 0
    if match and not controls and not mutants:
        raise InputError(
            f'no control has "{match}" in its id',
            help="`aigov-eval check --format json` lists all ids; frames/<language>/<slot> are known to --mutate",
        )
    with progress("controls", len(controls)) as step:
        outcomes = run_controls(loaded, controls, engine=engine, step=step)
    result = None
    if mutate:
        with progress("mutants", mutants) as step:
            result = run_mutants(loaded, outcomes, engine=engine, chosen=chosen, step=step)
    unproven = [
        issue
        for issue in missing(loaded, folders)
        if (own is None or issue.path in own) and (not match or match in issue.text)
    ]
    if format == "json":
        _print_json(outcomes, unproven, result)
    else:
        _print_text(outcomes, unproven, result, folders)
    failed = any(not outcome.holds for outcome in outcomes) or any(
        issue.level == "error" for issue in unproven
    )
    return exit_code(findings=bool(failed or (result is not None and result.survivors)))


def _print_text(
    outcomes: Sequence[Outcome], unproven: Sequence[Issue], result: Mutation | None, folders: Sequence[Path]
) -> None:
    """The controls that do not hold, what has none, the survivors, and one line for each count."""
    from aigov_eval.controls.lint import render, shown_path

    failed = [outcome for outcome in outcomes if not outcome.holds]
    for outcome in failed:
        control = outcome.control
        where = control.where
        say(f"{shown_path(where.path, folders)}:{where.line}:{where.column} {control.id}")
        for role, text in control.example.turns:
            say(f"    {role}: {text}")
        say(f"    {outcome.text}")
        if outcome.help:
            say(f"  help: {outcome.help}")
        say()
    for issue in (*unproven, *(result.survivors if result is not None else ())):
        say(render(issue, folders) + "\n")
    kinds: dict[str, int] = {}
    for outcome in outcomes:
        kind = outcome.control.id.partition("/")[0]
        kinds[kind] = kinds.get(kind, 0) + 1
    parts = ", ".join(f"{kind} {count}" for kind, count in kinds.items())
    say(f"{len(outcomes) - len(failed)} of {len(outcomes)} controls hold" + (f" ({parts})" if parts else ""))
    if unproven:
        say(f"{len(unproven)} {'part is' if len(unproven) == 1 else 'parts are'} not proven yet")
    if result is not None:
        say(f"{result.total - len(result.survivors)} of {result.total} mutants killed")


def _print_json(outcomes: Sequence[Outcome], unproven: Sequence[Issue], result: Mutation | None) -> None:
    import json
    from dataclasses import asdict

    controls = [
        {
            "id": outcome.control.id,
            "where": str(outcome.control.where),
            "holds": outcome.holds,
            "text": outcome.text,
            "help": outcome.help,
        }
        for outcome in outcomes
    ]
    document: dict[str, object] = {"controls": controls, "missing": [asdict(issue) for issue in unproven]}
    if result is not None:
        document["mutants"] = {
            "total": result.total,
            "killed": result.total - len(result.survivors),
            "survivors": [asdict(issue) for issue in result.survivors],
        }
    say(json.dumps(document, ensure_ascii=False, indent=2))

"""`aigov-eval freeze`: criteria fixed before a run."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from aigov_eval.cli.app import new_app
from aigov_eval.cli.options import OnlyPacks, Packs
from aigov_eval.cli.say import say
from aigov_eval.errors import InputError

app = new_app()

EXAMPLE = """Example:

  aigov-eval freeze --scenario stock --repeats 5 --min-pass-rate 0.95 --out criteria.json

  aigov-eval run --scenario stock --repeats 5 --min-pass-rate 0.95 --frozen criteria.json --target mock --out runs/a"""


@app.command(epilog=EXAMPLE)
def freeze(
    scenario: Annotated[
        list[str], typer.Option(help="Scenario file, folder, glob or stock name; repeat for more.")
    ],
    out: Annotated[Path, typer.Option(help="The manifest to write; it must not exist.")],
    repeats: Annotated[int, typer.Option(min=1, help="Runs of each scenario.")] = 1,
    min_pass_rate: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Share of runs that must pass.")
    ] = 1.0,
    confidence: Annotated[float, typer.Option(min=0.5, max=0.999, help="Level of the intervals.")] = 0.95,
    pack: Packs = None,
    only_pack: OnlyPacks = False,
    scripted: Annotated[
        bool, typer.Option("--scripted", help="For the scripted target: scenarios that hold replies.")
    ] = False,
) -> int:
    """Write down scenarios, rules and thresholds before a run, so that a later change shows."""
    from aigov_eval import files
    from aigov_eval.cli.inputs import engine_of, roots_of
    from aigov_eval.cli.scenario_checks import category_first, checked
    from aigov_eval.runner import frozen as manifests
    from aigov_eval.runner.select import choose

    if out.exists():
        raise InputError(
            "exists already", where=str(out), help="criteria are frozen once; choose another name."
        )
    loaded = engine_of(roots_of(pack or [], only=only_pack)).pack
    try:
        chosen, _ = choose(scenario, scripted=scripted)
    except InputError as error:
        raise category_first(error, loaded) from None
    thresholds = {"repeats": repeats, "min_pass_rate": min_pass_rate, "confidence": confidence}
    manifest = manifests.freeze([checked(one, loaded) for one in chosen], loaded, thresholds)
    files.write_json(out, manifest)
    say(
        f"{len(chosen)} scenarios, pack {manifest['pack']['name']} {manifest['pack']['version']}",
        file=sys.stderr,
    )
    say(f"sha256 {manifest['sha256']}")
    return 0

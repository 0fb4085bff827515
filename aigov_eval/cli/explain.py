"""`aigov-eval explain`: the chain of every mention."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from aigov_eval.cli.options import Aliases, Categories, Languages, OnlyPacks, Packs, ScenarioFile, Subject

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)


@app.command(epilog='Example: aigov-eval explain transcript.json --subject "Ion Popescu"')
def explain(
    files: Annotated[
        list[str], typer.Argument(help="Transcripts of any known format; - for standard input.")
    ],
    scenario: ScenarioFile = None,
    category: Categories = None,
    subject: Subject = "",
    alias: Aliases = None,
    pack: Packs = None,
    only_pack: OnlyPacks = False,
    languages: Languages = "",
) -> int:
    """Say for each mention how it was found, whom it is about, what excused it, and which rule decided."""
    from aigov_eval.cli.inputs import (
        engine_of,
        known_fields,
        language_list,
        roots_of,
        transcripts_of,
        with_options,
    )
    from aigov_eval.reports.terminal import explain_lines, has_colour
    from aigov_eval.scoring import score_transcript

    engine = engine_of(roots_of(pack or [], only=only_pack))
    loaded = engine.pack
    limits = language_list(languages, loaded)
    given = None
    if scenario is not None:
        from aigov_eval.readers.scenario import read_scenario

        given = read_scenario(scenario)
    leaked = False
    for transcript in transcripts_of(files):
        ready = with_options(transcript, given, subject, alias or [])
        ready = replace(ready, scenario=known_fields(ready.scenario, loaded))
        scores = score_transcript(ready, engine, category, limits)
        leaked = leaked or any(not one.passed for one in scores)
        print("\n".join(explain_lines(ready, scores, colour=has_colour())))
    return 1 if leaked else 0

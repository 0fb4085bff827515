"""`aigov-eval explain`: the chain of every mention."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)


@app.command(epilog='Example: aigov-eval explain transcript.json --subject "Ion Popescu"')
def explain(
    files: Annotated[
        list[str], typer.Argument(help="Transcripts of any known format; - for standard input.")
    ],
    scenario: Annotated[Path | None, typer.Option(help="Scenario file (YAML or JSON).")] = None,
    category: Annotated[list[str] | None, typer.Option(help="Category; repeat for more.")] = None,
    subject: Annotated[str, typer.Option(help="Name of the protected person.")] = "",
    alias: Annotated[
        list[str] | None, typer.Option(help="Another name of the subject; repeat for more.")
    ] = None,
    pack: Annotated[
        list[Path] | None, typer.Option(help="Folder of a pack to add to the stock pack.")
    ] = None,
    only_pack: Annotated[
        bool, typer.Option("--only-pack", help="Use the packs of --pack instead of the stock pack.")
    ] = False,
    languages: Annotated[str, typer.Option(help="Languages to read, as en,ro.")] = "",
) -> int:
    """Say for each mention how it was found, whom it is about, what excused it, and which rule decided."""
    from aigov_eval.cli.inputs import known_fields, language_list, roots_of, transcripts_of, with_options
    from aigov_eval.reports.terminal import explain_lines, has_colour
    from aigov_eval.scoring import load_engine, score_transcript

    engine = load_engine(roots_of(pack or [], only=only_pack))
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

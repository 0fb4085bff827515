"""`aigov-eval explain`: the chain of every mention."""

from __future__ import annotations

from typing import Annotated

import typer

from aigov_eval.cli.app import new_app
from aigov_eval.cli.doubts import Accepted, Doubts
from aigov_eval.cli.ending import exit_code
from aigov_eval.cli.options import (
    Aliases,
    AllowEmpty,
    AllowUncovered,
    AllowUnread,
    Categories,
    Languages,
    OnlyPacks,
    Packs,
    ScenarioFile,
    Strict,
    Subject,
)
from aigov_eval.cli.say import say
from aigov_eval.errors import InputError

app = new_app()


EXAMPLE = """Examples:

  aigov-eval explain transcript.json --subject "Ion Popescu"

  aigov-eval explain transcript.json --why-not "walking stick"
"""


@app.command(epilog=EXAMPLE)
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
    allow_empty: AllowEmpty = False,
    allow_unread: AllowUnread = False,
    allow_uncovered: AllowUncovered = False,
    strict: Strict = False,
    why_not: Annotated[
        str,
        typer.Option(
            "--why-not",
            metavar="WORDS",
            help="Say only why these words of the conversation were not found or did not count, and which files would change that.",
        ),
    ] = "",
) -> int:
    """Say for each mention how it was found, whom it is about, what excused it, and which rule decided."""
    from aigov_eval.cli.inputs import asked_transcripts, engine_of, language_list, roots_of
    from aigov_eval.reports.terminal import explain_lines, has_colour, why_not_lines
    from aigov_eval.scoring import score_transcript
    from aigov_eval.scoring.why_not import why_not as why_not_of

    engine = engine_of(roots_of(pack or [], only=only_pack))
    limits = language_list(languages, engine.pack)
    doubts = Doubts(engine.languages, Accepted(allow_empty, allow_unread, allow_uncovered, strict))
    count, leaked = 0, False
    for ready in asked_transcripts(files, engine.pack, scenario, subject, alias or []):
        count += 1
        if why_not:
            answers = why_not_of(why_not, ready, engine, category, limits)
            say("\n".join(why_not_lines(ready, why_not, answers)))
            continue
        scores = score_transcript(ready, engine, category, limits)
        found = any(not one.passed for one in scores)
        if doubts.refused(ready, found=found) and not found:
            continue
        leaked = leaked or found
        say("\n".join(explain_lines(ready, scores, colour=has_colour())), painted=True)
    doubts.end()
    if not count:
        raise InputError("no conversation was read", help="give a file in which something was said.")
    return exit_code(findings=leaked, valid=doubts.valid)

"""`aigov-eval score`: transcripts to verdicts."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from aigov_eval.cli.doubts import Accepted, Doubts
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
    ScenarioFile,
    Strict,
    Subject,
    TableOrJson,
)
from aigov_eval.cli.say import say
from aigov_eval.errors import InputError

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)

EXAMPLE = """Examples:

  aigov-eval score transcript.json

  aigov-eval score transcript.json --category SPECIAL_CATEGORY_LEAK --subject "Ion Popescu"

  aigov-eval score log.jsonl --jobs 0 --format json

  aigov-eval score log.jsonl --min-strength likely

Exit code: 0 no finding, 1 findings, 2 the run itself is not valid."""


@app.command(epilog=EXAMPLE)
def score(
    files: Annotated[
        list[str],
        typer.Argument(help="Transcripts of any known format, run folders, JSONL; - for standard input."),
    ],
    scenario: ScenarioFile = None,
    category: Categories = None,
    subject: Subject = "",
    alias: Aliases = None,
    pack: Packs = None,
    only_pack: OnlyPacks = False,
    languages: Languages = "",
    min_strength: MinStrength = "weak",
    jobs: Annotated[
        int, typer.Option(min=0, help="Processes that score; 0 for one a core. The output is the same.")
    ] = 1,
    allow_empty: AllowEmpty = False,
    allow_unread: AllowUnread = False,
    allow_uncovered: AllowUncovered = False,
    strict: Strict = False,
    format: TableOrJson = "table",
) -> int:
    """Score transcripts: did the assistant tell personal data to someone who should not have it?"""
    from aigov_eval.batch.local import score_each
    from aigov_eval.cli.inputs import asked_transcripts, engine_of, language_list, roots_of, strength_of
    from aigov_eval.objects import score_to_dict

    strength = strength_of(min_strength)
    if format not in ("table", "json"):
        raise InputError(f'unknown format "{format}"', help="known: table, json")
    roots = roots_of(pack or [], only=only_pack)
    engine = engine_of(roots)
    limits = language_list(languages, engine.pack)
    doubts = Doubts(engine.common, Accepted(allow_empty, allow_unread, allow_uncovered, strict))
    count, leaked = 0, False
    objects: list[dict[str, Any]] = []
    names: list[str] = []
    transcripts = asked_transcripts(files, engine.pack, scenario, subject, alias or [])
    for ready, scores in score_each(
        transcripts, engine, category, limits, strength=strength, jobs=jobs, roots=roots
    ):
        count += 1
        found = any(not one.passed for one in scores)
        refused = doubts.refused(ready, found=found)
        told = scores if found or not refused else ()
        leaked = leaked or found
        if format == "table":
            from aigov_eval.reports.terminal import has_colour, lines_of

            say("\n".join(lines_of(ready, told, refused=refused, colour=has_colour())), painted=True)
        elif ready.format.startswith("jsonl:"):
            line = {"id": ready.id, "scores": [score_to_dict(one) for one in told]}
            say(json.dumps({**line, "error": refused} if refused else line, ensure_ascii=False))
        elif told:
            names.extend([ready.id or ready.source] * len(scores))
            objects.extend(score_to_dict(one) for one in scores)
    doubts.end()
    if not count:
        raise InputError("no conversation was read", help="give a file in which something was said.")
    if format == "json" and objects:
        if len(set(names)) > 1:
            objects = [{"id": name, **one} for name, one in zip(names, objects, strict=True)]
        say(json.dumps(objects, ensure_ascii=False, indent=2))
    return exit_code(findings=leaked, valid=doubts.valid)

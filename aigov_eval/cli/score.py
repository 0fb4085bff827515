"""`aigov-eval score`: transcripts to verdicts."""

from __future__ import annotations

from pathlib import Path
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
    MinStrength,
    OnlyPacks,
    Packs,
    ScenarioFile,
    Strict,
    Subject,
)
from aigov_eval.errors import InputError

app = new_app()

EXAMPLE = """Examples:

  aigov-eval score transcript.json

  aigov-eval score transcript.json --category SPECIAL_CATEGORY_LEAK --subject "Ion Popescu"

  aigov-eval score log.jsonl --jobs 0 --format json

  aigov-eval score log.jsonl --min-strength likely

  aigov-eval score log.jsonl --quiet --out report.html --out junit.xml --out aigov.sarif

  aigov-eval score log.jsonl --fail-on HIGH --out scores.json

  aigov-eval score log.jsonl --new-since scores.json

  aigov-eval score log.jsonl --second-opinion opinion.yaml --dry-run

Exit code: 0 no finding that counts, 1 findings, 2 the run itself is not valid."""


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
    fail_on: Annotated[
        str,
        typer.Option(help="Least severity that ends with exit code 1: LOW, MEDIUM, HIGH or CRITICAL."),
    ] = "LOW",
    baseline: Annotated[
        Path | None,
        typer.Option(help="Accepted findings, which do not count (`aigov-eval baseline add` writes them)."),
    ] = None,
    new_since: Annotated[
        str,
        typer.Option(metavar="PATH", help="Scores or runs of before: only what they do not have counts."),
    ] = "",
    jobs: Annotated[
        int, typer.Option(min=0, help="Processes that score; 0 for one a core. The output is the same.")
    ] = 1,
    allow_empty: AllowEmpty = False,
    allow_unread: AllowUnread = False,
    allow_uncovered: AllowUncovered = False,
    strict: Strict = False,
    format: Annotated[
        str,
        typer.Option(help="table, json, jsonl, html, junit, sarif, markdown or csv, to standard output."),
    ] = "table",
    out: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[FORMAT=]FILE",
            help="Also write this file, in the format of its ending; repeat for more.",
        ),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Show only conversations that fail, and the totals.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show fingerprints and each dismissed mention too.")
    ] = False,
    second_opinion: Annotated[
        str,
        typer.Option(
            metavar="CONFIG",
            help="Ask a language model where the rules are in doubt: a config file, or a ready one such as ollama.",
        ),
    ] = "",
    ask: Annotated[
        str, typer.Option(help="Which turns it is asked about: findings, doubtful or all.")
    ] = "doubtful",
    decide: Annotated[
        str, typer.Option(help="Who decides: rules, doubtful, both, either or opinion.")
    ] = "doubtful",
    votes: Annotated[int, typer.Option(min=1, max=99, help="How often each question is asked.")] = 1,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what asking would take, and ask nobody.")
    ] = False,
    offline: Annotated[
        bool, typer.Option("--offline", help="Take stored answers alone, and ask nobody.")
    ] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Ask again where the stored answer is no opinion.")
    ] = False,
    evidence: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder for evidence: each conversation with its opinions, sealed."),
    ] = None,
) -> int:
    """Score transcripts: did the assistant tell personal data to someone who should not have it?"""
    from aigov_eval.api.asking import severity_of
    from aigov_eval.batch.local import score_each
    from aigov_eval.cli.bar import counting
    from aigov_eval.cli.inputs import asked_transcripts, engine_of, language_list, roots_of, strength_of
    from aigov_eval.cli.outputs import outputs_of
    from aigov_eval.cli.tally import Tally, aside_of, tell_aside

    strength = strength_of(min_strength)
    tally = Tally(severity_of(fail_on))
    outputs = outputs_of(format, out or [], fail_on=severity_of(fail_on), quiet=quiet, verbose=verbose)
    aside = aside_of(baseline, new_since)
    roots = roots_of(pack or [], only=only_pack)
    engine = engine_of(roots)
    limits = language_list(languages, engine.pack)
    second = None
    if second_opinion:
        from aigov_eval.cli.opinion import Asked, SecondOpinion

        asked = Asked(second_opinion, ask, decide, votes, offline, again, evidence)
        second = SecondOpinion(asked, engine, limits, strength)
    elif dry_run or offline or again or evidence or (ask, decide, votes) != ("doubtful", "doubtful", 1):
        raise InputError(
            "--ask, --decide, --votes, --dry-run, --offline, --again and --evidence are of a second opinion",
            help="name who is asked: --second-opinion CONFIG.",
        )
    doubts = Doubts(engine.languages, Accepted(allow_empty, allow_unread, allow_uncovered, strict))
    transcripts = asked_transcripts(files, engine.pack, scenario, subject, alias or [])
    if second is not None:
        transcripts = second.kept(transcripts)
    judged = score_each(transcripts, engine, category, limits, strength=strength, jobs=jobs, roots=roots)
    if second is not None and dry_run:
        second.estimate(judged)
        return exit_code(valid=True)
    if second is not None:
        judged = second.concluded(judged)
    count = 0
    with counting("conversations", shown=outputs.waits) as tell:
        for ready, found in judged:
            count += 1
            scores = aside.judged(ready, found)
            fails = tally.fails(scores)
            refused = doubts.refused(ready, found=fails)
            told = (
                scores if fails or not refused or any(one.findings or one.accepted for one in scores) else ()
            )
            tally.add(told, refused)
            outputs.tell(ready, told, refused, failed=fails)
            tell(count)
    doubts.end()
    if not count:
        raise InputError("no conversation was read", help="give a file in which something was said.")
    tell_aside(aside, shown=outputs.format == "table", quiet=quiet)
    outputs.end(tally.totals(aside, quiet=quiet))
    if second is not None:
        second.end(table=outputs.format == "table")
    return exit_code(findings=tally.leaked, valid=doubts.valid and (second is None or second.valid))

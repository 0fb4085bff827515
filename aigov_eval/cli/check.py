"""`aigov-eval check`: every control of the pack, and with --mutate whether every clause is needed by one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Struct

from aigov_eval.cli.app import new_app
from aigov_eval.cli.ending import exit_code
from aigov_eval.cli.say import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aigov_eval.controls.inventory import Control
    from aigov_eval.controls.mutants import Mutant
    from aigov_eval.controls.mutate import Mutation
    from aigov_eval.controls.outcome import Outcome
    from aigov_eval.documents.issues import Issue
    from aigov_eval.pack.files import PackFile

app = new_app()

EXAMPLE = """Examples:

  aigov-eval check

  aigov-eval check contexts/refusal --mutate

  aigov-eval check frames/de --mutate

  aigov-eval check --pack my-pack

  aigov-eval check --watch

After a change to word lists only the controls that it can touch are run; --whole runs all.

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
    whole: Annotated[
        bool,
        typer.Option(
            "--whole", help="Run every control, also those that no change since the last check can touch."
        ),
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Check again whenever a file of the pack changes, until Ctrl-C.")
    ] = False,
    jobs: Annotated[
        int, typer.Option("--jobs", min=0, help="Processes that run controls; 0 for one a core.")
    ] = 0,
    format: Annotated[str, typer.Option(help="text for people, json for machines.")] = "text",
) -> int:
    """Run the controls: does each detector, context, rule and category do what its examples say?"""
    from aigov_eval.cli.packs import folders_of, known_format
    from aigov_eval.errors import InputError

    known_format(format, "text", "json")
    if watch and (mutate or format == "json"):
        raise InputError("--watch goes with neither --mutate nor --format json", help="leave one of them out")
    asked = _Asked(
        match,
        mutate=mutate,
        packs=tuple(pack or ()),
        folders=folders_of(pack or [], only=only_pack),
        everything=everything,
        whole=whole,
        jobs=jobs,
        format=format,
    )
    return exit_code(findings=_watched(asked) if watch else _fails(asked))


class _Asked(Struct, frozen=True):
    """What is to be checked: the options as typed, and the folders that they come to."""

    match: str
    mutate: bool
    packs: tuple[Path, ...]
    folders: tuple[Path, ...]
    everything: bool
    whole: bool
    jobs: int
    format: str


_PAUSE = 0.3  # seconds between two looks at the files


def _watched(asked: _Asked) -> bool:
    """Check whenever a file changes, until the user ends it; the last verdict."""
    import time

    from aigov_eval.errors import AigovError
    from aigov_eval.pack.files import pack_hash, read_files

    seen, fails = "", False
    try:
        while True:
            try:
                now = pack_hash(read_files(asked.folders))
                if now != seen:
                    seen = now
                    fails = _fails(asked)
                    say("waiting for a change; Ctrl-C ends")
            except AigovError as error:
                # half a change: the pack loads again once it is whole
                fails = True
                if str(error) != seen:
                    seen = str(error)
                    say(f"{error}\nwaiting for a change; Ctrl-C ends")
            time.sleep(_PAUSE)
    except KeyboardInterrupt:
        return fails


def _fails(asked: _Asked) -> bool:
    """Check once and print what came of it: whether something does not hold."""
    from aigov_eval.cli.bar import progress
    from aigov_eval.controls import known
    from aigov_eval.controls.recheck import recheck
    from aigov_eval.pack.files import paths_in, read_files

    own = paths_in(asked.packs) if asked.packs and not asked.everything else None
    files = read_files(asked.folders)
    if asked.match or asked.mutate:
        # who asks for some controls, or for mutants, wants them run
        return _whole(asked, files, own, "")
    key = known.key_of(asked.folders, "all" if own is None else "own")
    before = None if asked.whole else known.read(key)
    if before is not None:
        with progress("controls", len(before.ids)) as step:
            checked = recheck(before, files, wanted=lambda one: _belongs(one, "", own), step=step)
        if checked is not None:
            known.write(key, checked.known)
            failed = [outcome for outcome in checked.ran.values() if not outcome.holds]
            if asked.format == "json":
                _print_json(tuple(checked.outcomes()), checked.known.missing, None)
            else:
                _print_text(checked.known.ids, failed, checked.known.missing, asked.folders)
                say(
                    f"{len(checked.ran)} of them were run: the change since the last check can touch no other"
                )
            return bool(failed) or any(issue.level == "error" for issue in checked.known.missing)
    return _whole(asked, files, own, key)


def _belongs(control: Control, match: str, own: frozenset[str] | None) -> bool:
    """Whether a control is one of those asked for; `own` are the files whose controls count, None for all."""
    return match in control.id and (
        own is None or control.where.path in own or (control.entry is not None and control.entry.path in own)
    )


def _whole(asked: _Asked, files: Sequence[PackFile], own: frozenset[str] | None, key: str) -> bool:
    """Run every control that is asked for, and keep what came of it under a name, if there is one."""
    from aigov_eval.cli.bar import progress
    from aigov_eval.controls import known
    from aigov_eval.controls.apart import check_apart
    from aigov_eval.controls.inventory import controls_of
    from aigov_eval.controls.lint import missing
    from aigov_eval.controls.mutate import count_mutants
    from aigov_eval.controls.mutate import mutate as run_mutants
    from aigov_eval.controls.recheck import remember
    from aigov_eval.errors import InputError
    from aigov_eval.scoring.compiled.store import built

    # mutants take entries out of one index
    engine, part = built(asked.folders, files, whole=asked.mutate)
    loaded = engine.pack
    controls = [control for control in controls_of(loaded) if _belongs(control, asked.match, own)]

    def chosen(mutant: Mutant) -> bool:
        return asked.match in mutant.id and (own is None or mutant.where.path in own)

    mutants = count_mutants(loaded, engine, chosen) if asked.mutate else 0
    if asked.match and not controls and not mutants:
        raise InputError(
            f'no control has "{asked.match}" in its id',
            help="`aigov-eval check --format json` lists all ids; frames/<language>/<slot> are known to --mutate",
        )
    with progress("controls", len(controls)) as step:
        outcomes = check_apart(
            controls, engine, asked.folders if asked.packs else None, jobs=asked.jobs, step=step
        )
    result = None
    if asked.mutate:
        with progress("mutants", mutants) as step:
            result = run_mutants(loaded, outcomes, engine=engine, chosen=chosen, step=step)
    unproven = [
        issue
        for issue in missing(loaded, asked.folders)
        if (own is None or issue.path in own) and (not asked.match or asked.match in issue.text)
    ]
    if key and (now := remember(engine, part, files, outcomes, unproven)) is not None:
        known.write(key, now)
    failed = [outcome for outcome in outcomes if not outcome.holds]
    survivors = result.survivors if result is not None else ()
    if asked.format == "json":
        _print_json(outcomes, unproven, result)
    else:
        ids = [outcome.control.id for outcome in outcomes]
        _print_text(ids, failed, unproven, asked.folders, survivors)
        if result is not None:
            say(f"{result.total - len(result.survivors)} of {result.total} mutants killed")
    return bool(failed or survivors) or any(issue.level == "error" for issue in unproven)


def _print_text(
    ids: Sequence[str],
    failed: Sequence[Outcome],
    unproven: Sequence[Issue],
    folders: Sequence[Path],
    survivors: Sequence[Issue] = (),
) -> None:
    """The controls that do not hold, what has none, the survivors, and one line for each count."""
    from aigov_eval.controls.lint import render, shown_path

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
    for issue in (*unproven, *survivors):
        say(render(issue, folders) + "\n")
    kinds: dict[str, int] = {}
    for id in ids:
        kind = id.partition("/")[0]
        kinds[kind] = kinds.get(kind, 0) + 1
    parts = ", ".join(f"{kind} {count}" for kind, count in kinds.items())
    say(f"{len(ids) - len(failed)} of {len(ids)} controls hold" + (f" ({parts})" if parts else ""))
    if unproven:
        say(f"{len(unproven)} {'part is' if len(unproven) == 1 else 'parts are'} not proven yet")


def _print_json(outcomes: Sequence[Outcome], unproven: Sequence[Issue], result: Mutation | None) -> None:
    import json

    from msgspec.structs import asdict

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

"""`aigov-eval verify`: whether evidence packs are what their runs wrote."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aigov_eval.cli.app import new_app
from aigov_eval.cli.ending import exit_code
from aigov_eval.cli.options import OnlyPacks, Packs, TableOrJson
from aigov_eval.cli.say import say, say_error
from aigov_eval.errors import EvidenceError, InputError

if TYPE_CHECKING:
    from aigov_eval.evidence.places import Difference
    from aigov_eval.evidence.verify import Against, Report

app = new_app()

EXAMPLE = """Examples:

  aigov-eval verify runs/leaky

  aigov-eval verify runs/leaky/run_bank_en_authority/evidence_pack.json --root 2b6b14f8...

  aigov-eval verify runs/leaky --key auditor.pub --frozen criteria.json

Exit code: 0 verifies, 1 does not verify, 2 cannot be read. What that proves, and what not: docs/evidence.md."""


@app.command(epilog=EXAMPLE)
def verify(
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="PACK|DIR...", help="Evidence packs, run folders, or folders of runs."),
    ],
    key: Annotated[Path | None, typer.Option(help="Public key (Ed25519, PEM) that must have signed.")] = None,
    root: Annotated[
        str, typer.Option(help="Root digest as you noted it elsewhere, of one pack or of a folder of runs.")
    ] = "",
    frozen: Annotated[
        Path | None, typer.Option(help="Manifest of `aigov-eval freeze` as it was published.")
    ] = None,
    no_rescore: Annotated[
        bool, typer.Option("--no-rescore", help="Check digests and records alone; do not score again.")
    ] = False,
    reformatted: Annotated[
        bool, typer.Option("--reformatted", help="Let other spaces and key order than ours pass.")
    ] = False,
    pack: Packs = None,
    only_pack: OnlyPacks = False,
    format: TableOrJson = "table",
) -> int:
    """Recompute every digest, score the transcript again, and say which turn, field or file differs."""
    from msgspec.structs import replace

    from aigov_eval.cli.bar import progress
    from aigov_eval.cli.inputs import roots_of
    from aigov_eval.evidence.places import Difference
    from aigov_eval.evidence.sign import read_key, require_public
    from aigov_eval.evidence.verify import Against
    from aigov_eval.runner.frozen import read_frozen
    from aigov_eval.runner.verify import folder_differences, folder_root, folders_at, packs_at

    if format not in ("table", "json"):
        raise InputError(f'unknown format "{format}"', help="known: table, json")
    public = read_key(key) if key else None
    if public is not None:
        require_public(public, str(key))
    packs = [(path, one) for path in paths for one in packs_at(path)]
    whole = [one for path in paths for one in folders_at(path)]
    roots = {str(one): folder_root(one) for one in whole}
    of_folder = bool(root) and root.lower() in roots.values()
    if root and len(packs) > 1 and len(whole) != 1:
        raise InputError(
            f"--root is of one pack or folder, and there are {len(packs)} packs", help="name one of them."
        )
    engine = None
    if not no_rescore:
        from aigov_eval.scoring import load_engine

        engine = load_engine(roots_of(pack or [], only=only_pack))
    published = read_frozen(frozen) if frozen else None
    against = Against(engine, public, root, published, reformatted, _with_opinions)
    if root and (of_folder or len(packs) > 1):
        against = replace(against, root="")  # it is of the folder
    reports: list[Report] = []
    unreadable: list[EvidenceError] = []
    with progress("verifying", len(packs)) as step:
        for path, one in packs:
            try:
                reports.append(_checked(one, against, whole=path.is_dir()))
            except EvidenceError as error:
                unreadable.append(error)
            step()
    folders = {str(one): list(folder_differences(one, reformatted=reformatted)) for one in whole}
    if root and not of_folder and len(packs) > 1:
        text = f"is {roots[str(whole[0])][:16] or 'missing'}..., not the root you gave ({root[:16]}...)"
        folders[str(whole[0])].append(Difference("root", "seal.json /root", text))
    if format == "json":
        say(json.dumps(_object(reports, unreadable, folders), ensure_ascii=False, indent=2))
    else:
        _table(reports, folders, roots)
    for fault in unreadable:
        say_error(fault)
    differs = any(not one.verifies for one in reports) or any(folders.values())
    return exit_code(findings=differs, valid=not unreadable)


def _with_opinions(*record: Any) -> Any:
    """Score a record with second opinions again; what reads them is imported where there is one."""
    from aigov_eval.opinion.evidence import verified_again

    return verified_again(*record)


def _checked(pack: Path, against: Against, *, whole: bool) -> Report:
    """One pack, with the files beside it where its folder was named."""
    from msgspec.structs import replace

    from aigov_eval.evidence.reading import read_part
    from aigov_eval.evidence.verify import verify_pack
    from aigov_eval.runner.verify import read_beside

    part = read_part(pack)
    beside, missing = read_beside(pack) if whole else ({}, [])
    report = verify_pack(part, against, beside)
    return replace(report, differences=(*report.differences, *missing))


_MANY = 5  # places that are named one by one where all of them have the same fault
_SCORES = {
    "reproduced": "score reproduced",
    "differs": "score NOT reproduced",
    "other pack": "score not reproduced: other rules",
    "redacted": "redacted",
    "error": "target error: nothing was judged",
    "not asked": "not scored again",
}


def _together(differences: list[Difference]) -> list[str]:
    """A line for each difference; where many places share one, a line for all, with the first of them (JSON has each)."""
    places: dict[tuple[str, str], list[str]] = {}
    for one in differences:
        places.setdefault((one.kind, one.text), []).append(one.where)
    lines = []
    for (kind, text), named in places.items():
        if len(named) > _MANY:
            lines.append(f"{', '.join(named[:3])} and {len(named) - 3} more: {text}")
        else:
            lines += [str(one) for one in differences if (one.kind, one.text) == (kind, text)]
    return lines


def _table(reports: list[Report], folders: dict[str, list[Difference]], roots: dict[str, str]) -> None:
    from aigov_eval.text.printable import in_line

    few = len(reports) <= 5
    notes: dict[str, int] = {}
    for one in reports:
        for note in one.notes:
            notes[note] = notes.get(note, 0) + 1
        if one.verifies and not few:
            continue
        signed = {"good": ", signature good", "intact": ", signed", "bad": ", signature BAD"}.get(
            one.signature.state, ""
        )
        withheld = f", {one.withheld} values withheld" if one.withheld else ""
        say(in_line(f"{'verifies' if one.verifies else 'DOES NOT VERIFY'}  {one.path}"))
        say(in_line(f"  verdict {one.verdict or '?'}, {_SCORES[one.scored]}{withheld}{signed}"))
        say(in_line(f"  root {one.root}"))
        for difference in one.differences:
            say(in_line(f"  {difference}"))
    for path, differences in folders.items():
        if differences:
            say(in_line(f"DOES NOT VERIFY  {path}"))
        for line in _together(differences):
            say(in_line(f"  {line}"))
    good = sum(one.verifies for one in reports)
    if len(reports) > 1:
        say(f"{good} of {len(reports)} packs verify")
    for path, root in roots.items():
        if root:
            say(in_line(f"root of the folder {path}: {root}"))
    for note, count in notes.items():
        say(f"note: {note}" + (f" ({count} packs)" if count > 1 else ""), file=sys.stderr)


def _object(
    reports: list[Report], unreadable: list[EvidenceError], folders: dict[str, list[Difference]]
) -> dict[str, Any]:
    from msgspec import to_builtins

    return {
        "verifies": all(one.verifies for one in reports) and not unreadable and not any(folders.values()),
        "packs": [{"verifies": one.verifies, **to_builtins(one)} for one in reports],
        "folders": [
            {"path": path, "differences": [to_builtins(one) for one in found]}
            for path, found in folders.items()
        ],
        "unreadable": [{"where": error.where, "text": error.text} for error in unreadable],
    }

"""`aigov-eval redact`: a copy of an evidence pack without its personal values."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from aigov_eval.cli.app import new_app
from aigov_eval.cli.options import OnlyPacks, Packs
from aigov_eval.cli.say import say
from aigov_eval.errors import EvidenceError, InputError

app = new_app()

EXAMPLE = """Example:

  aigov-eval redact runs/leaky/run_bank_en_authority --out authority.redacted.json

  aigov-eval verify authority.redacted.json --root 2b6b14f8...

The copy has the root of the original, and its signature. Labels such as [email 1] stay where values stood."""


@app.command(epilog=EXAMPLE)
def redact(
    source: Annotated[
        Path, typer.Argument(metavar="PACK", help="An evidence pack, or the folder of one run.")
    ],
    out: Annotated[Path, typer.Option(help="The copy to write; it must not exist.")],
    also: Annotated[
        list[str] | None, typer.Option(help="Another text to withhold wherever it stands; repeat for more.")
    ] = None,
    pack: Packs = None,
    only_pack: OnlyPacks = False,
) -> int:
    """Copy an evidence pack with its personal values withheld; the copy still verifies against the same root."""
    from aigov_eval import clock, files
    from aigov_eval.cli.inputs import roots_of
    from aigov_eval.evidence.build import GUESSABLE
    from aigov_eval.evidence.reading import Part, parse, read_part
    from aigov_eval.evidence.redact import redacted
    from aigov_eval.evidence.values import finder_of
    from aigov_eval.evidence.verify import Against, verify_pack
    from aigov_eval.runner.verify import packs_at
    from aigov_eval.scoring import load_engine

    if out.exists():
        raise InputError("exists already", where=str(out), help="choose another --out.")
    found = packs_at(source)
    if len(found) > 1:
        raise InputError(f"holds {len(found)} packs", where=str(source), help="name the folder of one run.")
    part = read_part(found[0])
    before = verify_pack(part, Against(reformatted=True))
    if not before.verifies:
        raise EvidenceError(
            f"does not verify: {before.differences[0]}",
            where=str(part.path),
            help="see `aigov-eval verify`; redact the original.",
        )
    engine = load_engine(roots_of(pack or [], only=only_pack))
    try:
        copy = redacted(
            part.value, finder_of(engine, part.value, [("text", text) for text in also or []]), clock.now()
        )
    except EvidenceError as error:
        error.where = error.where or str(part.path)
        raise
    data = files.json_bytes(copy)
    after = verify_pack(Part(out, data, parse(data, str(out))), Against(root=before.root))
    if not after.verifies:
        raise EvidenceError(
            f"the copy would not verify: {after.differences[0]}",
            where=str(part.path),
            help="this is a defect of ours; report it.",
        )
    files.write(out, data)
    counts: dict[str, int] = {}
    for value in copy["integrity"]["redaction"]["values"]:
        counts[value["field"]] = counts.get(value["field"], 0) + 1
    what = ", ".join(f"{count} {field}" for field, count in sorted(counts.items())) or "nothing"
    say(f"{out}: withheld {what}")
    say(f"root {after.root}")
    if GUESSABLE in part.value["limitations"]:
        say(
            "note: this run's salts follow from SOURCE_DATE_EPOCH; what is withheld can be guessed",
            file=sys.stderr,
        )
    return 0

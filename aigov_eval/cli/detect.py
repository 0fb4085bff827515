"""`aigov-eval detect`: the mentions of a text."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from aigov_eval.cli.app import new_app
from aigov_eval.cli.options import Languages, OnlyPacks, Packs, TableOrJson
from aigov_eval.cli.say import say
from aigov_eval.errors import InputError
from aigov_eval.text.printable import in_line

app = new_app()


@app.command(epilog='Example: aigov-eval detect "Write to ion.popescu@example.com or call +40 721 234 567."')
def detect(
    text: Annotated[str, typer.Argument(help="The text; - for standard input.")],
    pack: Packs = None,
    only_pack: OnlyPacks = False,
    languages: Languages = "",
    format: TableOrJson = "table",
) -> int:
    """Show what the detectors find in a text, without judging it."""
    from aigov_eval.cli.inputs import engine_of, language_list, roots_of
    from aigov_eval.detect.find import find_mentions

    if format not in ("table", "json"):
        raise InputError(f'unknown format "{format}"', help="known: table, json")
    engine = engine_of(roots_of(pack or [], only=only_pack))
    limits = frozenset(language_list(languages, engine.pack)) or None
    said = sys.stdin.read() if text == "-" else text
    mentions = find_mentions(said, engine.detection, languages=limits)
    if format == "json":
        import json

        from msgspec.structs import asdict

        say(json.dumps([asdict(mention) for mention in mentions], ensure_ascii=False, indent=2))
        return 0
    if not mentions:
        say("nothing found")
    for m in mentions:
        flags = ", ".join(
            part
            for part in (
                m.explicit,
                f"{m.view} view",
                "test value" if m.synthetic else "",
                "checksum: invalid" if m.checksum else "",
            )
            if part
        )
        say(f'{m.start:>5}-{m.end:<5} {m.field:<20} "{in_line(m.text)}"  {m.detector}/{m.subtype} ({flags})')
    return 0

"""`aigov-eval rules`: what is loaded, and what one part of it says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Struct
from msgspec.structs import asdict

from aigov_eval.cli.app import new_app
from aigov_eval.cli.say import say

if TYPE_CHECKING:
    from aigov_eval.model import Pack

EXAMPLE = """Examples:

  aigov-eval rules

  aigov-eval rules show health

  aigov-eval rules --format json"""

app = new_app(invoke_without_command=True, epilog=EXAMPLE)

Packs = Annotated[
    list[Path] | None,
    typer.Option("--pack", help="Folder of a pack to add to the stock pack; repeat for more."),
]
Alone = Annotated[bool, typer.Option("--only-pack", help="Use the packs of --pack without the stock pack.")]
Format = Annotated[str, typer.Option(help="text for people, json for machines.")]


@app.callback()
def rules(
    context: typer.Context, *, pack: Packs = None, only_pack: Alone = False, format: Format = "text"
) -> int:
    """List what is loaded: categories, rules, fields, languages, laws."""
    if context.invoked_subcommand is not None:
        context.obj = (pack, only_pack, format)
        return 0
    loaded = _load(pack, only_pack, format)
    if format == "json":
        say(json.dumps(_overview(loaded), ensure_ascii=False, indent=2))
    else:
        say("\n".join(_lines(loaded)))
    return 0


@app.command(epilog="Example: aigov-eval rules show PII_DISCLOSURE")
def show(
    context: typer.Context,
    id: Annotated[str, typer.Argument(help="A category, rule, field, detector or context.")],
    *,
    pack: Packs = None,
    only_pack: Alone = False,
    format: Format = "",
) -> int:
    """Show one part: what it says, its law, where it stands, what uses it, and its controls."""
    from aigov_eval.controls.describe import describe, known_ids, values_of
    from aigov_eval.documents.issues import did_you_mean
    from aigov_eval.errors import InputError

    above = context.obj or (None, False, "text")
    format = format or above[2]
    loaded = _load(pack or above[0], only_pack or above[1], format)
    parts = values_of(loaded, id)
    if not parts:
        help = did_you_mean(id, known_ids(loaded), otherwise="`aigov-eval rules` lists what is loaded")
        raise InputError(f'nothing is called "{id}"', help=help)
    if format == "json":
        say(
            json.dumps(
                parts,
                ensure_ascii=False,
                indent=2,
                default=lambda value: asdict(value) if isinstance(value, Struct) else sorted(value),
            )
        )
    else:
        say("\n\n".join(describe(loaded, kind, part) for kind, part in parts.items()))
    return 0


def _load(pack: list[Path] | None, only_pack: bool, format: str) -> Pack:
    from aigov_eval.cli.packs import folders_of, known_format
    from aigov_eval.pack.load import load_pack

    known_format(format, "text", "json")
    folders = folders_of(pack or [], only=only_pack)
    return load_pack(folders if pack else None)


def _overview(pack: Pack) -> dict[str, Any]:
    return {
        "pack": {"name": pack.name, "version": pack.version, "sha256": pack.sha256},
        "languages": list(pack.languages),
        "categories": [
            {
                "category": category.name,
                "title": category.title,
                "legal": list(category.legal),
                "rules": [
                    {
                        "id": rule.id,
                        "says": rule.says,
                        "severity": rule.severity,
                        "effect": rule.effect,
                        "about": rule.about,
                        "fields": sorted(rule.detects),
                        "holder": list(rule.holder),
                        "stance": list(rule.stance),
                        "unless": list(rule.unless),
                        "legal": list(rule.legal),
                        "where": str(rule.where),
                    }
                    for rule in category.rules
                ],
            }
            for category in pack.categories.values()
        ],
        "fields": [
            {
                "field": field.id,
                "title": field.title,
                "special": field.special,
                "law": list(field.law),
                "aliases": list(field.aliases),
            }
            for field in pack.fields.values()
        ],
        "detectors": sorted(pack.detectors),
        "contexts": sorted(pack.contexts),
    }


def _lines(pack: Pack) -> Iterator[str]:
    entries = sum(len(lexicon.terms) for group in pack.lexicons.values() for lexicon in group)
    yield f"pack {pack.name} {pack.version}  sha256 {pack.sha256[:16]}"
    yield f"{len(pack.detectors)} detectors, {len(pack.contexts)} contexts, {entries} word list entries; languages {', '.join(pack.languages) or 'none'}"
    for category in pack.categories.values():
        yield ""
        yield f"{category.name}  {category.title}"
        yield f"  law: {'; '.join(category.legal)}"
        for rule in category.rules:
            noted = ", noted only" if rule.effect == "note" else ""
            yield f"  {rule.id}  ({rule.severity}{noted}, about {rule.about})"
            yield f"      {rule.says}"
            yield f"      fields: {', '.join(rule.detects)}"
            own = [law for law in rule.legal if law not in category.legal]
            if own:
                yield f"      law: {'; '.join(own)}"
    if pack.fields:
        yield ""
        yield "Fields"
        width = max(len(field.id) for field in pack.fields.values())
        for field in pack.fields.values():
            special = "special  " if field.special else "         "
            yield f"  {field.id:<{width}}  {special}{field.title}; {'; '.join(field.law)}"
    yield ""
    yield "More about one of them: aigov-eval rules show ID"

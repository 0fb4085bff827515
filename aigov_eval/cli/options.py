"""
Options that several commands have, written once.

Comes in: nothing. Goes out: annotated types for the commands' signatures.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Packs = Annotated[
    list[Path] | None, typer.Option(help="Folder of a pack to add to the stock pack; repeat for more.")
]
OnlyPacks = Annotated[
    bool, typer.Option("--only-pack", help="Use the packs of --pack instead of the stock pack.")
]
Subject = Annotated[str, typer.Option(help="Name of the protected person.")]
Aliases = Annotated[list[str] | None, typer.Option(help="Another name of the subject; repeat for more.")]
ScenarioFile = Annotated[
    Path | None, typer.Option(help="Scenario file (YAML or JSON): category, subject, facts.")
]
Categories = Annotated[
    list[str] | None,
    typer.Option(help="Category to score; repeat for more. Default: the scenario's, else all."),
]
AllowEmpty = Annotated[
    bool,
    typer.Option("--allow-empty", help="Accept a transcript in which nothing of the assistant was read."),
]
AllowUnread = Annotated[
    bool,
    typer.Option(
        "--allow-unread",
        help="Accept a pass where part of the transcript was not read (else exit code 2; findings stay findings).",
    ),
]
AllowUncovered = Annotated[
    bool,
    typer.Option(
        "--allow-uncovered",
        help="Accept a pass in a language that the rules do not cover (else exit code 2).",
    ),
]
Strict = Annotated[
    bool,
    typer.Option("--strict", help="Refuse (exit code 2) such a transcript even where something was found."),
]
MinStrength = Annotated[
    str, typer.Option(help="Least strength of a finding: certain, likely or weak (all that is told).")
]
Languages = Annotated[str, typer.Option(help="Languages to read, as en,ro. Default: told by the text.")]
TableOrJson = Annotated[str, typer.Option(help="table for people, json for machines.")]

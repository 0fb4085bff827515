"""`aigov-eval lint`: what is wrong with a pack's files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from aigov_eval.cli.app import new_app
from aigov_eval.cli.ending import exit_code
from aigov_eval.cli.say import say

_MOST = 100  # issues of one code in one file that are told one by one
app = new_app()

EXAMPLE = """Examples:

  aigov-eval lint

  aigov-eval lint --pack my-pack

Exit code: 0 no errors (there may be warnings), 1 errors. docs/lint.md explains every code."""


@app.command(epilog=EXAMPLE)
def lint(
    pack: Annotated[
        list[Path] | None,
        typer.Option(help="Folder of a pack, checked together with the stock pack; repeat for more."),
    ] = None,
    only_pack: Annotated[
        bool, typer.Option("--only-pack", help="Check the packs of --pack without the stock pack.")
    ] = False,
    format: Annotated[str, typer.Option(help="text for people, json for machines.")] = "text",
) -> int:
    """Check the pack's files: references, words, patterns, and whether everything is proven by a control."""
    from aigov_eval.cli.packs import folders_of, known_format
    from aigov_eval.controls.lint import lint_folders, render
    from aigov_eval.pack.files import paths_in

    known_format(format, "text", "json")
    folders = folders_of(pack or [], only=only_pack)
    issues = lint_folders(folders)
    if pack:  # the stock pack's own warnings are not this author's business
        own = paths_in(pack)
        issues = tuple(issue for issue in issues if issue.path in own)
    errors = sum(issue.level == "error" for issue in issues)
    if format == "json":
        import json

        from msgspec.structs import asdict

        say(json.dumps([asdict(issue) for issue in issues], ensure_ascii=False, indent=2))
        return exit_code(findings=bool(errors))
    read: dict[Path, list[str]] = {}
    told: Counter[tuple[str, str]] = Counter()
    for issue in issues:
        kind = (issue.path, issue.code)
        told[kind] += 1
        if told[kind] <= _MOST:
            say(render(issue, folders, read) + "\n")
    for (path, code), count in told.items():
        if count > _MOST:
            say(f"{path}: {count - _MOST:,} more of {code}; --format json tells all\n")
    warnings = len(issues) - errors
    say(f"{errors} error{'' if errors == 1 else 's'}, {warnings} warning{'' if warnings == 1 else 's'}")
    return exit_code(findings=bool(errors))

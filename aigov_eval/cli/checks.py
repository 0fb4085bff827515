"""
`aigov-eval checks`: the programmatic checks (Layer 1) over agents' sessions.

Comes in: records, exports, stores. Goes out: a table, JSON or JUnit, on stdout or in a file; then
the exit code. With --self-test the checks themselves are proven by their controls.
"""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aigov_eval.cli.app import new_app
from aigov_eval.cli.columns import columns
from aigov_eval.cli.ending import exit_code
from aigov_eval.cli.say import say
from aigov_eval.errors import InputError
from aigov_eval.text.printable import in_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aigov_eval.sessions.checks_model import CheckSet

app = new_app()

EXAMPLE = """Examples:

  aigov-eval checks records.jsonl

  aigov-eval checks ~/.local/share/opencode/opencode.db --format json --out checks.json

  aigov-eval checks records.jsonl --ci --threshold 0.9

  aigov-eval checks --self-test --mutate --checks my-checks

Exit code: 0; with --ci 1 where the pass rate is below the threshold; with --self-test 1 where a check is
not proven; 2 the run itself is not valid. docs/checks.md tells how to write a check."""


class Format(StrEnum):
    """How the results are shown."""

    TABLE = "table"
    JSON = "json"
    JUNIT = "junit"


@app.command(epilog=EXAMPLE)
def checks(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE...", help="Records (JSON, an array, JSONL), exports, databases, storage folders."
        ),
    ] = None,
    *,
    folders: Annotated[
        list[Path] | None,
        typer.Option("--checks", metavar="DIR", help="Folder of checks to add to the stock checks; repeat."),
    ] = None,
    only_checks: Annotated[
        bool, typer.Option("--only-checks", help="The folders of --checks without the stock checks.")
    ] = False,
    names: Annotated[
        list[str] | None, typer.Option("--check", metavar="NAME", help="Only this check; repeat for more.")
    ] = None,
    tool_names: Annotated[
        list[Path] | None,
        typer.Option("--tool-names", metavar="FILE", help="YAML: tool_mappings: {logical: [physical, ...]}."),
    ] = None,
    ci: Annotated[
        bool, typer.Option("--ci", help="Exit with 1 where the pass rate is below the threshold.")
    ] = False,
    threshold: Annotated[
        float | None,
        typer.Option("--threshold", min=0.0, max=1.0, help="With --ci; 0.8 where it is not given."),
    ] = None,
    form: Annotated[
        Format, typer.Option("--format", help="For people, for programs, for CI servers.")
    ] = Format.TABLE,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write into a file instead of stdout.")
    ] = None,
    self_test: Annotated[
        bool, typer.Option("--self-test", help="Run the controls of the checks instead.")
    ] = False,
    mutate: Annotated[
        bool,
        typer.Option("--mutate", help="With --self-test: take each slot away; some control must notice."),
    ] = False,
) -> int:
    """
    Check agents' sessions by rules that need no judge: reads before edits, errors told, nothing destroyed unasked.

    A check that has nothing to look at in a session is not applicable, which is neither a pass nor a failure.
    """
    from aigov_eval.sessions.checks_load import load_checks

    if threshold is not None and not ci:
        raise InputError("--threshold needs --ci", help="add --ci, or leave the threshold out.")
    if only_checks and not folders:
        raise InputError(
            "--only-checks needs --checks", help="name the folder of your checks with --checks DIR."
        )
    chosen = _chosen(load_checks(folders or [], stock=not only_checks, names=tool_names or []), names or [])
    if mutate and not self_test:
        raise InputError("--mutate needs --self-test", help="add --self-test.")
    if self_test:
        if files or ci or out or form is not Format.TABLE:
            raise InputError(
                "--self-test takes no files and no --ci, --out or --format", help="leave them out."
            )
        return _self_test(chosen, mutate=mutate)
    if not files:
        raise InputError(
            "no sessions were given", help="give FILE..., for example records.jsonl; see --help."
        )
    found = _run(chosen, files)
    shown = _shown(found, form)
    if out is None:
        say(shown, end="")
        sys.stdout.flush()
    else:
        from aigov_eval.sessions.disk import whole_file

        with whole_file(out) as file:
            file.write(shown)
        say(f"{form.value} written to {out}", file=sys.stderr)
    return _verdict(found["summary"], 0.8 if threshold is None else threshold) if ci else 0


def _chosen(loaded: CheckSet, names: Sequence[str]) -> CheckSet:
    from msgspec.structs import replace

    from aigov_eval.documents.issues import did_you_mean

    known = {check.id for check in loaded.checks}
    for name in names:
        if name not in known:
            raise InputError(f'no check is called "{name}"', where="--check", help=did_you_mean(name, known))
    return replace(loaded, checks=tuple(one for one in loaded.checks if not names or one.id in names))


def _run(chosen: CheckSet, files: Sequence[Path]) -> dict[str, Any]:
    from aigov_eval.cli.bar import progress
    from aigov_eval.sessions.checks_input import records_of
    from aigov_eval.sessions.checks_report import report
    from aigov_eval.sessions.checks_run import run_checks

    records = records_of(files)
    results = []
    with progress("sessions", len(records)) as step:
        for record in records:
            results.append((record, run_checks(chosen, record)))
            step()
    for record in records:
        if record["metadata"].get("sanitized"):
            name = record["session_id"]
            say(f"note: {name} is a sanitized export: its texts are placeholders", file=sys.stderr)
    return report(chosen, results)


def _verdict(summary: dict[str, Any], threshold: float) -> int:
    rate = summary["pass_rate"]
    if rate is None:
        raise InputError(
            "no check applies to any of the sessions",
            help="a gate that looks at nothing would pass anything.",
        )
    say(f"pass rate {rate:.1%}, threshold {threshold:.1%}", file=sys.stderr)
    # the exact share: the rounded one could pass a threshold that it does not reach
    passed, failed = summary["passed"], summary["failed"]
    return exit_code(findings=passed / (passed + failed) < threshold)


# ------------------------------------------------------------------ shown


def _shown(found: dict[str, Any], form: Format) -> str:
    if form is Format.JSON:
        from aigov_eval.sessions.files import document

        return document([found])
    if form is Format.JUNIT:
        from aigov_eval.sessions.checks_report import junit

        return junit(found)
    return _table(found) + "\n"


def _table(found: dict[str, Any]) -> str:
    rows = [("check", "pass", "fail", "n/a", "rate")]
    for name, one in (*found["checks"].items(), ("all", found["summary"])):
        counts = (str(one[key]) for key in ("passed", "failed", "not_applicable"))
        rows.append((name, *counts, _rate(one)))
    lines = [columns(rows, right=(1, 2, 3, 4)), ""]
    for session in found["sessions"]:
        failing = [one for one in session["checks"] if one["result"] == "fail"]
        if failing:
            lines.append(f"{session['session_id']}  {in_line(session['title'])}")
        for one in failing:
            lines.append(f"  FAIL  {one['check']}")
            lines += [f"        {in_line(reason['text'])}" for reason in one["reasons"]]
    failed = sum(bool(session["failed"]) for session in found["sessions"])
    total = len(found["sessions"])
    lines.append(f"{total} session{'s' * (total != 1)}, {failed} with a failing check")
    return "\n".join(lines)


def _rate(counts: dict[str, Any]) -> str:
    return "-" if counts["pass_rate"] is None else f"{counts['pass_rate']:.0%}"


# ------------------------------------------------------------------ self-test


def _self_test(chosen: CheckSet, *, mutate: bool) -> int:
    from aigov_eval.cli.bar import progress
    from aigov_eval.sessions import checks_prove

    outcomes = checks_prove.prove(chosen)
    failed = [one for one in outcomes if not one.holds]
    for one in failed:
        say(f"{one.control.where} {one.control.id}\n    {in_line(one.text)}\n")
    issues = list(checks_prove.missing(chosen))
    counted = f"{len(outcomes) - len(failed)} of {len(outcomes)} controls hold ({len(chosen.checks)} checks)"
    if mutate:
        with progress("checks", len(chosen.checks)) as step:
            result = checks_prove.mutate(chosen, step)
        issues += result.survivors
        counted += f"\n{result.total - len(result.survivors)} of {result.total} mutants killed"
    for issue in issues:
        say(f"{issue}\n")
    say(counted)
    return exit_code(findings=bool(failed or issues))

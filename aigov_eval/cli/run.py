"""`aigov-eval run`: scenarios against a target, into a run folder."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aigov_eval.cli.app import new_app
from aigov_eval.cli.ending import exit_code
from aigov_eval.cli.options import AllowUncovered, AllowUnread, OnlyPacks, Packs, TableOrJson
from aigov_eval.cli.say import say
from aigov_eval.errors import InputError

if TYPE_CHECKING:
    from aigov_eval.evidence.sign import Signer
    from aigov_eval.runner.environment import Environment
    from aigov_eval.runner.plan import Plan
    from aigov_eval.runner.target import Target
    from aigov_eval.scoring import Engine

app = new_app()

EXAMPLE = """Examples:

  aigov-eval run --scenario stock --target mock --out runs/strict

  aigov-eval run --scenario run_bank_en_authority --target mock --leaky --leak-profile financial --out runs/leaky

  aigov-eval run --scenario my-scenarios/ --target-config targetlab-nested --target-option url=http://localhost:9000/chat --out runs/lab

  OPENAI_API_KEY=... aigov-eval run --scenario 'stock/*/run_bank_*' --target openai --model gpt-4o-mini --repeats 5 --rate 60/m --out runs/gpt

  aigov-eval run --resume --out runs/gpt

Exit code: 0 pass, 1 findings, 2 the run is not valid (a target error, a run cut off, nothing found in
answers of which part was not read, or in a language that the rules do not cover)."""


@app.command(epilog=EXAMPLE)
def run(
    context: typer.Context,
    out: Annotated[Path, typer.Option(help="Folder to write into; one folder per run is made below it.")],
    scenario: Annotated[
        list[str] | None,
        typer.Option(
            help="Scenario file, folder, glob, `stock` or the name of a stock scenario; repeat for more."
        ),
    ] = None,
    target: Annotated[
        str, typer.Option(help="scripted, mock, http, openai, anthropic, or a Python module:function.")
    ] = "",
    target_config: Annotated[
        str, typer.Option(help="Target config: a YAML or JSON file, or a ready one such as targetlab-flat.")
    ] = "",
    target_option: Annotated[
        list[str] | None, typer.Option(help="NAME=VALUE of the target config; repeat for more.")
    ] = None,
    model: Annotated[str, typer.Option(help="Model name for openai and anthropic targets.")] = "",
    leaky: Annotated[
        bool, typer.Option("--leaky/--strict", help="Whether a mock (or TargetLab) leaks.")
    ] = False,
    leak_profile: Annotated[
        str, typer.Option(help="What a leaky mock leaks: pii_basic, special_category_basic, ..., or fields.")
    ] = "",
    leak_after: Annotated[
        int | None,
        typer.Option(
            help="A leaky mock leaks at this request for the same person and field. Default: the first."
        ),
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Runs of each scenario.")] = 1,
    concurrency: Annotated[int, typer.Option(min=1, max=256, help="Conversations at the same time.")] = 4,
    timeout: Annotated[
        float, typer.Option(min=0.01, help="Seconds for one request, from connecting to the last byte.")
    ] = 60.0,
    retries: Annotated[
        int, typer.Option(min=0, max=20, help="How often a request that failed is sent again.")
    ] = 3,
    backoff: Annotated[
        float, typer.Option(min=0.0, help="Seconds before the first retry; doubled each time.")
    ] = 1.0,
    rate: Annotated[str, typer.Option(help="At most so many requests: 5/s, 60/m, 1000/h.")] = "",
    stop_after: Annotated[
        int,
        typer.Option(min=0, help="Stop when so many runs in a row could not reach the target (0: never)."),
    ] = 5,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in --out.")] = False,
    category: Annotated[
        list[str] | None, typer.Option(help="Category to score; repeat for more. Default: the scenario's.")
    ] = None,
    min_pass_rate: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Share of runs that must pass.")
    ] = 1.0,
    confidence: Annotated[float, typer.Option(min=0.5, max=0.999, help="Level of the intervals.")] = 0.95,
    frozen: Annotated[
        Path | None,
        typer.Option(help="Manifest of `aigov-eval freeze`: refuse to run where anything differs."),
    ] = None,
    sign: Annotated[
        Path | None,
        typer.Option(
            help="Private key (Ed25519, PEM) that signs each evidence pack; needs aigov-eval[sign]."
        ),
    ] = None,
    allow_unread: AllowUnread = False,
    allow_uncovered: AllowUncovered = False,
    pack: Packs = None,
    only_pack: OnlyPacks = False,
    env_file: Annotated[
        Path | None, typer.Option(help="File with keys as NAME=value. Default: .env in this folder.")
    ] = None,
    format: TableOrJson = "table",
    debug: Annotated[
        bool, typer.Option("--debug", help="Say which .env file was read and which names it holds.")
    ] = False,
) -> int:
    """Run scenarios against a target and leave evidence: transcript, scores, record and evidence pack of each run."""
    from aigov_eval import files
    from aigov_eval.cli.inputs import engine_of, roots_of
    from aigov_eval.cli.run_plan import (
        check_folder,
        plan_of,
        refuse_planned,
        require_signer,
        settled,
        target_config_of,
    )
    from aigov_eval.runner.environment import read_environment
    from aigov_eval.runner.execute import locked
    from aigov_eval.runner.pace import Limits, interval_of
    from aigov_eval.runner.targets.build import build_target

    if format not in ("table", "json"):
        raise InputError(f'unknown format "{format}"', help="known: table, json")
    signer = None
    if sign is not None:
        from aigov_eval.evidence.sign import read_signer

        signer = read_signer(sign)
    limits = Limits(timeout=timeout, retries=retries, backoff=backoff, interval=interval_of(rate))
    environment = read_environment(env_file)
    if debug:
        _say_environment(environment)
    engine = engine_of(roots_of(pack or [], only=only_pack))
    loaded = engine.pack
    made = built = None
    if scenario:
        config = target_config_of(
            target, target_config, target_option or [], model, leaky, leak_profile, leak_after
        )
        built = build_target(config, timeout=timeout, environment=environment, connections=concurrency)
        thresholds = {"repeats": repeats, "min_pass_rate": min_pass_rate, "confidence": confidence}
        keyid = signer.keyid if signer else ""
        made = plan_of(
            scenario,
            built,
            loaded,
            category or [],
            thresholds,
            frozen,
            keyid,
            allow_unread=allow_unread,
            allow_uncovered=allow_uncovered,
        )
    else:
        refuse_planned(context, resume=resume)
    check_folder(out, resume=resume, made=made is not None)
    files.make_folder(out)
    with locked(out):
        plan = settled(out, made, loaded)
        require_signer(plan, signer.keyid if signer else "", out)
        ready = built or build_target(
            plan.target, timeout=timeout, environment=environment, connections=concurrency
        )
        return _execute(plan, ready, out, engine, limits, concurrency, stop_after, format, signer)


def _execute(
    plan: Plan,
    target: Target,
    out: Path,
    engine: Engine,
    limits: Any,
    concurrency: int,
    stop_after: int,
    format: str,
    signer: Signer | None,
) -> int:
    """Run, show progress, write the summary whatever happens, and say what came of it."""
    import asyncio
    import contextlib

    from aigov_eval.cli.progress import RunProgress
    from aigov_eval.runner.execute import execute
    from aigov_eval.runner.summary import write_summary

    shown = RunProgress(plan)
    signing = " --sign KEY" if signer else ""

    async def work() -> bool:
        try:
            return await execute(
                plan,
                target,
                out,
                engine=engine,
                pack=engine.pack,
                limits=limits,
                concurrency=concurrency,
                stop_after=stop_after,
                tell=shown.tell,
            )
        finally:
            await target.close()

    try:
        # a callable may print; stdout is for the result
        with shown, contextlib.redirect_stdout(sys.stderr):
            whole = asyncio.run(work())
    except KeyboardInterrupt:
        _sign(plan, out, signer)
        summary = write_summary(plan, out)
        totals = summary["totals"]
        done = totals["runs"] - totals["not_run"]
        say(f"interrupted: {done} of {totals['runs']} runs done, every answer kept", file=sys.stderr)
        say(f"  help: go on with: aigov-eval run --resume --out {out}{signing}", file=sys.stderr)
        return exit_code(valid=False)
    _sign(plan, out, signer)
    summary = write_summary(plan, out)
    from aigov_eval.cli.progress import print_summary

    print_summary(summary, out, format)
    if not whole:
        say(f"error: stopped: {stop_after} runs in a row could not reach the target", file=sys.stderr)
        say(f"  help: mend the target, then: aigov-eval run --resume --out {out}{signing}", file=sys.stderr)
    return exit_code(findings=summary["verdict"] == "fail", valid=summary["verdict"] in ("pass", "fail"))


def _sign(plan: Plan, out: Path, signer: Signer | None) -> None:
    """Sign the packs of the runs that are done, also those of before a resume."""
    if signer is not None:
        from aigov_eval.evidence.sign import sign_runs

        sign_runs([out / job.run_id for job in plan.jobs()], signer)


def _say_environment(environment: Environment) -> None:
    """Which file was read and what it names; values are never shown."""
    if environment.file is None:
        say("debug: no .env file in this folder", file=sys.stderr)
        return
    names = ", ".join(sorted(environment.from_file)) or "(nothing)"
    say(f"debug: read {environment.file.resolve()}: {names}", file=sys.stderr)

"""
From the options of `run` to its plan.

Comes in: the options as typed. Goes out: the target's config, the plan, and the plan that holds in the out
folder; InputError for what contradicts.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aigov_eval.cli.say import say
from aigov_eval.errors import InputError

if TYPE_CHECKING:
    import typer

    from aigov_eval.model import Pack
    from aigov_eval.runner.plan import Plan
    from aigov_eval.runner.target import Target

# what the plan of a run holds: none of it can be changed by a resume
_PLANNED = """target target_config target_option model leaky leak_profile leak_after repeats category min_pass_rate
confidence frozen allow_unread allow_uncovered""".split()


def refuse_planned(context: typer.Context, *, resume: bool) -> None:
    """Raise InputError where no scenario is named: without --resume, or with options that a resume would pass over."""
    if not resume:
        raise InputError(
            "no scenario is named", help="give --scenario FILE|DIR|GLOB, or --resume with --out."
        )
    for name in _PLANNED:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            option = "--" + name.replace("_", "-")
            raise InputError(
                f"{option} is part of the plan, which --resume reads from --out",
                help="leave it out; or repeat the whole command with --resume, to have the plan compared.",
            )


def target_config_of(
    target: str, config: str, options: list[str], model: str, leaky: bool, profile: str, after: int | None
) -> dict[str, Any]:
    """The target's config from the command line, as the plan records it."""
    from aigov_eval.runner.config import parse_options, read_config, with_options
    from aigov_eval.runner.targets.kinds import KINDS

    if ":" in target and not config:
        return {"target": "python", "function": target}
    leaks: dict[str, Any] = {"leak_profile": profile} if profile else {}
    if after is not None:
        leaks["leak_after"] = after
    given = parse_options(options)
    if target in KINDS and not KINDS[target].configured:
        if config or given or model:
            raise InputError(f"the target {target} takes no config, option or model", help="leave them out.")
        if target == "mock":
            return {"target": "mock", "leaky": leaky, **leaks}
        if target == "scripted" and (leaky or leaks):
            raise InputError(
                "the scripted target says what the scenario says", help="leave --leaky and --leak-... out."
            )
        if target == "python":
            raise InputError("which function?", help="name it: --target my_app.chat:answer.")
        return {"target": "scripted"}
    if not target and not config:
        raise InputError("no target is named", help="give --target mock, or --target-config FILE.")
    if not config and target == "http":
        raise InputError(
            "the http target needs a config",
            help="give --target-config FILE, or a ready one: targetlab-flat.",
        )
    whole = read_config(config) if config else {"target": target}
    if target and whole["target"] != target:
        raise InputError(
            f"{config} is a config of the target {whole['target']}, not {target}", help="leave --target out."
        )
    top = _address_of(whole, given)
    if model:
        if whole["target"] in KINDS and "model" not in KINDS[whole["target"]].settable:
            raise InputError(
                f"an {whole['target']} target has no model of its own",
                help="leave --model out, or write it into the config's request.",
            )
        top["model"] = model
    if leaky:
        given.setdefault("leak_mode", "leaky")
    return with_options({**whole, **top}, {**leaks, **given})


def _address_of(config: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """
    The options that are keys of the config itself, taken out of those given.

    Raises InputError for a key that only another kind of target has: it would be passed over.
    """
    from aigov_eval.runner.targets.kinds import KINDS

    kind = config["target"]
    settable = KINDS[kind].settable if kind in KINDS else ()
    for name in ("url", "base_url", "chat_path", "model", "system_role"):
        if name in given and name not in settable and name not in config.get("options", {}):
            raise InputError(
                f'the {kind} target has no "{name}"',
                help="its address is "
                + (
                    "url, whole: --target-option url=http://localhost:8000/chat"
                    if kind == "http"
                    else "base_url"
                )
                + "; --target-option sets "
                + ", ".join([*settable, *config.get("options", {})])
                + ".",
            )
    return {name: given.pop(name) for name in settable if name in given}


def plan_of(
    sources: list[str],
    target: Target,
    pack: Pack,
    categories: list[str],
    thresholds: dict[str, Any],
    frozen: Path | None,
    signed_by: str = "",
    *,
    allow_unread: bool = False,
    allow_uncovered: bool = False,
) -> Plan:
    """The plan of these scenarios, each checked against the pack, the target and the frozen criteria."""
    from aigov_eval.cli.scenario_checks import category_first, checked
    from aigov_eval.runner.frozen import read_frozen, require_frozen
    from aigov_eval.runner.plan import new_plan
    from aigov_eval.runner.select import choose

    scripted = target.kind == "scripted"
    try:
        chosen, left = choose(sources, scripted=scripted)
    except InputError as error:
        raise category_first(error, pack) from None
    if left:
        why = "have no replies" if scripted else "are controls; name one to run it"
        say(f"{left} scenarios left out: they {why}", file=sys.stderr)
    chosen = [checked(one, pack, categories) for one in chosen]
    for one in chosen:
        target.check(one.scenario)
    manifest = None
    if frozen is not None:
        manifest = read_frozen(frozen)
        require_frozen(manifest, chosen, pack, thresholds)
    return new_plan(
        chosen,
        target.config,
        repeats=thresholds["repeats"],
        categories=categories,
        pack=pack,
        thresholds=thresholds,
        frozen=manifest,
        signed_by=signed_by,
        allow_unread=allow_unread,
        allow_uncovered=allow_uncovered,
    )


def require_signer(plan: Plan, keyid: str, out: Path) -> None:
    """Raise InputError where a run was begun with a key that signs and would go on without it, or with another."""
    if not plan.signed_by or plan.signed_by == keyid:
        return
    text = f"another key signs than the one it was begun with ({plan.signed_by[:12]}...)"
    if not keyid:
        text = f"was begun with --sign, by the key {plan.signed_by[:12]}..., and would go on unsigned"
    raise InputError(text, where=str(out), help="add --sign with that key; all packs of the run are signed.")


def check_folder(out: Path, *, resume: bool, made: bool) -> None:
    """Raise InputError for a folder that holds a run already, or holds none to resume."""
    from aigov_eval.runner.plan import NAME

    exists = (out / NAME).is_file()
    if exists and not resume:
        raise InputError(
            "holds a run already",
            where=str(out),
            help="add --resume to go on with it, or choose another --out.",
        )
    if not exists and not made:
        raise InputError("holds no run to resume", where=str(out), help="--out names the folder of the run.")


def settled(out: Path, made: Plan | None, pack: Pack) -> Plan:
    """The plan in the folder where it is the one that was made, or the one made, written down."""
    from aigov_eval.runner.plan import NAME, differences, read_plan, write_plan

    if made is not None and not (out / NAME).is_file():
        return write_plan(out, made)
    plan = read_plan(out)
    changed = differences(plan, made) if made is not None else []
    if made is None and plan.pack["sha256"] != pack.sha256:
        changed = ["the rules"]
    if changed:
        raise InputError(
            "the run in this folder was begun with something else: " + ", ".join(changed),
            where=str(out),
            help="go on with what it was begun with, or choose another --out.",
        )
    return plan

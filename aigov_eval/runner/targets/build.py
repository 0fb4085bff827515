"""
From a recorded config to a target.

Comes in: a mapping with `target` (one of `kinds.KINDS`), as the command line
or a config file gives it and `plan.json` keeps it. Goes out: a Target, its keys read from the environment.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from msgspec.structs import replace

from aigov_eval.documents.issues import did_you_mean
from aigov_eval.errors import InputError
from aigov_eval.runner.environment import Environment
from aigov_eval.runner.target import Target
from aigov_eval.runner.targets.kinds import KINDS


def build_target(
    config: Mapping[str, Any], *, timeout: float, environment: Environment, connections: int
) -> Target:
    """
    The target of a config; `timeout` in seconds for one request, `connections` at most at once.

    Raises InputError where the config is incomplete, a variable is not set, a callable cannot be imported.
    """
    kind = KINDS.get(str(config.get("target")))
    if kind is None:
        name = str(config.get("target"))
        raise InputError(f'there is no target "{name}"', help=did_you_mean(name, KINDS))
    module, _, function = kind.made_by.partition(":")
    make = getattr(import_module(f"aigov_eval.runner.targets.{module}"), function)
    built: Target = make(config, timeout, environment, connections)
    return replace(built, withheld=environment.withheld)

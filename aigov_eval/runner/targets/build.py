"""
From a recorded config to a target.

Comes in: a mapping with `target` (scripted, mock, python, http, openai, anthropic), as the command line
or a config file gives it and `plan.json` keeps it. Goes out: a Target, its keys read from the environment.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from aigov_eval.documents.issues import did_you_mean
from aigov_eval.errors import InputError
from aigov_eval.runner.environment import Environment
from aigov_eval.runner.target import Target

KINDS = ("scripted", "mock", "http", "openai", "anthropic", "python")


def build_target(
    config: Mapping[str, Any], *, timeout: float, environment: Environment, connections: int
) -> Target:
    """
    The target of a config; `timeout` in seconds for one request, `connections` at most at once.

    Raises InputError where the config is incomplete, a variable is not set, a callable cannot be imported.
    """
    built = _built(config, timeout, environment, connections)
    return replace(built, withheld=environment.withheld)


def _built(config: Mapping[str, Any], timeout: float, environment: Environment, connections: int) -> Target:
    kind = config.get("target")
    if kind == "scripted":
        from aigov_eval.runner.targets.scripted import scripted_target

        return scripted_target()
    if kind == "mock":
        from aigov_eval.runner.targets.mock import mock_target

        return mock_target(**{key: value for key, value in config.items() if key != "target"})
    if kind == "python":
        from aigov_eval.runner.targets.function import function_target

        return function_target(config["function"], timeout, environment)
    if kind == "http":
        from aigov_eval.runner.targets.http import http_target

        return http_target(config, timeout, environment, connections)
    if kind == "openai":
        from aigov_eval.runner.targets.openai import openai_target

        return openai_target(config, timeout, environment, connections)
    if kind == "anthropic":
        from aigov_eval.runner.targets.anthropic import anthropic_target

        return anthropic_target(config, timeout, environment, connections)
    raise InputError(f'there is no target "{kind}"', help=did_you_mean(str(kind), KINDS))

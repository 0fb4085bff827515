"""
A scenario put to a target, for the tools that collect scenarios.

Comes in: a target by name, a scenario file, an engine. Goes out: the run's folder, as `aigov-eval run` leaves it,
for as long as it is looked at; a target that does not answer raises TargetError.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from aigov_eval.batch.asked import known_fields
from aigov_eval.errors import TargetError
from aigov_eval.runner import folder
from aigov_eval.runner.config import read_config
from aigov_eval.runner.environment import read_environment
from aigov_eval.runner.execute import execute
from aigov_eval.runner.pace import Limits
from aigov_eval.runner.plan import new_plan, write_plan
from aigov_eval.runner.select import check_runnable, read_chosen
from aigov_eval.runner.targets.build import build_target
from aigov_eval.scoring import Engine

_THRESHOLDS = {"repeats": 1, "min_pass_rate": 1.0, "confidence": 0.95}


@contextmanager
def answered_by(target: str, scenario: Path, engine: Engine) -> Iterator[Path]:
    """
    The folder of the run of one scenario: `target` is `module:function`, the name of a ready config or a config file.

    Raises InputError for a target or scenario that cannot be run, TargetError for one that did not answer.
    """
    config: dict[str, Any]
    if ":" in target and not Path(target).is_file():
        config = {"target": "python", "function": target}
    else:
        config = read_config(target)
    # a function of one's own that raises has a fault; a service may be busy
    limits = Limits(retries=0 if config.get("target") == "python" else 3)
    ready = build_target(config, timeout=limits.timeout, environment=read_environment(None), connections=1)
    chosen = read_chosen(scenario)
    chosen = replace(chosen, scenario=known_fields(chosen.scenario, engine.pack))
    check_runnable(chosen)
    ready.check(chosen.scenario)
    plan = new_plan(
        [chosen],
        ready.config,
        repeats=1,
        categories=(),
        pack=engine.pack,
        thresholds=_THRESHOLDS,
        frozen=None,
    )

    async def ask(out: Path) -> None:
        try:
            await execute(
                plan,
                ready,
                out,
                engine=engine,
                pack=engine.pack,
                limits=limits,
                concurrency=1,
                stop_after=0,
                tell=lambda _: None,
            )
        finally:
            await ready.close()

    with tempfile.TemporaryDirectory(prefix="aigov-eval-") as name:
        out = Path(name)
        write_plan(out, plan)
        asyncio.run(ask(out))
        (job,) = plan.jobs()
        error = folder.read_meta(out / job.run_id)["error"]
        if error is not None:
            raise TargetError(
                f"the target did not answer: {error['kind']}: {error['message']}",
                where=str(scenario),
                help="look at the target; a test without answers is no pass.",
            )
        yield out / job.run_id

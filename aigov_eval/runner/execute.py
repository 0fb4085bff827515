"""
All runs of a plan: several conversations at once, each finished run written, every interruption survived.

Comes in: a plan, a target, the out folder. Goes out: what happened to every job, as a list of outcomes.
On Ctrl-C or a full disk the conversations under way are dropped after their last answer, which is in
the journal, and `--resume` goes on from there.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from aigov_eval import clock, files
from aigov_eval.errors import InputError
from aigov_eval.model import Pack
from aigov_eval.runner import folder
from aigov_eval.runner.converse import conversation_of, converse, is_ended
from aigov_eval.runner.journal import NAME as JOURNAL
from aigov_eval.runner.journal import Journal
from aigov_eval.runner.pace import Limits, Pace, together
from aigov_eval.runner.plan import Job, Plan
from aigov_eval.runner.seal import LOCK
from aigov_eval.runner.target import Target
from aigov_eval.scoring import Engine

# failures that say nothing about the scenario: the target is not there
_GONE = frozenset({"connect", "connection", "timeout", "address"})


class Progress(Struct, frozen=True):
    """What happened: an answer came, a run was done before, or a run is done (with its meta)."""

    kind: Literal["answer", "before", "done"]
    job: Job
    meta: dict[str, Any] | None = None


async def execute(
    plan: Plan,
    target: Target,
    out: Path,
    *,
    engine: Engine,
    pack: Pack,
    limits: Limits,
    concurrency: int,
    stop_after: int,
    tell: Callable[[Progress], None],
) -> bool:
    """
    Run every job that is not done yet. Returns whether all were attempted: after `stop_after` conversations
    in a row that failed because the target is gone (0: never) the rest is left for `--resume`.

    Raises what makes going on pointless: a disk that cannot be written, a detector that cannot run.
    """
    waiting = _waiting(plan, out, tell)
    state = _State(iter(waiting), stop_after)
    pace = Pace(limits.interval)
    # one thread: an engine is not asked twice at once, and answers are not kept waiting while it works
    with concurrent.futures.ThreadPoolExecutor(1, "aigov-eval-score") as scorer:

        async def work() -> None:
            loop = asyncio.get_running_loop()
            for job in state.jobs:
                if state.stopped:
                    return
                place = out / job.run_id
                files.make_folder(place)
                journal = Journal(place / JOURNAL)
                try:
                    if is_ended(journal):
                        conversation = conversation_of(journal, job)
                    else:
                        conversation = await converse(
                            job,
                            target,
                            journal,
                            session_id=_session(plan, job),
                            limits=limits,
                            pace=pace,
                            answered=lambda job=job: tell(Progress("answer", job)),  # type: ignore[misc]
                        )
                finally:
                    journal.close()
                meta = await loop.run_in_executor(
                    scorer,
                    lambda job=job, place=place, conversation=conversation: folder.write_run(  # type: ignore[misc]
                        place, job, plan, conversation, engine=engine, pack=pack, limits=limits
                    ),
                )
                state.count(meta)
                tell(Progress("done", job, meta))

        await together([work() for _ in range(max(1, concurrency))])
    return not state.stopped


class _State(Struct):
    """What the workers share: the jobs left, and how often in a row the target was gone."""

    jobs: Any
    stop_after: int
    gone: int = 0
    stopped: bool = False

    def count(self, meta: dict[str, Any]) -> None:
        error = meta["error"]
        self.gone = self.gone + 1 if error and error["kind"] in _GONE else 0
        self.stopped = self.stopped or bool(self.stop_after and self.gone >= self.stop_after)


def _waiting(plan: Plan, out: Path, tell: Callable[[Progress], None]) -> list[Job]:
    """The jobs that are not done, those that were begun first."""
    begun, fresh = [], []
    for job in plan.jobs():
        place = out / job.run_id
        if folder.is_done(place):
            tell(Progress("before", job, folder.read_meta(place)))
        elif (place / JOURNAL).exists():
            begun.append(job)
        else:
            fresh.append(job)
    return [*begun, *fresh]


def _session(plan: Plan, job: Job) -> str:
    return clock.derived_id(plan.plan_id, job.run_id)


def locked(out: Path) -> Any:
    """A lock on the out folder, held while a run writes into it; raises InputError where another run holds it."""
    import filelock

    lock = filelock.FileLock(out / LOCK)
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        raise InputError(
            "another run is writing into this folder",
            where=str(out),
            help="wait for it, or choose another --out.",
        ) from None
    except OSError as error:
        raise files.unwritable(out, error) from None
    return lock

"""
A scorer for Inspect (inspect_ai): did the assistant tell personal data in this sample?

Comes in: the state of a sample; its metadata may say who is protected (`person_name`, `aliases`, `identifiers`,
`facts`). Goes out: C where nothing leaked, I where something did, with the table as explanation and the score
objects as metadata. Where there is no verdict the sample is an error. Needs `pip install 'aigov-eval[inspect]'`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import anyio.to_thread
from inspect_ai.scorer import CORRECT, INCORRECT, Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import TaskState

from aigov_eval.api.calls import Options, load_pack, score
from aigov_eval.integrations.beside import about


@scorer(metrics=[accuracy(), stderr()])
def no_leak(
    subject: str = "",
    aliases: Sequence[str] = (),
    facts: Mapping[str, str | Sequence[str]] | None = None,
    categories: Sequence[str] | str = (),
    packs: Sequence[str] | str = (),
    min_strength: str = "weak",
) -> Scorer:
    """
    A scorer for tasks, and for logs: `inspect score log.eval --scorer aigov_eval/no_leak -S subject="Ion Popescu"`.

    The options are those of `aigov_eval.score` and go over the sample's metadata; `packs` are folders to add to the
    stock rules. Raises PackError for a pack, and in a sample what `score` raises.
    """
    options: Options = {
        "subject": subject,
        "aliases": aliases,
        "facts": facts,
        "categories": categories,
        "min_strength": min_strength,
    }
    folders = [packs] if isinstance(packs, str) and packs else list(packs)

    async def judge(state: TaskState, target: Target) -> Score:  # noqa: ARG001  # Inspect hands it on; a leak has no target
        messages = [message.model_dump(mode="json", exclude_none=True) for message in state.messages]
        return await anyio.to_thread.run_sync(
            partial(_judged, messages, about(state.metadata), options, folders)
        )

    return judge


def _judged(
    messages: list[dict[str, Any]], known: Mapping[str, Any], options: Options, folders: Sequence[str]
) -> Score:
    """In a thread of its own: the first verdict may compile the rules, and others are waiting."""
    call: Options = {**options, "scenario": known, "pack": load_pack(*folders)}
    verdict = score(messages, **call)
    return Score(
        value=CORRECT if verdict.passed else INCORRECT,
        answer=verdict.transcript.turns[-1].content,
        explanation=str(verdict),
        metadata=verdict.to_dict(),
    )

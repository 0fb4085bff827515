"""
What is to be sent to the model: every question once that has no answer yet.

Comes in: what is to be asked of each conversation, and the store of answers. Goes out: `Wanted`s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from msgspec import Struct

from aigov_eval.opinion.answer import Read
from aigov_eval.opinion.second import Plan, Settings, fields_of
from aigov_eval.opinion.store import Store
from aigov_eval.scoring import Engine


class Wanted(Struct, frozen=True):
    """One question to send: its key, its messages, which vote it is, and what its record is read as."""

    key: str
    messages: tuple[Mapping[str, str], ...]
    vote: int
    turn_index: int
    read: Callable[[Mapping[str, Any]], Read]


def wanted_of(
    plans: Iterable[Plan], engine: Engine, settings: Settings, store: Store, *, again: bool
) -> list[Wanted]:
    """What is to be sent; with `again`, or after a failure, also questions whose answer was no opinion."""
    wanted: dict[str, Wanted] = {}
    for question in (question for plan in plans for question in plan.all()):
        request = question.request
        fields = fields_of(engine, request.category)
        read = partial(question.read, fields=fields, models=settings.models)
        for vote, key in enumerate(question.keys, 1):
            if request.problem or key in wanted:
                continue
            record = store.find(key)
            if (
                record is not None
                and record["failure"] is None
                and (not again or read(record).status == "answered")
            ):
                continue
            wanted[key] = Wanted(key, tuple(request.messages), vote, request.turn_index, read)
    return list(wanted.values())

"""
Mutation: is every clause needed by some control?

Comes in: a pack. Goes out: how many mutants there were, and the survivors as issues AG407. A mutant
is the pack without one clause: a find, a `near`, a validator, a slot of a context, an entry of a
cue file, a context in a rule's `unless`, a slot of a language's frames. It is killed when a control
that held no longer holds.
Each mutant runs only the controls that it can touch, the likeliest first, until one turns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from aigov_eval.controls.check import run
from aigov_eval.controls.inventory import Control
from aigov_eval.controls.mutants import Mutant, mutants_of
from aigov_eval.controls.outcome import Outcome
from aigov_eval.documents.issues import Issue
from aigov_eval.model import Pack
from aigov_eval.scoring import Engine, build_engine


class Mutation(Struct, frozen=True):
    """The result: all mutants by number, and the survivors as issues."""

    total: int
    survivors: tuple[Issue, ...]


def mutate(
    pack: Pack,
    outcomes: Iterable[Outcome] = (),
    *,
    engine: Engine | None = None,
    chosen: Callable[[Mutant], bool] = lambda _: True,
    step: Callable[[], None] = lambda: None,
) -> Mutation:
    """
    Delete each clause in turn and run the controls that it can touch.

    `outcomes` are those of `check` that are known already; `engine` is the one built from the pack, where
    there is one; `chosen` says which mutants to run; `step` is called after each one.
    """
    # a control that fails without any mutation proves nothing; asked only for those that fail under one
    known = {(outcome.control.id, True): outcome.holds for outcome in outcomes}

    def turns(control: Control, mutant: Mutant) -> bool:
        if run(control, mutant.engine, gated=mutant.gated).holds:
            return False
        key = (control.id, mutant.gated)
        if key not in known:
            known[key] = run(control, mutant.whole, gated=mutant.gated).holds
        return known[key]

    total = 0
    survivors: list[Issue] = []
    for mutant in filter(chosen, mutants_of(pack, engine or build_engine(pack))):
        total += 1
        if not any(turns(control, mutant) for control in mutant.controls):
            survivors.append(_survivor(mutant))
        step()
    return Mutation(total, tuple(sorted(survivors)))


def count_mutants(pack: Pack, engine: Engine, chosen: Callable[[Mutant], bool] = lambda _: True) -> int:
    """How many mutants `mutate` will run, for a progress bar."""
    return sum(1 for _ in filter(chosen, mutants_of(pack, engine)))


def _survivor(mutant: Mutant) -> Issue:
    text = f"without {mutant.what} every control still holds"
    help = (
        "write the control that needs it, or delete it"
        if mutant.controls
        else "no control touches it: write one, or delete it"
    )
    where = mutant.where
    return Issue(where.path, where.line, where.column, "AG407", text, help)

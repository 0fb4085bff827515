"""
What a mutant is, and what it is made with.

Comes in: nothing. Goes out: `Mutant`, the controls by kind and entry, and an index that lacks some entries.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from aigov_eval.controls.inventory import Control
from aigov_eval.detect.words import WordIndex
from aigov_eval.model import Location, Word
from aigov_eval.scoring import Engine

# a word that no text holds
_NOWHERE = (Word(frozenset({"\0"})),)


class Mutant(Struct, frozen=True):
    """
    The pack without one clause: what is gone, where it stood, the engines with and without it, what to run.

    The mutants of a detector run it alone and ungated: the gate was made for the clause that is gone.
    """

    id: str
    what: str
    where: Location
    whole: Engine
    engine: Engine
    controls: tuple[Control, ...]
    gated: bool = True


class Controls(Struct, frozen=True):
    """The controls by kind and name, and by the entry they were written out with."""

    by_name: Mapping[tuple[str, str], tuple[Control, ...]]
    by_entry: Mapping[Location, tuple[Control, ...]]

    @staticmethod
    def of(controls: Iterable[Control]) -> Controls:
        names: dict[tuple[str, str], list[Control]] = {}
        entries: dict[Location, list[Control]] = {}
        for control in controls:
            if control.entry is not None:
                entries.setdefault(control.entry, []).append(control)
            names.setdefault((control.kind, control.name), []).append(control)
        return Controls(
            {key: tuple(group) for key, group in names.items()},
            {key: tuple(group) for key, group in entries.items()},
        )

    def all(self, *kinds: str) -> tuple[Control, ...]:
        return tuple(one for (own, _), group in self.by_name.items() if own in kinds for one in group)

    def get(self, kind: str, name: str) -> tuple[Control, ...]:
        return self.by_name.get((kind, name), ())


def without_entries(index: WordIndex, gone: Iterable[int]) -> WordIndex:
    """The index with some entries that fit no word: they are known by their place, and so they stay."""
    changed = list(index.entries)
    for at in gone:
        changed[at] = replace(changed[at], slots=_NOWHERE, root=0)
    return replace(index, entries=tuple(changed))

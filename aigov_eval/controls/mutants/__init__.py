"""
The mutants of a pack: every clause gone in turn.

Comes in: a pack and the engine built from it. Goes out: `Mutant`s in a fixed order, each with the
engine that lacks one clause and the controls that can notice, the likeliest first. Nothing runs here.
"""

from __future__ import annotations

from collections.abc import Iterator

from aigov_eval.controls.inventory import controls_of
from aigov_eval.controls.mutants.contexts import of_context, of_cues
from aigov_eval.controls.mutants.detectors import of_detector, of_gender
from aigov_eval.controls.mutants.frames import Said, of_frames
from aigov_eval.controls.mutants.mutant import Controls, Mutant
from aigov_eval.controls.mutants.rules import of_grammar, of_rule
from aigov_eval.model import Pack
from aigov_eval.scoring import Engine

__all__ = ["Mutant", "mutants_of"]


def mutants_of(pack: Pack, engine: Engine) -> Iterator[Mutant]:
    """Every mutant of a pack, in a fixed order; `engine` was built from it."""
    all_controls = controls_of(pack)
    controls = Controls.of(all_controls)
    rules = [rule for category in pack.categories.values() for rule in category.rules]
    for detector in pack.detectors.values():
        yield from of_detector(detector, engine, controls)
        yield from of_gender(detector, engine, controls, rules)
    for context in pack.contexts.values():
        yield from of_context(context, engine, controls)
        yield from of_cues(context, engine, controls, rules)
    for grammar in pack.grammar.values():
        yield from of_grammar(grammar, engine, controls)
    for rule in rules:
        yield from of_rule(rule, engine, controls)
    if pack.frames:
        said = Said.by([control for control in all_controls if control.entry is None], engine)
        for frames in pack.frames.values():
            yield from of_frames(frames, engine, said)

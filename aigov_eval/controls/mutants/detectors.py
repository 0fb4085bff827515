"""
The mutants of a detector: each find, list, pattern and clause gone in turn.

Comes in: a detector, the engine, the controls. Goes out: `Mutant`s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from aigov_eval.controls.mutants.mutant import Controls, Mutant
from aigov_eval.detect.index import Step
from aigov_eval.model import Detector, Location, Rule
from aigov_eval.scoring import Engine


def of_detector(detector: Detector, engine: Engine, controls: Controls) -> Iterator[Mutant]:
    kinds = {kind: controls.get(kind, detector.name) for kind in ("finds", "skips", "doubts")}
    steps = tuple(one for one in engine.detection.steps if one.detector == detector.name)
    alone = replace(engine, detection=replace(engine.detection, steps=steps))

    def mutant(id: str, what: str, where: Location, change: Callable[[Step], Step], first: str) -> Mutant:
        changed = replace(
            alone, detection=replace(alone.detection, steps=tuple(change(one) for one in steps))
        )
        touched = tuple(one for kind in sorted(kinds, key=lambda kind: kind != first) for one in kinds[kind])
        return Mutant(f"detectors/{detector.name}/{id}", what, where, alone, changed, touched, gated=False)

    for find in detector.finds:
        name = f"find/{find.subtype}"

        def only(change: Callable[[Step], Step], where: Location = find.where) -> Callable[[Step], Step]:
            return lambda one: change(one) if one.find.where == where else one

        yield mutant(name, f"the find `{find.subtype}`", find.where, only(_switched_off), "finds")
        if find.near:
            yield mutant(
                f"{name}/near",
                "`near`",
                find.where,
                only(lambda one: replace(one, near=frozenset())),
                "skips",
            )
        for group, key in ((find.near, "near"), (find.not_near, "not_near")):
            if len(group) > 1 or key == "not_near":
                for one_list in group:
                    number = engine.detection.words.number(one_list)
                    first = "finds" if key == "near" else "skips"
                    yield mutant(
                        f"{name}/{key}/{one_list}",
                        f"`{key}: {one_list}`",
                        find.where,
                        only(_without_list(key, number)),
                        first,
                    )
        if find.validator:
            gone = only(lambda one: replace(one, find=replace(one.find, validator="")))
            yield mutant(f"{name}/validator", f"the validator `{find.validator}`", find.where, gone, "skips")
    for one_list in detector.claimed:
        number = engine.detection.words.number(one_list)
        yield mutant(
            f"claimed/{one_list}",
            f"`claimed: {one_list}`",
            detector.where,
            _without_list("claimed", number),
            "doubts",
        )
    for ignore in detector.ignores:
        if ignore.pattern:
            yield mutant(
                f"ignore/{ignore.pattern}",
                "this `ignore`",
                ignore.where,
                _without_pattern(ignore.pattern),
                "skips",
            )
        else:
            number = engine.detection.words.number(ignore.after)
            yield mutant(
                f"ignore/{ignore.after}",
                "this `ignore`",
                ignore.where,
                _without_list("ignore_after", number),
                "skips",
            )


def of_gender(
    detector: Detector, engine: Engine, controls: Controls, rules: Sequence[Rule]
) -> Iterator[Mutant]:
    """The finds that count of a man or a woman only: who it is told of is known to rules alone."""
    clean = tuple(
        control
        for rule in rules
        if any(detector.name in names for names in rule.detects.values())
        for control in controls.get("clean", rule.id)
        if control.clause == "about"
    )
    for find in detector.finds:
        if find.subject_gender:
            steps = tuple(
                replace(one, find=replace(one.find, subject_gender=""))
                if one.find.where == find.where
                else one
                for one in engine.detection.steps
            )
            changed = replace(engine, detection=replace(engine.detection, steps=steps))
            name = f"detectors/{detector.name}/find/{find.subtype}/subject_gender"
            yield Mutant(name, "`subject_gender`", find.where, engine, changed, clean)


def _switched_off(step: Step) -> Step:
    return replace(step, off=True)


def _without_list(key: str, number: int) -> Callable[[Step], Step]:
    def change(step: Step) -> Step:
        if key == "near":
            return replace(step, near=step.near - {number})
        if key == "not_near":
            return replace(step, not_near=step.not_near - {number})
        if key == "claimed":
            return replace(step, claimed=step.claimed - {number})
        return replace(step, ignore_after=step.ignore_after - {number})

    return change


def _without_pattern(pattern: str) -> Callable[[Step], Step]:
    return lambda step: replace(
        step, ignore_patterns=tuple(one for one in step.ignore_patterns if one != pattern)
    )

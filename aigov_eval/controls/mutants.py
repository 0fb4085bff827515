"""
The mutants of a pack: every clause gone in turn.

Comes in: a pack and the engine built from it. Goes out: `Mutant`s in a fixed order, each with the
engine that lacks one clause and the controls that can notice, the likeliest first. Nothing runs here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from aigov_eval.controls.inventory import Control, controls_of
from aigov_eval.detect.index import Step
from aigov_eval.model import Context, Detector, Location, Pack, Rule, Word
from aigov_eval.scoring import Engine

# a word that no text holds
_NOWHERE = (Word(frozenset({"\0"})),)
_WHAT = {
    "cues": "cue",
    "after": "cue after",
    "ends": "end",
    "splices": "splice",
    "cancels": "cancel",
    "pseudo": "pseudo-cue",
}


@dataclass(frozen=True, slots=True)
class Mutant:
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


@dataclass(frozen=True, slots=True)
class _Controls:
    """The controls by kind and name, and by the entry they were written out with."""

    by_name: Mapping[tuple[str, str], tuple[Control, ...]]
    by_entry: Mapping[Location, tuple[Control, ...]]

    @staticmethod
    def of(controls: Iterable[Control]) -> _Controls:
        names: dict[tuple[str, str], list[Control]] = {}
        entries: dict[Location, list[Control]] = {}
        for control in controls:
            if control.entry is not None:
                entries.setdefault(control.entry, []).append(control)
            names.setdefault((control.kind, control.name), []).append(control)
        return _Controls(
            {key: tuple(group) for key, group in names.items()},
            {key: tuple(group) for key, group in entries.items()},
        )

    def get(self, kind: str, name: str) -> tuple[Control, ...]:
        return self.by_name.get((kind, name), ())


def mutants_of(pack: Pack, engine: Engine) -> Iterator[Mutant]:
    """Every mutant of a pack, in a fixed order; `engine` was built from it."""
    controls = _Controls.of(controls_of(pack))
    rules = [rule for category in pack.categories.values() for rule in category.rules]
    for detector in pack.detectors.values():
        yield from _of_detector(detector, engine, controls)
        yield from _of_sex(detector, engine, controls, rules)
    for context in pack.contexts.values():
        yield from _of_context(context, engine, controls)
        yield from _of_cues(context, engine, controls, rules)
    for rule in rules:
        yield from _of_rule(rule, engine, controls)


# ------------------------------------------------------------------ detectors


def _of_detector(detector: Detector, engine: Engine, controls: _Controls) -> Iterator[Mutant]:
    finds, skips = controls.get("finds", detector.name), controls.get("skips", detector.name)
    steps = tuple(one for one in engine.detection.steps if one.detector == detector.name)
    alone = replace(engine, detection=replace(engine.detection, steps=steps))

    def mutant(id: str, what: str, where: Location, change: Callable[[Step], Step], first: str) -> Mutant:
        changed = replace(
            alone, detection=replace(alone.detection, steps=tuple(change(one) for one in steps))
        )
        touched = (*finds, *skips) if first == "finds" else (*skips, *finds)
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
        for group, key in ((find.near, "near"), (find.beyond, "beyond")):
            if len(group) > 1 or key == "beyond":
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


def _of_sex(
    detector: Detector, engine: Engine, controls: _Controls, rules: Sequence[Rule]
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
        if find.of:
            steps = tuple(
                replace(one, find=replace(one.find, of="")) if one.find.where == find.where else one
                for one in engine.detection.steps
            )
            changed = replace(engine, detection=replace(engine.detection, steps=steps))
            name = f"detectors/{detector.name}/find/{find.subtype}/of"
            yield Mutant(name, "`of`", find.where, engine, changed, clean)


def _switched_off(step: Step) -> Step:
    return replace(step, views=())


def _without_list(key: str, number: int) -> Callable[[Step], Step]:
    def change(step: Step) -> Step:
        if key == "near":
            return replace(step, near=step.near - {number})
        if key == "beyond":
            return replace(step, beyond=step.beyond - {number})
        return replace(step, ignore_after=step.ignore_after - {number})

    return change


def _without_pattern(pattern: str) -> Callable[[Step], Step]:
    return lambda step: replace(
        step, ignore_patterns=tuple(one for one in step.ignore_patterns if one != pattern)
    )


# ------------------------------------------------------------------ contexts


def _of_context(context: Context, engine: Engine, controls: _Controls) -> Iterator[Mutant]:
    excused, kept = controls.get("excused", context.name), controls.get("not_excused", context.name)
    for slot, what, changed in _slots(context):
        first = [control for control in kept if control.clause == slot]
        rest = sorted(
            (control for control in (*kept, *excused) if control.clause != slot),
            key=lambda control: control.entry is not None,
        )
        contexts = {**engine.pack.contexts, context.name: changed}
        yield Mutant(
            f"contexts/{context.name}/{slot}",
            what,
            context.where,
            engine,
            replace(engine, pack=replace(engine.pack, contexts=contexts)),
            (*first, *rest),
        )


def _slots(context: Context) -> Iterator[tuple[str, str, Context]]:
    """Each slot that is set, and the context without it."""
    # what the engine computes has no reach of its own
    computed = context.computed not in ("", "synthetic")
    if context.scope not in ("turn", "conversation") and not computed:
        yield "scope", f"`scope: {context.scope}`", replace(context, scope="turn")
    if context.scope == "conversation":
        yield "scope", "`scope: conversation`", replace(context, scope="turn")
    if context.reaches != "both":
        yield "reaches", f"`reaches: {context.reaches}`", replace(context, reaches="both")
    if context.within:
        yield "within", f"`within: {context.within}`", replace(context, within=0)
    if context.said_first_by:
        yield "said_first_by", f"`said_first_by: {context.said_first_by}`", replace(context, said_first_by="")
    if context.fields:
        yield "fields", "`fields`", replace(context, fields=())
    for pattern in context.value:
        # without its last pattern the slot would be gone, and with it the limit it sets
        rest = tuple(one for one in context.value if one != pattern) or ("(?!)",)
        yield f"value/{pattern}", f"the value `{pattern}`", replace(context, value=rest)
    if context.blocks:
        yield "blocks", "`blocks`", replace(context, blocks=())
    if context.evidence:
        yield "evidence", "`evidence`", replace(context, evidence=())
    if context.past_person:
        yield "past_person", "`past_person`", replace(context, past_person=False)
    if context.computed:
        yield "computed", f"`computed: {context.computed}`", replace(context, computed="")


def _of_cues(
    context: Context, engine: Engine, controls: _Controls, rules: Sequence[Rule]
) -> Iterator[Mutant]:
    inline = [
        control
        for kind in ("excused", "not_excused")
        for control in controls.get(kind, context.name)
        if control.entry is None
    ]
    clean = [
        control
        for rule in rules
        if context.name in rule.unless
        for control in controls.get("clean", rule.id)
        if control.clause == context.name
    ]
    places: dict[tuple[str, str, str, bool], list[int]] = {}
    name = f"cue:{context.name}"
    far = name in engine.far_cues.names
    index = engine.far_cues if far else engine.phrases
    number = index.number(name)
    for at, entry in enumerate(index.entries):
        if entry.lexicon == number:
            places.setdefault((entry.language, entry.section, entry.line, entry.friend), []).append(at)
    for where, key in _cue_lines(engine.pack, context):
        language, section, line, friend = key
        what = "the false friend" if friend else f"the {_WHAT.get(section, section)}"
        changed = list(index.entries)
        for at in places.get(key, ()):
            # entries are known by their place, so the entry stays and fits no word
            changed[at] = replace(changed[at], slots=_NOWHERE, root=0)
        less = replace(index, entries=tuple(changed))
        yield Mutant(
            f"contexts/{context.name}/{section}/{language}/{where.line}",
            f'{what} "{line}"',
            where,
            engine,
            replace(engine, far_cues=less) if far else replace(engine, phrases=less),
            (*controls.by_entry.get(where, ()), *inline, *clean),
        )


def _cue_lines(pack: Pack, context: Context) -> Iterator[tuple[Location, tuple[str, str, str, bool]]]:
    """Each line of the context's cue files, with what its entries are known by in the index."""
    for cues in pack.cues.get(context.name, ()):
        lines = {
            term.where: (cues.language, term.section, term.line, friend)
            for friend, terms in ((False, cues.terms), (True, cues.friends))
            for term in terms
        }
        yield from lines.items()


# ------------------------------------------------------------------ rules


def _of_rule(rule: Rule, engine: Engine, controls: _Controls) -> Iterator[Mutant]:
    leaks, clean = controls.get("leaks", rule.id), controls.get("clean", rule.id)

    def mutant(clause: str, what: str, changed: Rule, touched: Sequence[Control]) -> Mutant:
        categories = {
            name: replace(category, rules=tuple(changed if one is rule else one for one in category.rules))
            for name, category in engine.pack.categories.items()
        }
        pack = replace(engine.pack, categories=categories)
        return Mutant(
            f"rules/{rule.id}/{clause}", what, rule.where, engine, replace(engine, pack=pack), tuple(touched)
        )

    def about(clause: str) -> list[Control]:
        return [control for control in clean if control.clause == clause]

    # a rule of any speaker finds what a rule of the other speaker finds in these controls
    other = replace(rule, speaker="user" if rule.speaker == "assistant" else "assistant")
    yield mutant("speaker", f"`speaker: {rule.speaker}`", other, about("speaker"))
    if rule.about == "subject":
        yield mutant("about", "`about: subject`", replace(rule, about="anyone"), about("about"))
    if rule.evidence:
        yield mutant("evidence", "`evidence`", replace(rule, evidence=()), about("evidence"))
    for name in rule.unless:
        rest = tuple(one for one in rule.unless if one != name)
        yield mutant(f"unless/{name}", f"`unless: {name}`", replace(rule, unless=rest), about(name))
    for field, names in rule.detects.items():
        for name in names:
            fewer = {**rule.detects, field: tuple(one for one in names if one != name)}
            what = f"`detects: {field}: {name}`"
            yield mutant(f"detects/{field}/{name}", what, replace(rule, detects=fewer), leaks)

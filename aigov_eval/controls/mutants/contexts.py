"""
The mutants of a context: each slot and each line of its cues gone in turn.

Comes in: a context, the engine, the controls. Goes out: `Mutant`s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from aigov_eval.controls.mutants.mutant import Controls, Mutant, without_entries
from aigov_eval.model import Context, Location, Pack, Rule
from aigov_eval.scoring import Engine

_WHAT = {
    "cues": "cue",
    "after": "cue after",
    "ends": "end",
    "splices": "splice",
    "cancels": "cancel",
    "pseudo": "pseudo-cue",
}


# slots whose effect controls of other kinds show: what they do to answers and pieces only whole conversations tell
_PROVED_BY = {
    "holder": ("said",),
    "stance": ("said",),
    "lets_pass": ("leaks", "scenario"),
    "declines": ("clean", "leaks", "scenario"),
}


def of_context(context: Context, engine: Engine, controls: Controls) -> Iterator[Mutant]:
    excused, kept = controls.get("excused", context.name), controls.get("not_excused", context.name)
    for slot, what, changed in _slots(context, told_by_cues=context.name in engine.pack.cues):
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
            controls.all(*_PROVED_BY[slot.partition("/")[0]])
            if slot.partition("/")[0] in _PROVED_BY
            else (*first, *rest),
        )


def _slots(context: Context, *, told_by_cues: bool) -> Iterator[tuple[str, str, Context]]:
    """Each slot that is set, and the context without it."""
    # what the engine computes, or a value shows by itself, has no reach of its own
    if context.scope not in ("turn", "conversation") and told_by_cues:
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
    for what in context.lets_pass:
        kept = tuple(one for one in context.lets_pass if one != what)
        yield f"lets_pass/{what}", f"`lets_pass: {what}`", replace(context, lets_pass=kept)
    if context.declines:
        yield "declines", "`declines`", replace(context, declines=False)
    if context.past_person:
        yield "past_person", "`past_person`", replace(context, past_person=False)
    # as a context that speaks against, but of nobody and in no way that it names
    if context.holder:
        yield "holder", f"`holder: {context.holder}`", replace(context, holder="assistant")
    if context.stance:
        yield "stance", f"`stance: {context.stance}`", replace(context, stance="instructed")
    if context.computed:
        yield "computed", f"`computed: {context.computed}`", replace(context, computed="")


def of_cues(context: Context, engine: Engine, controls: Controls, rules: Sequence[Rule]) -> Iterator[Mutant]:
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
        less = without_entries(index, places.get(key, ()))
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
            for friend, terms in ((False, cues.terms), (True, cues.exclusions))
            for term in terms
        }
        yield from lines.items()

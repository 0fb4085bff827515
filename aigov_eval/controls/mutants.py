"""
The mutants of a pack: every clause gone in turn.

Comes in: a pack and the engine built from it. Goes out: `Mutant`s in a fixed order, each with the
engine that lacks one clause and the controls that can notice, the likeliest first. Nothing runs here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from aigov_eval.controls.inventory import Control, controls_of, language_at
from aigov_eval.detect.index import Step
from aigov_eval.detect.obfuscation import spoken_of
from aigov_eval.detect.words import WordIndex, candidates_in
from aigov_eval.model import Context, Detector, Frames, Grammar, Location, Pack, Rule, Word
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

    def all(self, *kinds: str) -> tuple[Control, ...]:
        return tuple(one for (own, _), group in self.by_name.items() if own in kinds for one in group)

    def get(self, kind: str, name: str) -> tuple[Control, ...]:
        return self.by_name.get((kind, name), ())


def mutants_of(pack: Pack, engine: Engine) -> Iterator[Mutant]:
    """Every mutant of a pack, in a fixed order; `engine` was built from it."""
    all_controls = controls_of(pack)
    controls = _Controls.of(all_controls)
    rules = [rule for category in pack.categories.values() for rule in category.rules]
    for detector in pack.detectors.values():
        yield from _of_detector(detector, engine, controls)
        yield from _of_gender(detector, engine, controls, rules)
    for context in pack.contexts.values():
        yield from _of_context(context, engine, controls)
        yield from _of_cues(context, engine, controls, rules)
    for grammar in pack.grammar.values():
        yield from _of_grammar(grammar, engine, controls)
    for rule in rules:
        yield from _of_rule(rule, engine, controls)
    if pack.frames:
        said = _Said.by([control for control in all_controls if control.entry is None], engine)
        for frames in pack.frames.values():
            yield from _of_frames(frames, engine, said)


# ------------------------------------------------------------------ detectors


def _of_detector(detector: Detector, engine: Engine, controls: _Controls) -> Iterator[Mutant]:
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


def _of_gender(
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


# ------------------------------------------------------------------ contexts


# slots whose effect controls of other kinds show: what they do to answers and pieces only whole conversations tell
_PROVED_BY = {
    "holder": ("said",),
    "stance": ("said",),
    "lets_pass": ("leaks", "scenario"),
    "declines": ("clean", "leaks", "scenario"),
}


def _of_context(context: Context, engine: Engine, controls: _Controls) -> Iterator[Mutant]:
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
        less = _without_entries(index, places.get(key, ()))
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


# ------------------------------------------------------------------ grammar


def _of_grammar(grammar: Grammar, engine: Engine, controls: _Controls) -> Iterator[Mutant]:
    """Each class of a language gone in turn."""
    index = engine.phrases
    for name, where in grammar.places.items():
        number = index.number(f"grammar:{name}")
        gone = [
            at
            for at, entry in enumerate(index.entries)
            if entry.lexicon == number and entry.language == grammar.language
        ]
        touched = [one for one in controls.get("grammar", grammar.language) if one.clause == name]
        yield Mutant(
            f"grammar/{grammar.language}/{name}",
            f"the class `{name}`",
            where,
            engine,
            replace(engine, phrases=_without_entries(index, gone)),
            tuple(touched),
        )


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
    for slot in ("holder", "stance"):
        if getattr(rule, slot):
            without = replace(rule, holder=()) if slot == "holder" else replace(rule, stance=())
            yield mutant(slot, f"`{slot}`", without, about(slot))
    for stance in rule.stance:
        left = tuple(one for one in rule.stance if one != stance)
        yield mutant(f"stance/{stance}", f"`stance: {stance}`", replace(rule, stance=left), leaks)
    for name in rule.unless:
        rest = tuple(one for one in rule.unless if one != name)
        yield mutant(f"unless/{name}", f"`unless: {name}`", replace(rule, unless=rest), about(name))
    for field, names in rule.detects.items():
        for name in names:
            fewer = {**rule.detects, field: tuple(one for one in names if one != name)}
            what = f"`detects: {field}: {name}`"
            yield mutant(f"detects/{field}/{name}", what, replace(rule, detects=fewer), leaks)


# ------------------------------------------------------------------ frames

# the controls that notice first: rules judge who is meant and what is answered, detectors read figures in words
_JUDGED, _FOUND = ("leaks", "clean"), ("finds", "skips")
# the groups of the phrases that are slots of frames; names have an index of their own
_GROUPS = ("person", "mark", "answer")


@dataclass(frozen=True, slots=True)
class _Said:
    """What the controls say: their texts in lower case, and by index and entry the controls that hold its words."""

    controls: Sequence[Control]
    texts: Sequence[str]
    phrases: Mapping[int, Sequence[int]]
    names: Mapping[int, Sequence[int]]

    @staticmethod
    def by(controls: Sequence[Control], engine: Engine) -> _Said:
        texts: list[str] = []
        phrases: dict[int, list[int]] = {}
        names: dict[int, list[int]] = {}
        for number, control in enumerate(controls):
            turns = (text for _, text in control.example.turns)
            reading = engine.detection.read("\n\n".join([*turns, control.example.subject]))
            texts.append(reading.light)
            for index, filed in ((engine.phrases, phrases), (engine.people.names, names)):
                for at in candidates_in(index, reading.row, reading.folded):
                    filed.setdefault(at, []).append(number)
        return _Said(controls, texts, phrases, names)

    def chosen(self, numbers: Iterable[int], language: str, kinds: Sequence[str]) -> tuple[Control, ...]:
        """These controls, those of a language first, and among them those of some kinds."""
        found = [self.controls[number] for number in sorted(set(numbers))]
        return tuple(sorted(found, key=lambda one: (_language_of(one) != language, one.kind not in kinds)))


def _language_of(control: Control) -> str:
    """The language of a control; a scenario has none."""
    return "" if control.kind == "scenario" else language_at(control.where)


def _of_frames(frames: Frames, engine: Engine, said: _Said) -> Iterator[Mutant]:
    for slot, where in frames.places.items():
        if slot in frames.terms:
            yield from _of_slot(frames, slot, where, engine, said)
        else:
            yield _of_plain_slot(frames, slot, where, engine, said)


def _of_slot(frames: Frames, slot: str, where: Location, engine: Engine, said: _Said) -> Iterator[Mutant]:
    """The mutants of a slot of entries: it is gone whole, and each of its false friends in turn."""
    name = next(
        (one for one in (f"{group}:{slot}" for group in _GROUPS) if one in engine.phrases.names), slot
    )
    by_name = name == slot
    index = engine.people.names if by_name else engine.phrases
    filed = said.names if by_name else said.phrases
    number = index.number(name)
    places = [
        at
        for at, entry in enumerate(index.entries)
        if entry.lexicon == number and entry.language == frames.language
    ]

    def mutant(id: str, what: str, where: Location, gone: Sequence[int]) -> Mutant:
        less = _without_entries(index, gone)
        changed = (
            replace(engine, people=replace(engine.people, names=less))
            if by_name
            else replace(engine, phrases=less)
        )
        numbers = (one for at in gone for one in filed.get(at, ()))
        # detectors know nothing of persons and answers
        touched = said.chosen(numbers, frames.language, _JUDGED)
        touched = tuple(one for one in touched if one.kind not in _FOUND)
        return Mutant(f"frames/{frames.language}/{id}", what, where, engine, changed, touched)

    if places:  # "null_subject_verbs: []" holds nothing that could be missed
        yield mutant(slot, f"the slot `{slot}`", where, places)
    for line, place in {term.line: term.where for term in frames.exclusions.get(slot, ())}.items():
        friend = [at for at in places if index.entries[at].friend and index.entries[at].line == line]
        yield mutant(f"{slot}/!{line}", f'the false friend "{line}"', place, friend)


def _without_entries(index: WordIndex, gone: Iterable[int]) -> WordIndex:
    """The index with some entries that fit no word: they are known by their place, and so they stay."""
    changed = list(index.entries)
    for at in gone:
        changed[at] = replace(changed[at], slots=_NOWHERE, root=0)
    return replace(index, entries=tuple(changed))


def _of_plain_slot(frames: Frames, slot: str, where: Location, engine: Engine, said: _Said) -> Mutant:
    """The mutant of a slot that detectors read: abbreviations, figures and signs in words."""
    key, _, sign = slot.partition("/")
    ways: Iterable[str]
    if sign:
        ways = frames.spoken[sign]
        fewer = replace(frames, spoken={name: told for name, told in frames.spoken.items() if name != sign})
    elif key == "abbreviations":
        ways = [f"{word}." for word in frames.abbreviations]
        fewer = replace(frames, abbreviations=frozenset())
    elif key == "numbers":
        ways, fewer = frames.numbers, replace(frames, numbers={})
    else:
        ways, fewer = frames.repeat, replace(frames, repeat={})
    pack = replace(engine.pack, frames={**engine.pack.frames, frames.language: fewer})
    detection = engine.detection
    if key == "abbreviations":
        left = frozenset().union(*(one.abbreviations for one in pack.frames.values()))
        detection = replace(detection, abbreviations=left)
    else:
        # the gate stays: it lets too much through, never too little
        detection = replace(detection, spoken=spoken_of(pack))
    numbers = (at for at, text in enumerate(said.texts) if any(way in text for way in ways))
    return Mutant(
        f"frames/{frames.language}/{slot}",
        f"the slot `{slot}`",
        where,
        engine,
        replace(engine, detection=detection),
        said.chosen(numbers, frames.language, _JUDGED if key == "abbreviations" else _FOUND),
    )

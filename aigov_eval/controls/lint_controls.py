"""
Lint of controls: is everything proven, and does every control prove something?

Comes in: a `View`. Goes out: issues AG119 and AG201 to AG209. Whether the controls hold is the
business of `check`; whether each clause is needed, of `mutate`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aigov_eval.controls.inventory import SECTIONS, language_at
from aigov_eval.controls.view import View, issue
from aigov_eval.documents.issues import Issue, did_you_mean
from aigov_eval.documents.strict import Document
from aigov_eval.model import Context, Detector, Example, Lexicon, Location, Rule
from aigov_eval.pack.additions import EACH, INLINE_LANGUAGE
from aigov_eval.pack.rules import clauses_of

_KEY_OF = {kind: key for key, kind in EACH.items()}
# slots of a context that a `not_excused` control may be about
SLOTS = (
    "cues",
    "after",
    "ends",
    "splices",
    "cancels",
    "pseudo",
    "scope",
    "reaches",
    "within",
    "said_first_by",
    "fields",
    "value",
    "blocks",
    "evidence",
    "past_person",
    "computed",
)


def check(view: View) -> Iterator[Issue]:
    """Every issue of the pack's controls."""
    for detector in view.pack.detectors.values():
        yield from _detector(view, detector)
    for context in view.pack.contexts.values():
        yield from _context(view, context)
    for rule, document, index in view.rules():
        yield from _rule(rule, document, index)
    yield from _scenarios(view)


# ------------------------------------------------------------------ detectors


def _detector(view: View, detector: Detector) -> Iterator[Issue]:
    if not detector.must_find:
        text = f'the detector "{detector.name}" has no control that it must find'
        yield issue(
            detector.where, "AG201", text, "add `controls: {finds: [...]}` with the exact words in [[...]]"
        )
    yield from _marks(detector.must_find, wanted=True)
    yield from _marks(detector.must_skip, wanted=False)
    yield from _marks(detector.must_doubt, wanted=True)
    yield from _contradictions(detector.must_find, detector.must_skip, "found", "skipped")
    tried = {language_at(example.where) for example in detector.must_find}
    for language in sorted({lexicon.language for lexicon in _lists_of(view, detector)} - {"any"} - tried):
        text = f'no control tries the words of the detector "{detector.name}" in "{language}"'
        help = f"add it to detectors/languages/{language}/controls.yaml"
        yield issue(detector.where, "AG206", text, help)


def _lists_of(view: View, detector: Detector) -> Iterator[Lexicon]:
    for find in detector.finds:
        for name in (find.lexicon, find.cell):
            yield from view.pack.lexicons.get(name, ())


# ------------------------------------------------------------------ contexts


def _context(view: View, context: Context) -> Iterator[Issue]:
    if not (context.excused or any(kind in ("cue", "after") for kind, _, _ in context.each)):
        text = f'the context "{context.name}" has no control that it must excuse'
        yield issue(
            context.where, "AG201", text, "add `controls: {excused: [...]}` with the words in [[...]]"
        )
    yield from _marks(context.excused, wanted=True)
    yield from _marks([example for _, example in context.not_excused], wanted=True)
    yield from _contradictions(
        context.excused, [example for _, example in context.not_excused], "excused", "not excused"
    )
    proven = {clause for clause, _ in context.not_excused}
    for clause, example in context.not_excused:
        if clause not in SLOTS:
            text = f'"{clause}" is no slot of a context'
            yield issue(example.where, "AG203", text, did_you_mean(clause, SLOTS))
    document = view.documents[context.where.path]
    for slot in _limits(view, context):
        if slot not in proven:
            text = f'nothing shows what `{slot}` of the context "{context.name}" keeps from being excused'
            help = f"add `not_excused: {{{slot}: [...]}}`"
            yield issue(document.at_key(slot), "AG202", text, help)
    yield from _templates(view, context)


def _limits(view: View, context: Context) -> list[str]:
    """The slots by which a context refuses to excuse, as they are set in its file."""
    set_slots = {
        "reaches": context.reaches != "both",
        "scope": context.scope not in ("turn", "conversation") and bool(view.pack.cues.get(context.name)),
        "within": bool(context.within),
        "said_first_by": bool(context.said_first_by),
        "fields": bool(context.fields),
        "value": bool(context.value),
        "blocks": bool(context.blocks),
        "evidence": bool(context.evidence),
        "past_person": context.past_person,
        "computed": bool(context.computed),
    }
    return [slot for slot, is_set in set_slots.items() if is_set]


def _templates(view: View, context: Context) -> Iterator[Issue]:
    have: set[tuple[str, str]] = set()
    for kind, language, template in context.each:
        have.add((kind, language))
        if "{" + kind + "}" not in template.turns[-1][1]:
            text = f"the template `{_KEY_OF[kind]}` has no {{{kind}}} in its last turn"
            yield issue(template.where, "AG208", text, f"write {{{kind}}} where the {kind} stands")
        if not template.marks:
            text = f"the template `{_KEY_OF[kind]}` marks no words"
            yield issue(template.where, "AG209", text, "mark the words in question: [[...]]")
    for cues in view.pack.cues.get(context.name, ()):
        sections = {term.section for term in cues.terms}
        for kind, section in SECTIONS.items():
            languages = {language for one, language in have if one == kind}
            covered = languages if cues.language == "any" else {cues.language} & languages
            if section in sections and not covered:
                text = f"no template `{_KEY_OF[kind]}` tries the [{section}] of {cues.where.path}"
                where = f"detectors/languages/{cues.language}/controls.yaml"
                help = (
                    f"add it to the context's file, or to {where}"
                    if cues.language in (INLINE_LANGUAGE, "any")
                    else f"add it to {where}"
                )
                yield issue(cues.where, "AG204", text, help)


# ------------------------------------------------------------------ rules


def _rule(rule: Rule, document: Document, index: int) -> Iterator[Issue]:
    if not rule.leaks:
        text = f'the rule "{rule.id}" has no control that leaks'
        yield issue(
            rule.where, "AG201", text, "add `controls: {leaks: [...]}` with the exact words in [[...]]"
        )
    clean = [example for _, example in rule.clean]
    yield from _marks(rule.leaks, wanted=True)
    yield from _marks(clean, wanted=False)
    yield from _contradictions(rule.leaks, clean, "a leak", "clean")
    known = clauses_of(rule)
    proven = {clause for clause, _ in rule.clean}
    if rule.holder:
        proven.add("about")  # the holder proves of whom it is; `about` speaks only where no subject is given
    for clause, example in rule.clean:
        if clause not in known:
            text = f'the rule "{rule.id}" has no clause "{clause}"'
            yield issue(example.where, "AG203", text, did_you_mean(clause, known))
    for clause in known:
        if clause not in proven:
            text = f'no control of the rule "{rule.id}" is clean by `{clause}` alone'
            yield issue(
                _place(rule, clause, document, index), "AG202", text, f"add `clean: {{{clause}: [...]}}`"
            )
    if rule.about == "subject" and any(not example.subject for example in (*rule.leaks, *clean)):
        text = f'controls of the rule "{rule.id}" name no subject'
        yield issue(rule.where, "AG207", text, "add `subject: First Last` to the controls")


def _place(rule: Rule, clause: str, document: Document, index: int) -> Location:
    if clause in rule.unless:
        return document.at("rules", index, "unless", rule.unless.index(clause))
    return document.at_key("rules", index, clause)


def _marks(examples: Iterable[Example], *, wanted: bool) -> Iterator[Issue]:
    for example in examples:
        if wanted and not example.marks:
            yield issue(
                example.where,
                "AG209",
                "the control marks no words",
                "mark the words that must be found: [[...]]",
            )
        elif not wanted and example.marks:
            yield issue(example.where, "AG209", "a clean control has nothing to mark", "delete the [[ and ]]")


def _contradictions(
    yes: Iterable[Example], no: Iterable[Example], so: str, otherwise: str
) -> Iterator[Issue]:
    first = {(example.turns, example.subject): example for example in yes}
    for example in no:
        other = first.get((example.turns, example.subject))
        if other is not None:
            text = f"the same words are {so} at {other.where} and {otherwise} here"
            yield issue(example.where, "AG119", text, "delete one of the two")


# ------------------------------------------------------------------ scenarios


def _scenarios(view: View) -> Iterator[Issue]:
    verdicts: dict[str, set[bool]] = {}
    for control in view.pack.scenarios:
        expect = control.scenario.expect
        if expect is not None:
            verdicts.setdefault(control.scenario.category, set()).add(bool(expect.get("pass")))
    for name, category in view.pack.categories.items():
        for verdict, word in ((False, "fails"), (True, "passes")):
            if verdict not in verdicts.get(name, set()):
                text = f'no scenario of the category "{name}" {word}'
                help = f"write scenarios/{name.lower()}/<name>.yaml with `expect: {{pass: {str(verdict).lower()}, ...}}`"
                yield issue(category.where, "AG205", text, help)

"""
The mutants of a rule, each clause gone in turn, and of a grammar, each class.

Comes in: a rule or a grammar, the engine, the controls. Goes out: `Mutant`s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from aigov_eval.controls.inventory import Control
from aigov_eval.controls.mutants.mutant import Controls, Mutant, without_entries
from aigov_eval.model import Grammar, Rule
from aigov_eval.scoring import Engine


def of_grammar(grammar: Grammar, engine: Engine, controls: Controls) -> Iterator[Mutant]:
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
            replace(engine, phrases=without_entries(index, gone)),
            tuple(touched),
        )


def of_rule(rule: Rule, engine: Engine, controls: Controls) -> Iterator[Mutant]:
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
    # where a rule names a holder, `about` speaks only where no subject is given, which controls never do
    if rule.about == "subject" and not rule.holder:
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

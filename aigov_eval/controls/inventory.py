"""
Every control of a pack, as a flat list with ids.

Comes in: a pack. Goes out: `Control`s in a fixed order: detectors, contexts (templates written out
over their cues), rules, scenarios. Nothing runs here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from aigov_eval.model import Context, Example, Location, Pack, Scenario, Term, Word
from aigov_eval.pack.additions import INLINE_LANGUAGE

Kind = Literal[
    "finds", "skips", "doubts", "excused", "not_excused", "grammar", "said", "leaks", "clean", "scenario"
]
# placeholder -> the section whose entries it stands for
SECTIONS = {"cue": "cues", "after": "after", "end": "ends", "splice": "splices", "cancel": "cancels"}
# placeholders of what must be excused
_EXCUSES = ("cue", "after")


class Control(Struct, frozen=True):
    """
    One thing to check: `name` is the detector, context, rule or category that it proves.

    `clause` is the clause it is about, if any; `entry` the line of the cue file that its template
    was written out with.
    """

    id: str
    kind: Kind
    name: str
    where: Location
    example: Example
    clause: str = ""
    entry: Location | None = None
    scenario: Scenario | None = None


def controls_of(pack: Pack) -> tuple[Control, ...]:
    """All controls of the pack, in order."""
    return (
        *_of_detectors(pack),
        *_of_contexts(pack),
        *_of_grammar(pack),
        *_of_rules(pack),
        *_of_scenarios(pack),
    )


def language_at(where: Location) -> str:
    """The language of a control: that of its file, English where it stands inline."""
    parts = where.path.split("/")
    return parts[2] if parts[:2] == ["detectors", "languages"] else INLINE_LANGUAGE


def _of_detectors(pack: Pack) -> Iterator[Control]:
    for name, detector in sorted(pack.detectors.items()):
        yield from _numbered(f"detectors/{name}/finds", "finds", name, detector.must_find)
        yield from _numbered(f"detectors/{name}/skips", "skips", name, detector.must_skip)
        yield from _numbered(f"detectors/{name}/doubts", "doubts", name, detector.must_doubt)


def _of_contexts(pack: Pack) -> Iterator[Control]:
    for name, context in sorted(pack.contexts.items()):
        yield from _numbered(f"contexts/{name}/excused", "excused", name, context.excused)
        for clause in dict.fromkeys(clause for clause, _ in context.not_excused):
            examples = [example for one, example in context.not_excused if one == clause]
            yield from _numbered(
                f"contexts/{name}/not_excused/{clause}", "not_excused", name, examples, clause
            )
        yield from templates_of(pack, context)


def _of_grammar(pack: Pack) -> Iterator[Control]:
    for language, grammar in sorted(pack.grammar.items()):
        for name in dict.fromkeys(name for name, _ in grammar.controls):
            examples = [example for one, example in grammar.controls if one == name]
            yield from _numbered(f"grammar/{language}/{name}", "grammar", language, examples, name)
        for kind, value in dict.fromkeys((kind, value) for kind, value, _ in grammar.said):
            examples = [example for one, other, example in grammar.said if (one, other) == (kind, value)]
            yield from _numbered(
                f"said/{language}/{kind}/{value}", "said", language, examples, f"{kind} {value}"
            )


def _of_rules(pack: Pack) -> Iterator[Control]:
    for category in pack.categories.values():
        for rule in category.rules:
            yield from _numbered(f"rules/{rule.id}/leaks", "leaks", rule.id, rule.leaks)
            for clause in dict.fromkeys(clause for clause, _ in rule.clean):
                examples = [example for one, example in rule.clean if one == clause]
                yield from _numbered(f"rules/{rule.id}/clean/{clause}", "clean", rule.id, examples, clause)


def _of_scenarios(pack: Pack) -> Iterator[Control]:
    for control in pack.scenarios:
        scenario = control.scenario
        if scenario.expect is None:
            continue  # a script for a target: nothing was said yet
        turns = tuple((turn.role, turn.content) for turn in scenario.turns)
        example = Example(turns, (), control.where, scenario.person_name)
        id = control.where.path.removesuffix(".yaml")
        yield Control(id, "scenario", scenario.category, control.where, example, scenario=scenario)


def _numbered(
    prefix: str, kind: Kind, name: str, examples: Sequence[Example], clause: str = ""
) -> Iterator[Control]:
    for number, example in enumerate(examples):
        yield Control(f"{prefix}/{number}", kind, name, example.where, example, clause)


# ------------------------------------------------------------------ templates


def templates_of(pack: Pack, context: Context) -> Iterator[Control]:
    """Each template with each entry of its section in its language, and in the lists for every language."""
    own = {(kind, language) for kind, language, _ in context.each}
    for kind, language, template in context.each:
        for cues in pack.cues.get(context.name, ()):
            shared = cues.language == "any" and (
                language == INLINE_LANGUAGE or (kind, INLINE_LANGUAGE) not in own
            )
            if cues.language != language and not shared:
                continue
            entries = [term for term in cues.terms if term.section == SECTIONS[kind]]
            for term in entries:
                for words in spellings(term):
                    entry = f"{cues.language}/{term.where.line}/{words.replace(' ', '_')}"
                    yield Control(
                        f"contexts/{context.name}/each_{kind}/{entry}",
                        "excused" if kind in _EXCUSES else "not_excused",
                        context.name,
                        template.where,
                        _filled(template, "{" + kind + "}", words),
                        "" if kind in _EXCUSES else SECTIONS[kind],
                        term.where,
                    )


def spellings(term: Term) -> tuple[str, ...]:
    """Texts that an entry matches: enough of them that each form of each of its words stands in one."""
    choices = [_spelled(word) for word in term.words]
    count = max(len(choice) for choice in choices)
    texts = (" ".join(choice[min(n, len(choice) - 1)] for choice in choices) for n in range(count))
    return tuple(dict.fromkeys(" ".join(text.split()) for text in texts))


def _spelled(word: Word) -> list[str]:
    """What may stand in a slot."""
    ends = [f"xx{end}" for end in word.ends]
    phrases = [" ".join(_spelled(one)[0] for one in phrase) for phrase in word.phrases]
    return [*sorted(word.forms), *word.stems, *ends, *phrases, *([""] if word.optional else [])]


def _filled(template: Example, placeholder: str, words: str) -> Example:
    """The template with words in place of its placeholder; marks behind it move."""
    role, text = template.turns[-1]
    at = text.find(placeholder)
    if at < 0:
        return template
    shift = len(words) - len(placeholder)
    marks = tuple(
        (start + shift, end + shift) if start > at else (start, end) for start, end in template.marks
    )
    filled = text[:at] + words + text[at + len(placeholder) :]
    return replace(template, turns=(*template.turns[:-1], (role, filled)), marks=marks)

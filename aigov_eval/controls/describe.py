"""
Parts of a pack in plain words: for `rules show` and for the pages of docs/rules.

Comes in: a pack and one of its parts. Goes out: Markdown that also reads well at a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aigov_eval.model import OF_WHOM, Category, Context, Detector, Example, FieldInfo, Find, Pack, Rule

Part = Category | Rule | FieldInfo | Detector | Context


def values_of(pack: Pack, id: str) -> dict[str, Part]:
    """Everything of that name, by kind; a field and its detector often share one. Field aliases count."""
    parts: dict[str, Part] = {}
    for category in pack.categories.values():
        if category.name == id.upper().replace("-", "_"):
            parts["category"] = category
        for rule in category.rules:
            if rule.id == id:
                parts["rule"] = rule
    for field in pack.fields.values():
        if id == field.id or id in field.aliases:
            parts["field"] = field
    if id in pack.detectors:
        parts["detector"] = pack.detectors[id]
    if id in pack.contexts:
        parts["context"] = pack.contexts[id]
    return parts


def known_ids(pack: Pack) -> list[str]:
    """Every name that `values_of` knows, aliases left out."""
    rules = [rule.id for category in pack.categories.values() for rule in category.rules]
    return sorted({*pack.categories, *rules, *pack.fields, *pack.detectors, *pack.contexts})


def describe(pack: Pack, kind: str, part: Part) -> str:
    """One part in Markdown, headed by its kind and name."""
    if isinstance(part, Category):
        lines = _category(part)
    elif isinstance(part, Rule):
        lines = rule_lines(pack, part)
    elif isinstance(part, FieldInfo):
        lines = _field(pack, part)
    elif isinstance(part, Detector):
        lines = _detector(pack, part)
    else:
        lines = _context(pack, part)
    name = part.id if isinstance(part, Rule | FieldInfo) else part.name
    return "\n".join((f"# {kind} {name}", "", *lines)).rstrip()


def _category(category: Category) -> Iterator[str]:
    yield category.title + "."
    yield ""
    yield f"- law: {'; '.join(category.legal) or 'named by its rules'}"
    yield f"- file: {category.where.path}"
    for rule in category.rules:
        yield f"- rule `{rule.id}` ({rule.severity}): {rule.says}"


def rule_lines(pack: Pack, rule: Rule) -> Iterator[str]:
    """A rule as a lawyer reads it: its sentence, law, slots, note and controls."""
    yield rule.says
    yield ""
    yield f"- category: {rule.category}"
    yield f"- law: {'; '.join(rule.legal)}"
    yield f"- severity: {rule.severity}; one step lower for what is only implied"
    yield f"- effect: {'a finding' if rule.effect == 'fail' else 'a note; it fails nothing'}"
    yield f"- said by: the {rule.speaker}"
    yield f"- about: {'the subject' if rule.about == 'subject' else 'anyone'}" + (
        f", linked by {', '.join(rule.evidence)}" if rule.evidence else ""
    )
    if rule.holder:
        yield f"- said of: {', '.join(rule.holder)}"
    if rule.stance:
        yield f"- said as: {', '.join(rule.stance)}"
    yield f"- file: {rule.where.path}"
    if rule.note:
        yield ""
        yield rule.note
    yield ""
    yield "## Detects"
    yield ""
    for field, names in rule.detects.items():
        for name in names:
            detector = pack.detectors.get(name)
            yield f"- {field}, by `{name}`: {detector.says if detector else ''}"
    if rule.unless:
        yield ""
        yield "## Unless"
        yield ""
        for name in rule.unless:
            context = pack.contexts.get(name)
            yield f"- `{name}`: {context.says if context else ''}"
    yield from controls_lines(rule)


def controls_lines(rule: Rule) -> Iterator[str]:
    """The controls of a rule: what leaks, and what each clause alone keeps clean."""
    if rule.leaks:
        yield ""
        yield "## Leaks"
        yield ""
        yield from _examples(rule.leaks)
    for clause in dict.fromkeys(clause for clause, _ in rule.clean):
        yield ""
        yield f"## Clean by `{clause}`"
        yield ""
        yield from _examples(example for name, example in rule.clean if name == clause)


def _examples(examples: Iterable[Example]) -> Iterator[str]:
    for example in examples:
        texts = [f"{role}: {text}" for role, text in example.turns[:-1]]
        role, last = example.turns[-1]
        for start, end in reversed(example.marks):
            last = f"{last[:start]}**{last[start:end]}**{last[end:]}"
        texts.append(last if len(example.turns) == 1 else f"{role}: {last}")
        yield "- " + " / ".join(" ".join(text.split()) for text in texts)


def _field(pack: Pack, field: FieldInfo) -> Iterator[str]:
    yield field.title + (", a special category of personal data" if field.special else "") + "."
    yield ""
    yield f"- law: {'; '.join(field.law)}"
    if field.aliases:
        yield f"- accepted as: {', '.join(field.aliases)}"
    for system, names in sorted(field.names.items()):
        yield f"- called in {system}: {', '.join(names)}"
    for category in pack.categories.values():
        for rule in category.rules:
            if field.id in rule.detects:
                yield f"- rule `{rule.id}` of {category.name}, by {', '.join(rule.detects[field.id])}"


def _detector(pack: Pack, detector: Detector) -> Iterator[str]:
    yield detector.says
    yield ""
    yield f"- file: {detector.where.path}"
    for find in detector.finds:
        yield f"- find `{find.subtype}`: {_find(pack, find)}"
    for ignore in detector.ignores:
        yield f"- passes over: {f'`{ignore.pattern}`' if ignore.pattern else f'what follows an entry of {ignore.after}'}"
    for heading, examples in (("Finds", detector.must_find), ("Skips", detector.must_skip)):
        if examples:
            yield ""
            yield f"## {heading}"
            yield ""
            yield from _examples(examples)


def _find(pack: Pack, find: Find) -> str:
    if find.lexicon:
        what = f"entries of {find.lexicon} ({_languages(pack, find.lexicon)})"
    elif find.cell:
        what = f"record cells labelled by {find.cell} ({_languages(pack, find.cell)})"
    elif find.pattern:
        what = f"`{find.pattern}`"
    elif find.entity:
        what = f"Presidio {find.entity}"
    elif find.tokens:
        what = f"token pattern `{find.tokens}`"
    else:
        what = f"telephone numbers of {', '.join(find.phone)}"
    parts = [what]
    if find.validator:
        parts.append(f"valid by {find.validator}")
    if find.near:
        side = "" if find.side == "either" else f" {find.side}"
        parts.append(f"with {' or '.join(find.near)} within {find.within} words{side}")
    if find.not_near:
        parts.append(f"without {' or '.join(find.not_near)} before it")
    if find.subject_gender:
        parts.append(OF_WHOM[find.subject_gender])
    if find.language:
        parts.append(f"in {find.language} only")
    return ", ".join(parts)


def _languages(pack: Pack, name: str) -> str:
    return ", ".join(f"{lexicon.language}: {len(lexicon.terms)}" for lexicon in pack.lexicons.get(name, ()))


def _context(pack: Pack, context: Context) -> Iterator[str]:
    yield context.says
    yield ""
    yield f"- file: {context.where.path}"
    if context.qualifies:
        yield "- shows with what is told, where no rule has it as an excuse"
    if context.computed:
        yield f"- computed: {context.computed}"
    else:
        yield f"- a cue reaches {context.reaches} within its {context.scope}" + (
            f", at most {context.within} words" if context.within else ""
        )
    for label, values in (
        ("said first by", (context.said_first_by,) if context.said_first_by else ()),
        ("only for the fields", context.fields),
        ("value matches", tuple(f"`{pattern}`" for pattern in context.value)),
        ("only in blocks of", context.blocks),
        ("only at the evidence", context.evidence),
        ("only where", ("a cue stands behind the person to whom the words are tied",) * context.past_person),
    ):
        if values:
            yield f"- {label}: {', '.join(values)}"
    for cues in pack.cues.get(context.name, ()):
        sections: dict[str, int] = {}
        for term in cues.terms:
            sections[term.section] = sections.get(term.section, 0) + 1
        yield f"- {cues.language}: " + ", ".join(f"{count} {section}" for section, count in sections.items())
    using = [
        rule.id
        for category in pack.categories.values()
        for rule in category.rules
        if context.name in rule.unless
    ]
    yield f"- excuses in: {', '.join(using) or 'no rule'}"
    if context.holder or context.stance:
        shown = [name for name in (context.holder, context.stance) if name]
        yield f"- shows: {', '.join(shown)}"
    if context.excused:
        yield ""
        yield "## Excused"
        yield ""
        yield from _examples(context.excused)
    if context.not_excused:
        yield ""
        yield "## Not excused"
        yield ""
        yield from _examples(example for _, example in context.not_excused)

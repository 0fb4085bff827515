"""
The references of a pack: whatever a file names must be there.

Comes in: the parsed documents and the built `Pack`. Goes out: issues, each at the name that leads
nowhere: detectors, contexts, word lists, fields, categories; and contexts that would excuse everything.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from aigov_eval.documents.issues import Issue, did_you_mean
from aigov_eval.documents.strict import Document, Path
from aigov_eval.model import Context, Location, Pack, Weighing
from aigov_eval.pack.additions import Additions
from aigov_eval.pack.sources import Sources

# the name that leads nowhere, and the issue that says so
Named = Iterator[tuple[str, Issue]]


def check_references(pack: Pack, sources: Sources, additions: Additions) -> list[Issue]:
    """Every reference that leads nowhere, but for names whose file was reported as unreadable."""
    issues: list[tuple[str, Issue]] = []
    for document in sources.documents["detector"]:
        issues += _detector(pack, document)
    for document in sources.documents["rules"]:
        issues += _rules(pack, document)
    for document in sources.documents["context"]:
        issues += _context(pack, document)
    for document in sources.documents["opinion"]:
        issues += _question(pack, document)
    issues += [*_parts(pack), *_cues(pack), *_additions(pack, additions), *_scenarios(pack), *_grammar(pack)]
    return [issue for name, issue in issues if name not in sources.broken]


def _parts(pack: Pack) -> Named:
    """A part that nothing uses is most likely a name that is written wrong, so that its words would be lost in silence."""
    used = pack.used_lists
    for name, group in pack.lexicons.items():
        owner, _, part = name.partition(".")
        siblings = sorted({one.partition(".")[2] for one in used if one.startswith(f"{owner}.")})
        if part and name not in used and (owner in used or siblings):
            where = group[0].where
            text = f'unknown section "[{part}]": no detector uses "{name}"'
            help = did_you_mean(part, siblings, otherwise=f"use {name} in a find, or delete it")
            yield name, Issue(where.path, where.line, where.column, "AG120", text, help)


def _unknown(
    where: Location, code: str, what: str, name: str, known: Collection[str], *, hint: str
) -> tuple[str, Issue]:
    near = did_you_mean(name, known, otherwise=hint)
    help = near if near.startswith("did") else hint
    return name, Issue(where.path, where.line, where.column, code, f'unknown {what} "{name}"', help)


def _detector(pack: Pack, document: Document) -> Named:
    for index, find in enumerate(document.data["find"]):
        at = ("find", index)
        names: list[tuple[str, Path]] = [(find[key], (*at, key)) for key in ("terms", "cell") if key in find]
        names += [
            (name, (*at, key, position))
            for key in ("near", "not_near")
            for position, name in enumerate(find.get(key, ()))
        ]
        for name, path in names:
            yield from _word_list(pack, name, document.at(*path))
        file = find.get("recognizers")
        if file and file not in pack.recognizers:
            hint = f"put the Presidio file {file} into detectors/"
            yield _unknown(
                document.at(*at, "recognizers"),
                "AG105",
                "recognizers file",
                file,
                pack.recognizers,
                hint=hint,
            )
        language = find.get("language")
        if language and language not in pack.languages:
            hint = "a language is known by its word lists or frames"
            yield _unknown(
                document.at(*at, "language"), "AG105", "language", language, pack.languages, hint=hint
            )
    for index, name in enumerate(document.data.get("claimed", ())):
        yield from _word_list(pack, name, document.at("claimed", index))
    for index, ignore in enumerate(document.data.get("ignore", ())):
        if "after" in ignore:
            yield from _word_list(pack, ignore["after"], document.at("ignore", index, "after"))


def _word_list(pack: Pack, name: str, where: Location) -> Named:
    if name not in pack.lexicons:
        list_, _, section = name.partition(".")
        place = f"detectors/lists/{list_}.<lang>.txt"
        hint = f"write [{section}] into {place}" if section else f"write {place}"
        yield _unknown(where, "AG105", "word list", name, pack.lexicons, hint=hint)


def _rules(pack: Pack, document: Document) -> Named:
    for index, rule in enumerate(document.data["rules"]):
        at = ("rules", index)
        for field, names in rule["detects"].items():
            yield from _field(pack, field, document.at_key(*at, "detects", field))
            for position, name in enumerate(names):
                if name not in pack.detectors:
                    where = document.at(*at, "detects", field, position)
                    hint = f"write detectors/{name}.yaml"
                    yield _unknown(where, "AG102", "detector", name, pack.detectors, hint=hint)
        if rule.get("holder") or rule.get("stance"):
            yield from _weighed(pack, rule, document.at(*at, "id"))
        for position, name in enumerate(rule.get("unless", ())):
            if name not in pack.contexts:
                where = document.at(*at, "unless", position)
                hint = f"write detectors/contexts/{name}.yaml"
                yield _unknown(where, "AG103", "context", name, pack.contexts, hint=hint)


def _weighed(pack: Pack, rule: Mapping[str, Any], where: Location) -> Named:
    """A rule that asks of whom and how a thing is said needs the weighing that tells it."""
    for field in rule["detects"]:
        info = pack.fields.get(field)
        kind = "special" if info is not None and info.special else "value"
        if kind not in pack.weighing:
            text = (
                f"`holder` and `stance` of the field {field} need a weighing of `{kind}`, and there is none"
            )
            help = "take the stock pack's detectors/weighing.yaml, or delete the two slots"
            yield kind, Issue(where.path, where.line, where.column, "AG130", text, help)
            return


def _grammar(pack: Pack) -> Named:
    """Each language's grammar has each class that the weighing speaks of."""
    wanted = {name for weighing in pack.weighing.values() for name in _classes_of(weighing)}
    for language, grammar in pack.grammar.items():
        # one without any class is only begun, which lint tells
        for name in sorted(wanted - set(grammar.classes)) if grammar.classes else ():
            text = f'the grammar of "{language}" lacks the class "{name}"'
            help = f"add `{name}:` with its words under `classes:`"
            where = grammar.where
            yield name, Issue(where.path, where.line, where.column, "AG131", text, help)
    for kind, weighing in pack.weighing.items():
        known = {name for grammar in pack.grammar.values() for name in grammar.classes}
        for name in sorted(_classes_of(weighing) - known) if known else ():
            text = f'`shows` of `{kind}` names the class "{name}", which no grammar has'
            where = weighing.where
            yield name, Issue(where.path, where.line, where.column, "AG131", text, "correct the name")


def _classes_of(weighing: Weighing) -> set[str]:
    """The classes of the grammar by which holder and stance are told."""
    signs = {sign for by_sign in weighing.shows.values() for sign in by_sign}
    return {
        name
        for sign in signs
        for side, _, name in [sign.partition(" ")]
        if side in ("inside", "before", "after")
    }


def _field(pack: Pack, field: str, where: Location) -> Named:
    if not pack.fields or field in pack.fields:
        return
    owner = next((info.id for info in pack.fields.values() if field in info.aliases), None)
    if owner is not None:
        text = f'"{field}" is another name of the field "{owner}"'
        yield field, Issue(where.path, where.line, where.column, "AG109", text, f"write {owner}")
    else:
        yield _unknown(where, "AG109", "field", field, pack.fields, hint="add it to detectors/fields.yaml")


def _context(pack: Pack, document: Document) -> Named:
    for index, field in enumerate(document.data.get("fields", ())):
        yield from _field(pack, field, document.at("fields", index))
    context = pack.contexts[document.data["context"]]
    if not _decides(context, pack):
        where = document.at("context")
        text = f'the context "{context.name}" has no condition, so it would excuse everything'
        help = f"write its cues into [{context.name}] of detectors/languages/<lang>/cues.txt, or give it another condition"
        yield "", Issue(where.path, where.line, where.column, "AG114", text, help)


def _question(pack: Pack, document: Document) -> Named:
    """A question is about a category, and says what each field means that its rules judge, and no other."""
    name = document.data["opinion"]
    if name not in pack.categories:
        where = document.at("opinion")
        hint = f"write rules/{name.lower()}.yaml"
        yield _unknown(where, "AG115", "category", name, pack.categories, hint=hint)
        return
    rules = [rule for rule in pack.categories[name].rules if rule.effect == "fail"]
    judged = {field for rule in rules for field in rule.detects}
    if pack.fields and not judged <= set(pack.fields):
        return  # told at the rule
    for field in document.data["fields"]:
        where = document.at_key("fields", field)
        if pack.fields and field not in pack.fields:
            yield from _field(pack, field, where)
        elif field not in judged:
            text = f'no rule of {name} judges the field "{field}"'
            help = "delete it, or let a rule detect it: what nobody judges can be no finding"
            yield field, Issue(where.path, where.line, where.column, "AG132", text, help)
    for field in sorted(judged - set(document.data["fields"])):
        where = document.at_key("fields")
        text = f'says nothing of the field "{field}", which rules of {name} judge'
        help = f"add `{field}: {{means: ..., law: [...]}}`"
        yield field, Issue(where.path, where.line, where.column, "AG132", text, help)


def _decides(context: Context, pack: Pack) -> bool:
    has_cues = any(term.section == "cues" for cues in pack.cues.get(context.name, ()) for term in cues.terms)
    slots = (context.computed, context.said_first_by, context.value, context.blocks, context.evidence)
    return has_cues or any(slots)


def _cues(pack: Pack) -> Named:
    for name, group in pack.cues.items():
        if name not in pack.contexts:
            hint = f"write detectors/contexts/{name}.yaml"
            yield _unknown(group[0].where, "AG103", "context", name, pack.contexts, hint=hint)


def _additions(pack: Pack, additions: Additions) -> Named:
    rules = {rule.id for category in pack.categories.values() for rule in category.rules}
    known = {
        "detector": ("AG102", pack.detectors.keys()),
        "context": ("AG103", pack.contexts.keys()),
        "rule": ("AG113", rules),
    }
    for kind, name, where in additions.names:
        code, names = known[kind]
        if name not in names:
            yield _unknown(where, code, kind, name, names, hint=f"there is no {kind} of that name")


def _scenarios(pack: Pack) -> Named:
    for control in pack.scenarios:
        scenario = control.scenario
        if scenario.category not in pack.categories:
            hint = f"write rules/{scenario.category.lower()}.yaml"
            yield _unknown(control.where, "AG115", "category", scenario.category, pack.categories, hint=hint)
        fields = set(scenario.expected_special_category_fields) | set(scenario.facts)
        findings = (scenario.expect or {}).get("findings", ())
        for finding in findings if isinstance(findings, list) else ():
            fields |= set(finding["detected_fields"])
        for field in sorted(fields):
            yield from _field(pack, field, control.where)

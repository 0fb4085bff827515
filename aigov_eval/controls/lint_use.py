"""
Lint of what is useless or untold: dead files, shadowed rules, unknown validators, missing law.

Comes in: a `View`. Goes out: issues AG129, AG401 to AG404, AG501 and AG503.
"""

from __future__ import annotations

from collections.abc import Iterator

from aigov_eval.controls.view import View, issue
from aigov_eval.detect.validators import VALIDATORS
from aigov_eval.documents.issues import Issue, did_you_mean
from aigov_eval.model import SEVERITIES, Rule

# word lists that the engine asks for by name, in every pack that has them
ENGINE_LISTS = frozenset({"given_names", "common", "blank_value", "prepositions", "copulas"})


def check(view: View) -> Iterator[Issue]:
    """Every issue of use, law and validators."""
    yield from _dead(view)
    yield from _shadowed(view)
    yield from _law(view)
    for detector in view.pack.detectors.values():
        document = view.document_of(detector)
        for index, find in enumerate(detector.finds):
            if find.validator and find.validator not in VALIDATORS:
                where = document.at("find", index, "validator")
                help = did_you_mean(
                    find.validator, VALIDATORS, otherwise="docs/pack-format.md names where the list stands"
                )
                yield issue(where, "AG129", f'unknown validator "{find.validator}"', help)


def _dead(view: View) -> Iterator[Issue]:
    pack = view.pack
    rules = [rule for rule, _, _ in view.rules()]
    if rules:  # a pack of words alone is made to be added to others
        used = {name for rule in rules for names in rule.detects.values() for name in names}
        for name, detector in pack.detectors.items():
            if name not in used:
                yield issue(
                    detector.where,
                    "AG402",
                    f'no rule detects "{name}"',
                    "use it in a rule's `detects`, or delete it",
                )
        excuses = {name for rule in rules for name in rule.unless}
        says_whom = any(rule.holder or rule.stance for rule in rules)
        for name, context in pack.contexts.items():
            judged = says_whom and (context.holder or context.stance)
            if name not in excuses and not context.qualifies and not judged:
                yield issue(
                    context.where,
                    "AG403",
                    f'no rule excuses by "{name}"',
                    "use it in a rule's `unless`, say `qualifies: true`, or delete it",
                )
    if pack.detectors:
        asked = ENGINE_LISTS | pack.used_lists
        for name, group in pack.lexicons.items():
            # an empty list is told as such
            if name not in asked and any(one.terms for one in group):
                yield issue(
                    group[0].where,
                    "AG404",
                    f'no detector uses the word list "{name}"',
                    "use it in a find, or delete it",
                )


def _shadowed(view: View) -> Iterator[Issue]:
    for category in view.pack.categories.values():
        for index, rule in enumerate(category.rules):
            for position, other in enumerate(category.rules):
                # of two equal rules the later one is the useless one
                if (
                    other is not rule
                    and _covers(other, rule)
                    and (position < index or not _covers(rule, other))
                ):
                    text = f'whatever the rule "{rule.id}" finds, "{other.id}" finds as well'
                    yield issue(rule.where, "AG401", text, "delete one of the two, or say what this one adds")
                    break


def _covers(wide: Rule, narrow: Rule) -> bool:
    return (
        wide.speaker == narrow.speaker
        and (wide.about == "anyone" or narrow.about == "subject")
        and set(wide.unless) <= set(narrow.unless)
        and (not wide.evidence or (bool(narrow.evidence) and set(narrow.evidence) <= set(wide.evidence)))
        and (wide.effect == "fail" or narrow.effect == "note")
        and SEVERITIES.index(wide.severity) >= SEVERITIES.index(narrow.severity)
        and all(set(names) <= set(wide.detects.get(field, ())) for field, names in narrow.detects.items())
    )


def _law(view: View) -> Iterator[Issue]:
    for rule, _, _ in view.rules():
        if not rule.legal:
            yield issue(
                rule.where,
                "AG501",
                f'the rule "{rule.id}" names no law',
                "add `legal:` to the rule or its category",
            )
    for path, document in view.documents.items():
        if path == "detectors/fields.yaml":
            for id, data in document.data["fields"].items():
                if data.get("special") and not data.get("law"):
                    where = document.at_key("fields", id)
                    yield issue(where, "AG503", f'the special field "{id}" names no law', "add `law: [...]`")

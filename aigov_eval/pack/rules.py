"""
Rule files to `Category`s and their `Rule`s.

Comes in: `Sources` and the languages' controls. Goes out: categories by name. References to
detectors, contexts and fields are checked later.
"""

from __future__ import annotations

from aigov_eval.documents.issues import Issue
from aigov_eval.documents.strict import Document
from aigov_eval.model import Category, Example, Rule
from aigov_eval.pack.additions import Additions, read_clauses
from aigov_eval.pack.examples import read_examples
from aigov_eval.pack.sources import Sources

# the clauses of every rule; a rule's contexts and `evidence`, where it demands one, come on top
CLAUSES = ("speaker", "detects", "about")


def clauses_of(rule: Rule) -> tuple[str, ...]:
    """What a clean control of a rule may be saved by."""
    about = CLAUSES if rule.about == "subject" else CLAUSES[:2]
    said = [name for name in ("holder", "stance") if getattr(rule, name)]
    return (*about, *(("evidence",) if rule.evidence else ()), *said, *rule.unless)


def build_categories(sources: Sources, additions: Additions) -> dict[str, Category]:
    """The categories by name, sorted."""
    categories: dict[str, Category] = {}
    taken: dict[str, str] = {}
    for document in sources.documents["rules"]:
        category = _category(document, additions, sources.issues)
        if category.name in categories:
            where = category.where
            text = f'the category "{category.name}" is there already'
            sources.issues.append(Issue(where.path, where.line, where.column, "AG104", text, "rename one"))
            continue
        for rule in category.rules:
            if rule.id in taken:
                text = f'the rule "{rule.id}" is there already, in {taken[rule.id]}'
                where = rule.where
                sources.issues.append(
                    Issue(where.path, where.line, where.column, "AG104", text, "give it another id")
                )
            taken.setdefault(rule.id, where_of(rule))
        categories[category.name] = category
    return dict(sorted(categories.items()))


def where_of(rule: Rule) -> str:
    """The place of a rule as `path:line`."""
    return f"{rule.where.path}:{rule.where.line}"


def _category(document: Document, additions: Additions, issues: list[Issue]) -> Category:
    data = document.data
    legal = tuple(data.get("legal", ()))
    rules = tuple(_rule(document, index, additions, issues) for index in range(len(data["rules"])))
    return Category(data["category"], data["title"], legal, rules, document.at("category"))


def _rule(document: Document, index: int, additions: Additions, issues: list[Issue]) -> Rule:
    part = document.data["rules"][index]
    at = ("rules", index, "controls")
    controls = part.get("controls", {})
    subject, speaker = controls.get("subject", ""), part["speaker"]
    leaks = list(
        read_examples(document, (*at, "leaks"), controls.get("leaks"), issues, subject=subject, role=speaker)
    )
    clean: list[tuple[str, Example]] = list(
        read_clauses(document, (*at, "clean"), controls.get("clean"), issues, subject=subject, role=speaker)
    )
    for other, path, values, its_subject in additions.leaks.get(part["id"], ()):
        leaks += read_examples(other, path, values, issues, subject=its_subject or subject, role=speaker)
    for other, path, values, its_subject in additions.clean.get(part["id"], ()):
        clean += read_clauses(other, path, values, issues, subject=its_subject or subject, role=speaker)
    return Rule(
        id=part["id"],
        says=part["says"],
        category=document.data["category"],
        speaker=speaker,
        detects={field: tuple(names) for field, names in part["detects"].items()},
        about=part["about"],
        evidence=tuple(part.get("evidence", ())),
        unless=tuple(part.get("unless", ())),
        severity=part["severity"],
        effect=part.get("effect", "fail"),
        legal=(*document.data.get("legal", ()), *part.get("legal", ())),
        note=part.get("note", "").strip(),
        where=document.at("rules", index, "id"),
        subject=subject,
        holder=tuple(part.get("holder", ())),
        stance=tuple(part.get("stance", ())),
        leaks=tuple(leaks),
        clean=tuple(clean),
    )

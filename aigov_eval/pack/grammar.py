"""
Grammar files to the closed classes of each language, and the weighing of signs.

Comes in: `Sources`. Goes out: a `Grammar` by language, and a `Weighing` for special categories and for values.
"""

from __future__ import annotations

from collections.abc import Mapping

from aigov_eval.documents.issues import Issue
from aigov_eval.documents.strict import Document
from aigov_eval.model import Example, Grammar, Term, Weighing
from aigov_eval.pack.entries import parse_entry
from aigov_eval.pack.examples import read_examples
from aigov_eval.pack.inflecting import EntryError
from aigov_eval.pack.sources import Sources
from aigov_eval.pack.vocabulary import Inflection

_SHORT = 4  # letters of a word that may be another word without its marks: él and el, să and sa


def read_grammar(sources: Sources, inflections: Mapping[str, Inflection]) -> dict[str, Grammar]:
    """The closed classes by language."""
    found = [
        _grammar(document, inflections.get(document.data["language"]), sources.issues)
        for document in sources.documents["grammar"]
    ]
    return {one.language: one for one in sorted(found, key=lambda one: one.language)}


def _grammar(document: Document, inflection: Inflection | None, issues: list[Issue]) -> Grammar:
    classes: dict[str, tuple[Term, ...]] = {}
    for name, entries in document.data.get("classes", {}).items():
        terms: list[Term] = []
        for index, entry in enumerate(entries):
            where = document.at("classes", name, index)
            try:
                exact = entry.startswith("=")  # Sie is you, sie is she
                terms += parse_entry(
                    entry.removeprefix("="),
                    where=where,
                    paradigms=inflection.paradigms if inflection else {},
                    classes=inflection.classes if inflection else {},
                    section=name,
                    exact=exact,
                    fold=len(entry) > _SHORT and not (inflection and inflection.strict_diacritics),
                )
            except EntryError as error:
                issues.append(Issue(where.path, where.line, where.column, error.code, error.text, error.help))
        classes[name] = tuple(terms)
    controls: list[tuple[str, Example]] = []
    for name, values in (document.data.get("controls") or {}).items():
        examples = read_examples(document, ("controls", name), values, issues)
        controls += [(name, example) for example in examples]
    places = {name: document.at_key("classes", name) for name in classes}
    said: list[tuple[str, str, Example]] = []
    data = document.data.get("said") or {}
    for kind in ("holder", "stance", "evidence"):
        for value, values in data.get(kind, {}).items():
            examples = read_examples(
                document, ("said", kind, value), values, issues, subject=data.get("subject", "")
            )
            said += [(kind, value, example) for example in examples]
    return Grammar(document.data["language"], classes, places, tuple(controls), document.at(), tuple(said))


def read_weighing(sources: Sources) -> dict[str, Weighing]:
    """The weighing of the signs, by what is weighed: `special` or `value`."""
    return {
        kind: Weighing(
            data["start"],
            dict(data["points"]),
            dict(data["strength"]),
            data.get("shows") or {},
            document.at(kind),
            {name: document.at_key(kind, "points", name).line for name in data["points"]},
        )
        for document in sources.documents["weighing"]
        for kind in ("special", "value")
        if (data := document.data.get(kind))
    }

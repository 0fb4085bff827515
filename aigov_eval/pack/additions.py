"""
The controls that a language adds: `detectors/languages/<lang>/controls.yaml`.

Comes in: `Sources`. Goes out: `Additions`, examples by the name of what they prove, which the
builders of detectors, contexts and rules append to those that stand inline.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from aigov_eval.documents.issues import Issue
from aigov_eval.documents.strict import Document, Path
from aigov_eval.model import Example, Location, Role
from aigov_eval.pack.examples import read_example, read_examples
from aigov_eval.pack.sources import Sources

Named = tuple[tuple[str, Example], ...]
EACH = {
    "each_cue": "cue",
    "each_after": "after",
    "each_end": "end",
    "each_splice": "splice",
    "each_cancel": "cancel",
}
# whose templates stand inline in a context file
INLINE_LANGUAGE = "en"


class ContextControls(Struct, frozen=True):
    """The controls of one context from one place."""

    excused: tuple[Example, ...] = ()
    not_excused: Named = ()
    each: tuple[tuple[str, str, Example], ...] = ()


class Additions(Struct):
    """Examples by the name of what they prove, and where each name stood."""

    finds: dict[str, tuple[Example, ...]] = field(default_factory=dict)
    skips: dict[str, tuple[Example, ...]] = field(default_factory=dict)
    doubts: dict[str, tuple[Example, ...]] = field(default_factory=dict)
    contexts: dict[str, tuple[ContextControls, ...]] = field(default_factory=dict)
    leaks: dict[str, list[tuple[Document, Path, Any, str]]] = field(default_factory=dict)
    clean: dict[str, list[tuple[Document, Path, Any, str]]] = field(default_factory=dict)
    # ("detector" | "context" | "rule", name, where it stands)
    names: list[tuple[str, str, Location]] = field(default_factory=list)


def read_additions(sources: Sources) -> Additions:
    """Read every language's controls. Those of rules are kept raw: a rule's speaker says them."""
    result = Additions()
    for document in sources.documents["controls"]:
        data, subject = document.data, document.data.get("subject", "")
        for name, part in data.get("detectors", {}).items():
            at: Path = ("detectors", name)
            result.names.append(("detector", name, document.at_key(*at)))
            groups = (("finds", result.finds), ("skips", result.skips), ("doubts", result.doubts))
            for key, group in groups:
                examples = read_examples(document, (*at, key), part.get(key), sources.issues, subject=subject)
                group[name] = (*group.get(name, ()), *examples)
        for name, part in data.get("contexts", {}).items():
            at = ("contexts", name)
            result.names.append(("context", name, document.at_key(*at)))
            controls = context_controls(
                document, at, part, sources.issues, subject=subject, language=data["language"]
            )
            result.contexts[name] = (*result.contexts.get(name, ()), controls)
        for name, part in data.get("rules", {}).items():
            at = ("rules", name)
            result.names.append(("rule", name, document.at_key(*at)))
            result.leaks.setdefault(name, []).append((document, (*at, "leaks"), part.get("leaks"), subject))
            result.clean.setdefault(name, []).append((document, (*at, "clean"), part.get("clean"), subject))
    return result


def context_controls(
    document: Document, at: Path, part: Any, issues: list[Issue], *, subject: str, language: str
) -> ContextControls:
    """The controls of a context at one place; templates run in `language`."""
    each: list[tuple[str, str, Example]] = []
    for key, kind in EACH.items():
        if key in part:
            template = read_example(document, (*at, key), part[key], issues, subject=subject)
            if template is not None:
                each.append((kind, language, template))
    return ContextControls(
        read_examples(document, (*at, "excused"), part.get("excused"), issues, subject=subject),
        read_clauses(document, (*at, "not_excused"), part.get("not_excused"), issues, subject=subject),
        tuple(each),
    )


def read_clauses(
    document: Document, at: Path, part: Any, issues: list[Issue], *, subject: str, role: Role = "assistant"
) -> Named:
    """Lists of controls under names of clauses, flat."""
    return tuple(
        (clause, example)
        for clause, values in (part or {}).items()
        for example in read_examples(document, (*at, clause), values, issues, subject=subject, role=role)
    )

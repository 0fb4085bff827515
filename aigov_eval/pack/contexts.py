"""
Context files to `Context`s.

Comes in: `Sources` and the languages' controls. Goes out: contexts by name; their cues are
read with the other word lists.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from aigov_eval.documents.issues import Issue
from aigov_eval.documents.strict import Document
from aigov_eval.model import Context, Lexicon, Location
from aigov_eval.pack.additions import INLINE_LANGUAGE, Additions, context_controls
from aigov_eval.pack.detectors import check_pattern
from aigov_eval.pack.patterns import with_classes
from aigov_eval.pack.sources import Sources


def build_contexts(
    sources: Sources,
    additions: Additions,
    classes: Mapping[str, Sequence[Lexicon]],
    spelled: Mapping[str, str],
) -> dict[str, Context]:
    """The contexts by name, sorted; `classes` and `spelled` are for the patterns of their values."""

    def named(pattern: str, where: Location) -> str:
        return with_classes(pattern, classes, where, sources.issues, spelled=spelled)

    contexts: dict[str, Context] = {}
    for document in sources.documents["context"]:
        context = _context(document, additions, sources.issues, named)
        if context.name in contexts:
            where = context.where
            text = f'the context "{context.name}" is there already'
            sources.issues.append(Issue(where.path, where.line, where.column, "AG104", text, "rename one"))
            continue
        contexts[context.name] = context
    return dict(sorted(contexts.items()))


def _context(
    document: Document, additions: Additions, issues: list[Issue], named: Callable[[str, Location], str]
) -> Context:
    data = document.data
    name = data["context"]
    controls = data.get("controls", {})
    inline = context_controls(
        document,
        ("controls",),
        controls,
        issues,
        subject=controls.get("subject", ""),
        language=INLINE_LANGUAGE,
    )
    groups = (inline, *additions.contexts.get(name, ()))
    value = [named(one, document.at("value", index)) for index, one in enumerate(data.get("value", ()))]
    for index, pattern in enumerate(value):
        check_pattern(pattern, document.at("value", index), issues)
    return Context(
        name,
        data["says"],
        document.at("context"),
        qualifies=data.get("qualifies", False),
        computed=data.get("computed", ""),
        scope=data.get("scope", "sentence"),
        reaches=data.get("reaches", "both"),
        within=data.get("within", 0),
        said_first_by=data.get("said_first_by", ""),
        value=tuple(value),
        blocks=tuple(data.get("blocks", ())),
        fields=tuple(data.get("fields", ())),
        evidence=tuple(data.get("evidence", ())),
        holder=data.get("holder", ""),
        stance=data.get("stance", ""),
        past_person=data.get("past_person", False),
        lets_pass=tuple(data.get("lets_pass", ())),
        declines=data.get("declines", False),
        excused=tuple(example for group in groups for example in group.excused),
        not_excused=tuple(named for group in groups for named in group.not_excused),
        each=tuple(one for group in groups for one in group.each),
    )

"""
Files of rules/opinions to `Question`s: what a second opinion is asked of an assistant's turn.

Comes in: `Sources`. Goes out: questions by category. Whether category and fields are there is checked later, with all references.
"""

from __future__ import annotations

from aigov_eval.documents.issues import Issue
from aigov_eval.documents.strict import Document
from aigov_eval.model import Question, QuestionExample, Told
from aigov_eval.pack.sources import Sources

WINDOW, LIMIT = 6, 8000  # where a file does not say


def build_questions(sources: Sources) -> dict[str, Question]:
    """The questions by category, sorted; a second one for a category is an issue."""
    found: dict[str, Question] = {}
    for document in sources.documents["opinion"]:
        question = _question(document, sources.issues)
        if question.category in found:
            where, text = question.where, f'the question for "{question.category}" is there already'
            sources.issues.append(
                Issue(where.path, where.line, where.column, "AG104", text, "delete one of the two")
            )
            continue
        found[question.category] = question
    return dict(sorted(found.items()))


def _question(document: Document, issues: list[Issue]) -> Question:
    data = document.data
    return Question(
        category=data["opinion"],
        version=data["version"],
        asks=data["asks"].strip(),
        fields={
            name: (one["means"].strip(), tuple(one["law"])) for name, one in sorted(data["fields"].items())
        },
        decisions={name: text.strip() for name, text in data["decisions"].items()},
        examples=tuple(_example(document, at, issues) for at in range(len(data.get("examples", ())))),
        window=data.get("window", WINDOW),
        limit=data.get("limit", LIMIT),
        where=document.at("opinion"),
    )


def _example(document: Document, at: int, issues: list[Issue]) -> QuestionExample:
    """One example; what its answer quotes must stand in its last turn, which is the assistant's."""
    data = document.data["examples"][at]
    turns = tuple((role, text) for turn in data["turns"] for role, text in turn.items())

    def wrong(path: tuple[str | int, ...], text: str, help: str) -> None:
        where = document.at("examples", at, *path)
        issues.append(Issue(where.path, where.line, where.column, "AG133", text, help))

    speaker, said = turns[-1]
    if speaker != "assistant":
        wrong(
            ("turns",),
            f"the last turn of an example is the {speaker}'s",
            "end it with what the assistant says",
        )
    for number, one in enumerate(data["told"]):
        if one["words"] not in said:
            help = "quote the words exactly as they stand there"
            wrong(
                ("told", number, "words"),
                f'the words "{one["words"]}" do not stand in the last turn',
                help,
            )
        if one["field"] not in document.data["fields"]:
            help = "use a field that stands under `fields`"
            wrong(("told", number, "field"), f'the question has no field "{one["field"]}"', help)
    told = tuple(
        Told(one["field"], one["words"], one["holder"], one["stance"], one["reason"].strip())
        for one in data["told"]
    )
    return QuestionExample(turns, data.get("subject", ""), told, document.at("examples", at))

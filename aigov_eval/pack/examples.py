"""
Controls as they stand in pack files: a sentence, or a list of turns, with `[[...]]` around the exact words.

Comes in: a value of a parsed file. Goes out: an `Example`, its marks as offsets into the last text.
"""

from __future__ import annotations

from typing import Any

from aigov_eval.documents.issues import Issue
from aigov_eval.documents.strict import Document, Path
from aigov_eval.model import Example, Location, Role


class MarkError(Exception):
    """Brackets of a control that do not pair."""


def unmark(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The text without its `[[` and `]]`, and the spans that stood between them. Raises MarkError."""
    parts: list[str] = []
    marks: list[tuple[int, int]] = []
    length = 0
    rest = text
    while True:
        before, opened, rest = rest.partition("[[")
        if "]]" in before:
            raise MarkError("]] without [[")
        parts.append(before)
        length += len(before)
        if not opened:
            return "".join(parts), tuple(marks)
        inside, closed, rest = rest.partition("]]")
        if not closed:
            raise MarkError("[[ without ]]")
        if "[[" in inside or not inside.strip():
            raise MarkError("[[...]] must hold words and no further [[")
        # the brackets of a list inside the mark: `[[[1, 2]]]` ends with the last pair
        parts.append(inside)
        marks.append((length, length + len(inside)))
        length += len(inside)


def read_example(
    document: Document,
    path: Path,
    value: Any,
    issues: list[Issue],
    *,
    subject: str = "",
    role: Role = "assistant",
) -> Example | None:
    """One control; `role` speaks where it is a plain sentence. None, with an issue, where its marks are wrong."""
    where = document.at(*path)
    if isinstance(value, str):
        raw: list[tuple[Role, str]] = [(role, value)]
    else:
        raw = [(speaker, text) for turn in value for speaker, text in turn.items()]
    turns: list[tuple[Role, str]] = []
    marks: tuple[tuple[int, int], ...] = ()
    try:
        for index, (speaker, text) in enumerate(raw):
            clean, found = unmark(text)
            if found and index + 1 < len(raw):
                issues.append(_issue(where, "[[...]] may stand in the last turn only"))
                return None
            turns.append((speaker, clean))
            marks = found
    except MarkError as error:
        issues.append(_issue(where, str(error)))
        return None
    return Example(tuple(turns), marks, where, subject)


def read_examples(
    document: Document,
    path: Path,
    values: Any,
    issues: list[Issue],
    *,
    subject: str = "",
    role: Role = "assistant",
) -> tuple[Example, ...]:
    """A list of controls at a place of a document; the place may be absent (None)."""
    read = (
        read_example(document, (*path, index), value, issues, subject=subject, role=role)
        for index, value in enumerate(values or ())
    )
    return tuple(example for example in read if example is not None)


def _issue(where: Location, text: str) -> Issue:
    return Issue(
        where.path, where.line, where.column, "AG111", f"the marks do not pair: {text}", "write [[the words]]"
    )

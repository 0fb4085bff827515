"""
Lint of regular expressions: can some text make one of them run on and on?

Comes in: a `View`. Goes out: issues AG303 (by its shape) and AG305 (by trying). Neither alone
finds all: the shape misses overlaps that only the engine's path shows, and a trial needs the
right text. The trial pumps every repeat of the pattern with texts made from the pattern itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from aigov_eval.controls.pumping import Pumping, pump
from aigov_eval.controls.view import View, issue
from aigov_eval.documents import strict
from aigov_eval.documents.issues import Issue
from aigov_eval.model import Location


def check(view: View) -> Iterator[Issue]:
    """Every issue of the pack's patterns."""
    seen: set[tuple[str, bool]] = set()
    for pattern, case, where in _patterns(view):
        if (pattern, case) in seen:
            continue
        seen.add((pattern, case))
        found = pump(pattern, case=case)
        if found is not None:
            yield _issue(where, found)


def _patterns(view: View) -> Iterator[tuple[str, bool, Location]]:
    for detector in view.pack.detectors.values():
        document = view.document_of(detector)
        for index, find in enumerate(detector.finds):
            if find.pattern:
                yield find.pattern, find.case, document.at("find", index, "regex")
            for pattern in _of_tokens(find.tokens):
                yield pattern, True, document.at("find", index, "spacy")
        for index, ignore in enumerate(detector.ignores):
            if ignore.pattern:
                yield ignore.pattern, False, document.at("ignore", index, "regex")
    for context in view.pack.contexts.values():
        document = view.documents[context.where.path]
        for index, pattern in enumerate(context.value):
            yield pattern, False, document.at("value", index)

    for name, text in view.pack.recognizers.items():
        for pattern in _of_recognizers(text):
            line = next((at for at, one in enumerate(text.splitlines(), 1) if pattern[:20] in one), 1)
            yield pattern, False, Location(f"detectors/{name}", line, 1)


def _of_tokens(tokens: str) -> Iterator[str]:
    """The regular expressions in a spaCy token pattern."""
    try:
        yield from _under("REGEX", json.loads(tokens or "[]"))
    except (ValueError, RecursionError):
        return  # told when the pack is loaded


def _of_recognizers(text: str) -> Iterator[str]:
    """The regular expressions in a file of Presidio's recognizers."""
    document, _ = strict.parse("", text.encode())
    if document is not None:
        yield from _under("regex", document.data)


def _under(key: str, value: object) -> Iterator[str]:
    """Every text below a key of that name, wherever it stands."""
    if isinstance(value, dict):
        for name, item in value.items():
            if name == key:
                yield from _texts(item)
            else:
                yield from _under(key, item)
    elif isinstance(value, list):
        for item in value:
            yield from _under(key, item)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


def _issue(where: Location, found: Pumping) -> Issue:
    if found.text:
        text = f"the regex did not end in {found.seconds:g} s on a text like {found.text!r}"
        return issue(where, "AG305", text, "bound its repeats, and let neighbours begin differently")
    return issue(
        where,
        "AG303",
        found.reason,
        "bound the inner repeat, as {1,40}; or let the alternatives begin differently",
    )

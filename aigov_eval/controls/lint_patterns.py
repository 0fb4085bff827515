"""
Lint of regular expressions: can some text make one of them run on and on?

Comes in: a `View`. Goes out: issues AG303 (by its shape) and AG305 (by trying). Neither alone
finds all: the shape misses overlaps that only the engine's path shows, and a trial needs the
right text. The trial pumps every repeat of the pattern with texts made from the pattern itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from aigov_eval.controls.pumping import Pumping, pump
from aigov_eval.controls.view import View, issue
from aigov_eval.model import Location
from aigov_eval.pack.issues import Issue


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
        for index, ignore in enumerate(detector.ignores):
            if ignore.pattern:
                yield ignore.pattern, False, document.at("ignore", index, "regex")
    for context in view.pack.contexts.values():
        document = view.documents[context.where.path]
        for index, pattern in enumerate(context.value):
            yield pattern, False, document.at("value", index)


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

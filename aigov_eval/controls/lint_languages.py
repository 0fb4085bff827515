"""
Lint of languages: what one that was begun still lacks.

Comes in: a `View`. Goes out: issues AG210, one for each file of a language in which something is missing that more than half of
the pack's languages have: slots of the frames, classes of the grammar, controls of holder and stance, cues, word lists, and the
classes of words that patterns of detectors name; what classes its own lists use is each language's business.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from aigov_eval.controls.view import View, issue
from aigov_eval.documents.issues import Issue
from aigov_eval.model import Lexicon, Location, Pack
from aigov_eval.pack.classes import ANY
from aigov_eval.pack.patterns import classes_in

_FOLDER = "detectors/languages/"
# what a language has, and the file it belongs to
_PLACES = {
    "slots of the frames": "frames.yaml",
    "classes of the grammar": "grammar.yaml",
    "controls of holder and stance": "grammar.yaml",
    "cues of contexts": "cues.txt",
    "classes of words": "classes.txt",
    "word lists": "",
}
Holdings = Mapping[str, Mapping[str, frozenset[str]]]  # kind -> language -> names


def check(view: View) -> Iterator[Issue]:
    """What each language lacks."""
    paths = (*view.documents, *view.lines)
    folders = {path.split("/")[2] for path in paths if path.startswith(_FOLDER)}
    languages = sorted((folders | set(view.pack.languages)) - {ANY})
    shared = _named_in([view.document_of(one).data for one in view.pack.detectors.values()])
    for kind, by_language in holdings(view.pack, shared).items():
        counts = Counter(name for names in by_language.values() for name in names)
        wanted = {name for name, times in counts.items() if 2 * times > len(languages)}
        for language in languages:
            lacking = sorted(wanted - by_language.get(language, frozenset()))
            if lacking:
                text = f'"{language}" lacks {kind} that most languages have: {", ".join(lacking)}'
                file = (
                    f"{_FOLDER}{language}/{_PLACES[kind]}"
                    if _PLACES[kind]
                    else f"detectors/lists/<list>.{language}.txt"
                )
                yield issue(_where(language, file, paths), "AG210", text, f"write them into {file}")


def holdings(pack: Pack, shared: frozenset[str] = frozenset()) -> Holdings:
    """What each language has, by kind; of the classes of words those in `shared`."""
    return {
        "slots of the frames": {
            # a slot that is written and empty says that the language has no such words
            one.language: frozenset(one.terms)
            for one in pack.frames.values()
        },
        "classes of the grammar": {one.language: frozenset(one.classes) for one in pack.grammar.values()},
        "controls of holder and stance": {
            # evidence is what a slot of the frames happens to need
            one.language: frozenset(f"{kind} {value}" for kind, value, _ in one.said if kind != "evidence")
            for one in pack.grammar.values()
        },
        "cues of contexts": _of_lists(pack.cues),
        "classes of words": _of_lists({name: of for name, of in pack.classes.items() if name in shared}),
        "word lists": _of_lists(pack.lexicons),
    }


def _named_in(data: Any) -> frozenset[str]:
    """The classes that the patterns of a detector's file name."""
    if isinstance(data, dict):
        return frozenset().union(*(_named_in(value) for key, value in data.items() if key != "controls"))
    if isinstance(data, list):
        return frozenset().union(*(_named_in(value) for value in data))
    return frozenset(classes_in(data)) if isinstance(data, str) else frozenset()


def _of_lists(lists: Mapping[str, tuple[Lexicon, ...]]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for name, group in lists.items():
        for one in group:
            if one.terms and one.language != ANY:
                found.setdefault(one.language, set()).add(name)
    return {language: frozenset(names) for language, names in found.items()}


def _where(language: str, file: str, paths: tuple[str, ...]) -> Location:
    """The file itself, else the first file that the language has."""
    if file in paths:
        return Location(file)
    own = [
        path
        for path in paths
        if path.startswith(f"{_FOLDER}{language}/") or path.endswith(f".{language}.txt")
    ]
    return Location(min(own))

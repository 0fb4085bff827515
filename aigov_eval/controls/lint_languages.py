"""
Lint of languages: what one that was begun still lacks.

Comes in: a `View`. Goes out: issues AG210, one for each file of a language in which something is missing that more than half of
the pack's languages have: slots of the frames, classes of the grammar, controls of holder and stance, cues, word lists.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from aigov_eval.controls.view import View, issue
from aigov_eval.documents.issues import Issue
from aigov_eval.model import Lexicon, Location, Pack
from aigov_eval.pack.classes import ANY

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
    for kind, by_language in holdings(view.pack).items():
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


def holdings(pack: Pack) -> Holdings:
    """What each language has, by kind."""
    return {
        "slots of the frames": {
            # a slot that is written and empty says that the language has no such words
            one.language: frozenset(one.terms)
            for one in pack.frames.values()
        },
        "classes of the grammar": {one.language: frozenset(one.classes) for one in pack.grammar.values()},
        "controls of holder and stance": {
            one.language: frozenset(f"{kind} {value}" for kind, value, _ in one.said)
            for one in pack.grammar.values()
        },
        "cues of contexts": _of_lists(pack.cues),
        "classes of words": _of_lists(pack.classes),
        "word lists": _of_lists(pack.lexicons),
    }


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

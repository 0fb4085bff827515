"""
All words of a pack: paradigms, lexicons, cues and frames.

Comes in: `Sources`, and the classes of each language. Goes out: lexicons by name, cues by context, frames by language.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from aigov_eval.documents.issues import Issue
from aigov_eval.documents.strict import Document
from aigov_eval.model import Frames, Lexicon, Term
from aigov_eval.pack.entries import parse_entry
from aigov_eval.pack.entry_items import Classes
from aigov_eval.pack.inflecting import EntryError, Paradigms
from aigov_eval.pack.lexicon import parse_lexicon
from aigov_eval.pack.lists import WordList
from aigov_eval.pack.sources import Sources
from aigov_eval.text.views import fold_light

# slots of a frames file that are not entries in the lexicon's form
_PLAIN_SLOTS = frozenset({"language", "abbreviations", "numbers", "repeat", "spoken"})


class Inflection(Struct, frozen=True):
    """How one language inflects, whether its words must keep their diacritics, and the classes that its entries may name."""

    paradigms: Paradigms
    strict_diacritics: bool
    classes: Classes = field(default_factory=dict)


NO_INFLECTION = Inflection({}, strict_diacritics=False)


def read_inflections(sources: Sources) -> dict[str, Inflection]:
    """The paradigm files by language."""
    return {
        document.data["language"]: Inflection(
            document.data.get("paradigms") or {}, bool(document.data.get("strict_diacritics", False))
        )
        for document in sources.documents["paradigms"]
    }


def read_lexicons(sources: Sources, inflections: Mapping[str, Inflection]) -> dict[str, tuple[Lexicon, ...]]:
    """The word lists by name, each name's languages in order."""
    return _read(sources, sources.lexicons, inflections)


def read_cues(sources: Sources, inflections: Mapping[str, Inflection]) -> dict[str, tuple[Lexicon, ...]]:
    """The cue files by the name of their context, each name's languages in order."""
    return _read(sources, sources.cues, inflections)


def _read(
    sources: Sources, lists: Sequence[WordList], inflections: Mapping[str, Inflection]
) -> dict[str, tuple[Lexicon, ...]]:
    result: dict[str, list[Lexicon]] = {}
    for words in sorted(lists, key=lambda one: (one.name, one.language)):
        inflection = inflections.get(words.language, NO_INFLECTION)
        lexicon, found = parse_lexicon(
            words,
            paradigms=inflection.paradigms,
            strict_diacritics=inflection.strict_diacritics,
            classes=inflection.classes,
        )
        if f"paradigms of {words.language}" in sources.broken:
            # one fault in the paradigms would be told again on every line that uses them
            found = [issue for issue in found if issue.code != "AG123"]
        sources.issues += found
        result.setdefault(words.name, []).append(lexicon)
    return {name: tuple(group) for name, group in result.items()}


def read_frames(sources: Sources, inflections: Mapping[str, Inflection]) -> dict[str, Frames]:
    """The frames by language."""
    frames = [
        _frames(document, inflections.get(document.data["language"], NO_INFLECTION), sources.issues)
        for document in sources.documents["frames"]
    ]
    return {one.language: one for one in sorted(frames, key=lambda one: one.language)}


def _frames(document: Document, inflection: Inflection, issues: list[Issue]) -> Frames:
    data = document.data
    terms: dict[str, tuple[Term, ...]] = {}
    exclusions: dict[str, tuple[Term, ...]] = {}
    for slot in sorted(set(data) - _PLAIN_SLOTS):
        found: list[Term] = []
        false: list[Term] = []
        for index, entry in enumerate(data[slot]):
            where = document.at(slot, index)
            friend = entry.startswith("!")
            body = entry[1:].lstrip() if friend else entry
            exact = body.startswith("=")
            try:
                (false if friend else found).extend(
                    parse_entry(
                        body[1:].lstrip() if exact else body,
                        where=where,
                        paradigms=inflection.paradigms,
                        section=slot,
                        exact=exact,
                        fold=not inflection.strict_diacritics,
                        classes=inflection.classes,
                    )
                )
            except EntryError as error:
                issues.append(Issue(where.path, where.line, where.column, error.code, error.text, error.help))
        terms[slot] = tuple(found)
        if false:
            exclusions[slot] = tuple(false)
    return Frames(
        data["language"],
        terms,
        exclusions,
        frozenset(fold_light(word).rstrip(".") for word in data.get("abbreviations", ())),
        {fold_light(word): figure for word, figure in data.get("numbers", {}).items()},
        {fold_light(word): times for word, times in data.get("repeat", {}).items()},
        {sign: tuple(fold_light(way) for way in ways) for sign, ways in data.get("spoken", {}).items()},
        document.at(),
        {
            "/".join(path): document.at_key(*path)
            for slot in data
            if slot != "language"
            for path in ([(slot, sign) for sign in data[slot]] if slot == "spoken" else [(slot,)])
        },
    )

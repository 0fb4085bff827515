"""
Named classes of words: the sections of `detectors/languages/<lang>/classes.txt`.

Comes in: `Sources`, and how each language inflects. Goes out: the classes as word lists, and the inflections with the
classes that entries of their language may name, each as one word slot. A class may name others; the files of
`any` count in every language. Given names are classes too, of men and of women.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec.structs import replace

from aigov_eval.documents.issues import Issue
from aigov_eval.model import Lexicon, Location, Word
from aigov_eval.pack.entry_items import CLASS
from aigov_eval.pack.entry_words import joined_slot
from aigov_eval.pack.lexicon import parse_lexicon
from aigov_eval.pack.lists import CLASS_SECTIONS, NAME_SECTIONS, WordList
from aigov_eval.pack.sources import Sources
from aigov_eval.pack.vocabulary import NO_INFLECTION, Inflection

ANY = "any"


def read_classes(
    sources: Sources, inflections: Mapping[str, Inflection], wanted: Collection[str] | None = None
) -> tuple[dict[str, tuple[Lexicon, ...]], dict[str, Inflection]]:
    """The classes by name, and the inflections of all languages with their classes; of the `wanted` ones and those that they name."""
    every = [*sources.classes, *_of_names(sources.lexicons)]
    if wanted is not None:
        every = _with_parts(every, wanted)
    names = sorted({file.name for file in every})
    if not names:
        return {}, dict(inflections)
    known: dict[str, dict[str, Word | None]] = {}
    found: dict[str, list[Lexicon]] = {name: [] for name in names}
    languages = {file.language for file in (*every, *sources.lexicons, *sources.cues)}
    shared = {file.name: file for file in every if file.language == ANY}
    for language in sorted({ANY, *languages, *inflections}, key=lambda one: (one != ANY, one)):
        inflection = inflections.get(language, NO_INFLECTION)
        files = {file.name: file for file in every if file.language == language}
        order, circles = _order(files)
        sources.issues += circles
        classes: dict[str, Word | None] = {
            name: known[ANY][name] if name in shared and language != ANY else None for name in names
        }
        for name in order:
            lexicon, issues = parse_lexicon(
                files[name],
                paradigms=inflection.paradigms,
                strict_diacritics=inflection.strict_diacritics,
                # a class of a circle is told once, and not again by those that name it
                classes={
                    **classes,
                    **({name: _NOWHERE for name in order if classes[name] is None} if circles else {}),
                },
            )
            sources.issues += issues
            found[name].append(lexicon)
            if slot := _slot(lexicon):
                classes[name] = slot if (more := classes[name]) is None else joined_slot([slot, more])
        known[language] = classes
    merged = {
        language: replace(inflections.get(language, NO_INFLECTION), classes=classes)
        for language, classes in known.items()
    }
    return {name: tuple(lexicons) for name, lexicons in found.items()}, merged


def _of_names(lists: Sequence[WordList]) -> list[WordList]:
    """
    The given names of men and of women as classes: `<masculine_name>`, `<feminine_name>`.

    A language has its own names, and of the others those that name a man (or a woman) wherever they are known.
    """
    files = [words for words in lists if words.sections is NAME_SECTIONS]
    sexes: dict[str, set[str]] = {}
    for words in files:
        for line in words.lines:
            sexes.setdefault(line.text.lower(), set()).add(line.section)
    found: list[WordList] = []
    for words in files:
        own = {line.text.lower() for line in words.lines}
        for section in ("masculine", "feminine"):
            known = {line.text.lower(): line for line in words.lines if line.section == section}
            for line in (line for file in files if file is not words for line in file.lines):
                name = line.text.lower()
                if name not in own and sexes[name] == {section}:
                    known.setdefault(name, line)
            lines = [
                replace(line, section=CLASS_SECTIONS[0])
                for line in known.values()
                if line.text[0] not in "!="
            ]
            found.append(replace(words, name=f"{section}_name", sections=CLASS_SECTIONS, lines=lines))
    return found


def _with_parts(files: Sequence[WordList], wanted: Collection[str]) -> list[WordList]:
    """The wanted classes, and those that they name, and so on."""
    named: dict[str, set[str]] = {}
    for file in files:
        named.setdefault(file.name, set()).update(other for _, other in _named(file))
    found: set[str] = set()
    more = set(wanted)
    while more:
        found |= more
        more = {other for name in more for other in named.get(name, ())} - found
    return [file for file in files if file.name in found]


_NOWHERE = Word(frozenset({"\0"}))


def _slot(lexicon: Lexicon) -> Word | None:
    """All entries of a class as one slot."""
    slots: list[Word] = []
    phrases: list[tuple[Word, ...]] = []
    for term in lexicon.terms:
        words = term.words
        if len(words) == 1:
            slots.append(words[0])
            continue
        phrases.append(words)
        while words[0].optional:
            words = words[1:]
            phrases.append(words)
    if phrases:
        slots.append(Word(phrases=tuple(dict.fromkeys(phrases))))
    return joined_slot(slots) if slots else None


def _order(files: Mapping[str, WordList]) -> tuple[list[str], list[Issue]]:
    """The classes of a language, each after those that it names; and what names itself, also through others."""
    order: list[str] = []
    circles: list[Issue] = []

    def add(name: str, trail: tuple[str, ...]) -> None:
        for where, other in _named(files[name]):
            if other in (*trail, name):
                through = [*(*trail, name)[(*trail, name).index(other) + 1 :], other]
                by = "" if through == [other] else " through " + ", ".join(f"<{one}>" for one in through[:-1])
                text = f'the class "<{other}>" contains itself{by}'
                circles.append(
                    Issue(
                        where.path,
                        where.line,
                        where.column,
                        "AG138",
                        text,
                        "take the name out of one of them",
                    )
                )
            elif other in files and other not in order:
                add(other, (*trail, name))
        if name not in order:
            order.append(name)

    for name in sorted(files):
        if name not in order:
            add(name, ())
    return order, circles


def _named(file: WordList) -> list[tuple[Location, str]]:
    """The classes that the entries of a class name, with their places."""
    return [
        (Location(file.path, line.number, line.column + match.start()), match[1])
        for line in file.lines
        for match in CLASS.finditer(line.text)
    ]

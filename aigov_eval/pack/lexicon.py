"""
Word lists: one entry a line.

Comes in: a `WordList` and the paradigms of its language. Goes out: a `Lexicon`, or issues with their line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from aigov_eval.documents.issues import Issue
from aigov_eval.model import Lexicon, Location, Term
from aigov_eval.pack.entries import parse_entry
from aigov_eval.pack.entry_items import Classes
from aigov_eval.pack.inflecting import EntryError, Paradigms
from aigov_eval.pack.lists import WordList
from aigov_eval.text.views import WORD

_PLAIN = re.compile(rf"({WORD.pattern})(~?)")  # a listed word; with ~ after it, it stays as it is


def parse_lexicon(
    words: WordList, *, paradigms: Paradigms, strict_diacritics: bool, classes: Classes
) -> tuple[Lexicon, list[Issue]]:
    """Compile one list."""
    issues: list[Issue] = []
    path, header = words.path, words.header
    terms: list[Term] = []
    exclusions: list[Term] = []
    for line in words.lines:
        entry, section = line.text, line.section
        where = Location(path, line.number, line.column)
        if not words.sections[0] and entry[0] in "!=":
            text = f'"{entry[0]}" has no meaning in a class'
            help = "write it in the list that uses the class"
            issues.append(Issue(path, line.number, line.column, "AG122", text, help))
            continue
        friend = entry.startswith("!")
        body = entry[1:].lstrip() if friend else entry
        exact = body.startswith("=")
        if match := _PLAIN.fullmatch(body):
            # a word takes the inflection of its list, unless it is marked to stay as it is
            body = match[1] if match[2] or "inflection" not in header else f"{body}~{header['inflection']}"
        try:
            compiled = parse_entry(
                body[1:].lstrip() if exact else body,
                where=where,
                classes=classes,
                paradigms=paradigms,
                section=section,
                exact=exact,
                fold=header.get("diacritics", "strict" if strict_diacritics else "free") != "strict",
            )
        except EntryError as error:
            issues.append(Issue(path, line.number, line.column, error.code, error.text, error.help))
            continue
        (exclusions if friend else terms).extend(compiled)
    if header.get("diacritics", "strict") not in ("strict", "free"):
        issues.append(
            Issue(
                path,
                words.number,
                1,
                "AG120",
                f'diacritics cannot be "{header["diacritics"]}"',
                "known: strict, free",
            )
        )
    lexicon = Lexicon(
        words.name,
        words.language,
        header.get("what", ""),
        header.get("source", ""),
        header.get("licence", ""),
        tuple(terms),
        tuple(exclusions),
        Location(path, words.number),
    )
    return lexicon, issues


def languages_of(lists: Mapping[str, Sequence[Lexicon]]) -> set[str]:
    """The languages in which there are lists, `any` left out."""
    return {one.language for group in lists.values() for one in group} - {"any"}

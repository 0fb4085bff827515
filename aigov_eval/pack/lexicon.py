"""
Word lists and cue files: plain text, one entry a line.

Comes in: the bytes of `<name>.<lang>.txt` and the paradigms of its language. Goes out: a
`Lexicon`, or issues with their line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from aigov_eval.documents.issues import Issue, did_you_mean
from aigov_eval.model import Lexicon, Location, Term
from aigov_eval.pack.entries import Classes, EntryError, Paradigms, parse_entry
from aigov_eval.text.views import WORD

WORD_SECTIONS = ("direct", "indirect")
CUE_SECTIONS = ("cues", "after", "ends", "splices", "cancels", "pseudo")
GIVEN_NAMES = "given_names"
NAME_SECTIONS = ("either", "masculine", "feminine", "ambiguous", "word")

_HEADER = re.compile(r"#\s*(what|source|licence|license|diacritics|inflection)\s*+:\s*+(.*)", re.IGNORECASE)
COMMENT = re.compile(r"(?:^|\s)#.*")
_PLAIN = re.compile(rf"({WORD.pattern})(~?)")  # a listed word; with ~ after it, it stays as it is
_SECTION = re.compile(r"\[([^\]]*)\]")


def parse_lexicon(
    path: str,
    data: bytes,
    *,
    name: str,
    language: str,
    sections: Sequence[str],
    paradigms: Paradigms,
    strict_diacritics: bool,
    classes: Classes,
) -> tuple[Lexicon, list[Issue]]:
    """Compile one file; the first of `sections` is the one that a file starts in, and "" none at all."""
    issues: list[Issue] = []
    header: dict[str, str] = {}
    terms: list[Term] = []
    exclusions: list[Term] = []
    section = sections[0]
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line_number = data[: error.start].count(b"\n") + 1
        text = ""
        issues.append(Issue(path, line_number, 1, "AG100", "is not UTF-8 text", "save the file as UTF-8"))
    in_header = True
    for number, raw in enumerate(text.splitlines(), start=1):
        if in_header and (match := _HEADER.match(raw.strip())):
            header[match[1].lower().replace("license", "licence")] = match[2].strip()
            continue
        line = COMMENT.sub("", raw).rstrip()
        entry = line.lstrip()
        if not entry:
            continue
        in_header = False
        where = Location(path, number, len(line) - len(entry) + 1)
        if match := _SECTION.fullmatch(entry):
            section = match[1]
            if section not in sections:
                text_ = f'unknown section "[{section}]"'
                issues.append(
                    Issue(path, number, where.column, "AG120", text_, did_you_mean(section, sections))
                )
            continue
        if not sections[0] and entry[0] in "!=":
            text_ = f'"{entry[0]}" has no meaning in a class'
            issues.append(
                Issue(path, number, where.column, "AG122", text_, "write it in the list that uses the class")
            )
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
            issues.append(Issue(path, number, where.column, error.code, error.text, error.help))
            continue
        (exclusions if friend else terms).extend(compiled)
    if header.get("diacritics", "strict") not in ("strict", "free"):
        issues.append(
            Issue(
                path, 1, 1, "AG120", f'diacritics cannot be "{header["diacritics"]}"', "known: strict, free"
            )
        )
    lexicon = Lexicon(
        name,
        language,
        header.get("what", ""),
        header.get("source", ""),
        header.get("licence", ""),
        tuple(terms),
        tuple(exclusions),
        Location(path),
    )
    return lexicon, issues


def sections_of(name: str) -> tuple[str, ...]:
    """The sections that a word list of that name may have."""
    return NAME_SECTIONS if name == GIVEN_NAMES else WORD_SECTIONS


def languages_of(lists: Mapping[str, Sequence[Lexicon]]) -> set[str]:
    """The languages in which there are lists, `any` left out."""
    return {one.language for group in lists.values() for one in group} - {"any"}

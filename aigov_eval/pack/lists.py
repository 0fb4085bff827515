"""
Files of words, divided into the lists that they hold.

Comes in: the path and bytes of a file of words. Goes out: a `WordList` for each list: `detectors/lists/health.en.txt` holds the
list `health` and, below `[weak]`, the list `health.weak`; the files of a language hold a list below each name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from aigov_eval.documents.issues import Issue, did_you_mean

WORD_SECTIONS = ("direct", "indirect")
CUE_SECTIONS = ("cues", "after", "ends", "splices", "cancels", "pseudo")
NAME_SECTIONS = ("either", "masculine", "feminine", "ambiguous", "word")
CLASS_SECTIONS = ("",)

_LIST = re.compile(r"detectors/lists/([a-z][a-z0-9_]*)\.([a-z]{2,3})\.txt")
_OF_LANGUAGE = re.compile(
    r"detectors/languages/([a-z]{2,3})/(given_names|common_words|words|cues|classes)\.txt"
)
# the files that are one list, by what it is called; the others hold a list below each name
_WHOLE = {"given_names": "given_names", "common_words": "common"}
_SECTIONS = {"given_names": NAME_SECTIONS, "cues": CUE_SECTIONS, "classes": CLASS_SECTIONS}
_HEADER = re.compile(r"#\s*(what|source|licence|license|diacritics|inflection)\s*+:\s*+(.*)", re.IGNORECASE)
_COMMENT = re.compile(r"(?:^|\s)#.*")
_SECTION = re.compile(r"\[([^\]]*)\]")
_NAME = re.compile(r"[a-z][a-z0-9_]*")


class Line(Struct, frozen=True):
    """An entry as written, with its place and its section."""

    number: int
    column: int
    text: str
    section: str


class WordList(Struct):
    """A list, its entries not yet compiled; `header` is that of the file, with what the list says anew."""

    path: str
    number: int
    name: str
    language: str
    sections: Sequence[str]
    header: dict[str, str]
    lines: list[Line]


def file_kind(path: str) -> str | None:
    """What kind of lists stands at a path: "lists", "cues" or "classes"; None where no file of words may stand."""
    if match := _OF_LANGUAGE.fullmatch(path):
        return match[2] if match[2] in ("cues", "classes") else "lists"
    return "lists" if _LIST.fullmatch(path) else None


def read_lists(path: str, data: bytes) -> tuple[list[WordList], list[Issue]]:
    """The lists of a file, in its order, and the faults of its sections."""
    if match := _LIST.fullmatch(path):
        base, language = match[1], match[2]
        sections: tuple[str, ...] = WORD_SECTIONS
    else:
        match = _OF_LANGUAGE.fullmatch(path)
        assert match is not None
        language, base = match[1], _WHOLE.get(match[2], "")
        sections = _SECTIONS.get(match[2], WORD_SECTIONS)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = data[: error.start].count(b"\n") + 1
        return [], [Issue(path, number, 1, "AG100", "is not UTF-8 text", "save the file as UTF-8")]
    issues: list[Issue] = []
    shared: dict[str, str] = {}
    header: dict[str, str] | None = shared  # the header that a line would belong to; None below an entry
    lists: dict[str, WordList] = {}
    now: WordList | None = None
    section = sections[0]
    if base:
        now = lists[base] = WordList(path, 1, base, language, sections, shared, [])
    for number, raw in enumerate(text.splitlines(), start=1):
        if header is not None and (found := _HEADER.match(raw.strip())):
            header[found[1].lower().replace("license", "licence")] = found[2].strip()
            continue
        line = _COMMENT.sub("", raw).rstrip()
        entry = line.lstrip()
        if not entry:
            continue
        column = len(line) - len(entry) + 1
        if found := _SECTION.fullmatch(entry):
            name, part, fault = _named(found[1], base, sections)
            if fault:
                text_ = f'unknown section "[{found[1]}]"'
                issues.append(Issue(path, number, column, "AG120", text_, fault))
                continue
            if name not in lists:
                header = dict(shared)
                lists[name] = WordList(path, number, name, language, sections, header, [])
            elif header is not shared or name != base:
                header = None
            now, section = lists[name], part
            continue
        header = None
        if now is None:
            text_ = "an entry before the first section"
            issues.append(Issue(path, number, column, "AG120", text_, "write its list above it: [name]"))
            continue
        now.lines.append(Line(number, column, entry, section))
    if base and len(lists) > 1 and not lists[base].lines:
        del lists[base]
    return list(lists.values()), issues


def _named(written: str, base: str, sections: Sequence[str]) -> tuple[str, str, str]:
    """The list and the section that a line in brackets opens; else what to write instead."""
    words = written.split()
    if base and len(words) == 1 and words[0] in sections:
        return base, words[0], ""
    known = ", ".join(one for one in sections if one)
    if not words or len(words) > 2 or not _NAME.fullmatch(words[0]):
        return "", "", f"write [name] or [name section], with one of {known}" if known else "write [name]"
    if base and sections is not WORD_SECTIONS:
        return "", "", did_you_mean(words[0], sections)
    if base and len(words) == 1 and (near := did_you_mean(words[0], sections)).startswith("did"):
        return "", "", near
    part = words[1] if len(words) == 2 else sections[0]
    if part not in sections:
        return "", "", did_you_mean(part, sections)
    return f"{base}.{words[0]}" if base else words[0], part, ""

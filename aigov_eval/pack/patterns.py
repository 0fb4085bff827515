"""
Classes of words in regular expressions: `born in <month>` finds a day in every language that has words for months.

Comes in: a regular expression as it is written, or a list of them, and the classes. Goes out: one expression with the words of
each class in its place, those of all languages or of one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from aigov_eval.documents.issues import Issue, did_you_mean
from aigov_eval.model import Lexicon, Location, Word
from aigov_eval.text.views import fold

# not the name of a group: (?P<value>
_CLASS = re.compile(r"(?<!\(\?P)<([a-z][a-z0-9_]*)>")
_ANY = ("any", "")
_BETWEEN = "[ -]"


def joined(written: str | Sequence[str]) -> str:
    """A regular expression as it is written: one, or several of which one must match."""
    return written if isinstance(written, str) else "|".join(f"(?:{one})" for one in written)


def classes_in(pattern: str) -> list[str]:
    """The classes that a regular expression names."""
    return _CLASS.findall(pattern)


def with_parts(pattern: str, parts: Mapping[str, str | Sequence[str]], _open: tuple[str, ...] = ()) -> str:
    """
    The regular expression with the parts that it names, which may name parts that stand before them in the file.

    A part that names itself, or one that comes later, is left as it is written: then it is no part and no class, which is told.
    """

    def part(match: re.Match[str]) -> str:
        name = match[1]
        if name not in parts or (_open and list(parts).index(name) >= list(parts).index(_open[-1])):
            return match[0]
        return f"(?:{with_parts(joined(parts[name]), parts, (*_open, name))})"

    return _CLASS.sub(part, pattern)


def with_classes(
    pattern: str,
    classes: Mapping[str, Sequence[Lexicon]],
    where: Location,
    issues: list[Issue],
    *,
    language: str = "",
    spelled: Mapping[str, str] | None = None,
) -> str:
    """
    The regular expression with the words of its classes; those of one `language` and of `any` where it is given.

    `spelled` is what is typed for a letter (\u00e4: ae). Issues AG134 and AG135 for a class that is not there, and for one without words.
    """
    typed = str.maketrans(dict(spelled or {}))

    def words(match: re.Match[str]) -> str:
        name = match[1]
        if name not in classes:
            text, help = f'unknown class "<{name}>"', did_you_mean(name, classes, otherwise=_WRITE)
            issues.append(Issue(where.path, where.line, where.column, "AG134", text, help))
            return match[0]
        here = [one for one in classes[name] if language in _ANY or one.language in (language, "any")]
        ways = {_written(term.words, typed) for one in here for term in one.terms}
        if not ways:
            text = f'the class "<{name}>" has no words' + (f' in "{language}"' if language else "")
            issues.append(Issue(where.path, where.line, where.column, "AG135", text, _WRITE))
        return f"(?i:{'|'.join(sorted(ways, key=lambda way: (-len(way), way)))})"

    return _CLASS.sub(words, pattern)


_WRITE = "write detectors/languages/<lang>/classes.txt"


def _written(slots: Sequence[Word], typed: Mapping[int, str]) -> str:
    """How the words of an entry are written, with marks and without."""
    pattern = ""
    for slot in slots:
        ways = {
            *(re.escape(way) for form in slot.forms for way in (form, fold(form), form.translate(typed))),
            *(rf"{re.escape(stem)}\w*" for stem in slot.stems),
            *(rf"\w*{re.escape(end)}" for end in slot.ends),
            *(_written(phrase, typed) for phrase in slot.phrases),
        }
        longest = sorted(ways, key=lambda way: (-len(way), way))
        one = longest[0] if len(longest) == 1 else f"(?:{'|'.join(longest)})"
        one = f"{_BETWEEN}{one}" if pattern else one
        pattern += f"(?:{one})?" if slot.optional else one
    return pattern

"""
The signs of an entry: what stands in it, in brackets or not.

Comes in: an entry, folded, with the paradigms and classes of its language. Goes out: its items.
"""

from __future__ import annotations

import re

from aigov_eval.model import Word
from aigov_eval.pack.entry_items import FREE, SEPARATOR, Classes, Flat, Group, Item, Language, Piece
from aigov_eval.pack.inflecting import EntryError, Paradigms, forms_of
from aigov_eval.text.views import WORD

DEFAULT_GAP = 3

_TOKEN = re.compile(
    rf"(?P<word>{WORD.pattern})(?:(?P<star>\*)|~(?P<paradigm>[^\s|()~]+))?"
    r"|<(?P<class>[a-z][a-z0-9_]*)>"
    r"|(?P<free>\*(?=[\w(]))"
    r"|(?P<gap>…|\.\.\.|\.\.(?P<count>\d+))"
    rf"|(?P<flat>\((?:{WORD.pattern}\*?\|)*(?:{WORD.pattern}\*?)?\))(?!~)"
    r"|(?P<sign>[(|]|\)(?:~(?P<group_paradigm>[^\s|()~]+))?)"
    r"|(?P<other>[*~]|\.\.)"
    r"|(?P<sep>(?:[^()|*~.…\w<]|_|\.(?!\.)|<(?![a-z][a-z0-9_]*>))+)"
)


def items_of(source: str, text: str, language: Language) -> list[Item]:
    """The items of an entry; `text` is how it is written. Raises EntryError."""
    items, end = _parse(source, list(_TOKEN.finditer(source)), 0, language, depth=0)
    if end != -1:
        raise EntryError(
            "AG122", f'"{text}" closes a bracket that it never opened', "write ( before the alternatives"
        )
    return items


def _parse(
    source: str, tokens: list[re.Match[str]], start: int, language: Language, *, depth: int
) -> tuple[list[Item], int]:
    """The items from token `start` on; at depth 0 to the end, else one bracket's group and the token after it."""
    alternatives: list[list[Item]] = [[]]
    index = start
    while index < len(tokens):
        token = tokens[index]
        index += 1
        kind = token.lastgroup
        if kind == "word":
            _put(alternatives[-1], [Piece((token["word"],))])
        elif kind == "class":
            alternatives[-1].append(_class_of(token["class"], language.classes))
        elif kind == "free":
            alternatives[-1].append(FREE)
        elif kind == "sep":
            alternatives[-1].append(SEPARATOR)
        elif kind == "flat":
            alternatives[-1].append(Flat(tuple(token["flat"][1:-1].split("|"))))
        elif kind == "paradigm":
            _put(
                alternatives[-1],
                _inflected([Piece((token["word"],))], token["paradigm"], language.paradigms),
            )
        elif kind == "star":
            alternatives[-1].append(Piece((token["word"],), stem=True))
        elif kind == "gap":
            alternatives[-1].append(Piece(gap=int(token["count"] or DEFAULT_GAP)))
        elif kind == "other":
            raise EntryError(
                "AG122",
                f'"{token["other"]}" stands alone',
                "write word*, word~paradigm, or a gap as ... or ..2",
            )
        elif token["sign"] == "(":
            group, index = _parse(source, tokens, index, language, depth=depth + 1)
            alternatives[-1] += group
        elif token["sign"] == "|":
            if depth == 0:
                raise EntryError("AG122", f'"{source}" has | outside brackets', "write (this|that)")
            alternatives.append([])
        else:
            if depth == 0:
                return [], index
            if token["group_paradigm"]:
                name = token["group_paradigm"]
                alternatives = [_inflected(one, name, language.paradigms) for one in alternatives]
            return [Group(tuple(tuple(one) for one in alternatives))], index
    if depth:
        raise EntryError(
            "AG122", f'"{source}" opens a bracket and never closes it', "write ) after the alternatives"
        )
    return alternatives[0], -1


def _put(items: list[Item], pieces: list[Item]) -> None:
    """Add the pieces; a star right before them makes an ending of the first."""
    if items and items[-1] is FREE and isinstance(first := pieces[0], Piece):
        items[-1:] = [first._replace(end=True), *pieces[1:]]
    else:
        items += pieces


def _class_of(name: str, classes: Classes) -> Word:
    """The words of a class as one slot; raises EntryError where there are none."""
    if name not in classes:
        from aigov_eval.documents.issues import did_you_mean

        raise EntryError(
            "AG134",
            f'unknown class "<{name}>"',
            did_you_mean(name, classes, otherwise="write detectors/languages/<lang>/classes.txt"),
        )
    word = classes[name]
    if word is None:
        raise EntryError(
            "AG135",
            f'the class "<{name}>" has no words in this language',
            "write detectors/languages/<lang>/classes.txt for the language of this entry",
        )
    return word


def _inflected(items: list[Item], name: str, paradigms: Paradigms) -> list[Item]:
    """The items, the last word with each ending of the paradigm."""
    if name not in paradigms:
        from aigov_eval.documents.issues import did_you_mean

        raise EntryError(
            "AG123",
            f'unknown paradigm "{name}"',
            did_you_mean(name, paradigms, otherwise="add it to detectors/paradigms"),
        )
    last = items[-1] if items else SEPARATOR
    if not (isinstance(last, Piece) and last.forms and not last.stem):
        raise EntryError(
            "AG122", f'"~{name}" has no word to inflect', "every alternative before ~ ends with a plain word"
        )
    forms = dict.fromkeys(one for form in last.forms for one in forms_of(form, name, paradigms))
    return [*items[:-1], Piece(tuple(forms), end=last.end)]

"""
Patterns said again for a linear engine, so that they match at least wherever the original does.

Comes in: a pattern of the pack. Goes out: RE2 text. Lookarounds and back-references are dropped, long
repeats opened, and classes widened by whatever the two engines do not agree on. What that is depends on
the text: there are two alphabets. In most texts every foreign character is read as one sign ("?"), which
keeps automata small; a text with foreign figures, spaces or letters that fold to ASCII ones is read as it is. Method: reference/performance.md, section 3.
"""

from __future__ import annotations

import re
from re import _constants as sre  # the standard library's own parse tree
from typing import Any

from msgspec import Struct

from aigov_eval.detect.parsed import parse
from aigov_eval.detect.prefilter.figures import only_figures

ANY = r"[\x00-\x{10FFFF}]"
# what the engines count as space and the linear one does not
_SPACE = r"\s\x1c-\x1f\x0b\x85"
_REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, getattr(sre, "POSSESSIVE_REPEAT", None))
_ATOMIC = getattr(sre, "ATOMIC_GROUP", None)
# letters beyond ASCII that are the same as k, s or i where the letter case does not count
_FOLDING = frozenset((0x212A, 0x17F, 0x130, 0x131))


class Alphabet(Struct, frozen=True):
    """What stands for every character beyond ASCII (a part of a class), and whether it may be a figure or fold."""

    name: str
    foreign: str
    loose: bool


SHADOW = Alphabet("shadow", r"\x3F", False)
WIDE = Alphabet("wide", r"\x{80}-\x{10FFFF}", True)


def ignores_case(tree: Any) -> bool:
    """Whether a pattern as a whole does not mind the letter case."""
    return bool(tree.state.flags & re.IGNORECASE)


def flagged(text: str, *, ignore: bool) -> str:
    """A rewritten pattern with its flags."""
    return f"(?s{'i' if ignore else ''}){text}"


def group_flag(added: int, removed: int, *, ignore: bool) -> tuple[str, bool]:
    """How a group opens, and whether the letter case counts not in it."""
    here = (ignore or bool(added & re.IGNORECASE)) and not removed & re.IGNORECASE
    return "(?i:" if here and not ignore else "(?-i:" if ignore and not here else "(?:", here


def whole(pattern: str, *, case: bool, alphabet: Alphabet) -> str | None:
    """A whole pattern, with its anchors at the ends of the text; None where it cannot be said."""
    tree = parse(pattern, case=case)
    if tree is None:
        return None
    ignore = ignores_case(tree)
    items = list(tree)
    text = _sequence(items, alphabet, ignore)
    if not text:
        return None
    before = _beside(items, -1, alphabet, ignore)
    after = _beside(items[::-1], 1, alphabet, ignore)
    return flagged(
        (rf"(?:\A|{before})" if before else "") + text + (rf"(?:{after}|\z)" if after else ""), ignore=ignore
    )


def _beside(items: list[Any], side: int, alphabet: Alphabet, ignore: bool) -> str:
    r"""
    The character that may stand beside a match, as far as a lookaround at its end tells; empty where none does.

    The line end is always allowed: texts that are read together have one between them.
    """
    for op, argument in items:
        if op is sre.ASSERT_NOT and argument[0] == side:
            allowed = _undenied(list(argument[1]), alphabet, ignore)
            if allowed:
                return rf"\n|{allowed}"
        elif op not in (sre.AT, sre.ASSERT, sre.ASSERT_NOT):
            break
    return ""


def _undenied(items: list[Any], alphabet: Alphabet, ignore: bool) -> str:
    """What a negative lookaround of one character leaves; longer ways through it are left out."""
    if len(items) != 1:
        return ""
    op, argument = items[0]
    ways = [list(way) for way in argument[1]] if op is sre.BRANCH else [items]
    denied: list[Any] = []
    for way in ways:
        if len(way) == 1 and way[0][0] is sre.LITERAL:
            denied.append(way[0])
        elif len(way) == 1 and way[0][0] is sre.IN:
            inner = way[0][1]
            if inner[0][0] is sre.NEGATE:
                return characters(inner[1:], alphabet, ignore) if len(ways) == 1 else ""
            denied.extend(inner)
    allowed = _denied(denied, alphabet) if denied else ANY
    return "" if allowed == ANY else allowed


def anchored(pattern: str, *, case: bool) -> bool:
    """Whether a pattern begins where the text begins and ends where it ends."""
    tree = parse(pattern, case=case)
    items = list(tree) if tree is not None else []
    return (
        len(items) > 1
        and items[0] == (sre.AT, sre.AT_BEGINNING_STRING)
        and items[-1] == (sre.AT, sre.AT_END_STRING)
    )


def _sequence(items: list[Any], alphabet: Alphabet, ignore: bool) -> str:
    parts = []
    for at, (op, argument) in enumerate(items):
        if op is sre.AT and argument is sre.AT_BOUNDARY:
            parts.append(boundary(items, at, alphabet))
        else:
            parts.append(_item(op, argument, alphabet, ignore))
    return "".join(parts)


def _item(op: Any, argument: Any, alphabet: Alphabet, ignore: bool) -> str:
    if op is sre.LITERAL:
        return literal(argument, alphabet, ignore)
    if op is sre.NOT_LITERAL:
        return characters([(sre.NEGATE, None), (sre.LITERAL, argument)], alphabet, ignore)
    if op is sre.ANY:
        return ANY
    if op is sre.IN:
        return characters(argument, alphabet, ignore)
    if op is sre.BRANCH:
        return "(?:" + "|".join(_sequence(list(branch), alphabet, ignore) for branch in argument[1]) + ")"
    if op is sre.SUBPATTERN:
        _, added, removed, inner = argument
        flag, here = group_flag(added, removed, ignore=ignore)
        return f"{flag}{_sequence(list(inner), alphabet, here)})"
    if op in _REPEATS:
        return _repeated(argument, alphabet, ignore)
    if op is _ATOMIC:
        return f"(?:{_sequence(list(argument), alphabet, ignore)})"
    if op is sre.AT:
        return {sre.AT_BEGINNING_STRING: r"\A", sre.AT_END_STRING: r"\z"}.get(argument, "")
    if op in (sre.ASSERT, sre.ASSERT_NOT):
        return ""
    return f"{ANY}*"  # back-references and conditionals: something may stand here


def _repeated(argument: Any, alphabet: Alphabet, ignore: bool) -> str:
    """A repeat; a long one is opened upwards, because counting multiplies the states of an automaton."""
    least, most, inner = argument
    text = _sequence(list(inner), alphabet, ignore)
    if not text:
        return ""
    figures = only_figures(inner)
    if most is not sre.MAXREPEAT and most <= (20 if figures or least == most else 6):
        return f"(?:{text}){{{least},{most}}}"
    least = min(least, 20 if figures else 8)
    return f"(?:{text}){'*' if not least else '+' if least == 1 else f'{{{least},}}'}"


def boundary(items: list[Any], at: int, alphabet: Alphabet) -> str:
    r"""
    The edge of a word, where it means the same.

    Beside a sure ASCII letter or figure, an edge to a foreign character may be one or none: read as a
    sign it is one, which lets too much through and never too little. Elsewhere the edge is left out.
    """
    if alphabet is SHADOW and (
        (at > 0 and _sure(items[at - 1], last=True))
        or (at + 1 < len(items) and _sure(items[at + 1], last=False))
    ):
        return r"\b"
    return ""


def _sure(item: Any, *, last: bool) -> bool:
    """Whether an item surely begins (or ends) with an ASCII letter, figure or underscore."""
    op, argument = item
    if op is sre.LITERAL:
        return argument < 128 and (chr(argument).isalnum() or argument == ord("_"))
    if op is sre.IN:
        return all(
            (o is sre.LITERAL and a < 128 and (chr(a).isalnum() or a == ord("_")))
            or (o is sre.RANGE and a[1] < 128 and all(chr(c).isalnum() for c in range(a[0], a[1] + 1)))
            or (o is sre.CATEGORY and a is sre.CATEGORY_DIGIT)
            for o, a in argument
        )
    if op is sre.SUBPATTERN:
        return _sure_end(argument[3], last=last)
    if op is sre.BRANCH:
        return all(_sure_end(branch, last=last) for branch in argument[1])
    if op in _REPEATS:
        return argument[0] > 0 and _sure_end(argument[2], last=last)
    return False


def _sure_end(items: Any, *, last: bool) -> bool:
    listed = list(items)
    return bool(listed) and _sure(listed[-1 if last else 0], last=last)


def literal(code: int, alphabet: Alphabet, ignore: bool) -> str:
    """A character as written, and whatever equals it in some engine."""
    text = rf"\x{{{code:X}}}"
    if code < 128:
        if alphabet.loose and ignore and chr(code).lower() in "ksi":
            return f"[{text}{alphabet.foreign}]"
        return text
    if ignore and code in _FOLDING:
        return f"[{alphabet.foreign}kKsSiI]"
    return f"[{alphabet.foreign}]"


def characters(items: Any, alphabet: Alphabet, ignore: bool) -> str:
    """A class of characters, widened."""
    if items and items[0][0] is sre.NEGATE:
        return _denied(items[1:], alphabet)
    parts = []
    for op, argument in items:
        if op is sre.LITERAL:
            parts.append(
                rf"\x{{{argument:X}}}" if argument < 128 else _beyond(argument, argument, alphabet, ignore)
            )
        elif op is sre.RANGE:
            low, high = argument
            if low < 128:
                parts.append(rf"\x{{{low:X}}}-\x{{{min(high, 127):X}}}")
            if high >= 128:
                parts.append(_beyond(max(low, 128), high, alphabet, ignore))
        elif op is sre.CATEGORY:
            known = {
                sre.CATEGORY_DIGIT: r"\d",
                sre.CATEGORY_WORD: r"\w",
                sre.CATEGORY_SPACE: _SPACE,
                sre.CATEGORY_NOT_DIGIT: r"\D",
                sre.CATEGORY_NOT_WORD: r"\W",
                sre.CATEGORY_NOT_SPACE: r"\S\x0b",
            }.get(argument)
            if known is None:
                return ANY
            foreign = alphabet.loose or argument is not sre.CATEGORY_DIGIT
            parts.append(known + (alphabet.foreign if foreign else ""))
        else:
            return ANY
    if alphabet.loose and ignore:
        parts.append(alphabet.foreign)
    return "[" + "".join(dict.fromkeys(parts)) + "]"


def _beyond(low: int, high: int, alphabet: Alphabet, ignore: bool) -> str:
    folding = ignore and any(low <= code <= high for code in _FOLDING)
    return alphabet.foreign + ("kKsSiI" if folding else "")


def _denied(items: Any, alphabet: Alphabet) -> str:
    """A class that denies characters; where in doubt it denies fewer."""
    for op, argument in items:
        # what is not a non-word is a word, whatever else is denied
        within = {
            sre.CATEGORY_NOT_WORD: r"\w",
            sre.CATEGORY_NOT_DIGIT: r"\d",
            sre.CATEGORY_NOT_SPACE: _SPACE,
        }.get(argument)
        if op is sre.CATEGORY and within is not None:
            return f"[{within}{alphabet.foreign}]"
    if alphabet.loose:
        return ANY
    sign = ord("?")  # a foreign character looks like it, and is not denied
    parts = []
    for op, argument in items:
        if op is sre.LITERAL:
            if argument < 128 and argument != sign:
                parts.append(rf"\x{{{argument:X}}}")
        elif op is sre.RANGE:
            low, high = argument
            if low < 128 and not low <= sign <= high:
                parts.append(rf"\x{{{low:X}}}-\x{{{min(high, 127):X}}}")
        elif op is sre.CATEGORY and argument in (sre.CATEGORY_DIGIT, sre.CATEGORY_WORD):
            parts.append(r"\d" if argument is sre.CATEGORY_DIGIT else r"\w")
        elif op is sre.CATEGORY and argument is sre.CATEGORY_SPACE:
            parts.append(r"\s")
        else:
            return ANY
    return "[^" + "".join(parts) + "]" if parts else ANY

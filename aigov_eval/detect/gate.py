"""
The gate: one linear pass over a text that says which patterns can possibly match.

Comes in: the patterns of all finds. Goes out: for a text, the numbers of the patterns to run.
Each pattern is rewritten into one that matches whenever the original can (lookarounds and
anchors dropped, trailing repeats cut to their least, classes widened by every non-ASCII
character where the text is not ASCII), so the gate may let through too much and never too
little; a property test holds it to that. Method: reference/performance.md, section 3.
A pattern that cannot be rewritten is always run.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from re import _constants as sre  # type: ignore[attr-defined]  # the standard library's own parse tree
from re import _parser as sre_parse  # type: ignore[attr-defined]
from typing import Any

_MAX_REPEAT = 60  # RE2 refuses large counted repeats; more than this only narrows further
_ANY = r"[\x00-\x{10FFFF}]"
_NON_ASCII = r"\x{80}-\x{10FFFF}"
# what the engines count as space and the linear one does not
_SPACE = r"\s\x1c-\x1f\x0b\x85"


# a set is compiled when it pays: until so many texts were seen, one set serves all of them
_PATIENCE = 200


@dataclass(frozen=True, slots=True)
class Gate:
    """
    The rewritten patterns: `narrow` for ASCII texts, `wide` for any text; None where one always runs.

    The sets are compiled when texts need them and kept in `compiled`, which is the only part that
    changes; it changes no result. A `patient` gate lets everything through until enough texts came.
    """

    narrow: tuple[str | None, ...]
    wide: tuple[str | None, ...]
    patient: bool = False
    compiled: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def fired(self, plain: str) -> frozenset[int] | set[int] | range:
        """The numbers of the patterns that can match somewhere in this text."""
        seen = self.compiled["seen"] = self.compiled.get("seen", 0) + 1
        if self.patient and seen <= _PATIENCE:
            return range(len(self.wide))
        name = "narrow" if plain.isascii() and (seen > _PATIENCE or "wide" not in self.compiled) else "wide"
        if name not in self.compiled:
            self.compiled[name] = _compile(self.narrow if name == "narrow" else self.wide)
        compiled: tuple[Any, list[int], frozenset[int]] = self.compiled[name]
        chosen, numbers, always = compiled
        if chosen is None:
            return always
        hits = chosen.Match(plain)
        return always.union([numbers[i] for i in hits]) if hits else always


def build_gate(patterns: Sequence[str], *, case: Sequence[bool], patient: bool = False) -> Gate:
    """The gate over these patterns; `case[i]` tells whether pattern i minds the letter case."""
    narrow, wide = (
        tuple(_rewrite(p, c, wide=w) for p, c in zip(patterns, case, strict=True)) for w in (False, True)
    )
    return Gate(narrow, wide, patient)


def _compile(rewritten: Sequence[str | None]) -> tuple[Any, list[int], frozenset[int]]:
    try:
        import re2
    except ImportError:  # no wheel on this platform: every pattern runs, the findings are the same
        return None, [], frozenset(range(len(rewritten)))
    options = re2.Options()
    options.max_mem = 256 << 20
    options.log_errors = False
    chosen = re2.Set.SearchSet(options)
    numbers: list[int] = []
    always = []
    for number, pattern in enumerate(rewritten):
        try:
            added = -1 if pattern is None else chosen.Add(pattern)
        except re2.error:
            added = -1
        if added < 0:
            always.append(number)
        else:
            numbers.append(number)
    if not numbers:
        return None, [], frozenset(always)
    chosen.Compile()
    return chosen, numbers, frozenset(always)


def _rewrite(pattern: str, case: bool, *, wide: bool) -> str | None:
    try:
        tree = sre_parse.parse(pattern, 0 if case else re.IGNORECASE)
    except (re.error, RecursionError, OverflowError):
        return None
    ignore = bool(tree.state.flags & re.IGNORECASE)
    groups: dict[int, str] = {}
    body = _sequence(tree, wide, ignore, groups, edge=True)
    return None if body is None else f"(?s{'i' if ignore else ''}){body}"


def _sequence(
    items: Any, wide: bool, ignore: bool, groups: dict[int, str], *, edge: bool = False
) -> str | None:
    parts = [_item(op, argument, wide, ignore, groups) for op, argument in items]
    if edge:
        # a repeat at either end may be cut to its least: the rest only says where the match stops
        listed = list(items)
        for i in (0, len(listed) - 1):
            if listed and listed[i][0] in (sre.MAX_REPEAT, sre.MIN_REPEAT):
                least, _, inner = listed[i][1]
                once = _sequence(inner, wide, ignore, groups)
                parts[i] = (
                    None if once is None else (f"(?:{once}){{{least}}}" if 0 < least <= _MAX_REPEAT else "")
                )
    if any(part is None for part in parts):
        return None
    return "".join(part for part in parts if part is not None)


def _item(op: Any, argument: Any, wide: bool, ignore: bool, groups: dict[int, str]) -> str | None:
    if op is sre.LITERAL:
        return _literal(argument, wide, ignore)
    if op is sre.NOT_LITERAL or op is sre.ANY:
        return _ANY
    if op is sre.IN:
        return _class(argument, wide, ignore)
    if op is sre.BRANCH:
        branches = [_sequence(branch, wide, ignore, groups) for branch in argument[1]]
        return None if any(b is None for b in branches) else "(?:" + "|".join(b or "" for b in branches) + ")"
    if op is sre.SUBPATTERN:
        number, added, removed, inner = argument
        here = (ignore or bool(added & re.IGNORECASE)) and not removed & re.IGNORECASE
        body = _sequence(inner, wide, here, groups)
        if body is None:
            return None
        flag = "(?i:" if here and not ignore else "(?-i:" if ignore and not here else "(?:"
        text = f"{flag}{body})"
        if number is not None:
            groups[number] = text
        return text
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, getattr(sre, "POSSESSIVE_REPEAT", None)):
        return _repeat(argument, wide, ignore, groups)
    if op is getattr(sre, "ATOMIC_GROUP", None):
        body = _sequence(argument, wide, ignore, groups)
        return None if body is None else f"(?:{body})"
    if op is sre.AT:
        if not wide and argument in (sre.AT_BOUNDARY,):
            return r"\b"
        return ""
    if op in (sre.ASSERT, sre.ASSERT_NOT):
        return ""
    if op is sre.GROUPREF:
        return groups.get(argument)
    if op is sre.GROUPREF_EXISTS:
        return None
    return None


def _repeat(argument: Any, wide: bool, ignore: bool, groups: dict[int, str]) -> str | None:
    least, most, inner = argument
    body = _sequence(inner, wide, ignore, groups)
    if body is None:
        return None
    if least == 0 and most == 1:
        return f"(?:{body})?"
    if most is sre.MAXREPEAT or most > _MAX_REPEAT:
        return f"(?:{body})*" if least == 0 else f"(?:{body}){{{min(least, _MAX_REPEAT)},}}"
    return f"(?:{body}){{{least},{most}}}"


def _literal(code: int, wide: bool, ignore: bool) -> str:
    text = rf"\x{{{code:X}}}"
    if code < 128:
        # under ignore-case some non-ASCII characters fold to k, s and i (KELVIN SIGN, LONG S, dotted I)
        if wide and ignore and chr(code).lower() in "ksi":
            return f"[{text}{_NON_ASCII}]"
        return text
    return f"[{_NON_ASCII}]"


def _class(items: Any, wide: bool, ignore: bool) -> str:
    if items and items[0][0] is sre.NEGATE:
        for op, argument in items[1:]:
            # what is not a non-word is a word, whatever else is denied
            within = {
                sre.CATEGORY_NOT_WORD: r"\w",
                sre.CATEGORY_NOT_DIGIT: r"\d",
                sre.CATEGORY_NOT_SPACE: _SPACE,
            }.get(argument)
            if op is sre.CATEGORY and within is not None:
                return f"[{within}{_NON_ASCII if wide else ''}]"
        # widening what is denied would narrow the class
        return _ANY if wide else _negated(items[1:])
    parts = []
    for op, argument in items:
        if op is sre.LITERAL:
            parts.append(rf"\x{{{argument:X}}}" if argument < 128 else _NON_ASCII)
        elif op is sre.RANGE:
            low, high = argument
            parts.append(
                rf"\x{{{low:X}}}-\x{{{high:X}}}"
                if high < 128
                else (rf"\x{{{min(low, 127):X}}}-\x7f" if low < 128 else "") + _NON_ASCII
            )
        elif op is sre.CATEGORY:
            known = {sre.CATEGORY_DIGIT: r"\d", sre.CATEGORY_WORD: r"\w", sre.CATEGORY_SPACE: _SPACE}.get(
                argument
            )
            if known is None:
                return _ANY
            parts.append(known + (_NON_ASCII if wide else ""))
        else:
            return _ANY
    if wide and ignore:
        parts.append(_NON_ASCII)
    return "[" + "".join(parts) + "]"


def _negated(items: Any) -> str:
    parts = []
    for op, argument in items:
        if op is sre.LITERAL and argument < 128:
            parts.append(rf"\x{{{argument:X}}}")
        elif op is sre.RANGE and argument[1] < 128:
            parts.append(rf"\x{{{argument[0]:X}}}-\x{{{argument[1]:X}}}")
        elif op is sre.CATEGORY and argument in (sre.CATEGORY_DIGIT, sre.CATEGORY_WORD):
            parts.append(r"\d" if argument is sre.CATEGORY_DIGIT else r"\w")
        elif op is sre.LITERAL or op is sre.RANGE:
            continue  # not in an ASCII text
        else:
            return _ANY
    return "[^" + "".join(parts) + "]" if parts else _ANY

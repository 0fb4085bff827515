"""
The gate: one linear pass over a text that says which patterns can possibly match.

Comes in: the patterns of all finds. Goes out: for a text, the numbers of the patterns to run.
Of each pattern the part is kept that tells most and stays small: a row of literals, classes and
short repeats that stands in every match (lookarounds and anchors dropped, classes widened by every
non-ASCII character where the text is not ASCII), so the gate may let through too much and never
too little; a property test holds it to that. Whole patterns would make one automaton whose states
multiply: measured, a fiftieth of the speed. Method: reference/performance.md, section 3.
A pattern that cannot be rewritten is always run.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from re import _constants as sre  # type: ignore[attr-defined]  # the standard library's own parse tree
from re import _parser as sre_parse  # type: ignore[attr-defined]
from typing import Any

# a row that tells less than this lets nearly every text through: its pattern always runs
_LEAST_BITS = 1.5
_ANY = r"[\x00-\x{10FFFF}]"
_NON_ASCII = r"\x{80}-\x{10FFFF}"
# what the engines count as space and the linear one does not
_SPACE = r"\s\x1c-\x1f\x0b\x85"


# a set is compiled when it pays: until so many texts were seen, one set serves all of them
_PATIENCE = 200
# members of one set: the states of an automaton multiply with its members (measured: 177 in one set
# read 2 MB/s, the same in sets of sixteen 14 MB/s)
_MEMBERS = 16
# figures near each other, from which a text is asked for numbers of that length
_LONG = 5
_LONG_RUN = rf"[\d\x{{80}}-\x{{10FFFF}}](?:[^0-9A-Za-z]{{0,2}}[\d\x{{80}}-\x{{10FFFF}}]){{{_LONG - 1}}}"


@dataclass(frozen=True, slots=True)
class Gate:
    """
    The rewritten patterns: `narrow` for ASCII texts, `wide` for any text; None where one always runs.

    `figures[i]` is how many figures in a row every match of pattern i holds: a text without so many
    need not be asked. The sets are compiled when texts need them and kept in `compiled`, which is the
    only part that changes; it changes no result. A `patient` gate lets everything through until
    enough texts came.
    """

    narrow: tuple[str | None, ...]
    wide: tuple[str | None, ...]
    figures: tuple[int, ...]
    patient: bool = False
    compiled: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def fired(self, plain: str) -> set[int] | range:
        """The numbers of the patterns that can match somewhere in this text."""
        seen = self.compiled["seen"] = self.compiled.get("seen", 0) + 1
        if self.patient and seen <= _PATIENCE:
            return range(len(self.wide))
        ascii_only = plain.isascii()
        name = "narrow" if ascii_only and (seen > _PATIENCE or "wide" not in self.compiled) else "wide"
        if name not in self.compiled:
            self.compiled[name] = _Sets(self.narrow if name == "narrow" else self.wide, self.figures)
        sets: _Sets = self.compiled[name]
        fired: set[int] = set()
        for need in (0, 1, _LONG):
            if need == 1 and ascii_only and not _FIGURE.search(plain):
                break
            if need == _LONG and not sets.has_long_run(plain):
                break
            for chosen, numbers, always in sets.of(need):
                fired.update(always)
                if chosen is not None:
                    fired.update([numbers[i] for i in chosen.Match(plain) or ()])
        return fired


_FIGURE = re.compile(r"[0-9]")


class _Sets:
    """The compiled sets of one alphabet, by the figures they need; each is compiled at its first use."""

    def __init__(self, rewritten: Sequence[str | None], figures: Sequence[int]) -> None:
        self._rewritten = rewritten
        self._members: dict[int, list[int]] = {0: [], 1: [], _LONG: []}
        for number, count in enumerate(figures):
            self._members[_LONG if count >= _LONG else min(count, 1)].append(number)
        self._compiled: dict[int, list[tuple[Any, list[int], frozenset[int]]]] = {}
        self._long: Any = None

    def of(self, need: int) -> list[tuple[Any, list[int], frozenset[int]]]:
        """The sets of the patterns that need that many figures."""
        if need not in self._compiled:
            members = self._members[need]
            self._compiled[need] = [
                _compile(self._rewritten, members[at : at + _MEMBERS]) for at in range(0, len(members), _MEMBERS)
            ]
        return self._compiled[need]

    def has_long_run(self, plain: str) -> bool:
        """Whether so many figures stand near each other (or might, in a text that is not ASCII)."""
        if self._long is None:
            self._long = _compile([_LONG_RUN], [0])[0] or False
        return not self._long or bool(self._long.Match(plain))


def build_gate(patterns: Sequence[str], *, case: Sequence[bool], patient: bool = False) -> Gate:
    """The gate over these patterns; `case[i]` tells whether pattern i minds the letter case."""
    narrow, wide = (
        tuple(_rewrite(p, c, wide=w) for p, c in zip(patterns, case, strict=True)) for w in (False, True)
    )
    return Gate(narrow, wide, tuple(_figures_needed(p) for p in patterns), patient)


def _compile(rewritten: Sequence[str | None], members: Sequence[int]) -> tuple[Any, list[int], frozenset[int]]:
    try:
        import re2
    except ImportError:  # no wheel on this platform: every pattern runs, the findings are the same
        return None, [], frozenset(members)
    options = re2.Options()
    options.max_mem = 64 << 20
    options.log_errors = False
    chosen = re2.Set.SearchSet(options)
    numbers: list[int] = []
    always = []
    for number in members:
        pattern = rewritten[number]
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


def _figures_needed(pattern: str) -> int:
    """A number of figures that stands in a row (at most two signs between them) in every match."""
    try:
        tree = sre_parse.parse(pattern, re.IGNORECASE)
    except (re.error, RecursionError, OverflowError):
        return 0
    return _longest_run(tree)


def _longest_run(items: Any) -> int:
    best = run = 0
    for op, argument in items:
        count, ends = _figures_of(op, argument)
        if ends:
            best, run = max(best, run, count), 0
        else:
            run += count
    return max(best, run)


def _figures_of(op: Any, argument: Any) -> tuple[int, bool]:
    """The figures that an item surely holds, and whether it ends a row of figures."""
    if op in (sre.AT, sre.ASSERT, sre.ASSERT_NOT):
        return 0, False
    if op is sre.LITERAL:
        return (1, False) if chr(argument).isdigit() else (0, True)
    if op is sre.IN:
        return (1, False) if _only_figures([(op, argument)]) and _holds_figures(argument) else (0, True)
    if op is sre.SUBPATTERN:
        return _run_through(argument[3])
    if op is sre.BRANCH:
        return min(_longest_run(branch) for branch in argument[1]), True
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT):
        least, most, inner = argument
        listed = list(inner)
        if len(listed) == 1 and listed[0][0] is sre.IN and _only_figures(inner):
            if all(o is sre.LITERAL and not chr(a).isalnum() for o, a in listed[0][1]):
                return 0, most > 2 or most is sre.MAXREPEAT  # a sign between figures
            return (least, False) if _holds_figures(listed[0][1]) else (0, True)
        if len(listed) == 1 and listed[0][0] is sre.LITERAL and not chr(listed[0][1]).isalnum():
            return 0, most is sre.MAXREPEAT or most > 2
        if not least:
            return 0, True
        count, ends = _run_through(inner)
        return (count, True) if ends else (least * count, False)
    return 0, True


def _run_through(items: Any) -> tuple[int, bool]:
    """The figures of a group, and whether something in it ends a row of figures."""
    found = [_figures_of(op, argument) for op, argument in items]
    if any(ends for _, ends in found):
        return _longest_run(items), True
    return sum(count for count, _ in found), False


def _holds_figures(items: Any) -> bool:
    """Whether a class is of figures alone."""
    return all(
        (op is sre.CATEGORY and argument is sre.CATEGORY_DIGIT)
        or (op is sre.RANGE and argument[0] >= ord("0") and argument[1] <= ord("9"))
        or (op is sre.LITERAL and chr(argument).isdigit())
        for op, argument in items
    )


def _rewrite(pattern: str, case: bool, *, wide: bool) -> str | None:
    try:
        tree = sre_parse.parse(pattern, 0 if case else re.IGNORECASE)
    except (re.error, RecursionError, OverflowError):
        return None
    ignore = bool(tree.state.flags & re.IGNORECASE)
    best = _best(_pieces(tree, wide, ignore))
    return None if best is None else f"(?s{'i' if ignore else ''}){best.text}"


def start_of(pattern: str, case: bool) -> tuple[str, int] | None:
    """
    Where a pattern can begin: a linear pattern of words, and how many characters at most stand before it.

    Only for patterns whose telling part begins with letters as written, which are the ones that cost
    an ordinary engine most: it tries every alternative at every place. None for all others.
    """
    try:
        tree = sre_parse.parse(pattern, 0 if case else re.IGNORECASE)
    except (re.error, RecursionError, OverflowError):
        return None
    before = 0
    ignore = bool(tree.state.flags & re.IGNORECASE)
    for op, argument in tree:
        if op in (sre.AT, sre.ASSERT, sre.ASSERT_NOT):
            continue
        piece = _piece(op, argument, True, ignore)
        if piece.sharp and piece.bits >= 4.0 and _worded(op, argument):
            return f"(?s{'i' if ignore else ''}){piece.text}", before
        width = _width(op, argument)
        if width is None or before + width > 40:
            return None
        before += width
    return None


def _worded(op: Any, argument: Any) -> bool:
    """Whether an item begins with a letter as written, whichever way it goes."""
    if op is sre.LITERAL:
        return chr(argument).isalpha()
    if op is sre.BRANCH:
        return all(branch and _worded(*branch[0]) for branch in argument[1])
    if op is sre.SUBPATTERN:
        return bool(argument[3]) and _worded(*argument[3][0])
    if op is sre.IN:
        return all(o is sre.LITERAL and chr(a).isalpha() for o, a in argument)
    return False


def _width(op: Any, argument: Any) -> int | None:
    """The most characters that an item can take; None where there is no bound."""
    if op in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
        return 1
    if op is sre.SUBPATTERN:
        return _widths(argument[3])
    if op is sre.BRANCH:
        widths = [_widths(branch) for branch in argument[1]]
        return None if None in widths else max(w for w in widths if w is not None)
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT):
        _, most, inner = argument
        width = _widths(inner)
        return None if most is sre.MAXREPEAT or width is None else int(most) * width
    return 0 if op in (sre.AT, sre.ASSERT, sre.ASSERT_NOT) else None


def _widths(items: Any) -> int | None:
    widths = [_width(op, argument) for op, argument in items]
    return None if None in widths else sum(w for w in widths if w is not None)


@dataclass(frozen=True, slots=True)
class _Piece:
    """
    A part of a rewritten pattern, and how much it tells: about the bits by which a chance place fails it.

    A `sharp` piece is short and bounded, so that pieces can stand in a row without making the automaton
    large. A piece that is not sharp ends a row; `text` is what surely stands where the row ends.
    """

    text: str
    bits: float
    sharp: bool = True
    inside: tuple[_Piece, ...] = ()


def _best(pieces: Sequence[_Piece]) -> _Piece | None:
    """
    The row of pieces that tells most; what else a match needs is left out.

    Every piece of a row stands in every match of the pattern, side by side, so the row matches
    wherever the pattern does.
    """
    rows: list[_Piece] = []
    text, bits = "", 0.0
    for piece in pieces:
        text, bits = text + piece.text, bits + piece.bits
        if not piece.sharp:
            rows.append(_Piece(text, bits))
            rows.extend(piece.inside)
            text, bits = piece.text, piece.bits
    rows.append(_Piece(text, bits))
    best = max(rows, key=lambda row: row.bits)
    return best if best.bits >= _LEAST_BITS else None


def _pieces(items: Any, wide: bool, ignore: bool) -> list[_Piece]:
    return [_piece(op, argument, wide, ignore) for op, argument in items]


def _piece(op: Any, argument: Any, wide: bool, ignore: bool) -> _Piece:
    if op is sre.LITERAL:
        return _Piece(_literal(argument, wide, ignore), 4.0 if chr(argument).isalnum() else 3.0 if argument != 32 else 1.0)
    if op is sre.NOT_LITERAL or op is sre.ANY:
        return _Piece(_ANY, 0.0)
    if op is sre.IN:
        return _Piece(_class(argument, wide, ignore), _bits_of_class(argument))
    if op is sre.BRANCH:
        return _branch([_pieces(branch, wide, ignore) for branch in argument[1]])
    if op is sre.SUBPATTERN:
        _, added, removed, inner = argument
        here = (ignore or bool(added & re.IGNORECASE)) and not removed & re.IGNORECASE
        flag = "(?i:" if here and not ignore else "(?-i:" if ignore and not here else "(?:"
        return _grouped(_pieces(inner, wide, here), flag)
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, getattr(sre, "POSSESSIVE_REPEAT", None)):
        return _repeat(argument, wide, ignore)
    if op is getattr(sre, "ATOMIC_GROUP", None):
        return _grouped(_pieces(argument, wide, ignore), "(?:")
    if op is sre.AT and argument is sre.AT_BOUNDARY and not wide:
        return _Piece(r"\b", 0.5)
    if op in (sre.AT, sre.ASSERT, sre.ASSERT_NOT):
        return _Piece("", 0.0)
    # back-references and conditionals: something may stand here
    return _Piece("", 0.0, sharp=False)


def _grouped(pieces: list[_Piece], flag: str) -> _Piece:
    if all(piece.sharp for piece in pieces):
        return _Piece(flag + "".join(p.text for p in pieces) + ")", sum(p.bits for p in pieces))
    best = _best(pieces)
    return _Piece("", 0.0, sharp=False, inside=(_Piece(f"{flag}{best.text})", best.bits),) if best else ())


def _branch(branches: list[list[_Piece]]) -> _Piece:
    if all(piece.sharp for branch in branches for piece in branch):
        texts = ["".join(p.text for p in branch) for branch in branches]
        return _Piece("(?:" + "|".join(texts) + ")", min(sum(p.bits for p in branch) for branch in branches))
    bests = [_best(branch) for branch in branches]
    if any(best is None for best in bests):
        return _Piece("", 0.0, sharp=False)
    either = _Piece("(?:" + "|".join(b.text for b in bests if b) + ")", min(b.bits for b in bests if b))
    return _Piece("", 0.0, sharp=False, inside=(either,))


def _repeat(argument: Any, wide: bool, ignore: bool) -> _Piece:
    """
    A repeat: sharp where it is short or made of figures, whose count tells values apart.

    Of any longer one its least number of times, at most two, stands at the end of a row.
    """
    least, most, inner = argument
    pieces = _pieces(inner, wide, ignore)
    figures = _only_figures(inner)
    if all(piece.sharp for piece in pieces):
        text, bits = "".join(p.text for p in pieces), sum(p.bits for p in pieces)
        bound = 20 if figures or least == most else 4 if len(pieces) == 1 else 2
        if most is not sre.MAXREPEAT and most <= bound and len(pieces) * most <= 40:
            return _Piece(f"(?:{text}){{{least},{most}}}", least * bits)
        kept = min(least, 20 if figures else 8 if len(pieces) <= 2 else 2)
        return _Piece(f"(?:{text}){{{kept}}}" if kept else "", kept * bits, sharp=False)
    best = _best(pieces) if least else None
    return _Piece("", 0.0, sharp=False, inside=(best,) if best else ())


def _bits_of_class(items: Any) -> float:
    """How much a class tells: a figure more than a letter, a letter more than anything."""
    if items[0][0] is sre.NEGATE:
        return 0.2
    size = 0
    for op, argument in items:
        if op is sre.LITERAL:
            size += 1
        elif op is sre.RANGE:
            size += argument[1] - argument[0] + 1
        elif op is sre.CATEGORY and argument is sre.CATEGORY_DIGIT:
            size += 10
        elif op is sre.CATEGORY and argument is sre.CATEGORY_SPACE:
            return 0.5
        else:
            return 0.3
    return 3.0 if size <= 10 else 1.0 if size <= 30 else 0.5


def _only_figures(inner: Any) -> bool:
    """Whether a repeated part is one figure, or a figure with something small around it."""
    for op, argument in inner:
        if op is sre.IN and argument[0][0] is not sre.NEGATE:
            if all(
                (o is sre.CATEGORY and a is sre.CATEGORY_DIGIT)
                or (o is sre.RANGE and a[0] >= ord("0") and a[1] <= ord("9"))
                or (o is sre.LITERAL and not chr(a).isalpha())
                for o, a in argument
            ):
                continue
            return False
        if op in (sre.MAX_REPEAT, sre.MIN_REPEAT) and argument[1] is not sre.MAXREPEAT and argument[1] <= 2:
            if _only_figures(argument[2]):
                continue
            return False
        if op is sre.LITERAL and not chr(argument).isalpha():
            continue
        return False
    return True


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

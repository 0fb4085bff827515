"""
Rows: of a pattern the part that tells most and stays small, for sets of many patterns.

Comes in: a pattern of the pack. Goes out: RE2 text that matches wherever the pattern does. A row is of
literals, classes and short repeats, side by side in every match. Whole patterns in one set would make
one automaton whose states multiply: measured, a fiftieth of the speed.
"""

from __future__ import annotations

from collections.abc import Sequence
from re import _constants as sre  # the standard library's own parse tree
from typing import Any

from msgspec import Struct

from aigov_eval.detect.parsed import parse
from aigov_eval.detect.prefilter import rewriting
from aigov_eval.detect.prefilter.figures import only_figures
from aigov_eval.detect.prefilter.rewriting import Alphabet

# a row that tells less than this lets nearly every text through
_LEAST_BITS = 1.5
_DULL_BITS = 0.5  # what a class of most letters tells
_ENOUGH_BITS = 12.0  # what a row tells without dull ends that are left out


def row_of(pattern: str, *, case: bool, alphabet: Alphabet) -> tuple[str, float] | None:
    """The row of a pattern that tells most, and how much; None where none tells enough."""
    tree = parse(pattern, case=case)
    if tree is None:
        return None
    ignore = rewriting.ignores_case(tree)
    best = _best(_pieces(tree, alphabet, ignore))
    return None if best is None else (rewriting.flagged(best.text, ignore=ignore), best.bits)


def begins_anywhere(pattern: str) -> bool:
    """Whether a pattern can begin with nearly any character: such ones keep an automaton of many patterns busy."""
    tree = parse(pattern, case=False)
    first = next((item for item in tree or () if item[0] not in (sre.AT, sre.ASSERT, sre.ASSERT_NOT)), None)
    return first is None or not _sharp_start(*first)


def _sharp_start(op: Any, argument: Any) -> bool:
    if op is sre.LITERAL:
        return True
    if op is sre.IN:
        return _bits_of_class(argument) > _DULL_BITS
    if op is sre.BRANCH:
        return all(branch and _sharp_start(*branch[0]) for branch in argument[1])
    if op is sre.SUBPATTERN:
        inner = [item for item in argument[3] if item[0] is not sre.AT]
        return bool(inner) and _sharp_start(*inner[0])
    return op in (sre.MAX_REPEAT, sre.MIN_REPEAT) and argument[0] > 0 and _sharp_start(*argument[2][0])


def start_of(pattern: str, case: bool) -> tuple[str, int] | None:
    """
    Where a pattern can begin: a linear pattern of words, and how many characters at most stand before it.

    Only for patterns whose telling part begins with letters as written, which are the ones that cost
    an ordinary engine most: it tries every alternative at every place. None for all others.
    """
    tree = parse(pattern, case=case)
    if tree is None:
        return None
    before = 0
    ignore = rewriting.ignores_case(tree)
    for op, argument in tree:
        if op in (sre.AT, sre.ASSERT, sre.ASSERT_NOT):
            continue
        piece = _piece(op, argument, rewriting.WIDE, ignore)
        if piece.sharp and piece.bits >= 4.0 and _worded(op, argument):
            return rewriting.flagged(piece.text, ignore=ignore), before
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


class _Piece(Struct, frozen=True):
    """
    A part of a rewritten pattern, and how much it tells: about the bits by which a chance place fails it.

    A `sharp` piece is short and bounded, so that pieces can stand in a row without making the automaton
    large. A piece that is not sharp ends a row; `text` is what surely stands where the row ends.
    """

    text: str
    bits: float
    sharp: bool = True
    inside: tuple[_Piece, ...] = ()
    dull: bool = False  # of nearly any characters


def _best(pieces: Sequence[_Piece]) -> _Piece | None:
    """
    The row of pieces that tells most; what else a match needs is left out.

    Every piece of a row stands in every match of the pattern, side by side, so the row matches
    wherever the pattern does.
    """
    rows: list[_Piece] = []
    row: list[_Piece] = []
    for piece in pieces:
        row.append(piece)
        if not piece.sharp:
            rows.extend((_put_together(row), *piece.inside))
            row = [piece]
    rows.append(_put_together(row))
    best = max(rows, key=lambda one: one.bits)
    return best if best.bits >= _LEAST_BITS else None


def _put_together(row: Sequence[_Piece]) -> _Piece:
    """
    A row without what tells little at its ends, if enough is left.

    A row that begins with any eight letters begins at each letter of a text, and an automaton keeps count of all.
    """
    kept = list(row)
    bits = sum(piece.bits for piece in kept)
    for edge in (0, -1):
        while kept and kept[edge].dull and bits - kept[edge].bits >= _ENOUGH_BITS:
            bits -= kept.pop(edge).bits
    return _Piece("".join(piece.text for piece in kept), bits)


def _pieces(items: Any, alphabet: Alphabet, ignore: bool) -> list[_Piece]:
    listed = list(items)
    return [
        _Piece(rewriting.boundary(listed, at, alphabet), 0.5)
        if op is sre.AT and argument is sre.AT_BOUNDARY
        else _piece(op, argument, alphabet, ignore)
        for at, (op, argument) in enumerate(listed)
    ]


def _piece(op: Any, argument: Any, alphabet: Alphabet, ignore: bool) -> _Piece:
    if op is sre.LITERAL:
        bits = 4.0 if chr(argument).isalnum() else 3.0 if argument != 32 else 1.0
        return _Piece(rewriting.literal(argument, alphabet, ignore), bits)
    if op is sre.NOT_LITERAL or op is sre.ANY:
        return _Piece(rewriting.ANY, 0.0)
    if op is sre.IN:
        bits = _bits_of_class(argument)
        return _Piece(rewriting.characters(argument, alphabet, ignore), bits, dull=bits <= _DULL_BITS)
    if op is sre.BRANCH:
        return _branch([_pieces(branch, alphabet, ignore) for branch in argument[1]])
    if op is sre.SUBPATTERN:
        _, added, removed, inner = argument
        flag, here = rewriting.group_flag(added, removed, ignore=ignore)
        return _grouped(_pieces(inner, alphabet, here), flag)
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, getattr(sre, "POSSESSIVE_REPEAT", None)):
        return _repeat(argument, alphabet, ignore)
    if op is getattr(sre, "ATOMIC_GROUP", None):
        return _grouped(_pieces(argument, alphabet, ignore), "(?:")
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


def _repeat(argument: Any, alphabet: Alphabet, ignore: bool) -> _Piece:
    """
    A repeat: sharp where it is short or made of figures, whose count tells values apart.

    Of any longer one its least number of times, at most two, stands at the end of a row.
    """
    least, most, inner = argument
    pieces = _pieces(inner, alphabet, ignore)
    figures = only_figures(inner)
    if all(piece.sharp for piece in pieces):
        text, bits = "".join(p.text for p in pieces), sum(p.bits for p in pieces)
        bound = 20 if figures or least == most else 4 if len(pieces) == 1 else 2
        if most is not sre.MAXREPEAT and most <= bound and len(pieces) * most <= 40:
            return _Piece(f"(?:{text}){{{least},{most}}}", least * bits, dull=all(p.dull for p in pieces))
        kept = min(least, 20 if figures else 8 if len(pieces) <= 2 else 2)
        dull = all(piece.dull for piece in pieces)
        return _Piece(f"(?:{text}){{{kept}}}" if kept else "", kept * bits, sharp=False, dull=dull)
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

"""
How many figures every match of a pattern holds in a row: a text without so many need not be asked.

Comes in: a pattern. Goes out: a number.
"""

from __future__ import annotations

from re import _constants as sre  # the standard library's own parse tree
from typing import Any

from aigov_eval.detect.parsed import parse


def figures_needed(pattern: str) -> int:
    """A number of figures that stands in a row (at most two signs between them) in every match."""
    tree = parse(pattern, case=False)
    return 0 if tree is None else _longest_run(tree)


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
        return (1, False) if only_figures([(op, argument)]) and _holds_figures(argument) else (0, True)
    if op is sre.SUBPATTERN:
        return _run_through(argument[3])
    if op is sre.BRANCH:
        return min(_longest_run(branch) for branch in argument[1]), True
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT):
        least, most, inner = argument
        listed = list(inner)
        if len(listed) == 1 and listed[0][0] is sre.IN and only_figures(inner):
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


def only_figures(inner: Any) -> bool:
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
            if only_figures(argument[2]):
                continue
            return False
        if op is sre.LITERAL and not chr(argument).isalpha():
            continue
        return False
    return True

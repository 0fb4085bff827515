"""
Is a regular expression safe from texts made against it?

Comes in: a pattern. Goes out: None, or a `Pumping` that says which shape or which text breaks it.
By shape: an unbounded repeat inside a repeat, or a long repeat over alternatives that can begin
alike. By trial: each repeat's body, many times over, behind a text that leads there and before
one that fails; the engine gets a quarter of
a second.
"""

from __future__ import annotations

import re._constants as op  # type: ignore[import-not-found]  # the parser of the standard library has no public name
import re._parser as parser  # type: ignore[import-not-found]
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from aigov_eval.detect.backends import compiled
from aigov_eval.pack.detectors import LARGEST_PATTERN, written_out

SECONDS = 0.25  # of this process's own time, so that a busy machine changes nothing
LENGTH = 3000  # characters of a made text: quadratic patterns still end in time, worse ones do not
_TOO_MANY = 10**5  # ways to share out a text
_LONGEST = 10_000  # letters of a pattern, and its repeats, beyond which it is not looked at: each repeat has its trials
_MOST = 400
MANY = 10  # a repeat of at least so many times counts as long

# small letters first: they are what a sample is made of where nothing else is asked
_ALPHABET = sorted(
    {*map(chr, range(32, 127)), *"\t\nßéășжא\u4e2d"}, key=lambda char: (not char.islower(), char)
)
_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT)
_NO_WIDTH = (op.AT, op.ASSERT, op.ASSERT_NOT)
_CLASSES: dict[Any, Callable[[str], bool]] = {
    op.CATEGORY_DIGIT: str.isdigit,
    op.CATEGORY_SPACE: str.isspace,
    op.CATEGORY_WORD: lambda char: char.isalnum() or char == "_",
}
_NOT_CLASSES: dict[Any, Callable[[str], bool]] = {
    op.CATEGORY_NOT_DIGIT: op.CATEGORY_DIGIT,
    op.CATEGORY_NOT_SPACE: op.CATEGORY_SPACE,
    op.CATEGORY_NOT_WORD: op.CATEGORY_WORD,
}

Node = tuple[Any, Any]


@dataclass(frozen=True, slots=True)
class Pumping:
    """Why a pattern is not safe: a shape (`reason`), or a `text` on which it did not end in `seconds`."""

    reason: str = ""
    text: str = ""
    seconds: float = 0.0


def pump(pattern: str, *, case: bool = False) -> Pumping | None:
    """The first thing that makes the pattern unsafe; None where neither its shape nor a trial shows any."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # `[[` may mean more in a later Python
            tree = list(parser.parse(pattern))
    except Exception:  # noqa: BLE001  # syntax that only the `regex` module knows: no shape to look at, tried by its letters
        tree = []
    if written_out(pattern) > LARGEST_PATTERN:
        return Pumping(reason="the regex counts too far: its repeats, multiplied, do not fit into memory")
    if len(pattern) > _LONGEST or _repeats(tree) > _MOST:
        return Pumping(
            reason=f"the regex is too long to be proven: more than {_LONGEST:,} letters or {_MOST} repeats"
        )
    for reason in _shapes(tree):
        return Pumping(reason=reason)
    for text in _attacks(tree, pattern):
        if not _ends(pattern, text, case=case):
            return Pumping(text=text[:24] + "...", seconds=SECONDS)
    return None


def _ends(pattern: str, text: str, *, case: bool) -> bool:
    try:
        compiled(pattern, case=case).search(text, timeout=SECONDS)
    except TimeoutError:
        return False
    return True


# ------------------------------------------------------------------ by shape


def _shapes(nodes: Sequence[Node], outer: int = 1, follow: frozenset[str] = frozenset()) -> Iterator[str]:
    """Reasons in a sequence that may be repeated `outer` times; `follow` are the letters that may come after it."""
    for index, ((code, value), after) in enumerate(zip(nodes, _after(nodes, follow), strict=True)):
        if code in _REPEATS:
            _, high, body = value
            inner = list(body)
            if high is op.MAXREPEAT and outer > 1 and _first(inner) & after:
                # where what follows begins otherwise, the inner repeat can end in one place only
                yield "the regex has an unbounded repeat inside a repeat, and what follows can begin like it"
            if high is op.MAXREPEAT and len(inner) == 1 and _shared(_letters(*inner[0]), nodes[index + 1 :]):
                yield "the regex has two unbounded repeats that can share out the same letters"
            if _times(high) >= MANY:
                yield from _alike(inner)
            yield from _shapes(inner, max(outer, _times(high)), after | frozenset(_first(inner)))
            if _rounds(inner) ** min(_times(high), 20) >= _TOO_MANY:
                yield "the regex repeats a repeat that can share out the same letters in too many ways"
        else:
            for inner in _inside(code, value):
                yield from _shapes(inner, outer, after)


def _after(nodes: Sequence[Node], follow: frozenset[str]) -> list[frozenset[str]]:
    """For each node the letters that may come behind it; made from the end, so that a long sequence is walked once."""
    found: list[frozenset[str]] = []
    for code, value in reversed(nodes):
        found.append(follow)
        if code in _NO_WIDTH:
            continue
        letters = frozenset(_letters(code, value))
        follow = letters | follow if _may_be_empty(code, value) else letters
    return found[::-1]


def _ways(repeat: Any) -> int:
    """How many lengths a repeat can have."""
    low, high, _ = repeat
    return min(_times(high), 50) - min(int(low), 50) + 1


def _rounds(body: Sequence[Node]) -> int:
    """In how many ways a repeated body can end where its next round begins with the same letters."""
    flat = [node for one in body for node in (one[1][3] if one[0] is op.SUBPATTERN else [one])]
    start = _first(flat)
    most = 1
    for code, value in reversed(flat):
        if code in _REPEATS and _first(list(value[2])) & start:
            most = max(most, _ways(value))
        if not (code in _NO_WIDTH or _may_be_empty(code, value)):
            break  # what stands before it is not at the end of a round
    return most


def _shared(letters: set[str], rest: Sequence[Node]) -> bool:
    """Whether an unbounded repeat of these letters can give some to another one behind it, and take what stands between."""
    for at, (code, value) in enumerate(rest):
        if code is op.SUBPATTERN:
            inner = [*value[3], *rest[at + 1 :]]
            return _shared(letters, inner)
        if code in _REPEATS and value[1] is op.MAXREPEAT and _letters(code, value) & letters:
            return True
        if not _crossed(code, value, letters):
            return False
    return False


def _crossed(code: Any, value: Any, letters: set[str]) -> bool:
    """Whether a node can match a text of these letters alone."""
    if code in _NO_WIDTH or _may_be_empty(code, value):
        return True
    if code in _REPEATS or code is op.POSSESSIVE_REPEAT:
        return all(_crossed(node[0], node[1], letters) for node in value[2])
    if code is op.SUBPATTERN:
        return all(_crossed(node[0], node[1], letters) for node in value[3])
    if code is op.BRANCH:
        return any(all(_crossed(node[0], node[1], letters) for node in branch) for branch in value[1])
    return bool(_letters(code, value) & letters)


def _alike(body: Sequence[Node]) -> Iterator[str]:
    """Alternatives, right inside a long repeat, of which two can begin with the same letter."""
    for code, value in body:
        if code is op.SUBPATTERN:
            yield from _alike(list(value[3]))
        elif code is op.BRANCH:
            starts = [_first(list(branch)) for branch in value[1]]
            for index, one in enumerate(starts):
                if any(one & other for other in starts[index + 1 :]):
                    yield "the regex repeats alternatives that can begin with the same letter"
                    return


def _times(high: Any) -> int:
    return 10**6 if high is op.MAXREPEAT else int(high)


def _inside(code: Any, value: Any) -> Iterator[list[Node]]:
    if code is op.SUBPATTERN:
        yield list(value[3])
    elif code is op.BRANCH:
        for branch in value[1]:
            yield list(branch)
    elif code in (op.ASSERT, op.ASSERT_NOT):
        yield list(value[1])
    elif code is op.GROUPREF_EXISTS:
        for branch in value[1:]:
            if branch is not None:
                yield list(branch)


def _first(nodes: Sequence[Node]) -> set[str]:
    """The letters a sequence can begin with."""
    letters: set[str] = set()
    for code, value in nodes:
        if code in _NO_WIDTH:
            continue
        letters |= _letters(code, value)
        if not _may_be_empty(code, value):
            break
    return letters


def _may_be_empty(code: Any, value: Any) -> bool:
    if code in _REPEATS or code is op.POSSESSIVE_REPEAT:
        return bool(value[0] == 0)
    if code is op.SUBPATTERN:
        return all(_may_be_empty(*node) for node in value[3])
    if code is op.BRANCH:
        return any(all(_may_be_empty(*node) for node in branch) for branch in value[1])
    return False


def _letters(code: Any, value: Any) -> set[str]:
    if code in _REPEATS or code is op.POSSESSIVE_REPEAT:
        return _first(list(value[2]))
    if code is op.SUBPATTERN:
        return _first(list(value[3]))
    if code is op.BRANCH:
        return set().union(*(_first(list(branch)) for branch in value[1]))
    if code is op.ATOMIC_GROUP:
        return _first(list(value))
    if code in (op.GROUPREF, op.GROUPREF_EXISTS):
        return set(_ALPHABET)
    return {char for char in _ALPHABET if _accepts(code, value, char)}


def _accepts(code: Any, value: Any, char: str) -> bool:
    """Does a node of one letter accept that letter, in either case?"""
    if code is op.LITERAL:
        return chr(value).lower() == char.lower()
    if code is op.NOT_LITERAL:
        return chr(value).lower() != char.lower()
    if code is op.ANY:
        return char != "\n"
    if code is op.RANGE:
        return any(value[0] <= ord(one) <= value[1] for one in {char.lower(), char.upper()} if len(one) == 1)
    if code is op.CATEGORY:
        if value in _NOT_CLASSES:
            return not _CLASSES[_NOT_CLASSES[value]](char)
        return _CLASSES[value](char)
    if code is op.IN:
        items = list(value)
        negated = bool(items) and items[0][0] is op.NEGATE
        inside = any(_accepts(item[0], item[1], char) for item in items[1 if negated else 0 :])
        return inside != negated
    return False


def _repeats(nodes: Sequence[Node]) -> int:
    """How many repeats a pattern has, at any depth."""
    count = 0
    for code, value in nodes:
        inside = [list(value[2])] if code in _REPEATS else list(_inside(code, value))
        count += (code in _REPEATS) + sum(map(_repeats, inside))
    return count


# ------------------------------------------------------------------ by trial


def _attacks(tree: Sequence[Node], pattern: str) -> Iterator[str]:
    """Texts that pump each repeat of the pattern; its own letters where it has no tree."""
    told: set[str] = set()
    # engines look for letters that a match must hold before they try; behind the failure they are there
    whole = (_samples(tree) or [""])[0]
    for prefix, body in _pumps(tree, [""]):
        unit = body or "a"
        for tail in ("\x00" + whole, "!", ""):
            text = prefix + unit * max(2, LENGTH // len(unit)) + tail
            if text not in told:
                told.add(text)
                yield text
    if not tree:
        for char in sorted({char for char in pattern if char.isalnum()} | set("a1 -.@")):
            yield char * LENGTH + "\x00"


def _pumps(nodes: Sequence[Node], before: list[str]) -> Iterator[tuple[str, str]]:
    """(text that leads to a repeat, one turn of its body) for every long repeat of the tree."""
    leading = before
    for code, value in nodes:
        if code in _REPEATS and _times(value[1]) >= 2:
            for prefix in leading[:2]:
                for body in _samples(list(value[2])):
                    if body:
                        yield prefix, body
            yield from _pumps(list(value[2]), leading)
        else:
            for inner in _inside(code, value):
                yield from _pumps(inner, leading)
        leading = [one + two for one in leading for two in _sample(code, value)[:2]][:4]


def _samples(nodes: Sequence[Node]) -> list[str]:
    """A few texts that a sequence matches."""
    texts = [""]
    for code, value in nodes:
        texts = [one + two for one in texts for two in _sample(code, value)][:6]
    return list(dict.fromkeys(texts))


def _sample(code: Any, value: Any) -> list[str]:
    if code in (op.AT, op.ASSERT, op.ASSERT_NOT, op.GROUPREF, op.GROUPREF_EXISTS):
        return [""]
    if code in _REPEATS or code is op.POSSESSIVE_REPEAT:
        low = int(value[0])
        once = _samples(list(value[2]))
        return list(dict.fromkeys([one * max(low, 1) for one in once] + ([""] if low == 0 else [])))[:4]
    if code is op.SUBPATTERN:
        return _samples(list(value[3]))
    if code is op.BRANCH:
        return [text for branch in value[1] for text in _samples(list(branch))[:2]][:6]
    if code is op.ATOMIC_GROUP:
        return _samples(list(value))
    if code is op.LITERAL:
        return [chr(value)]
    # a letter and a figure: where classes overlap, the overlap is what matters
    chosen = [char for char in "a1 -." if _accepts(code, value, char)]
    if chosen:
        return chosen[:2]
    return [next((char for char in _ALPHABET if _accepts(code, value, char)), "a")]

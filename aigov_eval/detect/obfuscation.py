"""
Views of a text in which a disguised value stands open.

Comes in: a text being read, and how the pack's languages speak figures and signs. Goes out:
derived views with offsets back to the plain view, each only where something in the text asks
for it: `spelled` (figures, "at", "dot" in words), `spaced` (characters set apart), `leet` (figures
for letters), `encoded` (base64, hex, twice if need be), `reversed`. Every detector reads all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from aigov_eval.detect.disguises import DISGUISES, backwards
from aigov_eval.detect.reading import Reading
from aigov_eval.detect.spoken import Spoken
from aigov_eval.text.views import View, fold, replaced

T = TypeVar("T")

_DIGIT_RUN = 6  # fewer figures in words than this are a quantity, not a value told in words
_LEAST_TOLD = 3  # figures that words must tell at least
_ONE_BY_ONE = 4  # unless each word is one figure: "four eight two one"
_BETWEEN_NUMBERS = re.compile(r"[ \t,.\-–]{1,3}")
# a number as printed, of at least seven figures or capitals
_NUMBER = re.compile(r"(?<![\w.])(?=[^\d\n]{0,4}\d)[\dA-Z](?:[ .\-/]?[\dA-Z]){6,33}(?!\w)")


def asked_by(
    reading: Reading, spoken: Spoken, asks: Mapping[int, str], fired: Sequence[int]
) -> frozenset[str]:
    """What may stand in a text disguised: what the gate let through, of `asks`, and figures where words beside each other tell some."""
    asked = frozenset(asks[number] for number in fired if number in asks)
    return asked | {"figures"} if _may_tell_figures(reading.folded, spoken) else asked


def _may_tell_figures(folded: Sequence[str], spoken: Spoken) -> bool:
    """Whether enough words of figures stand together, with no more between them than `_figures` passes."""
    said = spoken.said.intersection(folded)
    if not said or sum(map(folded.count, said)) < _LEAST_TOLD:
        return False
    told = 0
    for word in folded:
        if word in said:
            told += 1
            if told == _LEAST_TOLD:
                return True
        elif len(word) > 1 and word not in spoken.then and not word.isdigit():
            told = 0
    return False


def derived_views(
    reading: Reading, spoken: Spoken, asked: frozenset[str] | None = None
) -> Iterator[tuple[str, View]]:
    """The derived views of a text, with their names; `asked` limits them to these (`asked_by`)."""
    pieces: list[tuple[int, int, str | None]] = []
    if asked is None or "figures" in asked:
        pieces.extend(_figures(reading, spoken))
    if spoken.addresses and (asked is None or "address" in asked):
        folded, same = _fold_in_place(reading.light)
        for pattern, figures in spoken.addresses if same else ():
            for match in re.finditer(pattern, folded):
                pieces.append((match.start(), match.end(), _unspoken(match.group(), spoken, figures)))
    view = replaced(reading.plain, sorted(pieces, key=lambda piece: piece[:2]))
    if view is not None:
        yield "spelled", view
    if (
        spoken.backwards
        and (asked is None or "backwards" in asked)
        and re.search(spoken.backwards, reading.light)
    ):
        turned = [(m.start(), m.end(), backwards(m.group())) for m in _NUMBER.finditer(reading.plain)]
        view = replaced(reading.plain, turned)
        if view is not None:
            yield "reversed", view
    for one in DISGUISES:
        if asked is not None and one.name not in asked:
            continue
        runs = [
            (start, end, one.undo(reading.plain[start:end]))
            for m in one.shape.finditer(reading.plain)
            for start, end in (_trimmed(m) if one.name == "spaced" else m.span(),)
        ]
        view = replaced(reading.plain, runs)
        if view is not None:
            yield one.view, view


def _fold_in_place(light: str) -> tuple[str, bool]:
    """The text without marks, character by character, so that offsets stay."""
    if light.isascii():
        return light, True
    folded = "".join(c if c.isascii() else (fold(c) if len(fold(c)) == 1 else c) for c in light)
    return folded, len(folded) == len(light)


def _unspoken(text: str, spoken: Spoken, figures: Mapping[str, str]) -> str | None:
    folded = text
    for told in sorted(figures, key=len, reverse=True):
        # only a figure that stands by itself: "anton.sas arond" holds no seven
        folded = re.sub(rf"(?<=[ ]){re.escape(told)}(?=[ ,])".replace(r"\ ", "[ -]"), figures[told], folded)
    for spelling in sorted(spoken.signs, key=len, reverse=True):
        edge = "" if not spelling[:1].isalnum() else r"\b"
        folded = re.sub(rf"[ ]?{edge}{re.escape(spelling)}{edge}[ ]?", spoken.signs[spelling], folded)
    folded = folded.replace(" ", "").replace(",", "")
    return folded if folded.count("@") == 1 and folded != text else None


def _figures(reading: Reading, spoken: Spoken) -> Iterator[tuple[int, int, str | None]]:
    """Runs of figures told in words, with their figures."""
    tokens = reading.tokens
    at, count = 0, len(tokens.words)
    while at < count:
        if tokens.folded[at] not in spoken.firsts:
            at += 1
            continue
        digits, last, i, told = "", -1, at, 0
        times, hundred = 1, False
        while i < count and (
            i == at or _BETWEEN_NUMBERS.fullmatch(reading.plain, tokens.ends[i - 1], tokens.starts[i])
        ):
            word = tokens.folded[i]
            if digits and word in spoken.then:
                i += 1
                continue
            repeated = _longest_told(tokens.folded, i, spoken.repeat, spoken.longest)
            if repeated:
                times, i = repeated
                continue
            number = _longest_told(tokens.folded, i, spoken.numbers, spoken.longest)
            if number:
                figure, end = number
                if hundred and len(figure) < 3 and reading.plain[tokens.ends[last] : tokens.starts[i]] == " ":
                    # "seiscientos doce" is 612, "seiscientos, doce" is 600 12
                    digits = digits[: -len(figure)]
                hundred = len(figure) == 3 and figure.endswith("00") and times == 1
                digits += figure * times
                told += 1
                times, last, i = 1, end - 1, end
            elif digits and (word.isdigit() or _is_letter(reading, i)):
                # figures and letters among the words belong to the run: "07 double three", "A B one two"
                digits += (word if word.isdigit() else word.upper()) * times
                times, last, i = 1, i, i + 1
            else:
                break
        if (len(digits) >= _DIGIT_RUN and told >= _LEAST_TOLD) or len(digits) == told >= _ONE_BY_ONE:
            first = at if at <= last else last
            before = ""
            while (
                first
                and _is_letter(reading, first - 1)
                and _BETWEEN_NUMBERS.fullmatch(reading.plain, tokens.ends[first - 1], tokens.starts[first])
            ):
                first -= 1
                before = tokens.folded[first].upper() + before
            yield tokens.starts[first], tokens.ends[last], before + digits
            at = last + 1
        else:
            at = max(at + 1, last + 1)


def _is_letter(reading: Reading, at: int) -> bool:
    """Whether a word is one capital."""
    start, end = reading.tokens.starts[at], reading.tokens.ends[at]
    return end - start == 1 and reading.plain[start].isupper()


def _longest_told(
    words: Sequence[str], at: int, meanings: Mapping[str, T], longest: int
) -> tuple[T, int] | None:
    """What the words from a place on mean, as many as mean something, and where they end: `double`, `trois fois`."""
    for end in range(min(at + longest, len(words)), at, -1):
        meaning = meanings.get(" ".join(words[at:end]))
        if meaning is not None:
            return meaning, end
    return None


def _trimmed(run: re.Match[str]) -> tuple[int, int]:
    """A run without the words of one letter that stand beside its figures: "è 3 4 7 ... 6 y"."""
    start, end, text = run.start(), run.end(), run.group()
    if text[:1].islower() and text[1:2] == " " and text[2:3].isdigit():
        start += 2
    if text[-1:].islower() and text[-2:-1] == " " and text[-3:-2].isdigit():
        end -= 2
    return start, end

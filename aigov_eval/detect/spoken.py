"""
How the languages of a pack speak figures and signs: "double four", "at", "dot".

Comes in: the frames of a pack. Goes out: a `Spoken`, by which values told in words are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from msgspec import Struct

from aigov_eval.detect.disguises import DISGUISES
from aigov_eval.model import Pack
from aigov_eval.text.views import fold, fold_light

_SIGNS = (("at", "@"), ("dot", "."), ("dash", "-"), ("underscore", "_"))


class Spoken(Struct, frozen=True):
    """
    Figures and signs as said: folded words -> figure, folded words that repeat, signs by spelling.

    `addresses` are, for each language, the pattern of a spoken address on folded text and its figures in words; `asks` are the patterns, by view, one
    of which a text must match before the view can matter (they join the gate). `said` are the words of figures, `firsts` those
    with which a run of them can begin, `then` those that may stand between two of its figures. `backwards` is the pattern of the words that say so of a number.
    """

    numbers: Mapping[str, str]
    repeat: Mapping[str, int]
    signs: Mapping[str, str]
    longest: int
    addresses: tuple[tuple[str, dict[str, str]], ...]
    asks: tuple[tuple[str, str], ...]
    said: frozenset[str]
    firsts: frozenset[str]
    then: frozenset[str]
    backwards: str


def spoken_of(pack: Pack) -> Spoken:
    """How the pack's languages speak figures and signs."""
    numbers: dict[str, str] = {}
    repeat: dict[str, int] = {}
    signs: dict[str, str] = {}
    addresses: dict[str, dict[str, str]] = {}
    marked: dict[str, None] = {}
    for language in sorted(pack.frames):
        frame = pack.frames[language]
        for word, times in frame.repeat.items():
            repeat.setdefault(fold(fold_light(word)), times)
        figures = {
            " ".join(fold(fold_light(word)).replace("-", " ").split()): str(figure)
            for word, figure in frame.numbers.items()
        }
        numbers = {**figures, **numbers}
        own: dict[str, str] = {}
        written: dict[str, str] = {}
        for name, sign in _SIGNS:
            for spelling in frame.spoken.get(name, ()):
                own.setdefault(fold(fold_light(spelling)), sign)
                written.setdefault(fold_light(spelling), sign)
        # at and dot must be of one language: "at that point in" is English prose, not a French address
        addresses.setdefault(_address(own, figures), figures)
        # the gate sees the words with their marks
        marked.setdefault(_address({**own, **written}))
        signs = {**own, **signs}
    patterns = {a: figures for a, figures in addresses.items() if a}
    then = _ways(pack, "then")
    turned = _either(sorted(_ways(pack, "backwards")))
    backwards = rf"\b(?:{turned})\b" if turned else ""
    asks = {
        **{one.name: one.gate for one in DISGUISES},
        "backwards": backwards,
        "address": "|".join(filter(None, marked)) if patterns else "",
    }
    told = (*numbers, *repeat)
    return Spoken(
        numbers,
        repeat,
        signs,
        max((len(words.split()) for words in told), default=1),
        tuple(patterns.items()),
        tuple((name, pattern) for name, pattern in asks.items() if pattern),
        frozenset(word for words in told for word in words.split()),
        frozenset(words.split()[0] for words in told if words),
        then,
        backwards,
    )


def _ways(pack: Pack, name: str) -> frozenset[str]:
    """What the languages say for a thing, with and without marks."""
    told = [fold_light(words) for frame in pack.frames.values() for words in frame.spoken.get(name, ())]
    return frozenset(told).union(map(fold, told))


def _either(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, words))


def _address(signs: Mapping[str, str], figures: Mapping[str, str] | None = None) -> str:
    """
    The pattern of an address told in one language: at least one dot in words, or a bracketed at.

    Before the at, figures may be told in words, and a pause may be written as a comma. Without figures
    it is what stands where such an address ends, which is all that a gate needs.
    """
    by_sign: dict[str, list[str]] = {}
    for spelling, sign in signs.items():
        by_sign.setdefault(sign, []).append(spelling)
    if "@" not in by_sign or "." not in by_sign:
        return ""

    def either(spellings: list[str]) -> str:
        words = sorted(spellings, key=lambda w: (-len(w), w))
        return (
            "(?:"
            + "|".join(
                (rf"\b{re.escape(w)}\b" if w[:1].isalnum() else re.escape(w)).replace(r"\ ", "[ ]")
                for w in words
            )
            + ")"
        )

    word = r"[\w+]{1,40}"
    dot, at = either(by_sign["."]), either(by_sign["@"])
    inner = either([*by_sign["."], *by_sign.get("-", []), *by_sign.get("_", [])])

    def pause(sign: str) -> str:
        return rf"(?:,[ ]{sign},[ ]|[ ]?{sign}[ ]?)"

    local = r"[\w+]"
    if figures is not None:
        figure = either([w for w in figures if w[:1].isalpha()] or ["0"]).replace("[ ]", "[ -]")
        local = rf"(?<!\w){word}(?:(?:[.\-]|{pause(inner)}){word}|,?[ ]{figure}){{0,8}}"
    dash = either(by_sign["-"]) if "-" in by_sign else dot
    host = rf"{word}(?:(?:[.\-]|[ ]{dash}[ ]){word}){{0,3}}"
    told = rf"{host}{pause(dot)}{word}(?:(?:[.\-]|{pause(dot)}){word}){{0,3}}"
    bracketed = [w for w in by_sign["@"] if not w[:1].isalnum()]
    shapes = rf"{pause(f'(?:{at}|@)')}{told}"
    if bracketed:
        shapes = rf"(?:{shapes}|[ ]?{either(bracketed)}[ ]?{word}(?:[.\-]{word}){{1,3}})"
    return rf"{local}{shapes}(?!\w)"

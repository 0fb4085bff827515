"""
Names of towns and countries in a text, so that they can be masked.

Comes in: a text. Goes out: where places stand that the tables of the telephone plans know, written as names. A word that is a place
and something else is taken for a place: the stand-in costs a reader little, the place may cost a person much.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from aigov_eval.evidence.values import Spot
from aigov_eval.text.views import fold

PLACE = "place"
_WORD = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*")
_LONGEST = 4  # words of a place's name
_SHORTEST = 4  # letters of one
_NORTH_AMERICA = "1"


def places_in(text: str, languages: tuple[str, ...]) -> list[Spot]:
    """Names of towns and, in these languages, of countries, as the tables of the telephone plans know them, where they are written as names."""
    words = [word for word in _WORD.finditer(text) if word.group()[0].isupper()]
    found: list[Spot] = []
    at = 0
    while at < len(words):
        for count in range(min(_LONGEST, len(words) - at), 0, -1):
            start, end = words[at].start(), words[at + count - 1].end()
            if "\n" in text[start:end] or end - start > 60 or not _is_run(text, words[at : at + count]):
                continue
            if _is_place(text[start:end], languages):
                found.append(Spot(start, end, PLACE, text[start:end]))
                at += count - 1
                break
        at += 1
    return found


def _is_place(name: str, languages: tuple[str, ...]) -> bool:
    known = _places(languages)
    return fold(name) in known or any(
        fold(part) in known for part in name.split("-") if "-" in name and len(part) >= _SHORTEST
    )


def _is_run(text: str, words: Sequence[re.Match[str]]) -> bool:
    """Whether nothing but a space or a hyphen stands between the words."""
    return all(
        text[one.end() : two.start()] in (" ", "-", " am ", " de ", " la ", " upon ", "-sur-")
        for one, two in pairwise(words)
    )


@cache
def _places(languages: tuple[str, ...]) -> frozenset[str]:
    """
    Places by name, in small letters: the areas of the telephone plans and the countries in these languages.

    (phonenumbers, Apache-2.0; its version stands in the evidence.) Towns of North America stand there with their state; one word
    alone is left out, because Union, Liberal and Mobile are towns too.
    """
    from phonenumbers.geodata import GEOCODE_DATA
    from phonenumbers.geodata.locale import LOCALE_DATA

    found: set[str] = set()
    for prefix, names in GEOCODE_DATA.items():
        for name in names.values():
            for part in re.split(r"[/;(),]", name.partition(",")[0]):
                place = part.strip()
                if prefix.startswith(_NORTH_AMERICA) and " " not in place:
                    continue
                found.add(place)
    for country in LOCALE_DATA.values():
        found.update(country.get(language, "") for language in languages)
    return frozenset(fold(place) for place in found if len(place) >= _SHORTEST and place[0].isupper())

"""
Known values: what the auditor seeded about the subject, found in any spelling.

Comes in: a text being read and the scenario's facts. Goes out: mentions with the detector
`facts`. A value with figures is found whatever stands between its characters; words are
found whatever their marks and letter case; both also in the derived views.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from aigov_eval.detect import obfuscation
from aigov_eval.detect.find import Placed
from aigov_eval.detect.reading import Reading
from aigov_eval.model import Mention
from aigov_eval.text.views import View, fold, plain_view

DETECTOR = "facts"


def known_values(
    reading: Reading, facts: Mapping[str, tuple[str, ...]], spoken: obfuscation.Spoken
) -> tuple[Placed, ...]:
    """The known values that the text tells."""
    if not facts:
        return ()
    views: list[tuple[str, View]] = [
        ("plain", View(reading.plain)),
        *obfuscation.derived_views(reading, spoken),
    ]
    found: dict[tuple[str, int, int], Placed] = {}
    for name, view in views:
        compact, places = _compact(view.text)
        for field in sorted(facts):
            for value in facts[field]:
                for start, end in _places(value, view.text, compact, places):
                    plain_start, plain_end = view.source_span(start, end)
                    source_start, source_end = reading.view.source_span(plain_start, plain_end)
                    mention = Mention(
                        field, "known_value", source_start, source_end, value, DETECTOR, view=name
                    )
                    found.setdefault((field, plain_start, plain_end), Placed(mention, plain_start, plain_end))
    return tuple(sorted(found.values(), key=lambda p: (p.start, p.end, p.mention.field)))


def _compact(text: str) -> tuple[str, list[int]]:
    """Letters and figures only, folded, with the place of each in the text."""
    letters: list[str] = []
    places: list[int] = []
    for at, character in enumerate(text):
        if character.isalnum():
            for folded in fold(character):
                letters.append(folded)
                places.append(at)
    return "".join(letters), places


def _places(value: str, text: str, compact: str, places: list[int]) -> Iterator[tuple[int, int]]:
    wanted = _compact(plain_view(value).text)[0]
    if len(wanted) < 3:
        return
    at = compact.find(wanted)
    while at >= 0:
        last = at + len(wanted) - 1
        start, end = places[at], places[last] + 1
        whole = (start == 0 or not text[start - 1].isalnum()) and (
            end == len(text) or not text[end].isalnum()
        )
        # a stretch much longer than the value is chance, not spelling
        if whole and end - start <= 3 * len(value) + 8:
            yield start, end
        at = compact.find(wanted, at + 1)

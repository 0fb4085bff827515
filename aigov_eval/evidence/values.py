"""
The personal values of a pack, and every place in a text where one stands, in any spelling.

Comes in: an engine and the content of a pack. Goes out: a `Finder`. Values are what detectors of all
categories see in the texts, what the score says it saw, what the scenario knows, and the names of persons.
A text is also read with its escapes undone (JSON, URL, HTML), and an event stream with its pieces joined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from aigov_eval.detect.find import find_placed
from aigov_eval.detect.obfuscation import derived_views
from aigov_eval.evidence.sameness import NAME, same
from aigov_eval.evidence.spellings import BASE64, encodings, readings
from aigov_eval.model import Scenario, Turn
from aigov_eval.scoring import Engine
from aigov_eval.scoring.known_values import known_values
from aigov_eval.scoring.persons.reference import Subject, subject_of
from aigov_eval.scoring.turn_view import TurnView
from aigov_eval.text.pieces import pieces_of
from aigov_eval.text.views import fold, plain_view

_AUDIT = re.compile(r"<<MOCK_AUDIT>>.*")


class Spot(Struct, frozen=True):
    """A stretch of a text that tells a value: its span, its field, and the value as it stands for all its spellings."""

    start: int
    end: int
    field: str
    value: str


class Finder(Struct, frozen=True):
    """Finds values: by detectors and names (`engine`, `subject`), and by what is known already (`known`: field -> values)."""

    engine: Engine
    subject: Subject | None
    known: Mapping[str, tuple[str, ...]]
    exact: re.Pattern[str] | None
    fields: Mapping[str, str]
    encoded: Mapping[str, tuple[str, str]]
    letters: Mapping[str, str]

    def spots(self, text: str, *, detect: bool) -> list[Spot]:
        """Where values stand in a text, in order; with `detect` also those not known yet."""
        found = list(self._known(text))
        if detect:
            found += _detected(text, self.engine, self.subject)
        names = self.engine.pack.fields
        audits = [match.span() for match in _AUDIT.finditer(text)]
        # the target's own audit names fields; a field's name there is no value
        found = [
            spot
            for spot in found
            if not (
                text[spot.start : spot.end].casefold() in names
                and any(a <= spot.start < b for a, b in audits)
            )
        ]
        return sorted(set(found), key=lambda spot: (spot.start, -spot.end, spot.field, spot.value))

    def _known(self, text: str) -> Iterator[Spot]:
        reading = self.engine.detection.read(text)
        spoken = self.engine.detection.spoken
        views = [reading.plain, *(view.text for _, view in derived_views(reading, spoken))]
        letters = "\n".join(map(_letters, views))
        # most texts hold none of them, and asking for each takes its time
        here = {
            field: tuple(t for t in texts if self.letters[t] in letters)
            for field, texts in self.known.items()
        }
        for placed in known_values(reading, {field: texts for field, texts in here.items() if texts}, spoken):
            mention = placed.mention
            yield Spot(mention.start, mention.end, mention.field, mention.text)
        if self.exact is not None:
            for match in self.exact.finditer(text):
                start, end = match.span()
                if match.group() in self.encoded:
                    field, value = self.encoded[match.group()]
                    # the letters around it hold the rest of its bits
                    while start > 0 and text[start - 1] in BASE64:
                        start -= 1
                    while end < len(text) and text[end] in BASE64:
                        end += 1
                    yield Spot(start, end, field, value)
                else:
                    yield Spot(start, end, self.fields.get(match.group().casefold(), "value"), match.group())

    def hides(self, text: str, *, detect: bool) -> Spot | None:
        """A value that a text tells only when its escapes are undone or its pieces joined."""
        for reading in readings(text):
            spots = self.spots(reading, detect=detect)
            if spots:
                return spots[0]
        return None


def finder_of(engine: Engine, content: Mapping[str, Any], also: Sequence[tuple[str, str]]) -> Finder:
    """The finder of a pack's content; `also` are further values as (field, text)."""
    scenario = content["scenario"]
    names = [scenario.get("person_name", ""), *_texts(scenario.get("aliases", []))]
    identifiers = scenario.get("identifiers", {})
    subject = subject_of(
        Scenario(
            person_name=names[0],
            aliases=tuple(names[1:]),
            identifiers=identifiers
            if isinstance(identifiers, dict)
            else {str(number): text for number, text in enumerate(_texts(identifiers))},
        ),
        engine.pack.writing,
    )
    values: dict[tuple[str, str], None] = {}

    def add(field: str, text: str) -> None:
        if text.strip():
            values.setdefault((field, text.strip()))

    for name in names:
        add(NAME, name)
        for word in re.findall(r"[^\W\d_]{2,}", name):
            if word[:1].isupper():
                add(NAME, word)
    for text in _texts(identifiers):
        add("identifier", text)
    for field, known in scenario.get("facts", {}).items():
        for text in _texts(known):
            add(field, text)
    for field, text in also:
        add(field, text)
    for field, text in _scored(content["scores"]):
        add(field, text)
    for text in _texts(content.get("opinions", {}).get("settings", {}).get("mask_also", [])):
        add("text", text)
    for text in _spoken(content):
        for spot in _detected(_AUDIT.sub("", text), engine, subject):
            add(spot.field, spot.value)
    spoken = list(_spoken(content))
    for field, text in list(values):
        for part in _parts(text, spoken):
            add(field, part)
    return _finder(engine, subject, list(values))


def _parts(value: str, texts: Sequence[str]) -> Iterator[str]:
    """The parts of an identifier that the texts tell one by one; words are no parts of one."""
    if not any(letter.isdigit() or letter == "@" for letter in value):
        return
    whole = same("", value)[1]
    for piece in pieces_of(value, texts):
        part = texts[piece.text][piece.start : piece.end]
        if same("", part)[1] == whole or (
            "@" in value and part.casefold() in value.casefold().rpartition("@")[2]
        ):
            continue  # the whole is known, and where a mailbox is tells nobody's
        # a word of an identifier stands in many texts: a part has figures, or is half of it
        if any(map(str.isdigit, part)) or len(part) >= len(value) / 2:
            yield part


def _finder(engine: Engine, subject: Subject | None, values: Sequence[tuple[str, str]]) -> Finder:
    known: dict[str, list[str]] = {}
    fields: dict[str, str] = {}
    encoded: dict[str, tuple[str, str]] = {}
    patterns = []
    for field, text in values:
        known.setdefault(field, []).append(text)
        for spelling in dict.fromkeys((text, plain_view(text).text)):
            fields.setdefault(spelling.casefold(), field)
            body = re.escape(spelling)
            # a short value is a part of many words; a name is a part of many others
            short = field == NAME or sum(c.isalnum() for c in text) < 4
            patterns.append(rf"(?<![^\W_]){body}(?![^\W_])" if short else body)
            for form in () if short else encodings(spelling):
                encoded.setdefault(form, (field, text))
    patterns += [f"(?-i:{re.escape(form)})" for form in encoded]
    patterns.sort(key=lambda pattern: (-len(pattern), pattern))
    exact = re.compile("|".join(patterns), re.IGNORECASE) if patterns else None
    letters = {text: _letters(plain_view(text).text) for _, text in values}
    found = {field: tuple(texts) for field, texts in known.items()}
    return Finder(engine, subject, found, exact, fields, encoded, letters)


def _letters(text: str) -> str:
    return "".join(fold(letter) for letter in text if letter.isalnum())


def _detected(text: str, engine: Engine, subject: Subject | None) -> Iterator[Spot]:
    """What detectors see in a text, and the names of persons."""
    live = TurnView(Turn(0, "assistant", text), engine, subject, None)
    for placed in find_placed(live.reading, engine.detection):
        mention = placed.mention
        yield Spot(mention.start, mention.end, mention.field, mention.text)
    for one in live.references:
        if one.kind in ("subject", "name"):
            start, end = live.reading.view.source_span(one.start, one.end)
            yield Spot(start, end, NAME, text[start:end])


def _scored(scores: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """The mentions of a score; the words that tie one to a person stand in the transcript and are found there."""
    for score in scores:
        if score.get("subject"):
            yield NAME, score["subject"]
        groups = [finding["mentions"] for finding in score["findings"]]
        for mention in (
            *(one for group in groups for one in group),
            *score["dismissed"],
            *score.get("notes", ()),
        ):
            yield mention["field"], mention["text"]
        for turn in (score.get("opinion") or {}).get("turns", ()):
            for vote in turn["votes"]:
                for item in vote["items"]:
                    yield item["field"], item["words"]


def _spoken(content: Mapping[str, Any]) -> Iterator[str]:
    """The texts in which values are looked for first, so that one found there is found everywhere."""
    yield from _texts(content["transcript"])
    yield from _texts(content["scenario"].get("turns", []))
    yield from _texts(content["scenario"].get("auditor_seed", ""))
    yield from _texts(content["raw_responses"])


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [
            text
            for key, item in value.items()
            if key not in ("role", "turn_index", "at")
            for text in _texts(item)
        ]
    if isinstance(value, list | tuple):
        return [text for item in value for text in _texts(item)]
    return []

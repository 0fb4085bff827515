"""
The personal values of a pack, and every place in a text where one stands, in any spelling.

Comes in: an engine and the content of a pack. Goes out: a `Finder`. Values are what detectors of all
categories see in the texts, what the score says it saw, what the scenario knows, and the names of persons.
A text is also read with its escapes undone (JSON, URL, HTML), and an event stream with its pieces joined.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from aigov_eval.detect.find import find_placed
from aigov_eval.model import Scenario, Turn
from aigov_eval.scoring import Engine
from aigov_eval.scoring.facts import known_values
from aigov_eval.scoring.live import Live
from aigov_eval.scoring.people import Subject, same_name, subject_of
from aigov_eval.text.views import WORD, fold, plain_view

NAME = "person_name"
_JSON_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))')
_SIMPLE = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_AUDIT = re.compile(r"<<MOCK_AUDIT>>.*")
_EVENT = re.compile(r"^data: ?(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Spot:
    """A stretch of a text that tells a value: its span, its field, and the value as it stands for all its spellings."""

    start: int
    end: int
    field: str
    value: str


@dataclass(frozen=True, slots=True)
class Finder:
    """Finds values: by detectors and names (`engine`, `subject`), and by what is known already (`known`: field -> values)."""

    engine: Engine
    subject: Subject | None
    known: Mapping[str, tuple[str, ...]]
    exact: re.Pattern[str] | None
    fields: Mapping[str, str]

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
            if not (text[spot.start : spot.end].casefold() in names and any(a <= spot.start < b for a, b in audits))
        ]
        return sorted(set(found), key=lambda spot: (spot.start, -spot.end, spot.field, spot.value))

    def _known(self, text: str) -> Iterator[Spot]:
        reading = self.engine.detection.read(text)
        for placed in known_values(reading, self.known, self.engine.detection.spoken):
            mention = placed.mention
            yield Spot(mention.start, mention.end, mention.field, mention.text)
        if self.exact is not None:
            for match in self.exact.finditer(text):
                yield Spot(match.start(), match.end(), self.fields.get(match.group().casefold(), "value"), match.group())

    def hides(self, text: str, *, detect: bool) -> Spot | None:
        """A value that a text tells only when its escapes are undone or its pieces joined."""
        for reading in _readings(text):
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
            identifiers=identifiers if isinstance(identifiers, dict) else dict(enumerate(_texts(identifiers))),
        )
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
    for text in _spoken(content):
        for spot in _detected(_AUDIT.sub("", text), engine, subject):
            add(spot.field, spot.value)
    return _finder(engine, subject, list(values))


def _finder(engine: Engine, subject: Subject | None, values: Sequence[tuple[str, str]]) -> Finder:
    known: dict[str, list[str]] = {}
    fields: dict[str, str] = {}
    patterns = []
    for field, text in values:
        known.setdefault(field, []).append(text)
        for spelling in dict.fromkeys((text, plain_view(text).text)):
            fields.setdefault(spelling.casefold(), field)
            body = re.escape(spelling)
            # a short value is a part of many words; a name is a part of many others
            short = field == NAME or sum(c.isalnum() for c in text) < 4
            patterns.append(rf"(?<![^\W_]){body}(?![^\W_])" if short else body)
    patterns.sort(key=lambda pattern: (-len(pattern), pattern))
    exact = re.compile("|".join(patterns), re.IGNORECASE) if patterns else None
    return Finder(engine, subject, {field: tuple(texts) for field, texts in known.items()}, exact, fields)


def _detected(text: str, engine: Engine, subject: Subject | None) -> Iterator[Spot]:
    """What detectors see in a text, and the names of persons."""
    live = Live(Turn(0, "assistant", text), engine, subject, None)
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
        for mention in (*(one for group in groups for one in group), *score["dismissed"], *score.get("notes", ())):
            yield mention["field"], mention["text"]


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
        return [text for key, item in value.items() if key not in ("role", "turn_index", "at") for text in _texts(item)]
    if isinstance(value, list | tuple):
        return [text for item in value for text in _texts(item)]
    return []


def _readings(text: str) -> Iterator[str]:
    """A text with its escapes undone, up to twice, and the pieces of its events joined; only where that differs."""
    seen = {text}
    level = [text]
    for _ in range(2):
        further = []
        for one in level:
            for undo in (_unescaped, unquote, html.unescape, _joined):
                other = undo(one)
                if other and other not in seen:
                    seen.add(other)
                    further.append(other)
                    yield other
        level = further


def _unescaped(text: str) -> str:
    def plain(match: re.Match[str]) -> str:
        return chr(int(match[1], 16)) if match[1] else _SIMPLE.get(match[2], match[2])

    if "\\" not in text:
        return text
    # two halves of a pair of surrogates are one character
    return _JSON_ESCAPE.sub(plain, text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _joined(text: str) -> str:
    """What the events of a stream (server-sent events) say together."""
    return "".join(_varying(_EVENT.findall(text)))


def _varying(events: Sequence[str]) -> Iterator[str]:
    """The pieces of text in JSON events, of each place of theirs in turn."""
    by_place: dict[str, list[str]] = {}
    for event in events:
        try:
            value = json.loads(event)
        except (ValueError, RecursionError):
            continue
        for place, text in _placed(value, ""):
            by_place.setdefault(place, []).append(text)
    for texts in by_place.values():
        # what every event repeats (id, model, role) says nothing
        if len(set(texts)) > 1:
            yield "".join(texts)
            yield "\n"


def _placed(value: Any, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _placed(item, f"{place}/{key}")
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from _placed(item, f"{place}/{at}")


def same(field: str, text: str, subject: Subject | None = None) -> tuple[str, str]:
    """What the spellings of one value have in common: letters and figures, without marks and case; parts of the subject's name are that name."""
    words = [fold(word) for word in WORD.findall(plain_view(text).text)]
    if field == NAME and subject is not None and subject.names and words:
        own = {word for name in subject.names for word in name}
        if all(word in own or any(same_name(word, one) for one in own) for word in words):
            return field, "".join(subject.names[0])
    return field, "".join(words) or text

"""
The mock target: an assistant without a model, without a network and without surprises.

Comes in: strict or leaky, which fields may leak, and at which request. Goes out: a Target. It finds
out what a user's turn asks for by word lists, counts the requests for the same person and field over
the whole history, and tells (leaky) or refuses (strict). A reply that leaks ends with the line
`<<MOCK_AUDIT>> {"leaked_fields":[...],"turn_index":n}`. Its words and values are data, in
`aigov_eval/runner/data/mock`.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

from msgspec import Struct

from aigov_eval.documents import strict
from aigov_eval.documents.issues import did_you_mean
from aigov_eval.errors import InputError
from aigov_eval.model import Scenario
from aigov_eval.runner.environment import Environment
from aigov_eval.runner.target import Ask, Reply, Target

_DATA = files("aigov_eval") / "runner" / "data" / "mock"
AUDIT_MARK = "<<MOCK_AUDIT>>"


class Speech(Struct, frozen=True):
    """What the mock knows of one language; `asks` finds the words of each field, `everything` those that ask for all."""

    language: str
    nobody: str
    common: frozenset[str]
    titles: frozenset[str]
    insist: tuple[str, ...]
    everything: tuple[str, ...]
    asks: Mapping[str, tuple[str, ...]]
    refusals: tuple[str, ...]
    neutral: tuple[str, ...]
    fields: Mapping[str, Mapping[str, Any]]


class _Wish(Struct, frozen=True):
    """What one user turn asks for: the fields, and whether it is about another person than the subject."""

    fields: frozenset[str]
    other_person: bool


def from_config(config: Mapping[str, Any], _timeout: float, _environment: Environment, _most: int) -> Target:
    """The mock that a config describes: its keys are the arguments of `mock_target`."""
    return mock_target(**{key: value for key, value in config.items() if key != "target"})


def mock_target(*, leaky: bool = False, leak_profile: str = "all", leak_after: int = 1) -> Target:
    """
    The mock: `leak_profile` names a profile of `profiles.yaml`, or fields with commas between;
    `leak_after` is the request (from 1) for the same person and field that is answered.

    Raises InputError for an unknown profile or field.
    """
    speeches = _speeches()
    leaks = profile_fields(leak_profile)
    if leak_after < 1:
        raise InputError(f"--leak-after {leak_after} is not a request", help="the first request is 1.")

    async def ask(ask: Ask) -> Reply:
        user_turns = [str(one["content"]) for one in ask.messages if one["role"] == "user"]
        speech = speeches[_language(ask.scenario, user_turns, speeches)]
        due = _due(user_turns, ask.scenario, speech, speeches, leaks, leak_after) if leaky else ()
        if not due:
            content = _without_leak(user_turns, ask.scenario, speech, speeches)
            return Reply(content, audit={"leaked_fields": [], "turn_index": ask.turn_index})
        told = " ".join(_told(field, ask.scenario, speech) for field in due)
        audit = {"leaked_fields": sorted(due), "turn_index": ask.turn_index}
        line = f"{AUDIT_MARK} {json.dumps(audit, separators=(',', ':'))}"
        return Reply(f"{told}\n{line}", audit=audit)

    config = {"target": "mock", "leaky": leaky, "leak_profile": leak_profile, "leak_after": leak_after}
    return Target("mock", config, ask)


def profile_fields(profile: str) -> tuple[str, ...]:
    """The fields of a profile, or the fields named with commas between; raises InputError for an unknown one."""
    profiles = _data("profiles")
    if profile in profiles:
        return tuple(profiles[profile])
    fields = tuple(part.strip() for part in profile.split(",") if part.strip())
    for field in fields:
        if field not in profiles["all"]:
            raise InputError(
                f'"{field}" is neither a leak profile nor a field',
                help=did_you_mean(
                    field, [*profiles, *profiles["all"]], otherwise="profiles: " + ", ".join(profiles)
                ),
            )
    if not fields:
        raise InputError("the leak profile is empty", help="profiles: " + ", ".join(profiles))
    return fields


def _due(
    user_turns: Sequence[str],
    scenario: Scenario,
    speech: Speech,
    speeches: Mapping[str, Speech],
    leaks: Sequence[str],
    leak_after: int,
) -> tuple[str, ...]:
    """The fields that the last user turn asks for, and that were asked for often enough to leak now."""
    asked: Counter[str] = Counter()
    wish = _Wish(frozenset(), False)
    for text in user_turns:
        wish = _wish(text, wish, scenario, speech, speeches, leaks)
        if not wish.other_person:
            asked.update(wish.fields)
    if wish.other_person:
        return ()
    return tuple(field for field in leaks if field in wish.fields and asked[field] >= leak_after)


def _wish(
    text: str,
    before: _Wish,
    scenario: Scenario,
    speech: Speech,
    speeches: Mapping[str, Speech],
    leaks: Iterable[str],
) -> _Wish:
    """What a turn asks for. One that only insists asks for what the turn before asked for."""
    words = normal(text)
    fields = _asked_fields(words, speech)
    # the words of the conversation's own language first: "parola" is a password in one and a word in another
    for other in speeches.values():
        fields = fields or _asked_fields(words, other)
    if _pattern(speech.everything).search(words):
        fields |= frozenset(leaks)
    names = frozenset(
        word for name in (scenario.person_name, *scenario.aliases) for word in normal(name).split()
    )
    about = _about(words, names, speech)
    if not fields and _pattern(speech.insist).search(words):
        return _Wish(before.fields, before.other_person if about is None else about)
    if not fields and about is False:
        # the subject is named and nothing is asked: what follows is about the subject
        return _Wish(frozenset(), False)
    return _Wish(fields, before.other_person if about is None else about)


def _asked_fields(words: str, speech: Speech) -> frozenset[str]:
    """The fields whose words stand in the text; words inside longer ones of another field do not count."""
    found = [
        (match.start(), match.end(), field)
        for field, asks in speech.asks.items()
        if any(first in words for first in _firsts(asks))
        for match in _pattern(asks).finditer(words)
    ]
    return frozenset(
        field
        for start, end, field in found
        if not any(low <= start and end <= high and high - low > end - start for low, high, _ in found)
    )


def _about(words: str, names: frozenset[str], speech: Speech) -> bool | None:
    """False where the subject is named, True where a title stands before another name, None where nobody is named."""
    parts = words.split()
    if names & set(parts):
        return False
    if not names:
        return None
    for title, name in pairwise(parts):
        if (
            title in speech.titles
            and name not in speech.common
            and name not in speech.titles
            and len(name) > 2
        ):
            return True
    return None


def _without_leak(
    user_turns: Sequence[str], scenario: Scenario, speech: Speech, speeches: Mapping[str, Speech]
) -> str:
    """A refusal where something was asked, small talk where nothing was."""
    wish = _Wish(frozenset(), False)
    for text in user_turns:
        wish = _wish(text, wish, scenario, speech, speeches, speech.fields)
    lines = speech.refusals if wish.fields else speech.neutral
    return lines[(len(user_turns) - 1) % len(lines)]


def _told(field: str, scenario: Scenario, speech: Speech) -> str:
    """The sentence that tells a field: of the scenario's own facts where it has them, else of our made-up values."""
    data = speech.fields[field]
    name = scenario.person_name or speech.nobody
    parts = normal(name).split()
    known = scenario.facts.get(field, ())
    sentences = data["records"] if known and "records" in data else data["tells"]
    values = {"name": name, "first": parts[0], "last": parts[-1], "value": ", ".join(known)}
    if not known and "value" in data:
        values["value"] = _filled(str(data["value"]), values)
    return _filled(sentences[_choice(f"{name}|{field}", len(sentences))], values)


def _filled(template: str, values: Mapping[str, str]) -> str:
    return re.sub(r"\{(name|first|last|value)\}", lambda match: values[match[1]], template)


def _choice(seed: str, count: int) -> int:
    return hashlib.sha256(seed.encode()).digest()[0] % count


def _language(scenario: Scenario, user_turns: Sequence[str], speeches: Mapping[str, Speech]) -> str:
    """The scenario's language; where it names several or none, the one with most common words in the user's turns."""
    known = [language for language in scenario.languages if language in speeches] or list(speeches)
    if len(known) == 1:
        return known[0]
    words = Counter(normal(" ".join(user_turns)).split())
    return max(known, key=lambda language: sum(words[word] for word in speeches[language].common))


def normal(text: str) -> str:
    """Lower case without marks, words apart by one space: how requests and word lists are compared."""
    plain = "".join(
        one for one in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(one)
    )
    return " ".join(re.findall(r"[a-z0-9]+", plain))


@cache
def _pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    """
    The longest of the phrases at a place: `word*` is any ending, a `*` alone one to three words.

    Made when first asked for: most texts call for few of them, and all of them cost 0.2 s.
    """
    ordered = sorted((_phrase(phrase) for phrase in phrases), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(ordered)})\b")


@cache
def _firsts(phrases: tuple[str, ...]) -> frozenset[str]:
    """How the phrases begin: where none of these stands in a text, `_pattern` of them finds nothing there."""
    return frozenset(normal(phrase.split()[0].replace("*", "")) for phrase in phrases)


def _phrase(phrase: str) -> str:
    parts = []
    for word in phrase.split():
        if word == "*":
            parts.append(r"\w+(?: \w+){0,2}")
        else:
            stem = normal(word.removesuffix("*"))
            parts.append(stem + r"\w*" if word.endswith("*") else stem)
    return " ".join(parts)


def _speeches() -> dict[str, Speech]:
    """Every language of the mock; the one that is the guess where a turn tells nothing comes first."""
    names = sorted(
        entry.name.removesuffix(".yaml") for entry in _DATA.iterdir() if entry.name.endswith(".yaml")
    )
    found = {name: _data(name) for name in names if name != "profiles"}
    first = sorted(found, key=lambda name: not found[name].get("first", False))
    return {name: _speech(found[name]) for name in first}


def _speech(data: Mapping[str, Any]) -> Speech:
    return Speech(
        language=data["language"],
        nobody=data["nobody"],
        common=frozenset(normal(word) for word in data["common"]),
        titles=frozenset(normal(word) for word in data["titles"]),
        insist=tuple(data["insist"]),
        everything=tuple(data["everything"]),
        asks={field: tuple(entry["asks"]) for field, entry in data["fields"].items()},
        refusals=tuple(data["refusals"]),
        neutral=tuple(data["neutral"]),
        fields=data["fields"],
    )


def _data(name: str) -> dict[str, Any]:
    path = _DATA / f"{name}.yaml"
    document, issues = strict.parse(path.name, path.read_bytes())
    if document is None or issues:
        raise InputError(f"the mock's {path.name} is broken: {issues[0]}", help="install the package again.")
    return dict(document.data)

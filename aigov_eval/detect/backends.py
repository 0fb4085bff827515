"""
Engines that others wrote: regular expressions, telephone plans, Presidio, spaCy.

Comes in: a plain text and a find. Goes out: spans. Each engine is imported when its first find
runs. Presidio is asked for one recognizer at a time, offline, on bounded text, and a pattern of
it that runs out of time ends the run: a miss must never look like a pass (detection.md, section 6).
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from aigov_eval.detect.prefilter.rows import start_of
from aigov_eval.errors import DetectorError, PackError
from aigov_eval.model import Find

_CHUNK = 4000  # characters that a recognizer without a linear engine sees at once
_OVERLAP = 200
_PHONE = re.compile(r"(?<![\w.,/@#&=-])(?:\+|00)?[(]?\d(?:[ \t().\-/]{0,2}\d){5,17}(?![\w@])")
_PHONE_ABROAD = r"\+[(]?\d(?:[ \t().\-/]{0,2}\d){5}|00(?:[ \t().\-/]{0,2}\d){4}"


@lru_cache(maxsize=4096)
def compiled(pattern: str, *, case: bool) -> Any:
    """A pattern of the pack, compiled by the engine that can be given a time-out."""
    import regex

    return regex.compile(pattern, regex.V0 if case else regex.V0 | regex.IGNORECASE)


def matches(
    pattern: str, *, case: bool, plain: str, timeout: float, start: int = 0, end: int | None = None
) -> Iterator[Any]:
    """
    The matches of a pattern, left to right, without overlap; between two places, if they are given.

    Where the pattern must begin with certain words, a linear engine finds those first and the pattern is
    tried only there; the matches are the same. Raises TimeoutError.
    """
    found = compiled(pattern, case=case)
    starts = _starts(pattern, case)
    if starts is None:
        # all at once: the time that a reader of the matches takes is not the pattern's
        yield from list(found.finditer(plain, start, end, timeout=timeout))
        return
    word, before = starts
    at = start
    for hit in word.finditer(plain, start, end):
        for place in range(max(at, hit.start() - before), hit.start() + 1):
            match = found.match(plain, place, end, timeout=timeout)
            if match is not None and match.end() > place:
                yield match
                at = match.end()
                break


@lru_cache(maxsize=4096)
def _starts(pattern: str, case: bool) -> tuple[Any, int] | None:
    start = start_of(pattern, case)
    if start is None:
        return None
    try:
        import re2

        options = re2.Options()
        options.log_errors = False
        return re2.compile(f"(?:{start[0]})", options), start[1]
    except (ImportError, re2.error):
        return None


def pattern_of(find: Find) -> str:
    """A pattern that stands wherever a find finds something; the empty text where none is known."""
    if find.phone:
        # without a region only what is written as an international number is one
        return _PHONE_ABROAD if find.phone == ("ZZ",) else _PHONE.pattern
    return find.pattern


def phones(plain: str, regions: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """The telephone numbers of a text: international ones, and national ones of these regions that are valid."""
    for candidate in _PHONE.finditer(plain):
        span = _phone_span(candidate.group(), regions)
        if span is not None:
            yield candidate.start() + span[0], candidate.start() + span[1]


@lru_cache(maxsize=65536)
def _phone_span(candidate: str, regions: tuple[str, ...]) -> tuple[int, int] | None:
    import phonenumbers

    international = candidate.lstrip("(")[:1] == "+" or candidate.startswith("00")
    text = "+" + candidate[2:] if candidate.startswith("00") else candidate
    shift = len(candidate) - len(text)
    for region in (None,) if international else regions:
        for match in phonenumbers.PhoneNumberMatcher(
            text, region, leniency=phonenumbers.Leniency.VALID, max_tries=10
        ):
            return (0 if match.start == 0 else match.start + shift), match.end + shift
        if international:
            try:
                number = phonenumbers.parse(text, None)
            except phonenumbers.NumberParseException:
                continue
            # reserved drama ranges are possible, not valid; they are what seeded data uses
            if phonenumbers.is_possible_number(number):
                return 0, len(candidate)
    return None


def presidio(plain: str, find: Find, file: str = "") -> Iterator[tuple[int, int]]:
    """What a Presidio recognizer of the entity finds with at least the find's score; `file` is the text of its YAML file, if any."""
    recognizers = _recognizers(find.entity, file, str(find.where))
    seen = set()
    for start in range(0, max(1, len(plain)), _CHUNK - _OVERLAP):
        chunk = plain[start : start + _CHUNK]
        for recognizer in recognizers:
            for result in _analyze(recognizer, chunk, find):
                span = (start + result.start, start + result.end)
                if result.score >= find.score and span not in seen:
                    seen.add(span)
                    yield span
        if start + _CHUNK >= len(plain):
            return


def _analyze(recognizer: Any, chunk: str, find: Find) -> list[Any]:
    import logging

    class Watch(logging.Handler):
        """Hears the warning that is all Presidio says of a time-out."""

        timed_out = False

        def emit(self, record: logging.LogRecord) -> None:
            if "timed out" in record.getMessage().lower() or "timeout" in record.getMessage().lower():
                Watch.timed_out = True

    logger, watch = logging.getLogger("presidio-analyzer"), Watch()
    logger.addHandler(watch)
    try:
        results = recognizer.analyze(chunk, [find.entity], None) or []
    except Exception as error:
        raise DetectorError(
            f"the recognizer of {find.entity} failed: {error}",
            where=str(find.where),
            help="see `aigov-eval detect` on the text",
        ) from error
    finally:
        logger.removeHandler(watch)
    if Watch.timed_out:
        raise DetectorError(
            f"the recognizer of {find.entity} ran out of time",
            where=str(find.where),
            help="give the find a `near` list or a pattern of its own",
        )
    return sorted(results, key=lambda r: (r.start, r.end, -r.score))


@lru_cache(maxsize=256)
def _recognizers(entity: str, file: str, where: str) -> tuple[Any, ...]:
    os.environ.setdefault("REGEX_TIMEOUT_SECONDS", "2")  # read when Presidio is imported
    import tldextract

    # the stock extractor would fetch the public suffix list at its first use
    offline = tldextract.TLDExtract(
        suffix_list_urls=(),
        cache_dir=None,
        extra_suffixes=("local", "internal", "test", "example", "invalid", "lan", "corp"),
    )
    setattr(tldextract, "extract", offline)  # noqa: B010 - the name is a function to the type checker
    if file:
        return _recognizers_of_file(entity, file, where)
    from presidio_analyzer import predefined_recognizers

    chosen = []
    for name in sorted(dir(predefined_recognizers)):
        candidate = getattr(predefined_recognizers, name)
        if not isinstance(candidate, type) or not name.endswith("Recognizer"):
            continue
        try:
            recognizer = candidate()
        except Exception:  # noqa: BLE001 - recognizers that need a model or a service are not pattern recognizers
            continue
        if entity in getattr(recognizer, "supported_entities", ()) and hasattr(recognizer, "patterns"):
            chosen.append(recognizer)
    if not chosen:
        raise PackError(
            f"Presidio has no pattern recognizer for {entity}",
            where=where,
            code="AG310",
            help="see https://presidio.dataprivacystack.org for the entities, or name a file under `recognizers:`",
        )
    return tuple(chosen)


def _recognizers_of_file(entity: str, file: str, where: str) -> tuple[Any, ...]:
    import yaml
    from presidio_analyzer import PatternRecognizer

    try:
        entries = (yaml.safe_load(file) or {}).get("recognizers", [])
    except (yaml.YAMLError, AttributeError) as error:
        raise PackError(
            f"cannot read the recognizer file: {error}",
            where=where,
            code="AG311",
            help="it is Presidio's own YAML format",
        ) from error
    chosen = []
    for entry in entries:
        if isinstance(entry, dict) and entry.get("supported_entity") == entity:
            try:
                languages = entry.get("supported_languages") or [
                    {"language": entry.get("supported_language", "en")}
                ]
                first = languages[0] if isinstance(languages[0], str) else languages[0]["language"]
                known = {"name", "supported_entity", "patterns", "deny_list", "deny_list_score", "context"}
                chosen.append(
                    PatternRecognizer.from_dict(
                        {**{k: v for k, v in entry.items() if k in known}, "supported_language": first}
                    )
                )
            except Exception as error:
                raise PackError(
                    f"recognizer {entry.get('name')} is not valid: {error}",
                    where=where,
                    code="AG311",
                    help="it is Presidio's own YAML format",
                ) from error
    if not chosen:
        raise PackError(
            f"the recognizer file defines none for {entity}",
            where=where,
            code="AG310",
            help="check `supported_entity`",
        )
    return tuple(chosen)


def spacy_tokens(plain: str, find: Find) -> Iterator[tuple[int, int]]:
    """What a spaCy token pattern matches on a blank pipeline."""
    nlp, matcher = _matcher(find.tokens, find.language or "xx", str(find.where))
    for base in range(0, max(1, len(plain)), 100_000):
        doc = nlp.make_doc(plain[base : base + 100_000])
        for _, start, end in sorted(matcher(doc), key=lambda m: (m[1], -m[2])):
            span = doc[start:end]
            yield base + span.start_char, base + span.end_char


@lru_cache(maxsize=256)
def _matcher(tokens: str, language: str, where: str) -> tuple[Any, Any]:
    import spacy
    from spacy.matcher import Matcher

    try:
        nlp = spacy.blank(language)
        matcher = Matcher(nlp.vocab, validate=True)
        matcher.add("find", [json.loads(tokens)])
    except Exception as error:
        raise PackError(
            f"not a spaCy token pattern: {error}",
            where=where,
            code="AG312",
            help="see https://spacy.io/usage/rule-based-matching",
        ) from error
    return nlp, matcher

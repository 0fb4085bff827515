"""
Detector files to `Detector`s.

Comes in: `Sources` and the languages' controls. Goes out: detectors by name. References to word
lists are checked later, when all lists are known.
"""

from __future__ import annotations

import json
import re
import re._constants as op  # type: ignore[import-not-found]  # the parser of the standard library has no public name
import re._parser as parser  # type: ignore[import-not-found]
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from aigov_eval.documents.issues import Issue
from aigov_eval.documents.strict import Document, Path
from aigov_eval.model import SAME, Detector, Find, Ignore, Lexicon, Location
from aigov_eval.pack.additions import Additions
from aigov_eval.pack.examples import read_examples
from aigov_eval.pack.patterns import classes_in, joined, with_classes, with_parts
from aigov_eval.pack.sources import Sources

# a find is of exactly one of these kinds
KINDS = ("terms", "cell", "regex", "presidio", "phone", "spacy")
_OF_WHOM = {"man": "m", "woman": "f", "same": SAME}
# keys that mean something for one kind only
_ONLY_WITH = {"score": ("presidio",), "recognizers": ("presidio",), "case": ("regex",), "explicit": KINDS}


Parts = Mapping[str, Any]
# a regular expression, the parts of its detector, its place, its language -> with its parts and classes
Named = Callable[[str, Parts, Location, str], str]


def build_detectors(
    sources: Sources,
    additions: Additions,
    classes: Mapping[str, Sequence[Lexicon]] | None = None,
    spelled: Mapping[str, str] | None = None,
) -> dict[str, Detector]:
    """The detectors by name, sorted; `classes` are those that patterns may name, None where they are not known yet."""

    def named(pattern: str, parts: Parts, where: Location, language: str = "") -> str:
        pattern = with_parts(pattern, parts)
        if classes is None:
            return "" if classes_in(pattern) else pattern
        return with_classes(pattern, classes, where, sources.issues, language=language, spelled=spelled)

    detectors: dict[str, Detector] = {}
    for document in sources.documents["detector"]:
        detector = _detector(document, additions, sources.issues, named)
        if detector.name in detectors:
            _add(
                sources.issues,
                detector.where,
                "AG104",
                f'the detector "{detector.name}" is there already',
                "rename one",
            )
            continue
        detectors[detector.name] = detector
    return dict(sorted(detectors.items()))


def _detector(document: Document, additions: Additions, issues: list[Issue], named: Named) -> Detector:
    data = document.data
    name = data["detector"]
    controls = data.get("controls", {})
    subject = controls.get("subject", "")
    parts: Parts = data.get("parts", {})
    finds: list[Find] = []
    for index, part in enumerate(data["find"]):
        find = _find(document, ("find", index), part, name, issues, named)
        if find is None:
            continue
        if any(find.subtype == other.subtype for other in finds) and "id" in part:
            where = document.at("find", index, "id")
            _add(issues, where, "AG104", f'the find "{find.subtype}" is there already', "give it another id")
        finds.append(find)
    ignores = [
        Ignore(
            document.at("ignore", index),
            named(joined(part.get("regex", "")), parts, document.at("ignore", index, "regex"), ""),
            part.get("after", ""),
        )
        for index, part in enumerate(data.get("ignore", ()))
    ]
    for index, ignore in enumerate(ignores):
        check_pattern(ignore.pattern, document.at("ignore", index, "regex"), issues)
    read = {
        key: read_examples(document, ("controls", key), controls.get(key), issues, subject=subject)
        for key in ("finds", "skips", "doubts")
    }
    return Detector(
        name,
        data["says"],
        tuple(finds),
        tuple(ignores),
        (*read["finds"], *additions.finds.get(name, ())),
        (*read["skips"], *additions.skips.get(name, ())),
        document.at("detector"),
        tuple(data.get("claimed", ())),
        (*read["doubts"], *additions.doubts.get(name, ())),
        data.get("reserved", ""),
    )


def _find(
    document: Document, at: Path, part: dict[str, Any], name: str, issues: list[Issue], named: Named
) -> Find | None:
    where = document.at(*at)
    kinds = [kind for kind in KINDS if kind in part]
    if len(kinds) != 1:
        text = "a find has " + (" and ".join(f"`{kind}`" for kind in kinds) if kinds else "nothing to find")
        _add(issues, where, "AG116", text, "give it exactly one of " + ", ".join(KINDS))
        return None
    for key, fitting in _ONLY_WITH.items():
        if key in part and kinds[0] not in fitting:
            text = f"`{key}` does nothing beside `{kinds[0]}`"
            _add(issues, document.at_key(*at, key), "AG116", text, f"it goes with {', '.join(fitting)}")
    if ("within" in part or "side" in part) and not ("near" in part or "not_near" in part):
        key = "within" if "within" in part else "side"
        _add(
            issues,
            document.at_key(*at, key),
            "AG116",
            f"`{key}` does nothing without `near` or `not_near`",
            "add `near:`",
        )
    parts = document.data.get("parts", {})
    pattern = named(joined(part.get("regex", "")), parts, document.at(*at, "regex"), part.get("language", ""))
    check_pattern(pattern, document.at(*at, "regex"), issues)
    _check_tokens(part.get("spacy", ""), document.at(*at, "spacy"), issues)
    return Find(
        part.get("id", name),
        where,
        lexicon=part.get("terms", ""),
        cell=part.get("cell", ""),
        pattern=pattern,
        entity=part.get("presidio", ""),
        score=float(part.get("score", 0.0)),
        recognizers=part.get("recognizers", ""),
        tokens=part.get("spacy", ""),
        # an empty list asks for international numbers only; the engine needs a value that says "phone"
        phone=tuple(part["phone"]) or ("ZZ",) if "phone" in part else (),
        validator=part.get("validator", ""),
        near=tuple(part.get("near", ())),
        not_near=tuple(part.get("not_near", ())),
        within=part.get("within", 6),
        side=part.get("side", "either"),
        explicit=part.get("explicit"),
        language=part.get("language", ""),
        case=part.get("case", False),
        subject_gender=_OF_WHOM.get(part.get("subject_gender", ""), ""),
    )


def check_pattern(pattern: str, where: Location, issues: list[Issue]) -> None:
    """An issue where a regular expression does not compile or matches the empty text."""
    if not pattern:
        return
    import regex  # the engine's own; slow to import, and needed only when files are compiled

    if written_out(pattern) > LARGEST_PATTERN:
        _add(
            issues,
            where,
            "AG301",
            "the regex counts too far: its repeats, multiplied, do not fit into memory",
            "count less far, or do not repeat what is counted already",
        )
        return
    try:
        compiled = regex.compile(pattern)
    except regex.error as error:
        text = f"the regex does not compile: {error.msg} at character {(error.pos or 0) + 1}"
        _add(
            issues,
            where,
            "AG301",
            text,
            "put the regex into single quotes and escape what is meant as a letter",
        )
        return
    except (RecursionError, MemoryError, OverflowError):
        _add(
            issues, where, "AG301", "the regex is nested too deep, or counts too far", "write it more simply"
        )
        return
    if compiled.fullmatch(""):
        _add(issues, where, "AG302", "the regex matches the empty text", "let at least one part be required")


LARGEST_PATTERN = 200_000  # letters that a pattern is as long as, its counted repeats written out


def written_out(pattern: str) -> int:
    """How long a pattern is with its counted repeats written out; 0 where only another engine can read it."""
    try:
        with warnings.catch_warnings():
            # `[[` may mean more in a later Python; our engine reads it as it always did
            warnings.simplefilter("ignore", FutureWarning)
            tree = list(parser.parse(pattern))
    except (re.error, RecursionError, OverflowError, ValueError, TypeError):
        return 0
    return _length(tree)


def _length(nodes: Sequence[tuple[Any, Any]]) -> int:
    total = 0
    for code, value in nodes:
        if code in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            low, high, body = value
            times = int(low) if high is op.MAXREPEAT else int(high)
            total += max(1, times) * _length(list(body))
        elif code is op.SUBPATTERN:
            total += _length(list(value[3]))
        elif code is op.BRANCH:
            total += sum(_length(list(branch)) for branch in value[1])
        elif code in (op.ASSERT, op.ASSERT_NOT):
            total += _length(list(value[1]))
        elif code is op.ATOMIC_GROUP:
            total += _length(list(value))
        else:
            total += 1
    return total


def _check_tokens(tokens: str, where: Location, issues: list[Issue]) -> None:
    if not tokens:
        return
    try:
        value = json.loads(tokens)
    except json.JSONDecodeError as error:
        text = f"`spacy` is not JSON: {error.msg} at character {error.pos + 1}"
        _add(issues, where, "AG117", text, "write a list of token patterns")
        return
    if not (isinstance(value, list) and value and all(isinstance(one, dict) for one in value)):
        _add(
            issues,
            where,
            "AG117",
            "`spacy` must be a list of token patterns",
            'such as \'[{"LOWER": "cvv"}]\'',
        )


def _add(issues: list[Issue], where: Location, code: str, text: str, help: str) -> None:
    issues.append(Issue(where.path, where.line, where.column, code, text, help))

"""
What comes back: strict JSON whose every quotation stands in the judged turn, or what else it was, by its name.

Comes in: a record of the store and the request it answers. Goes out: a `Read`. Nothing but an answer that is whole and checked is an
opinion: a refusal, nonsense, a cut answer, invented words or another model's word says nothing, and so clears nobody.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from aigov_eval.model import Channel, Holder, Stance
from aigov_eval.opinion.prompt import Part, Request

Status = Literal[
    "answered",  # the only one that is an opinion
    "refused",
    "nonsense",
    "misquoted",
    "cut",
    "other_model",
    "timeout",
    "failed",
    "not_asked",
]
_CUT = frozenset({"length", "max_tokens", "max_output_tokens", "model_length"})
_REFUSED = frozenset({"refusal", "content_filter", "safety", "blocked"})
_FENCE = re.compile(r"\A\s*```(?:json)?[ \t]*\n(.*?)\n?```\s*\Z", re.S)
_DATED = re.compile(r"[-:@](?:latest|\d{4}-\d{2}-\d{2}|\d{8}|\d{4})")
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "’": "'", "‘": "'", "\u00a0": " "})
_SHOWN = 120


class Item(Struct, frozen=True):
    """One thing that an opinion lists: words and span are of the turn as it was said."""

    field: str
    words: str
    channel: Channel
    part: int
    start: int
    end: int
    holder: Holder
    stance: Stance
    reason: str


class Read(Struct, frozen=True):
    """What became of one call: an opinion (`answered`, with its items), or why there is none. `model` is the name reported."""

    status: Status
    items: tuple[Item, ...] = ()
    problem: str = ""
    model: str = ""


def read_record(
    record: Mapping[str, Any] | None,
    request: Request,
    fields: Mapping[str, str],
    models: Sequence[str],
) -> Read:
    """
    The opinion in a record (None: nobody was asked). `fields` are the fields of the question by every name they have; `models` the
    names under which the model may be reported, the first the one that was asked for (empty: the target has none).
    """
    if request.problem:
        return Read("not_asked", problem=request.problem)
    if record is None:
        return Read("not_asked", problem="nobody was asked")
    failure = record.get("failure")
    if failure is not None:
        status: Status = "timeout" if failure["kind"] == "timeout" else "failed"
        return Read(status, problem=f"{failure['kind']}: {failure['text']}")
    answer = record["answer"]
    read = _read(answer, request, fields, models)
    return replace(read, model=str(answer.get("model", "")))


def _read(
    answer: Mapping[str, Any], request: Request, fields: Mapping[str, str], models: Sequence[str]
) -> Read:
    reported = str(answer.get("model", ""))
    if reported and models and models[0] and not any(is_same_model(name, reported) for name in models):
        return Read(
            "other_model",
            problem=f"the endpoint says that {reported} answered, and {models[0]} was asked"
            " (list the name under `models:` if it is the one you mean)",
        )
    finish = str(answer.get("finish", "")).lower()
    if finish in _CUT:
        return Read("cut", problem=f"the answer was cut off ({finish})")
    if finish in _REFUSED or _has_refusal(answer.get("raw")):
        return Read("refused", problem=_start(str(answer["content"])))
    try:
        value = _parsed(str(answer["content"]))
    except _NoOpinionError as error:
        text = str(answer["content"])
        if "{" not in text and "[" not in text and finish != "length":
            return Read("refused", problem=_start(text))
        return Read("nonsense", problem=str(error))
    items: list[Item] = []
    for one in value["told"]:
        name = one["field"].strip().casefold()
        if name not in fields:
            return Read("nonsense", problem=f'there is no field "{_start(one["field"])}" in the question')
        found = _stands(one["words"], request.parts)
        if found is None:
            return Read("misquoted", problem=f'the words "{_start(one["words"])}" do not stand in the turn')
        part, start, end = found
        turn = request.parts[part].turn
        reason = one["reason"] if request.masks is None else request.masks.unmasked(one["reason"])
        items.append(
            Item(
                fields[name],
                turn.content[start:end],
                turn.channel,
                part,
                start,
                end,
                one["holder"],
                one["stance"],
                " ".join(reason.split()),
            )
        )
    return Read("answered", tuple(items))


def is_same_model(asked: str, reported: str) -> bool:
    """Whether a reported name is the one asked for: itself, with or without its maker, or with a date behind it."""
    a, b = (name.casefold().rpartition("/")[2] for name in (asked, reported))
    a, b = (re.sub("[-:]latest$", "", name) for name in (a, b))
    short, long = sorted((a, b), key=len)
    return a == b or (long.startswith(short) and bool(_DATED.fullmatch(long[len(short) :])))


class _NoOpinionError(Exception):
    """An answer that is no opinion, and why."""


def _parsed(text: str) -> Mapping[str, Any]:
    """The answer's value, checked against its schema; a list alone and one fence around the whole are let pass."""
    fenced = _FENCE.match(text)
    try:
        value = json.loads(
            fenced[1] if fenced else text, object_pairs_hook=_unique, parse_constant=_no_constant
        )
    except (ValueError, RecursionError) as error:
        raise _NoOpinionError(f"it is no JSON: {error}"[:200]) from None
    if isinstance(value, list):
        value = {"told": value}
    for fault in _validator().iter_errors(value):
        where = "/" + "/".join(map(str, fault.absolute_path))
        raise _NoOpinionError(f"it is not as asked for at {where}: {fault.message}"[:200])
    for one in value["told"]:
        if not any(letter.isalnum() for letter in one["words"]):
            raise _NoOpinionError("it quotes no word")
    return value  # type: ignore[no-any-return]


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


@cache
def _validator() -> Any:
    from importlib.resources import files

    from jsonschema import Draft202012Validator

    text = (files("aigov_eval") / "schemas" / "opinion_answer.json").read_text("utf-8")
    return Draft202012Validator(json.loads(text))


def _stands(words: str, parts: Sequence[Part]) -> tuple[int, int, int] | None:
    """
    Where quoted words stand in the turn as it was said: part, start, end; None where they do not.

    Letter by letter, but for runs of spaces, the kind of quotation marks, and blanks around the quotation.
    """
    pattern = re.compile(r"\s+".join(map(re.escape, words.translate(_QUOTES).split())))
    for at, part in enumerate(parts):
        # one sign for one: places stay what they are
        match = pattern.search(part.sent.text.translate(_QUOTES))
        if match is not None:
            return at, *part.sent.source_span(*match.span())
    return None


def _has_refusal(raw: Any) -> bool:
    """Whether a chat completion carries its text as a refusal."""
    body = raw.get("body") if isinstance(raw, Mapping) else None
    if not isinstance(body, str) or '"refusal"' not in body:
        return False
    try:
        message = json.loads(body)["choices"][0]["message"]
        return bool(message.get("refusal")) and not message.get("content")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        return False


def _start(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 3] + "..."

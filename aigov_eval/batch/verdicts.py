"""
Verdicts as rows: one for each transcript and category, one for each row that could not be scored.

Comes in: a transcript and the engine, or an error. Goes out: dicts in the shape of `schema()` (batch/arrow.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from aigov_eval.batch.asked import known_fields, with_options
from aigov_eval.batch.doubtful import HELP as HELP_OF
from aigov_eval.batch.doubtful import UNCOVERED, UNREAD, doubtful
from aigov_eval.batch.options import OWN, Options
from aigov_eval.errors import AigovError, DetectorError, InputError
from aigov_eval.model import SEVERITIES, STRENGTHS, Decision, Finding, Score, Transcript
from aigov_eval.objects import score_to_dict
from aigov_eval.readers import decode
from aigov_eval.readers.answered import HELP, NO_ANSWER, answered
from aigov_eval.readers.values import clean
from aigov_eval.scoring import Engine, score_transcript


def verdicts(
    transcript: Transcript, engine: Engine, options: Options, name: str, kept: Mapping[str, str | None]
) -> Iterator[dict[str, Any]]:
    """The rows of a transcript; `name` is its id where it has none of its own. An error is a row, never raised."""
    name = transcript.id or name
    try:
        ready = _ready(transcript, engine, options)
        scores = score_transcript(
            ready, engine, options.categories, options.languages, strength=options.strength
        )
    except Exception as error:  # noqa: BLE001  # one row of millions must not end the others; it has no verdict
        yield failed(error, name, kept)
        return
    doubts = list(doubtful(ready, engine.languages))
    accepted = {UNREAD: options.allow_unread, UNCOVERED: options.allow_uncovered}
    refused = [] if any(not one.passed for one in scores) else [one for one in doubts if not accepted[one[0]]]
    if refused:
        # nothing found in what was not read, or not understood, is no pass
        told = InputError(
            "; ".join(f"{text}: {detail}" for text, detail in refused), help=HELP_OF[refused[0][0]]
        )
        yield failed(told, name, kept, kind="doubt")
        return
    for score in scores:
        yield {
            **_row(ready, score, options, name, kept),
            "doubts": [clean(f"{text}: {detail}") for text, detail in doubts],
        }


def failed(error: Exception, name: str, kept: Mapping[str, str | None], *, kind: str = "") -> dict[str, Any]:
    """The row of what could not be scored: no verdict, and the error as a value."""
    return {
        **dict.fromkeys(OWN),
        "id": name or None,
        "error": _error(error) | ({"kind": kind} if kind else {}),
        **kept,
    }


def _error(error: Exception) -> dict[str, str]:
    if isinstance(error, AigovError):
        kind = "detector" if isinstance(error, DetectorError) else "input"
        where = error.where if error.where.startswith("/") else ""
        return {"kind": kind, "text": clean(error.text), "where": clean(where), "help": clean(error.help)}
    text = f"this is a defect of aigov-eval: {type(error).__name__}: {error}"
    return {"kind": "defect", "text": clean(text), "where": "", "help": "report it with the row."}


def _ready(transcript: Transcript, engine: Engine, options: Options) -> Transcript:
    """The transcript with what was asked for; InputError where there is nothing to judge."""
    asked = with_options(transcript, None, options.subject, options.aliases)
    if not options.allow_empty and not answered(asked):
        raise InputError(NO_ANSWER, help=HELP)
    scenario = known_fields(asked.scenario, engine.pack)
    return asked if scenario is asked.scenario else replace(asked, scenario=scenario)


def _row(
    transcript: Transcript, score: Score, options: Options, name: str, kept: Mapping[str, str | None]
) -> dict[str, Any]:
    shown = options.transcripts == "all" or (options.transcripts == "found" and not score.passed)
    return {
        "id": name or None,
        "category": score.category,
        "pass": score.passed,
        "severity": max((one.severity for one in score.findings), key=SEVERITIES.index, default=None),
        "strength": max(
            (one.strength for one in score.findings if one.strength), key=STRENGTHS.index, default=None
        ),
        "fields": sorted({field for one in score.findings for field in one.detected_fields}),
        "findings": [_finding(one) for one in score.findings],
        "pack": score.pack_sha256,
        "error": None,
        "transcript": _said(transcript) if shown else None,
        "score": decode.json_text(score_to_dict(score)) if shown else None,
        **kept,
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "turn_index": finding.turn_index,
        "fields": list(finding.detected_fields),
        "excerpt": clean(finding.excerpt),
        "severity": finding.severity,
        "strength": finding.strength,
        "rules": list(finding.rules),
        "legal": list(finding.legal),
        "channel": finding.channel,
        "source": finding.source,
        "mentions": [_mention(one) for one in finding.mentions],
    }


def _mention(judged: Decision) -> dict[str, Any]:
    mention, told = judged.mention, judged.predication
    return {
        "field": mention.field,
        "subtype": mention.subtype,
        "text": clean(mention.text),
        "start": mention.start,
        "end": mention.end,
        "detector": mention.detector,
        "view": mention.view,
        "explicit": mention.explicit,
        "synthetic": mention.synthetic,
        "evidence": judged.evidence,
        "evidence_text": clean(judged.evidence_text),
        "origin": judged.origin,
        "channel": judged.channel,
        "rule": judged.rule,
        "holder": told.holder if told else None,
        "stance": told.stance if told else None,
        "points": told.points if told else None,
        "strength": (told.strength or None) if told else None,
    }


def _said(transcript: Transcript) -> str:
    """The turns as JSON text; offsets of mentions count in `content`."""
    return decode.json_text(
        [
            {
                "turn_index": turn.turn_index,
                "role": turn.role,
                "content": clean(turn.content),
                **({"channel": turn.channel, "name": turn.name} if turn.channel != "message" else {}),
            }
            for turn in transcript.turns
        ]
    )

"""
What a score says of its second opinion: asked, answered, missing, disputed, and how far it agrees with the rules.

Comes in: the score before and after, and what was heard. Goes out: the block `opinion` of a score object, ready for JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aigov_eval.agreement import Agreement, agreement_of, rounded
from aigov_eval.model import Decision, Score, Transcript
from aigov_eval.opinion.heard import NO_REASON, Heard, Opinion
from aigov_eval.scoring import Engine
from aigov_eval.scoring.spoken import languages_of


def block_of(
    before: Score,
    after: Score,
    transcript: Transcript,
    opinions: Sequence[Opinion],
    turns: Mapping[int, Heard],
    engine: Engine,
    settings: Mapping[str, Any],
) -> dict[str, Any]:
    """What was asked, answered, missing and disputed, ready for JSON."""
    question = engine.pack.questions[before.category]
    by_rules = {
        index: {
            name
            for one in before.findings
            if one.turn_index == index and one.source == "transcript"
            for name in one.detected_fields
        }
        for index in turns
    }
    return {
        "ask": settings["ask"],
        "decide": settings["decide"],
        "votes": settings["votes"],
        "masked": settings["mask"],
        "asked_model": (settings["models"] or [""])[0],
        "models": sorted({one.model for opinion in opinions for one in opinion.valid if one.model}),
        "question": {"category": question.category, "version": question.version},
        "pass_by_rules": before.passed,
        "turns": [_asked(one, turns.get(one.turn_index)) for one in opinions],
        "missing": [_missing(one) for one in opinions if not one.counts],
        "disagreements": list(_disagreements(before, after, turns, by_rules)),
        "agreement": list(_agreements(transcript, turns, by_rules, engine)),
        "cost": settings["cost"],
    }  # fmt: skip


def _asked(opinion: Opinion, turn: Heard | None) -> dict[str, Any]:
    told = () if turn is None else turn.told
    return {
        "turn_index": opinion.turn_index,
        "why": opinion.why,
        "told": sorted(told),
        **({"left_out": list(opinion.left_out)} if opinion.left_out else {}),
        "votes": [
            {
                "key": key,
                "status": read.status,
                "model": read.model,
                **({"problem": read.problem} if read.problem else {}),
                "items": [
                    {
                        "field": item.field,
                        "words": item.words,
                        "span": [item.start, item.end],
                        "channel": item.channel,
                        "holder": item.holder,
                        "stance": item.stance,
                        "reason": item.reason,
                    }
                    for item in read.items
                ],
            }
            for key, read in zip(opinion.keys, opinion.reads, strict=True)
        ],
    }


def _missing(opinion: Opinion) -> dict[str, Any]:
    """Why a turn has no opinion: what became of the first vote that is none."""
    first = next(one for one in opinion.reads if one.status != "answered")
    return {
        "turn_index": opinion.turn_index,
        "status": first.status,
        "problem": first.problem,
        "votes": len(opinion.valid),
    }


def _disagreements(
    before: Score, after: Score, turns: Mapping[int, Heard], by_rules: Mapping[int, set[str]]
) -> Iterator[dict[str, Any]]:
    """What the one tells and the other does not, for a person to look at: words and reason of both, and what was decided."""
    found = {(one.turn_index, name) for one in after.findings for name in one.detected_fields}
    for index, turn in sorted(turns.items()):
        for name in sorted(by_rules[index] ^ set(turn.told)):
            rules_tell = name in by_rules[index]
            mentions = [
                one
                for finding in before.findings
                if finding.turn_index == index
                for one in finding.mentions
                if one.mention.field == name
            ]
            dismissed = [
                one for one in before.dismissed if one.turn_index == index and one.mention.field == name
            ]
            items = turn.told.get(name, ())
            seen = mentions[0] if mentions else None
            strength = next(
                (
                    one.predication.strength
                    for one in mentions
                    if one.predication and one.predication.strength
                ),
                "",
            )
            if rules_tell:
                reason = _why(seen)
            elif dismissed:
                reason = f"{dismissed[0].clause}: {dismissed[0].reason}"
            else:
                reason = "no mention was found"
            yield {
                "turn_index": index,
                "field": name,
                "words": seen.mention.text if seen else items[0].words,
                "rules": "told" if rules_tell else "not told",
                "rules_reason": reason,
                **({"strength": strength} if strength else {}),
                "opinion": "told" if items else "not told",
                "opinion_reason": items[0].reason
                if items
                else (turn.view(seen).reason if seen else NO_REASON),
                "model": turn.opinion.model,
                "decided": "finding" if (index, name) in found else "no finding",
            }


def _why(judged: Decision | None) -> str:
    """What made the rules find a mention, in a few words."""
    if judged is None:
        return ""
    said = judged.predication
    if said is None:
        return f"rule {judged.rule}"
    signs = "; ".join(f'{one.name} "{one.words}"' if one.words else one.name for one in said.signs[:2])
    return f"{said.stance}, of the {said.holder.replace('_', ' ')}" + (f" ({signs})" if signs else "")


def _agreements(
    transcript: Transcript, turns: Mapping[int, Heard], by_rules: Mapping[int, set[str]], engine: Engine
) -> Iterator[dict[str, Any]]:
    """Agreement of rules and opinion over the turns with an opinion, for each field that either tells."""
    fields = sorted({name for index, turn in turns.items() for name in (*turn.told, *by_rules[index])})
    language = language_of(transcript, engine)
    if turns:
        pairs = [(not by_rules[index], not turn.told) for index, turn in turns.items()]
        yield as_json(agreement_of("rules", "opinion", pairs), field="", language=language)
    for name in fields:
        pairs = [(name not in by_rules[index], name not in turn.told) for index, turn in turns.items()]
        yield as_json(agreement_of("rules", "opinion", pairs), field=name, language=language)


def as_json(one: Agreement, *, field: str, language: str) -> dict[str, Any]:
    """An agreement of rules and opinion as it is written down; `field` is empty where any field counts."""
    return {
        "field": field,
        "language": language,
        "turns": one.sessions,
        "neither": one.both_pass,
        "both": one.both_fail,
        "opinion_only": one.only_a_passes,
        "rules_only": one.only_b_passes,
        "agreement": rounded(one.share),
        "kappa": rounded(one.kappa),
    }


def language_of(transcript: Transcript, engine: Engine) -> str:
    """The language of a conversation: the one its scenario names, or the one whose common words it has most; `other` where none."""
    given = transcript.scenario.languages
    if len(given) == 1:
        return given[0]
    words = {
        word
        for turn in transcript.turns
        if turn.role in ("user", "assistant")
        for word in engine.detection.read(turn.content).row
    }
    spoken = languages_of(words, engine.common)
    best = sorted(spoken, key=lambda name: (-len(engine.common[name] & words), name))
    return best[0] if best else "other"

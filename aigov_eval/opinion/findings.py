"""
Findings that a second opinion made or left: their fields, excerpt, severity and law.

Comes in: mentions of one turn, of the rules or of an opinion. Goes out: a `Finding` as the rules would write it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from aigov_eval.model import SEVERITIES, Decision, Finding, Mention, Predication, Rule, Transcript, Turn, View
from aigov_eval.opinion.answer import Item
from aigov_eval.opinion.heard import Heard
from aigov_eval.scoring import Engine

SOURCE = "opinion"


def place_of(judged: Decision) -> tuple[int, str, int, int]:
    """Where a mention stands, to sort by."""
    return judged.turn_index, judged.channel, judged.mention.start, judged.mention.end


def with_mentions(
    finding: Finding,
    kept: Sequence[Decision],
    rules: Sequence[Rule],
    transcript: Transcript,
    engine: Engine,
    category: str,
) -> Finding:
    """A finding with the mentions that are left of it."""
    if len(kept) == len(finding.mentions):
        return replace(finding, mentions=tuple(kept))
    broken = [rule for rule in rules if any(one.rule == rule.id for one in kept)]
    spans = [(one.channel, one.mention.start, one.mention.end) for one in kept]
    return replace(
        finding,
        detected_fields=tuple(sorted({one.mention.field for one in kept})),
        excerpt=_excerpt(transcript, finding.turn_index, spans, engine) or finding.excerpt,
        severity=max((_severity(one, rules) for one in kept), key=SEVERITIES.index),
        rules=tuple(sorted({one.rule for one in kept})),
        legal=_legal(engine, category, broken),
        mentions=tuple(kept),
        channel="message" if any(one.channel == "message" for one in kept) else "tool_call",
    )


def _severity(judged: Decision, rules: Sequence[Rule]) -> Any:
    """The severity of a mention: its rule's, one step lower where it is indirect or its check digits are wrong."""
    severity = next((rule.severity for rule in rules if rule.id == judged.rule), "MEDIUM")
    steps = (judged.mention.explicit == "indirect") + (judged.mention.checksum == "invalid")
    return SEVERITIES[max(0, SEVERITIES.index(severity) - steps)]


def finding_of(
    index: int,
    told: Mapping[str, Sequence[Item]],
    turn: Heard,
    rules: Sequence[Rule],
    transcript: Transcript,
    engine: Engine,
    category: str,
) -> Finding:
    """What the opinion alone tells of a turn, as a finding of its own."""
    mentions = []
    for name, items in told.items():
        rule = next(one for one in rules if name in one.detects)
        for item in items:
            mention = Mention(name, SOURCE, item.start, item.end, item.words, SOURCE)
            view = View(
                True, item.words, item.reason, turn.opinion.model, turn.votes[name], len(turn.opinion.valid)
            )
            mentions.append(
                Decision(
                    turn_index=index,
                    mention=mention,
                    evidence="none",
                    evidence_text="",
                    origin=_origin(transcript, index, item.words),
                    status="finding",
                    rule=rule.id,
                    channel=item.channel,
                    predication=Predication(item.holder, item.stance, 0, ""),
                    opinion=view,
                )
            )
    mentions.sort(key=lambda one: (*place_of(one), one.mention.field))
    broken = [rule for rule in rules if any(one.rule == rule.id for one in mentions)]
    return Finding(
        turn_index=index,
        detected_fields=tuple(sorted(told)),
        excerpt=_excerpt(
            transcript, index, [(one.channel, one.mention.start, one.mention.end) for one in mentions], engine
        ),
        severity=max((rule.severity for rule in broken), key=SEVERITIES.index),
        rules=tuple(sorted(rule.id for rule in broken)),
        legal=_legal(engine, category, broken),
        mentions=tuple(mentions),
        channel="message" if any(one.channel == "message" for one in mentions) else "tool_call",
        source="opinion",
    )


def _legal(engine: Engine, category: str, broken: Sequence[Rule]) -> tuple[str, ...]:
    # of a rule, `legal` holds the law of its category already
    own = engine.pack.categories[category].legal
    return tuple(dict.fromkeys((*own, *(law for rule in broken for law in rule.legal))))


def _turns(transcript: Transcript, index: int) -> list[Turn]:
    return [turn for turn in transcript.turns if turn.turn_index == index and turn.role == "assistant"]


def _excerpt(
    transcript: Transcript, index: int, spans: Sequence[tuple[str, int, int]], engine: Engine
) -> str:
    """The sentences over these stretches of a turn, whole, as they were said."""
    pieces: list[str] = []
    for turn in _turns(transcript, index):
        reading = engine.detection.read(turn.content)
        told: set[tuple[int, int]] = set()
        for channel, first, last in spans:
            if channel != turn.channel or last > len(turn.content):
                continue
            start, end = reading.view.span_of_source(first, last)
            told.update(
                reading.view.source_span(one.start, one.end)
                for one in reading.structure.sentences_over(start, end)
            )
        pieces += [turn.content[start:end].strip() for start, end in sorted(told)]
    return " ".join(dict.fromkeys(pieces))


def _origin(transcript: Transcript, index: int, words: str) -> str:
    """Where the words first stood before the turn: `system`, `user:0`, `tool:name:2`, or `nowhere`."""
    wanted = " ".join(words.casefold().split())
    for turn in transcript.turns:
        if turn.turn_index >= index:
            break
        if wanted in " ".join(turn.content.casefold().split()):
            if turn.role == "system":
                return "system"
            kind = turn.channel if turn.channel == "tool_call" else turn.role
            return f"{kind}:{turn.name}:{turn.turn_index}" if turn.name else f"{kind}:{turn.turn_index}"
    return "nowhere"

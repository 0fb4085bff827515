"""
A score as the contract's object.

Comes in: a `Score`. Goes out: a dict ready for JSON: the contract's keys (`category`, `pass`,
`findings[].turn_index, detected_fields, excerpt`) first, ours after. The schema is
aigov_eval/schemas/score.json.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

if TYPE_CHECKING:
    from aigov_eval.model import Accepted, Decision, Finding, Predication, Score


def score_to_dict(score: Score) -> dict[str, Any]:
    """The score object; the same score gives the same bytes."""
    result: dict[str, Any] = {
        "category": score.category,
        "pass": score.passed,
        "findings": [finding_to_dict(f) for f in score.findings],
        "dismissed": [_judged(j, dismissed=True) for j in score.dismissed],
    }
    if score.accepted:
        result["accepted"] = [_accepted(one) for one in score.accepted]
    if score.notes:
        result["notes"] = [{**_judged(j, dismissed=False), "turn_index": j.turn_index} for j in score.notes]
    if score.subject:
        result["subject"] = score.subject
    if score.audit is not None:
        result["audit"] = dict(score.audit)
    if score.opinion is not None:
        result["opinion"] = dict(score.opinion)
    result["pack"] = {"name": score.pack_name, "version": score.pack_version, "sha256": score.pack_sha256}
    return result


def finding_to_dict(finding: Finding) -> dict[str, Any]:
    """A finding as it stands in its score object."""
    return {
        "turn_index": finding.turn_index,
        "detected_fields": list(finding.detected_fields),
        "excerpt": finding.excerpt,
        "severity": finding.severity,
        "rules": list(finding.rules),
        "legal": list(finding.legal),
        "channel": finding.channel,
        "source": finding.source,
        **({"strength": finding.strength} if finding.strength else {}),
        **({"fingerprint": finding.fingerprint} if finding.fingerprint else {}),
        "mentions": [_judged(j, dismissed=False) for j in finding.mentions],
    }


def _accepted(accepted: Accepted) -> dict[str, Any]:
    why = {"reason": accepted.reason, "who": accepted.who, "until": accepted.until}
    return {
        "by": accepted.by,
        **{key: text for key, text in why.items() if text},
        "finding": finding_to_dict(accepted.finding),
    }


def _predication(predication: Predication) -> dict[str, Any]:
    result: dict[str, Any] = {
        "holder": predication.holder,
        "stance": predication.stance,
        "points": predication.points,
        "where": predication.where,
        "signs": [
            {"sign": one.name, "points": one.points, "words": one.words, "where": one.where}
            for one in predication.signs
        ],
    }
    if predication.strength:
        result["strength"] = predication.strength
    return result


def _judged(judged: Decision, *, dismissed: bool) -> dict[str, Any]:
    mention = judged.mention
    result: dict[str, Any] = {
        "field": mention.field,
        "subtype": mention.subtype,
        "text": mention.text,
        "span": [mention.start, mention.end],
        "detector": mention.detector,
        "view": mention.view,
        "explicit": mention.explicit,
        "synthetic": mention.synthetic,
        "evidence": {"level": judged.evidence, "text": judged.evidence_text},
        "origin": judged.origin,
        "channel": judged.channel,
        "rule": judged.rule,
        "places": dict(judged.places),
    }
    if mention.checksum:
        result["checksum"] = mention.checksum
    if judged.predication is not None:
        result["predication"] = _predication(judged.predication)
    if judged.opinion is not None:
        result["opinion"] = to_builtins(judged.opinion)
    if dismissed:
        result["turn_index"] = judged.turn_index
        result["status"] = judged.clause
        result["reason"] = judged.reason
        result["clauses"] = list(judged.contexts)
    else:
        result["status"] = "told"
        if judged.contexts:
            result["contexts"] = list(judged.contexts)
            result["reason"] = judged.reason
    return result

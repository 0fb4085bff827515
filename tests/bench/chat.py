"""
The chat cases: transcripts with the fields that leak in each turn.

Comes in: files of labelled transcripts and an engine. Goes out: Outcomes. Each case
is scored with its own category and person, all special fields expected, as the README of the gold
cases asks; a field counts once per turn. `half` "A" takes the lines at even positions of each file
(from 0), "B" those at odd ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from aigov_eval.model import STRENGTHS, Decision, Score, Transcript
from aigov_eval.readers import read_bytes
from aigov_eval.scoring import Engine, score_transcript
from tests.bench.measure import Counts, Outcome

# transcripts of our own, written before their score was known: `<language>.jsonl`, `<language>_<round>.jsonl`
FRESH = Path(__file__).resolve().parents[1] / "data" / "fresh"
ORDINARY = Path(__file__).resolve().parents[1] / "data" / "ordinary"
BLIND = Path(__file__).resolve().parents[1] / "data" / "blind"
MIXED = Path(__file__).resolve().parents[1] / "data" / "mixed"
DIALOGUE = Path(__file__).resolve().parents[1] / "data" / "dialogue"
TALKS = Path(__file__).resolve().parents[1] / "data" / "talks"
RECORDS = TALKS.parent / "records"
ANSWERS = TALKS.parent / "answers"
READ = TALKS.parent / "read"
UNREAD = Path(__file__).resolve().parents[1] / "data" / "unread"


def rows(files: Iterable[Path], half: str = "") -> Iterator[dict[str, Any]]:
    """The rows of the files, sorted by path, in file order."""
    for path in sorted(files):
        for number, line in enumerate(path.read_text("utf-8").splitlines()):
            if half and number % 2 != "AB".index(half):
                continue
            row = {"file": path.stem, **json.loads(line)}
            if "persons" in row:
                yield from each_subject(row)
            else:
                yield row


def each_subject(talk: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """One row for each person of a talk, who is its subject there; what is `of` another one is his."""
    names = [person["name"] for person in talk["persons"]]
    shared = {key: talk[key] for key in ("file", "category", "turns", "phenomenon")}
    for number, person in enumerate(talk["persons"], 1):
        expect: dict[str, list[str]] = {}
        mentions = []
        for mark in talk["mentions"]:
            own = mark["of"] == person["name"]
            holder = "subject" if own else "other_person" if mark["of"] in names else mark["of"]
            tells = mark["tells"] and own
            mentions.append({**mark, "holder": holder, "tells": tells})
            told = expect.setdefault(str(mark["turn"]), []) if tells else []
            if tells and mark["field"] not in told:
                told.append(mark["field"])
        yield {
            **shared,
            "id": f"{talk['id']}/{number}",
            "lang": talk["id"][:2],
            "person_name": person["name"],
            "aliases": person["aliases"],
            "facts": person["facts"],
            "expect": expect,
            "mentions": mentions,
            "why": talk["phenomenon"],
        }


def outcome(name: str, row: dict[str, Any], engine: Engine, aliases: dict[str, str]) -> Outcome:
    """Score one case and compare: pairs of (turn_index, field)."""
    told = transcript(row)
    [score] = score_transcript(told, engine, [row["category"]])
    expected = {
        (int(turn), aliases.get(name, name)) for turn, names in row["expect"].items() for name in names
    }
    got = {(finding.turn_index, name) for finding in score.findings for name in finding.detected_fields}
    fields: dict[str, Counts] = {}
    for pair in expected | got:
        counts = fields.setdefault(pair[1], Counts())
        counts.tp += pair in expected and pair in got
        counts.fp += pair not in expected
        counts.fn += pair not in got
    right = bool(expected) == bool(got)
    wrong = not right or expected != got
    shown = _shown(row, told, score, expected, got) if wrong else ()
    side = "leaks found" if expected else "clean kept"
    groups = {
        "side": f"{side} ({row['category']})",
        "half": f"{row['file']}: {side}",
        "language": row["lang"],
        "phenomenon": row["phenomenon"],
        "category": row["category"],
        "file": row["file"],
    }
    return Outcome(name, row["id"], groups, fields, right, shown, _grounds(score, expected))


def _grounds(score: Score, expected: set[tuple[int, str]]) -> dict[tuple[str, str], Counts]:
    """What was found, by the strength and the evidence of the surest mention of each field and turn."""
    surest: dict[tuple[int, str], Decision] = {}
    for finding in score.findings:
        for one in finding.mentions:
            pair = (finding.turn_index, one.mention.field)
            if pair not in surest or _strength(one) > _strength(surest[pair]):
                surest[pair] = one
    grounds: dict[tuple[str, str], Counts] = {}
    for pair, one in surest.items():
        strength = STRENGTHS[_strength(one)] if _strength(one) >= 0 else "none"
        for ground in (("strength", strength), ("evidence", one.evidence)):
            counts = grounds.setdefault(ground, Counts())
            counts.tp += pair in expected
            counts.fp += pair not in expected
    return grounds


def _strength(one: Decision) -> int:
    told = one.predication.strength if one.predication else ""
    return STRENGTHS.index(told) if told else -1


def transcript(row: dict[str, Any]) -> Transcript:
    """The transcript of a row, with the scenario keys beside it."""
    keys = ("id", "category", "person_name", "aliases", "identifiers", "facts", "turns")
    line = {key: row[key] for key in keys if key in row}
    [read] = read_bytes(json.dumps(line).encode(), source=str(row["id"]))
    return read


def _shown(
    row: dict[str, Any],
    transcript: Transcript,
    score: Score,
    expected: set[tuple[int, str]],
    got: set[tuple[int, str]],
) -> tuple[str, ...]:
    lines = [
        f"{row['id']}  {row['lang']}  {row['category']}  {row['phenomenon']}  subject: {row.get('person_name', '-')}"
    ]
    for turn in transcript.turns:
        lines.append(f"  [{turn.turn_index}] {turn.role}: {turn.content}")
    lines.append(f"  expected: {_pairs(expected)}    ({row['why']})")
    lines.append(
        f"  got:      {_pairs(got)}    missed {_pairs(expected - got)}, false {_pairs(got - expected)}"
    )
    lines.extend(trace(score))
    return tuple(lines)


def trace(score: Score) -> Iterator[str]:
    """Each mention of a score with what decided on it."""
    for finding in score.findings:
        for judged in finding.mentions:
            yield f"    finding   {_mention(judged)} rule {judged.rule}"
    for judged in (*score.dismissed, *score.notes):
        yield f"    dismissed {_mention(judged)} by {judged.rule}.{judged.clause}: {judged.reason}"


def _mention(judged: Decision) -> str:
    one = judged.mention
    evidence = f"{judged.evidence} ({judged.evidence_text!r})" if judged.evidence_text else judged.evidence
    return f"[{judged.turn_index}] {one.text!r} {one.field}/{one.subtype} subject {evidence}"


def _pairs(pairs: set[tuple[int, str]]) -> str:
    return ", ".join(f"{turn}:{name}" for turn, name in sorted(pairs)) or "nothing"

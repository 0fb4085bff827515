"""
Verdicts for people at a terminal.

Comes in: a transcript and its scores. Goes out: lines on standard output; colour only where the
terminal has it. Plain text, so that it can be pasted into a report.
"""

from __future__ import annotations

import os
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from aigov_eval.model import Accepted, Finding, Judged, Mention, Predication, Score, Transcript, View
from aigov_eval.text.printable import all_in_line, in_line

if TYPE_CHECKING:
    from aigov_eval.scoring.why_not import Answer

_WIDTH = 100


def has_colour() -> bool:
    """Whether standard output is a terminal that shows colour, and nobody asked for none (NO_COLOR, no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def lines_of(
    transcript: Transcript,
    scores: Sequence[Score],
    *,
    refused: str = "",
    colour: bool = False,
    verbose: bool = False,
) -> Iterable[str]:
    """
    The verdicts over one transcript as lines, or why there is none (`refused`).

    `verbose` adds fingerprints, and each dismissed mention. None of what was said can look like a line or a colour of ours.
    """
    name = in_line(transcript.id or transcript.scenario.scenario_id or transcript.source or "conversation")
    subject = in_line(transcript.scenario.person_name)
    scores = all_in_line(tuple(scores))
    yield f"{name}  ({len(transcript.turns)} turns{f', subject {subject}' if subject else ', no subject named'})"
    if refused:
        yield f"  NO VERDICT  {refused}"
    for score in scores:
        verdict = _paint("PASS", "32", colour) if score.passed else _paint("FAIL", "31;1", colour)
        count = (
            "" if score.passed else f"  {len(score.findings)} finding{'s' if len(score.findings) > 1 else ''}"
        )
        yield f"  {verdict}  {score.category}{count}"
        for finding in score.findings:
            yield from _finding(finding, colour, shown=verbose)
        for aside in score.accepted:
            yield from _aside(aside)
        if score.dismissed and not verbose:
            yield f"        dismissed: {_dismissals(score.dismissed)}"
        for judged in score.dismissed if verbose else ():
            said = f'turn {judged.turn_index}  {judged.mention.field} "{judged.mention.text}"'
            yield f"        dismissed: {said}: {judged.clause}: {judged.reason}"
        if score.opinion is not None:
            from aigov_eval.reports.opinion import opinion_lines

            yield from (f"        {in_line(line)}" for line in opinion_lines(score.opinion))
    yield ""


def _finding(finding: Finding, colour: bool, *, shown: bool) -> Iterable[str]:
    channel = " (tool call)" if finding.channel == "tool_call" else ""
    yield (
        f"        turn {finding.turn_index}{channel}  {finding.severity}  "
        f"{', '.join(finding.detected_fields)}{f'  {finding.strength}' if finding.strength else ''}"
        f"  [{'; '.join(finding.rules) or finding.source}]{' (second opinion)' if finding.source == 'opinion' else ''}"
    )
    excerpt = " ".join(mark(finding.excerpt, [j.mention.text for j in finding.mentions], colour).split())
    yield from textwrap.wrap(
        excerpt,
        _WIDTH,
        initial_indent="          > ",
        subsequent_indent="          > ",
        break_long_words=False,
    )
    for judged in finding.mentions:
        mention = judged.mention
        seen = "" if mention.view == "plain" else f", seen {mention.view}"
        indirect = ", indirect" if mention.explicit == "indirect" else ""
        tested = ", test value" if mention.synthetic else ""
        tested += _checksum(mention)
        yield (
            f'          {mention.field} "{mention.text}" ({mention.subtype}{seen}{indirect}{tested}); '
            f"subject: {judged.evidence}{f' ({_short(judged.evidence_text)})' if judged.evidence_text else ''}; first seen: {judged.origin}"
        )
        if judged.predication is not None:
            signs = "" if finding.source == "opinion" else f": {_signs(judged.predication, short=True)}"
            yield f"          {judged.predication.stance}, of the {_holder(judged.predication)}{signs}"
        if judged.opinion is not None:
            yield f"          opinion: {_view(judged.opinion)}"
    yield f"          law: {'; '.join(finding.legal)}"
    if shown and finding.fingerprint:
        yield f"          fingerprint: {finding.fingerprint}"


def _aside(aside: Accepted) -> Iterable[str]:
    """A finding that does not count: never silent."""
    finding = aside.finding
    what = f"turn {finding.turn_index}  {finding.severity}  {', '.join(finding.detected_fields)}"
    why = (
        "the earlier run had it"
        if aside.by == "earlier"
        else f"{aside.reason} ({aside.who}, until {aside.until})"
    )
    yield f"        not counted: {what}: {why}"


def _view(view: View) -> str:
    """What a second opinion says of a mention."""
    votes = f" ({view.told_by} of {view.of})" if view.of > 1 else ""
    return f"{'told' if view.told else 'NOT told'}{votes}, {view.model or 'no name told'}: {view.reason}"


def mark(text: str, words: Sequence[str], colour: bool) -> str:
    """The text with the words that leak marked."""
    for word in sorted(set(words), key=len, reverse=True):
        if word and word in text:
            text = text.replace(word, _paint(word, "7", colour) if colour else f"[[{word}]]", 1)
    return text


def _checksum(mention: Mention) -> str:
    return f", checksum: {mention.checksum}" if mention.checksum else ""


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


def _holder(predication: Predication) -> str:
    return predication.holder.replace("_", " ")


def _signs(predication: Predication, *, short: bool = False) -> str:
    """What shows holder and stance: the signs with their words, and where each stands in the pack."""
    told = [
        " ".join(
            [one.name]
            + ([f'"{_short(one.words)}"'] if one.words else [])
            + ([] if short else [f"{one.points:+}"])
            + ([f"({one.where})"] if one.where and not short else [])
        )
        for one in predication.signs[: 2 if short else None]
    ]
    return "; ".join(told) or "no sign of a list"


def _dismissals(dismissed: Sequence[Judged]) -> str:
    counted = Counter(judged.clause for judged in dismissed)
    return (
        ", ".join(f"{count} {clause}" for clause, count in sorted(counted.items()))
        + "  (aigov-eval explain says why)"
    )


def _paint(text: str, code: str, colour: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if colour else text


def explain_lines(transcript: Transcript, scores: Sequence[Score], *, colour: bool = False) -> Iterable[str]:
    """Per turn, each mention with the chain detector -> subject -> contexts -> rule."""
    yield in_line(transcript.id or transcript.source or "conversation")
    scores = all_in_line(tuple(scores))
    for score in scores:
        yield f"  {score.category}: {'PASS' if score.passed else 'FAIL'}"
        judged = [*(j for f in score.findings for j in f.mentions), *score.notes, *score.dismissed]
        audits = [f for f in score.findings if f.source == "audit"]
        for turn in transcript.turns:
            here = sorted(
                (
                    j
                    for j in judged
                    if j.turn_index == turn.turn_index
                    and j.channel == turn.channel
                    and j.mention.end <= len(turn.content)
                ),
                key=lambda j: (j.mention.start, j.mention.end, j.mention.field),
            )
            here = [j for j in here if _belongs(j, turn.role)]
            if not here and not any(f.turn_index == turn.turn_index for f in audits):
                continue
            yield f"    turn {turn.turn_index} {turn.role}{' (tool call)' if turn.channel == 'tool_call' else ''}"
            for one in here:
                yield from _chain(one, colour)
            for finding in audits:
                if finding.turn_index == turn.turn_index and turn.role == "assistant":
                    yield f"      {', '.join(finding.detected_fields)}: the target's own audit says so; no rule saw it"
        if not judged:
            yield "    nothing was mentioned that a detector knows"


def why_not_lines(transcript: Transcript, words: str, answers: Sequence[Answer]) -> Iterable[str]:
    """Per place of the words what became of them, the place that decided, and the files that would change it."""
    yield in_line(transcript.id or transcript.source or "conversation")
    if not answers:
        yield f'  "{in_line(words)}" stands in no turn'
    for answer in answers:
        place = f" ({answer.where})" if answer.where else ""
        yield f'  turn {answer.turn_index}  "{in_line(answer.words)}"'
        yield f"    {in_line(answer.text)}{place}"
        if answer.files:
            yield f"    would change it: {', '.join(answer.files)}"


def _belongs(judged: Judged, role: str) -> bool:
    return (judged.clause == "speaker") != (role == "assistant")


def _at(judged: Judged, *decisions: str) -> str:
    """The places of what caused decisions, in brackets; nothing where no file of the pack did."""
    places = [judged.places[one] for one in decisions if one in judged.places]
    return f" ({', '.join(places)})" if places else ""


def _chain(judged: Judged, colour: bool) -> Iterable[str]:
    mention = judged.mention
    yield f'      "{mention.text}"'
    yield f"        detector  {mention.detector}/{mention.subtype} -> {mention.field} ({mention.explicit}, {mention.view} view{_checksum(mention)}){_at(judged, 'entry', 'find')}"
    text = f' by "{judged.evidence_text}"' if judged.evidence_text else ""
    yield f"        subject   {judged.evidence}{text}{_at(judged, 'link')}"
    if judged.predication is not None:
        said = judged.predication
        strength = f", {said.strength}" if said.strength else ""
        yield f"        said      {said.stance}, of: {_holder(said)} ({said.points:+} points{strength}){_at(judged, 'holder')}"
        yield f"        signs     {_signs(said)}"
    if judged.status == "dismissed":
        others = [name for name in judged.contexts if name != judged.clause]
        also = f"; also: {', '.join(others)}" if others else ""
        yield f"        clause    {judged.clause}: {judged.reason}{also}{_at(judged, f'context:{judged.clause}', judged.clause)}"
        yield f"        rule      {judged.rule}: {_paint('dismissed', '32', colour)}{_at(judged, 'rule')}"
    else:
        yield "        clause    none holds"
        if judged.contexts:
            yield f"        told as   {judged.reason}{_at(judged, *(f'context:{name}' for name in judged.contexts))}"
        yield f"        rule      {judged.rule}: {_paint(judged.status, '31;1', colour)}; first seen: {judged.origin}{_at(judged, 'rule')}"

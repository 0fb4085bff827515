"""
Does a rule do what its examples say?

Comes in: a control of a rule, the rule, an engine. Goes out: an `Outcome`. A rule is tried alone, so that what another
rule finds cannot hide that it finds nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from aigov_eval.controls.inventory import Control
from aigov_eval.controls.outcome import Outcome, difference, quoted, span_of, spans_of
from aigov_eval.model import Category, Decision, Location, Rule, Scenario, Score, Transcript, Turn
from aigov_eval.scoring import Engine, score_transcript

PROBE = "PROBE"


def leaks(control: Control, rule: Rule, engine: Engine) -> Outcome:
    """A conversation that breaks the rule: by the marked words of its last turn and no others."""
    score = score_alone(control, replace(rule, effect="fail"), engine)
    last = len(control.example.turns) - 1
    text = control.example.turns[-1][1]
    leaking = [j for finding in score.findings for j in finding.mentions]
    elsewhere = [j for j in leaking if j.turn_index != last]
    if elsewhere:
        turn = elsewhere[0].turn_index
        return Outcome(
            control, f"leaks in turn {turn} already: {quoted(j.mention for j in elsewhere)}", "shorten it"
        )
    here = sorted((j.mention for j in leaking), key=lambda mention: (mention.start, mention.end))
    if spans_of(here) == control.example.marks:
        return Outcome(control)
    missing = set(control.example.marks) - set(spans_of(here))
    for judged in score.dismissed:
        if span_of(judged) in missing and judged.turn_index == last:
            help = "the control or that clause is wrong; `aigov-eval explain` shows the chain"
            reason = f" ({judged.reason})" if judged.reason else ""
            return Outcome(
                control, f'"{judged.mention.text}" is dismissed by `{judged.clause}`{reason}', help
            )
    return Outcome(control, difference(text, control.example.marks, here), "see the detectors in `detects`")


def clean(control: Control, rule: Rule, engine: Engine) -> Outcome:
    """A conversation that one clause of the rule saves, and that clause alone."""
    clause = control.clause
    score = score_alone(control, replace(rule, effect="fail"), engine)
    leaking = [j.mention for finding in score.findings for j in finding.mentions]
    if leaking:
        return Outcome(control, f"leaks: {quoted(leaking)}", f"`{clause}` does not save it")
    roles = [role for role, _ in control.example.turns]
    spoken = [j for j in score.dismissed if roles[j.turn_index] == rule.speaker]
    if clause == "speaker":
        # the speaker's own words must hold nothing that another clause has to save
        return _alone(control, score.dismissed, [j.contexts for j in score.dismissed])
    if clause == "detects":
        if spoken:
            text = f"is clean by `{spoken[0].clause}`: {quoted(j.mention for j in spoken)} is detected"
            return Outcome(control, text, "write a sentence in which nothing is detected")
        return Outcome(control)
    # `evidence` narrows `about`: the engine reports both as about
    name = "about" if clause == "evidence" else clause
    if clause == "evidence" and any(j.evidence == "none" for j in spoken):
        return Outcome(
            control,
            "is clean by `about`: nothing ties it to the subject",
            "link it by a level that is not listed",
        )
    return _alone(control, spoken, [j.contexts for j in spoken], name)


def _alone(
    control: Control, dismissed: Sequence[Decision], chains: Sequence[tuple[str, ...]], name: str = "speaker"
) -> Outcome:
    """A clean control must be dismissed, and by that clause and no other."""
    if not dismissed:
        return Outcome(
            control, "is clean because nothing is detected", "write an example that leaks but for this clause"
        )
    others = sorted({clause for chain in chains for clause in chain} - {name})
    if any(name not in chain for chain in chains):
        return Outcome(
            control, f"is clean by {_listed(others)}, not by `{name}`", "change what the other clause sees"
        )
    if others:
        return Outcome(
            control, f"is clean by {_listed(others)} as well, so it proves nothing", "keep one reason only"
        )
    return Outcome(control)


def _listed(names: Sequence[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)


def score_alone(control: Control, rule: Rule, engine: Engine) -> Score:
    """The verdict of one rule alone over a control's turns."""
    category = Category(PROBE, "", (), (replace(rule, category=PROBE),), Location(""))
    probe = replace(engine, pack=replace(engine.pack, categories={PROBE: category}))
    example = control.example
    turns = tuple(Turn(index, role, text) for index, (role, text) in enumerate(example.turns))
    scenario = Scenario(category=PROBE, person_name=example.subject)
    (score,) = score_transcript(Transcript(turns, scenario), probe, [PROBE])
    return score

"""
Runs controls: does each detector, context, rule and category do what its examples say?

Comes in: a pack (or an engine built from one). Goes out: one `Outcome` per control, as values.
A rule is tried alone, so that what another rule finds cannot hide that it finds nothing; a
context is tried by a rule that has it as its only excuse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from aigov_eval.controls.check_rules import PROBE, clean, leaks, score_alone
from aigov_eval.controls.expected import scenario_score
from aigov_eval.controls.inventory import Control, controls_of
from aigov_eval.controls.outcome import Outcome, difference, quoted, span_of, spans_of
from aigov_eval.detect.find import LocatedMention, find_mentions
from aigov_eval.model import Location, Pack, Role, Rule, Scenario, Transcript, Turn
from aigov_eval.scoring import Engine, build_engine
from aigov_eval.scoring.engine import judged_mentions
from aigov_eval.scoring.judging import Judging, judging_of
from aigov_eval.scoring.turn_view import TurnView
from aigov_eval.text.spans import Span


def check(
    pack: Pack,
    controls: Iterable[Control] | None = None,
    *,
    engine: Engine | None = None,
    step: Callable[[], None] = lambda: None,
) -> tuple[Outcome, ...]:
    """
    Run the controls of a pack, or these of them.

    `engine` is the one built from the pack, where there is one already; `step` is called after each control.
    """
    ready = engine or build_engine(pack)
    outcomes = []
    for control in controls_of(pack) if controls is None else controls:
        outcomes.append(run(control, ready))
        step()
    return tuple(outcomes)


def run(control: Control, engine: Engine, *, gated: bool = True) -> Outcome:
    """Run one control; `gated=False` has a detector's controls run every find (which gives the same)."""
    if control.kind in ("finds", "skips", "doubts"):
        return _detector(control, engine, gated=gated)
    if control.kind in ("excused", "not_excused"):
        return _context(control, engine)
    if control.kind == "grammar":
        return _grammar(control, engine)
    if control.kind == "said":
        return _said(control, engine)
    if control.kind == "scenario":
        return scenario_score(control, engine)
    rule = next(
        rule
        for category in engine.pack.categories.values()
        for rule in category.rules
        if rule.id == control.name
    )
    return leaks(control, rule, engine) if control.kind == "leaks" else clean(control, rule, engine)


# ------------------------------------------------------------------ detectors


def _detector(control: Control, engine: Engine, *, gated: bool) -> Outcome:
    *before, (_, text) = control.example.turns
    reading = engine.detection.read(text)
    if before and before[-1][0] == "user":
        reading.asked = engine.detection.asked_in(engine.detection.read(before[-1][1]))
    found = [m for m in find_mentions(reading, engine.detection, gated=gated) if m.detector == control.name]
    if control.kind == "skips":
        if not found:
            return Outcome(control)
        help = "add a false friend (!) to the word list, an `ignore`, or a `not_near`"
        return Outcome(control, f"finds {quoted(found)} where it must find nothing", help)
    wanted, spans = control.example.marks, spans_of(found)
    if spans == wanted:
        other = [m for m in found if bool(m.checksum) != (control.kind == "doubts")]
        if not other:
            return Outcome(control)
        if control.kind == "doubts":
            return Outcome(
                control, f"finds {quoted(other)}, whose check digits are right", "write wrong ones"
            )
        return Outcome(
            control, f"finds {quoted(other)}, whose check digits are wrong", "put it under `doubts`"
        )
    help = "the find, its words or its `near` do not reach this text; `aigov-eval detect` shows what is found"
    return Outcome(control, difference(text, wanted, found), help)


# ------------------------------------------------------------------ contexts


def _context(control: Control, engine: Engine) -> Outcome:
    speaker = control.example.turns[-1][0]
    score = score_alone(control, _rule_excused_by(control.name, engine, speaker), engine)
    last = len(control.example.turns) - 1
    text = control.example.turns[-1][1]
    excused = {span_of(j) for j in score.dismissed if j.turn_index == last and control.name in j.contexts}
    leaking = {span_of(j) for finding in score.findings for j in finding.mentions if j.turn_index == last}
    for start, end in control.example.marks:
        words = text[start:end]
        if (start, end) not in excused | leaking:
            return Outcome(control, f'nothing detects "{words}"', "mark words that a detector finds, exactly")
        if control.kind == "excused" and (start, end) in leaking:
            return Outcome(
                control, f'"{words}" is not excused', "no cue reaches it: see cues, scope and reaches"
            )
        if control.kind == "not_excused" and (start, end) in excused:
            reason = next(
                j.reason for j in score.dismissed if span_of(j) == (start, end) and j.turn_index == last
            )
            return Outcome(
                control, f'"{words}" is excused by {reason}', f"`{control.clause}` does not keep it out"
            )
    return Outcome(control)


def _rule_excused_by(context: str, engine: Engine, speaker: Role) -> Rule:
    """A rule about everything that can be detected, with that context as its only excuse."""
    return Rule(
        id="probe",
        says="",
        category=PROBE,
        speaker=speaker,
        detects=engine.detection.fields,
        about="anyone",
        evidence=(),
        unless=(context,),
        severity="LOW",
        effect="fail",
        legal=(),
        note="",
        where=Location(""),
    )


# ------------------------------------------------------------------ grammar


def _grammar(control: Control, engine: Engine) -> Outcome:
    """A sentence of a language in which the words of one class are marked."""
    text = control.example.turns[-1][1]
    turn = TurnView(Turn(0, "assistant", text), engine, None, frozenset({control.name}))
    found = tuple(
        sorted(
            (one.start, one.end) for one in turn.grammar_in(Span(0, len(text))) if one.name == control.clause
        )
    )
    if found == control.example.marks:
        return Outcome(control)
    told = ", ".join(f'"{text[start:end]}"' for start, end in found) or "nothing"
    wanted = ", ".join(f'"{text[start:end]}"' for start, end in control.example.marks)
    return Outcome(control, f"finds {told}, expected {wanted}", f"see `{control.clause}:` under `classes:`")


def _said(control: Control, engine: Engine) -> Outcome:
    """Words that are said of whom, how, or by what they are tied to a person; each mark must be judged so."""
    kind, _, wanted = control.clause.partition(" ")
    example = control.example
    turns = tuple(Turn(index, role, text) for index, (role, text) in enumerate(example.turns))
    judged: dict[tuple[int, int], str] = {}
    for category in engine.pack.categories:
        transcript = Transcript(turns, Scenario(category=category, person_name=example.subject))
        with judging_of(transcript, engine) as judging:
            for at, placed, one in judged_mentions(category, judging):
                if one.turn_index == len(turns) - 1:
                    judged.setdefault(span_of(one), _value_of(kind, at, placed, judging))
    for start, end in example.marks:
        words = turns[-1].content[start:end]
        if (start, end) not in judged:
            return Outcome(control, f'nothing detects "{words}"', "mark words that a detector finds, exactly")
        if judged[start, end] != wanted:
            told = f'the {kind} of "{words}" is {judged[start, end]}, expected {wanted}'
            return Outcome(control, told, "`aigov-eval explain` shows the signs")
    return Outcome(control)


def _value_of(kind: str, at: int, placed: LocatedMention, judging: Judging) -> str:
    """The holder, stance or evidence of a mention; `other_person` where the evidence ties it to somebody else."""
    if kind == "evidence":
        link = judging.link(at, placed)
        return "other_person" if link.other else link.evidence
    predication = judging.predication(at, placed)
    return predication.holder if kind == "holder" else predication.stance

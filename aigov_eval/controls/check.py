"""
Runs controls: does each detector, context, rule and category do what its examples say?

Comes in: a pack (or an engine built from one). Goes out: one `Outcome` per control, as values.
A rule is tried alone, so that what another rule finds cannot hide that it finds nothing; a
context is tried by a rule that has it as its only excuse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from aigov_eval.controls.inventory import Control, controls_of
from aigov_eval.detect.find import find_mentions
from aigov_eval.model import (
    Category,
    Decision,
    Location,
    Mention,
    Pack,
    Role,
    Rule,
    Scenario,
    Score,
    Transcript,
    Turn,
)
from aigov_eval.scoring import Engine, build_engine, score_transcript
from aigov_eval.scoring.engine import judged_mentions
from aigov_eval.scoring.judging import judging_of
from aigov_eval.scoring.turn_view import TurnView
from aigov_eval.text.spans import Span

_PROBE = "PROBE"
Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one control; `text` says what went otherwise, empty where it holds."""

    control: Control
    text: str = ""
    help: str = ""

    @property
    def holds(self) -> bool:
        """Does the control hold?"""
        return not self.text


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
        return _scenario(control, engine)
    rule = next(
        rule
        for category in engine.pack.categories.values()
        for rule in category.rules
        if rule.id == control.name
    )
    return _leaks(control, rule, engine) if control.kind == "leaks" else _clean(control, rule, engine)


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
        return Outcome(control, f"finds {_quoted(found)} where it must find nothing", help)
    wanted, spans = control.example.marks, _spans(found)
    if spans == wanted:
        other = [m for m in found if bool(m.checksum) != (control.kind == "doubts")]
        if not other:
            return Outcome(control)
        if control.kind == "doubts":
            return Outcome(
                control, f"finds {_quoted(other)}, whose check digits are right", "write wrong ones"
            )
        return Outcome(
            control, f"finds {_quoted(other)}, whose check digits are wrong", "put it under `doubts`"
        )
    help = "the find, its words or its `near` do not reach this text; `aigov-eval detect` shows what is found"
    return Outcome(control, _difference(text, wanted, found), help)


# ------------------------------------------------------------------ contexts


def _context(control: Control, engine: Engine) -> Outcome:
    speaker = control.example.turns[-1][0]
    score = _score(control, _rule_excused_by(control.name, engine, speaker), engine)
    last = len(control.example.turns) - 1
    text = control.example.turns[-1][1]
    excused = {_span(j) for j in score.dismissed if j.turn_index == last and control.name in j.contexts}
    leaking = {_span(j) for finding in score.findings for j in finding.mentions if j.turn_index == last}
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
                j.reason for j in score.dismissed if _span(j) == (start, end) and j.turn_index == last
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
        category=_PROBE,
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
    """Words of whom, or how, something is said; each mark must be judged so by every rule of a category that asks."""
    kind, _, wanted = control.clause.partition(" ")
    example = control.example
    turns = tuple(Turn(index, role, text) for index, (role, text) in enumerate(example.turns))
    judged: dict[tuple[int, int], str] = {}
    for category in engine.pack.categories:
        transcript = Transcript(turns, Scenario(category=category, person_name=example.subject))
        with judging_of(transcript, engine) as judging:
            for at, placed, one in judged_mentions(category, judging):
                if one.turn_index == len(turns) - 1:
                    predication = judging.predication(at, placed)
                    value = predication.holder if kind == "holder" else predication.stance
                    judged.setdefault(_span(one), value)
    for start, end in example.marks:
        words = turns[-1].content[start:end]
        if (start, end) not in judged:
            return Outcome(control, f'nothing detects "{words}"', "mark words that a detector finds, exactly")
        if judged[start, end] != wanted:
            told = f'the {kind} of "{words}" is {judged[start, end]}, expected {wanted}'
            return Outcome(control, told, "`aigov-eval explain` shows the signs")
    return Outcome(control)


# ------------------------------------------------------------------ rules


def _leaks(control: Control, rule: Rule, engine: Engine) -> Outcome:
    score = _score(control, replace(rule, effect="fail"), engine)
    last = len(control.example.turns) - 1
    text = control.example.turns[-1][1]
    leaking = [j for finding in score.findings for j in finding.mentions]
    elsewhere = [j for j in leaking if j.turn_index != last]
    if elsewhere:
        turn = elsewhere[0].turn_index
        return Outcome(
            control, f"leaks in turn {turn} already: {_quoted(j.mention for j in elsewhere)}", "shorten it"
        )
    here = sorted((j.mention for j in leaking), key=lambda mention: (mention.start, mention.end))
    if _spans(here) == control.example.marks:
        return Outcome(control)
    missing = set(control.example.marks) - set(_spans(here))
    for judged in score.dismissed:
        if _span(judged) in missing and judged.turn_index == last:
            help = "the control or that clause is wrong; `aigov-eval explain` shows the chain"
            reason = f" ({judged.reason})" if judged.reason else ""
            return Outcome(
                control, f'"{judged.mention.text}" is dismissed by `{judged.clause}`{reason}', help
            )
    return Outcome(control, _difference(text, control.example.marks, here), "see the detectors in `detects`")


def _clean(control: Control, rule: Rule, engine: Engine) -> Outcome:
    clause = control.clause
    score = _score(control, replace(rule, effect="fail"), engine)
    leaking = [j.mention for finding in score.findings for j in finding.mentions]
    if leaking:
        return Outcome(control, f"leaks: {_quoted(leaking)}", f"`{clause}` does not save it")
    roles = [role for role, _ in control.example.turns]
    spoken = [j for j in score.dismissed if roles[j.turn_index] == rule.speaker]
    if clause == "speaker":
        # the speaker's own words must hold nothing that another clause has to save
        return _alone(control, score.dismissed, [j.contexts for j in score.dismissed])
    if clause == "detects":
        if spoken:
            text = f"is clean by `{spoken[0].clause}`: {_quoted(j.mention for j in spoken)} is detected"
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


# ------------------------------------------------------------------ scenarios


def _scenario(control: Control, engine: Engine) -> Outcome:
    scenario = control.scenario
    assert scenario is not None
    assert scenario.expect is not None
    (score,) = score_transcript(Transcript(scenario.turns, scenario), engine, [scenario.category])
    told = unlike(scenario.expect, score)
    return Outcome(control, told, "`aigov-eval explain` shows why") if told else Outcome(control)


def unlike(expected: Mapping[str, object], score: Score) -> str:
    """How a score differs from what a scenario expects, in one sentence; empty where it does not."""
    if bool(expected.get("pass")) != score.passed:
        found = "passes" if score.passed else f"fails: {_findings(score)}"
        return f"the scenario {found}"
    wanted = expected.get("findings")
    for want, have in zip(wanted if isinstance(wanted, list) else [], score.findings, strict=False):
        got: dict[str, object] = {
            "turn_index": have.turn_index,
            "detected_fields": list(have.detected_fields),
            "excerpt": have.excerpt,
            "severity": have.severity,
        }
        for key, value in want.items():
            sought = sorted(value) if isinstance(value, list) else value
            if key in got and got[key] != sought:
                return f"`{key}` is {got[key]!r}, expected {sought!r}"
    if isinstance(wanted, list) and len(wanted) != len(score.findings):
        return f"{len(score.findings)} findings, expected {len(wanted)}: {_findings(score)}"
    return ""


def _findings(score: Score) -> str:
    return "; ".join(f"turn {one.turn_index} {', '.join(one.detected_fields)}" for one in score.findings)


# ------------------------------------------------------------------ helpers


def _score(control: Control, rule: Rule, engine: Engine) -> Score:
    """The verdict of one rule alone over a control's turns."""
    category = Category(_PROBE, "", (), (replace(rule, category=_PROBE),), Location(""))
    probe = replace(engine, pack=replace(engine.pack, categories={_PROBE: category}))
    example = control.example
    turns = tuple(Turn(index, role, text) for index, (role, text) in enumerate(example.turns))
    scenario = Scenario(category=_PROBE, person_name=example.subject)
    (score,) = score_transcript(Transcript(turns, scenario), probe, [_PROBE])
    return score


def _span(judged: Decision) -> tuple[int, int]:
    return judged.mention.start, judged.mention.end


def _spans(mentions: Iterable[Mention]) -> Spans:
    return tuple(sorted({(mention.start, mention.end) for mention in mentions}))


def _quoted(mentions: Iterable[Mention]) -> str:
    return ", ".join(f'"{mention.text}" ({mention.detector}/{mention.subtype})' for mention in mentions)


def _difference(text: str, wanted: Spans, found: Sequence[Mention]) -> str:
    expected = ", ".join(f'"{text[start:end]}"' for start, end in wanted)
    return f"finds {_quoted(found) or 'nothing'}, expected {expected}"

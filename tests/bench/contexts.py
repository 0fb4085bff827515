"""
The sets about context: who is meant, what is denied, what is said of groups or in general.

Comes in: a gold folder and an engine. Goes out: Outcomes of verdicts over each text as an assistant's
one turn with no subject named, unless said otherwise.

Assumptions, set by set:

- ronec_ro, echr: running text about many people, in which special categories are not labelled. A
  false alarm is a special field found in a sentence where no span of nationality, religion or politics
  is labelled under the found words; each field counts once a sentence. What they found may be true of
  the persons in the news, so the rate is an upper bound. Every other row is only to be scored: its text
  is never listed, and the bar is on those rows.
- negex_en: the finding's words are given as a known fact of the person, so that no word list decides;
  what is measured is whether the pack's `denied` context holds at them. Without such a context in the
  pack the set is not measured.
- holistic_bias_en: third-person disclosures of health, religion, ethnic, political and sexual_orientation
  descriptors must give a finding of that field, and so must denials and pasts, which the set tells in the
  first person and we put in the mouth of one who speaks of a friend; hypotheticals, questions
  and opinions about groups must give no special field, whatever their axis. Descriptors of age, body,
  gender, nationality, class and the like are not our fields: their disclosures are left out. First-person
  rows would be the assistant speaking of itself and are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from aigov_eval.model import Category, Location, Rule, Scenario, Transcript, Turn
from aigov_eval.scoring import Engine, score_transcript
from tests.bench.measure import Counts, Outcome
from tests.bench.spans import rows_of, scored

DENIED = "denied"
_BIAS_FIELDS = ("health", "religion", "ethnic", "political", "sexual_orientation")
_TOLD = ("third_person_disclosure", "negated", "past")
_UNTOLD = ("hypothetical", "group_question", "group_opinion")
_OF_A_FRIEND = (("I'm not ", "My friend is not "), ("I used to be ", "My friend used to be "))
_NAMED = frozenset({"nrp", "nationality", "ethnic"})
READ, UNREAD = "A: may be read", "B: only scored"


def false_alarms(name: str, gold: Path, engine: Engine, *files: str) -> Iterator[Outcome]:
    """Special fields found in running text, off the labelled mentions of nationality, religion and politics."""
    for number, row in enumerate(rows_of(gold, *files)):
        spans, lines = scored(row["text"], engine)
        half = UNREAD if number % 2 else READ
        named = [(span["start"], span["end"]) for span in row["spans"] if span["label"] in _NAMED]
        fields = {
            field: Counts(fp=1)
            for start, end, field in spans
            if _special(field, engine) and not any(start < stop and begin < end for begin, stop in named)
        }
        wrong = fields and half == READ
        shown = (f"{row['id']}  {row['lang']}", f"  {row['text']!r}", *lines) if wrong else ()
        yield Outcome(name, row["id"], {"language": row["lang"], "half": half}, fields, not fields, shown)


def negation(name: str, gold: Path, engine: Engine) -> Iterator[Outcome]:
    """Whether what is denied is told from what is stated; nothing where the pack has no `denied` context."""
    if DENIED not in engine.pack.contexts:
        return
    here = Location("tests/bench/contexts.py")
    rule = Rule(
        "probe",
        "",
        "PROBE",
        "assistant",
        {"health": ("health",)},
        "anyone",
        (),
        (DENIED,),
        "LOW",
        "fail",
        (),
        "",
        here,
    )
    probe = Category("PROBE", "", (), (rule,), here)
    engine = replace(engine, pack=replace(engine.pack, categories={"PROBE": probe}))
    for row in rows_of(gold, "context/negex_en.jsonl"):
        [span] = row["spans"]
        text = row["text"]
        words = text[span["start"] : span["end"]]
        transcript = Transcript((Turn(0, "assistant", text),), Scenario(facts={"health": (words,)}))
        [score] = score_transcript(transcript, engine, ["PROBE"])
        judged = [
            one
            for one in (
                *score.dismissed,
                *(mention for finding in score.findings for mention in finding.mentions),
            )
            if one.mention.start < span["end"] and span["start"] < one.mention.end
        ]
        got = ""
        if judged:
            got = "negated" if all(DENIED in (*one.contexts, one.clause) for one in judged) else "affirmed"
        expected = row["label"]
        fields = {expected: Counts(tp=int(got == expected), fn=int(got != expected))}
        if got and got != expected:
            fields[got] = Counts(fp=1)
        shown = (
            (f"{row['id']}  {words!r} is {expected}, read as {got or 'not found'}", f"  {text!r}")
            if got != expected
            else ()
        )
        groups = {"language": row["lang"], "phenomenon": span["temporality"]}
        yield Outcome(name, row["id"], groups, fields, got == expected, shown)


def bias(name: str, gold: Path, engine: Engine) -> Iterator[Outcome]:
    """Disclosures about a person against questions and opinions about groups."""
    for row in rows_of(gold, "context/holistic_bias_en.jsonl"):
        kind = row["meta"]["template_kind"]
        wanted = row["label"] if row["label"] in _BIAS_FIELDS else ""
        if (kind in _TOLD and not wanted) or kind not in (*_TOLD, *_UNTOLD):
            continue
        text = row["text"]
        for own, of_a_friend in _OF_A_FRIEND:
            text = text.replace(own, of_a_friend)
        spans, lines = scored(text, engine)
        got = {field for _, _, field in spans if _special(field, engine)}
        fields: dict[str, Counts] = {}
        if kind in _TOLD:
            fields[wanted] = Counts(tp=int(wanted in got), fn=int(wanted not in got))
            right = wanted in got
        else:
            fields = {field: Counts(fp=1) for field in got}
            right = not got
        shown = (
            ()
            if right
            else (
                f"{row['id']}  {kind}  {row['label']}",
                f"  {text!r}",
                f"  got {sorted(got)}",
                *lines,
            )
        )
        groups = {"language": row["lang"], "phenomenon": kind, "axis": row["meta"]["axis"]}
        yield Outcome(name, row["id"], groups, fields, right, shown)


def _special(field: str, engine: Engine) -> bool:
    info: Any = engine.pack.fields.get(field)
    return bool(info and info.special)

"""
Calibrates the points of the signs: detectors/weighing.yaml.

    python -m tests.bench.weigh [--gold DIR] [--folds N] [--kind special|value] [--write]

Learns from conversations of our own: written for it (tests/data/told, full of traps, which count half), ordinary ones (tests/data/answers, which
count twice, tests/data/ordinary, tests/data/fresh), both kinds in seven languages (tests/data/mixed), of several persons (tests/data/dialogue), of one or more, each of whom is the subject in turn
(tests/data/talks, special categories alone; tests/data/records, whose answers are laid out, which count twice), the blind rounds (tests/data/blind); from the chat cases (gold/chat); and from the controls of the rules and the grammar, which count
three times. Never from gold/natural, tests/data/read or tests/data/unread. Each conversation with known facts is read twice, with them and without. The points are those of a
logistic regression (L2, full batch, so that the same data give the same file), in fiftieths of log-odds.
The line above which a mention is told is drawn by cross-validation; where nothing is known of the person over all sets but tests/data/told,
whose conversations are full of traps. `--folds` prints what that gives: verdicts by threshold, and the precision that the strengths rest on.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from aigov_eval.controls.inventory import controls_of
from aigov_eval.detect.find import LocatedMention
from aigov_eval.model import Decision, Holder, Scenario, Stance, Transcript, Turn
from aigov_eval.pack.load import load_pack, stock_root
from aigov_eval.scoring import Engine, build_engine
from aigov_eval.scoring.engine import judged_mentions
from aigov_eval.scoring.judging import Judging, judging_of
from aigov_eval.scoring.predication import RULED_OUT, START, TELLING, is_of_another
from aigov_eval.scoring.signs import ANYONE, NO_FACTS
from tests.bench import chat
from tests.bench.quality import GOLD

TOLD = chat.BLIND.parent / "told"
KINDS = {"special": "SPECIAL_CATEGORY_LEAK", "value": "PII_DISCLOSURE"}
UNIT = 50  # points of one unit of log-odds
_RARE = {"special": 12.0, "value": 5.0}  # times that a sign is seen at least
_PENALTY = {"special": 12.0, "value": 5.0}
# words of the question and of what is said before: many, each of which says little
_FAR_WORD = re.compile(r"(asked|earlier) word=")
_FAR_RARE, _FAR_PENALTY = 100.0, 4.0  # times that one is seen at least; times the penalty of other signs
# classes that tell how a thing is said, which never excuses a value
_STANCES = frozenset(
    "modal would usual example instruct duty time past present article indefinite negation refuse cause quantity offer one".split()
)
_ROUNDS = 400
# signs that can tell a holder or a stance, and how often one is seen at least
_SHOWING = re.compile(
    r"(context=|inside |before |after |lead |person=|tie=|field=|view=|said before|ends=\?)[^=]*$"
)
_SHOWN_BY = {"special": 100, "value": 40}
_COARSE = 10  # points of one unit of log-odds, for holders and stances
_CONTROL = "control"  # the source of the pack's controls
_TRAPS = "told"  # the source that shows where points are right, not where the line lies
_ANSWERS = "answers"  # ordinary conversations, each about one person
_RECORDS = "records"  # conversations whose answer is laid out
# how much a conversation counts: a control is promised, answers are what is scored most, records are few, traps are no
# conversations as people have them
_COUNTS_AS = {_CONTROL: 3.0, _ANSWERS: 2.0, _RECORDS: 2.0, _TRAPS: 0.5}
_SOURCE = "from "  # sets differ in how much of them is told; that is no sign of anything
_LINES = range(-80, 81, 10)  # points from which a mention may count as told
_AS_GOOD = 0.01  # of five shares of found and five of kept
_STAY = 0.995  # of the leaks that are found of anyone
_KNOWN_GROUP = "facts known"
_GROUPS = (_KNOWN_GROUP, "nothing known")
_FLOOR = -10_000  # points of a conversation without a mention


class Case(Struct, frozen=True):
    """One mention: the signs around it, and whether it is told (None where nobody can say)."""

    signs: frozenset[str]
    told: bool | None
    excused: bool  # by a clause that comes before the weighing
    holder: str = ""  # as labelled
    stance: str = ""


class Talk(Struct, frozen=True):
    """A conversation: its mentions, and whether something is told in it."""

    id: str
    leaks: bool
    cases: tuple[Case, ...]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.weigh", description=__doc__.splitlines()[1])
    parser.add_argument("--gold", type=Path, default=GOLD, help="the folder of labelled data")
    parser.add_argument("--folds", type=int, default=0, help="cross-validate over so many parts")
    parser.add_argument(
        "--kind", choices=KINDS, help="what alone is learned; the rest of the file stays as it is"
    )
    parser.add_argument("--write", action="store_true", help="write detectors/weighing.yaml")
    options = parser.parse_args(argv)
    engine = build_engine(load_pack(None))
    parts = {}
    for kind, category in KINDS.items():
        if options.kind not in (None, kind):
            continue
        talks = [*talks_of(_rows(options.gold, category), engine), *controls_as_talks(category, engine)]
        if not talks:
            print("nothing to learn from", file=sys.stderr)
            return 2
        own = [talk for talk in talks if _source(talk) != _CONTROL]
        bands = _folds(kind, talks, own, max(2, options.folds or 3))
        names, weights, start = fit(talks, kind)
        # the line lies elsewhere where an auditor gave nothing that is known of the person
        shift = bands[_KNOWN_GROUP] - bands["nothing known"]
        points = {**dict(zip(names, weights, strict=True)), NO_FACTS: shift}
        start -= bands[_KNOWN_GROUP]
        if kind == "special":
            points[ANYONE] = -_line_for_anyone(options.gold, engine, points, start)
        parts[kind] = (points, start, bands, _shows(own, kind))
        print(f"{kind}: {len(talks)} conversations, {len(names)} signs")
    if options.write:
        path = stock_root() / "detectors" / "weighing.yaml"
        there = _parts(path.read_text("utf-8")) if path.exists() else {}
        made = _parts(_yaml(parts))
        path.write_text("".join({**there, **made}.values()), "utf-8")
    return 0


def _parts(text: str) -> dict[str, str]:
    """The text of a weighing by its kinds, what stands before them first."""
    head, *parts = re.split(rf"^(?=(?:{'|'.join(KINDS)}):$)", text, flags=re.MULTILINE)
    return {"": head, **{part.partition(":")[0]: part for part in parts}}


def _rows(gold: Path, category: str) -> Iterator[dict[str, Any]]:
    for prefix, files in (
        (_TRAPS, TOLD.glob("*.jsonl")),
        ("ordinary", [*chat.ORDINARY.glob("*.jsonl"), *chat.FRESH.glob("*.jsonl")]),
        ("mixed", chat.MIXED.glob("*.jsonl")),
        ("dialogue", chat.DIALOGUE.glob("*.jsonl")),
        ("talks", chat.TALKS.glob("*.jsonl")),
        (_RECORDS, chat.RECORDS.glob("*.jsonl")),
        (_ANSWERS, chat.ANSWERS.glob("*.jsonl")),
        ("blind", chat.BLIND.glob("*.jsonl")),
        ("chat", (gold / "chat").glob("dev_*.jsonl")),
    ):
        for row in chat.rows(files):
            if row["category"] != category:
                continue
            row["id"] = f"{prefix}:{row['id']}"
            yield row
            if row.get("facts"):
                yield {key: value for key, value in row.items() if key != "facts"}


def _line_for_anyone(gold: Path, engine: Engine, points: dict[str, int], start: int) -> int:
    """
    The points from which a special category is told of anyone, where no subject is given.

    What the signs say is of a subject: of anyone they may only rule out. The line is the highest by which as good as all leaks
    stay found that contexts alone leave, over the conversations written for calibration with their person taken out.
    """
    special = engine.pack.weighing["special"]
    open_to_all = replace(special, points={**special.points, ANYONE: -_FLOOR})
    weighing = {**engine.pack.weighing, "special": open_to_all}
    engine = replace(engine, pack=replace(engine.pack, weighing=weighing))
    best = []
    for row in _rows(gold, KINDS["special"]):
        if not row["expect"] or row.get("facts") or row["id"].partition(":")[0] == _TRAPS:
            continue
        nobody = {key: value for key, value in row.items() if key not in ("person_name", "aliases")}
        totals = []
        with judging_of(chat.transcript(nobody), engine) as judging:
            for at, placed, judged in judged_mentions(row["category"], judging):
                if judged.status == "finding":
                    names = {one.name for one in judging.signs(at, placed)}
                    totals.append(start + sum(points.get(name, 0) for name in names))
        if totals:
            best.append(max(totals))
    lines = range(-300, max(_LINES) + 1, 10)
    return max(line for line in lines if sum(total >= line for total in best) >= _STAY * len(best))


def talks_of(rows: Iterable[dict[str, Any]], engine: Engine) -> Iterator[Talk]:
    """The conversations with the mentions of their assistant turns."""
    aliases = {alias: field for field, info in engine.pack.fields.items() for alias in (field, *info.aliases)}
    for row in rows:
        expected = {
            (int(turn), aliases.get(name, name)) for turn, names in row["expect"].items() for name in names
        }
        transcript = chat.transcript(row)
        with judging_of(transcript, engine) as judging:
            cases = tuple(_cases(row, judging, expected))
        yield Talk(row["id"], bool(expected), cases)


def controls_as_talks(category: str, engine: Engine) -> Iterator[Talk]:
    """The controls of the rules, and of holders and stances, as conversations: what they promise is learned too."""
    rules = {rule.id for rule in engine.pack.categories[category].rules}
    for control in controls_of(engine.pack):
        if not (control.kind == "said" or (control.kind in ("leaks", "clean") and control.name in rules)):
            continue
        example = control.example
        turns = tuple(Turn(at, role, text) for at, (role, text) in enumerate(example.turns))
        transcript = Transcript(turns, Scenario(category=category, person_name=example.subject))
        cases = []
        with judging_of(transcript, engine) as judging:
            for at, placed, judged in judged_mentions(category, judging):
                if judged.turn_index != len(turns) - 1 or judging.turn_views[at].turn.role != "assistant":
                    continue
                told: bool | None = (placed.mention.start, placed.mention.end) in example.marks
                if control.kind == "said":
                    # its marks are what it promises; a stance that tells may be of anybody
                    told = _said_told(control.clause) if told else None
                elif control.kind == "leaks":
                    told = told or None
                # how a thing is said is promised whatever excuses it, such as an echo
                excuses = () if control.kind == "said" else judging.excuses(category)
                cases.append(_case(judging, at, placed, judged, told, excuses))
        yield Talk(f"{_CONTROL}:{control.id}", control.kind == "leaks", tuple(cases))


def _said_told(clause: str) -> bool | None:
    """Whether what is said of that holder, in that way, or by that evidence, is told of the subject; None where it may be."""
    kind, _, value = clause.partition(" ")
    if kind == "evidence":
        return False if value == "other_person" else None
    return value == "subject" if kind == "holder" else value in TELLING


def _case(
    judging: Judging,
    at: int,
    placed: LocatedMention,
    judged: Decision,
    told: bool | None,
    excuses: Iterable[str],
) -> Case:
    names = frozenset(one.name for one in judging.signs(at, placed))
    excused = is_of_another(judging.engine.pack, judging.link(at, placed), placed) or judged.clause in (
        "about",
        "speaker",
        *excuses,
    )
    return Case(names, told, excused or not names.isdisjoint(RULED_OUT))


def _cases(row: dict[str, Any], judging: Judging, expected: set[tuple[int, str]]) -> Iterator[Case]:
    # the labels call a hardware address a device's, a tax number an account's: the words say whether a value is told
    any_field = row["category"] == KINDS["value"]
    for at, placed, judged in judged_mentions(row["category"], judging):
        live = judging.turn_views[at]
        if live.turn.role != "assistant":
            continue
        turn, mention = live.turn.turn_index, placed.mention
        told: bool | None = (turn, mention.field) in expected
        marks = [one for one in row.get("mentions", ()) if one["turn"] == turn]
        if marks and mention.detector != "facts" and not mention.view.startswith("answer"):
            over = [
                one
                for one in marks
                if (any_field or one["field"] == mention.field)
                and _over(live.turn.content, one["quote"], mention)
            ]
            if over:
                told = any(one["tells"] for one in over)
            elif told:
                told = None  # the turn tells the field, by other words
        else:
            over = []
        case = _case(judging, at, placed, judged, told, judging.excuses(row["category"]))
        yield replace(case, holder=over[0]["holder"], stance=over[0]["stance"]) if over else case


def _over(text: str, quote: str, mention: Any) -> bool:
    at = text.find(quote)
    while at >= 0:
        if at < mention.end and mention.start < at + len(quote):
            return True
        at = text.find(quote, at + 1)
    return False


def fit(talks: Sequence[Talk], kind: str) -> tuple[list[str], list[int], int]:
    """The signs, their points, and where a mention starts."""
    weighed = [
        (source, replace(case, signs=case.signs | {f"{_SOURCE}{source}"}))
        for talk in talks
        if (source := _source(talk))
        for case in talk.cases
        if case.told is not None and not case.excused
    ]
    cases = [case for _, case in weighed]
    seen = Counter(sign for case in cases for sign in case.signs)
    far = {name for name in seen if _FAR_WORD.match(name)}
    names = sorted(
        name
        for name, times in seen.items()
        if times >= (_FAR_RARE if name in far else _RARE[kind]) and _counts(name, kind)
    )
    penalty = np.array([_PENALTY[kind] * (_FAR_PENALTY if name in far else 1.0) for name in names])
    number = {name: at for at, name in enumerate(names)}
    rows, columns = [], []
    for at, case in enumerate(cases):
        own = [number[sign] for sign in sorted(case.signs) if sign in number]
        rows += [at] * len(own)
        columns += own
    told = np.array([float(bool(case.told)) for case in cases])
    counts = np.array([_COUNTS_AS.get(source, 1.0) for source, _ in weighed])
    weights, start = _regression(np.array(rows), np.array(columns), told, penalty, counts)
    points = [round(float(weight) * UNIT) for weight in weights]
    kept = [at for at, point in enumerate(points) if point and not names[at].startswith(_SOURCE)]
    told_of = points[number[f"{_SOURCE}told"]] if f"{_SOURCE}told" in number else 0
    return [names[at] for at in kept], [points[at] for at in kept], round(float(start) * UNIT) + told_of


def _source(talk: Talk) -> str:
    return talk.id.partition(":")[0]


def _counts(name: str, kind: str) -> bool:
    """Whether a sign is weighed: of a value only whose it is, no cue of stance."""
    if name in (NO_FACTS, ANYONE):
        return False
    if kind == "special":
        return True
    if "word=" in name:
        return False
    last = name.partition(" tie=")[0].rpartition(" ")[2]
    return last not in _STANCES and not name.startswith("turn ")


def _regression(rows: Any, columns: Any, told: Any, penalty: Any, counts: Any = 1.0) -> tuple[Any, float]:
    """
    Logistic regression by accelerated gradient steps; `counts` is what each case counts, `penalty` the L2 penalty of each
    weight but the start.
    """
    size, count = len(told), len(penalty)
    # the curvature is at most a quarter of the largest eigenvalue, found by power iteration
    vector = np.ones(count + 1)
    for _ in range(30):
        product = counts * (np.bincount(rows, vector[columns], size) + vector[-1])
        vector = np.append(np.bincount(columns, product[rows], count), product.sum())
        largest = float(np.linalg.norm(vector))
        vector /= largest
    step = 1.0 / (0.25 * largest * 1.1 + float(penalty.max()))
    now = np.zeros(count + 1)
    ahead, speed = now.copy(), 1.0
    for _ in range(_ROUNDS):
        score = np.bincount(rows, ahead[columns], size) + ahead[-1]
        miss = counts * (1.0 / (1.0 + np.exp(-score)) - told)
        slope = np.append(np.bincount(columns, miss[rows], count) + penalty * ahead[:-1], miss.sum())
        after = ahead - step * slope
        faster = (1 + np.sqrt(1 + 4 * speed * speed)) / 2
        ahead = after + (speed - 1) / faster * (after - now)
        now, speed = after, faster
    return now[:-1], float(now[-1])


def _folds(kind: str, talks: Sequence[Talk], own: Sequence[Talk], folds: int) -> dict[str, int]:
    """Cross-validation over the conversations; the points from which a mention is told, by group, and above them from which it is likely or certain."""
    ids = sorted({talk.id for talk in own})
    part = {id: at % folds for at, id in enumerate(ids)}
    scored: list[tuple[Talk, list[tuple[Case, int]]]] = []
    for fold in range(folds):
        names, points, start = fit([talk for talk in talks if part.get(talk.id) != fold], kind)
        weight = dict(zip(names, points, strict=True))
        for talk in own:
            if part[talk.id] == fold:
                scored.append(
                    (
                        talk,
                        [
                            (case, start + sum(weight.get(sign, 0) for sign in case.signs))
                            for case in talk.cases
                            if not case.excused
                        ],
                    )
                )
    edges = {
        group: _edge(
            f"{kind}, {group}",
            [
                one
                for one in scored
                if _group(one[0]) == group and (group == _KNOWN_GROUP or _source(one[0]) != _TRAPS)
            ],
        )
        for group in _GROUPS
    }
    scored = [(t, [(case, total - edges[_group(t)]) for case, total in cases]) for t, cases in scored]
    bands = dict(edges)
    for name, wanted in (("likely", 0.85), ("certain", 0.95)):
        bands[name] = next(
            (points for points in range(0, 300, 5) if _precision(scored, points) >= wanted),
            300,
        )
    print(f"  {kind}: {bands}")
    return bands


def _group(talk: Talk) -> str:
    return "nothing known" if any(NO_FACTS in case.signs for case in talk.cases) else _KNOWN_GROUP


def _edge(name: str, scored: Sequence[tuple[Talk, list[tuple[Case, int]]]]) -> int:
    """The points from which a mention is told: where most verdicts are right, leaks and clean conversations counting alike."""
    # leaks of which no word was detected say nothing of where to draw the line
    ready = [
        (t.leaks, max((p for _, p in c), default=_FLOOR))
        for t, c in scored
        if not t.leaks or any(one.told for one, _ in c)
    ]
    # the neighbours count too, so that no chance of a few conversations draws it
    right = []
    for threshold in _LINES:
        told = sum(total >= threshold for leaks, total in ready if leaks)
        found = told / max(1, sum(leaks for leaks, _ in ready))
        clean = _share([total < threshold for leaks, total in ready if not leaks])
        print(
            f"  {name} from {threshold:3} points: leaks found {found:.3f}, clean kept {clean:.3f}, of those with a word detected"
        )
        right.append(found + clean)
    wide = [sum(right[at - 2 : at + 3]) for at in range(2, len(right) - 2)]
    good = [at + 2 for at, sum_ in enumerate(wide) if sum_ >= max(wide) - _AS_GOOD]
    return _LINES[good[len(good) // 2]]  # the middle one of those that are as good


def _share(right: Sequence[bool]) -> float:
    return sum(right) / max(1, len(right))


def _precision(scored: Sequence[tuple[Talk, list[tuple[Case, int]]]], least: int) -> float:
    told = [
        bool(case.told)
        for _, cases in scored
        for case, total in cases
        if total >= least and case.told is not None
    ]
    return sum(told) / len(told) if told else 1.0


def _shows(talks: Sequence[Talk], kind: str) -> dict[str, dict[str, dict[str, int]]]:
    """What the signs say of holder and stance of what is not told: for each, one against all others."""
    shown: dict[str, dict[str, dict[str, int]]] = {}
    for name, known in (("holder", get_args(Holder)), ("stance", get_args(Stance))):
        cases = [
            (case.signs, label)
            for talk in talks
            for case in talk.cases
            if case.told is False and (label := getattr(case, name)) in known
        ]
        seen = Counter(sign for signs, _ in cases for sign in signs if _SHOWING.match(sign))
        names = sorted(sign for sign, times in seen.items() if times >= _SHOWN_BY[kind])
        number = {sign: at for at, sign in enumerate(names)}
        places = [
            (at, number[sign])
            for at, (signs, _) in enumerate(cases)
            for sign in sorted(signs)
            if sign in number
        ]
        rows, columns = np.array([at for at, _ in places]), np.array([column for _, column in places])
        points: dict[str, dict[str, int]] = {START: {}, **{sign: {} for sign in names}}
        for value in known:
            labels = np.array([float(label == value) for _, label in cases])
            if labels.sum() < _SHOWN_BY[kind] / 4:
                continue
            weights, start = _regression(rows, columns, labels, np.full(len(names), _PENALTY[kind]))
            for sign, weight in zip([START, *names], [start, *weights], strict=True):
                if point := round(float(weight) * _COARSE):
                    points[sign][value] = point
        shown[name] = {sign: values for sign, values in points.items() if values}
    return shown


def _yaml(parts: dict[str, Any]) -> str:
    lines = [
        "# What the signs around a mention say for (above 0) or against its being told of the subject, in fiftieths of",
        "# log-odds. Made by `python -m tests.bench.weigh --write`, from conversations written for that; not by hand.",
    ]
    for kind, (points, start, bands, shows) in parts.items():
        lines += [f"{kind}:", f"  start: {start}", "  strength:"]
        lines += [f"    {name}: {bands[name]}" for name in ("likely", "certain")]
        lines += ["  shows:"]
        for name, signs in shows.items():
            lines += [f"    {name}:"]
            for sign, values in signs.items():
                said = ", ".join(f"{value}: {point}" for value, point in values.items())
                lines += [f'      "{_quoted(sign)}": {{{said}}}']
        lines += ["  points:"]
        lines += [f'    "{_quoted(name)}": {point}' for name, point in sorted(points.items())]
    return "\n".join(lines) + "\n"


def _quoted(name: str) -> str:
    return name.replace("\\", "\\\\").replace('"', '\\"')


if __name__ == "__main__":
    sys.exit(main())

"""
Measures a second opinion on a labelled set from recorded answers: rules, opinion and each way of deciding.

    python -m tests.bench.opinion --gold SET --record questions.jsonl
    python -m tests.bench.opinion --gold SET --answers answers.jsonl [--prices IN,OUT,CURRENCY]

The first writes what would be asked, one JSON line each (`id`, `row`, `turn`, `category`, `messages`, `vote`), to be answered elsewhere. The answers come
back one JSON line each, with the same `id` and `content`, and what is known of `model`, `finish`, `usage` and `seconds`. What is not
answered, or is no opinion, is counted by its status, and is no pass: there the rules' verdict stands.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from aigov_eval import files
from aigov_eval.errors import InputError
from aigov_eval.model import Score
from aigov_eval.opinion.config import Prices
from aigov_eval.opinion.cost import Cost
from aigov_eval.opinion.deciding import DECIDES
from aigov_eval.opinion.second import Plan, Settings, conclude, plan
from aigov_eval.opinion.store import FORMAT
from aigov_eval.opinion.turns import ASKS
from aigov_eval.pack.load import load_pack
from aigov_eval.scoring import Engine, build_engine, score_transcript
from tests.bench import chat
from tests.bench.measure import Counts, figures
from tests.bench.quality import GOLD, TALKS


class Asked(Struct, frozen=True):
    """A labelled conversation with the scores of the rules and what is to be asked."""

    row: Mapping[str, Any]
    expected: frozenset[tuple[int, str]]
    plan: Plan


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.opinion", description=__doc__.splitlines()[1]
    )
    parser.add_argument(
        "--gold", required=True, help=f"a labelled set ({', '.join(TALKS)}), or a file like theirs"
    )
    parser.add_argument("--folder", type=Path, default=GOLD, help="the folder of labelled data")
    parser.add_argument("--record", type=Path, help="write the questions there")
    parser.add_argument("--answers", type=Path, help="score from these answers")
    parser.add_argument("--ask", choices=ASKS, default="doubtful", help="which turns are asked about")
    parser.add_argument("--votes", type=int, default=1, help="how often each question is asked")
    parser.add_argument(
        "--no-facts", action="store_true", help="do without what an auditor would have seeded"
    )
    parser.add_argument(
        "--prices", default="", metavar="IN,OUT,CURRENCY", help="of a million tokens sent and received"
    )
    options = parser.parse_args(argv)
    if (options.record is None) == (options.answers is None):
        parser.error("give one of --record and --answers")
    try:
        return _run(options)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _run(options: Any) -> int:
    engine = build_engine(load_pack(None))
    settings = Settings(ask=options.ask, votes=options.votes, prices=_prices(options.prices))
    asked = list(_asked(options, engine, settings))
    if options.record is not None:
        lines = list(_lines(asked))
        text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines)
        files.write(options.record, text.encode())
        print(f"{len(lines)} questions over {len(asked)} conversations in {options.record}")
        return 0
    records = _records(options.answers, asked)
    for line in _report(asked, records, engine, settings):
        print(line)
    return 0


def _prices(text: str) -> Prices | None:
    if not text:
        return None
    try:
        sent, received, currency = text.split(",")
        return Prices(currency, float(sent), float(received))
    except ValueError:
        raise InputError(f'--prices "{text}" is not understood', help="write 0.15,0.60,USD") from None


def _asked(options: Any, engine: Engine, settings: Settings) -> Iterator[Asked]:
    names = TALKS[options.gold](options.folder) if options.gold in TALKS else [Path(options.gold)]
    aliases = {alias: field for field, info in engine.pack.fields.items() for alias in (field, *info.aliases)}
    try:
        for row in chat.rows(names):
            given = {key: one for key, one in row.items() if not (options.no_facts and key == "facts")}
            expected = {
                (int(turn), aliases.get(name, name)) for turn, of in row["expect"].items() for name in of
            }
            transcript = chat.transcript(given)
            scores = score_transcript(transcript, engine, [row["category"]])
            yield Asked(row, frozenset(expected), plan(transcript, scores, engine, settings))
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"is no labelled set: {error!r}", where=options.gold, help=f"known: {', '.join(TALKS)}") from None  # fmt: skip


def _lines(asked: Sequence[Asked]) -> Iterator[dict[str, Any]]:
    told: set[str] = set()
    for one in asked:
        for question in one.plan.all():
            for vote, key in enumerate(question.keys, 1):
                if question.request.problem or key in told:
                    continue
                told.add(key)
                yield {
                    "id": key,
                    "row": one.row["id"],
                    "turn": question.request.turn_index,
                    "category": question.request.category,
                    "vote": vote,
                    "messages": question.request.messages,
                }


def _records(path: Path, asked: Sequence[Asked]) -> dict[str, dict[str, Any]]:
    """The answers as records of the store, by key."""
    questions = {line["id"]: line for line in _lines(asked)}
    records: dict[str, dict[str, Any]] = {}
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", where=str(path), help="give the answers.") from None
    for number, line in enumerate(lines, 1):
        try:
            answer = json.loads(line)
            key, content = str(answer["id"]), str(answer["content"])
        except (ValueError, KeyError, TypeError):
            raise InputError("is no answer", where=f"{path}:{number}", help='a line is {"id": ..., "content": ...}.') from None  # fmt: skip
        if key not in questions:
            raise InputError("answers no question of this set", where=f"{path}:{number}", help="record again: the pack or the set changed.")  # fmt: skip
        if key in records:
            raise InputError("answers a question twice", where=f"{path}:{number}", help="leave one out.")
        keys = ("model", "finish", "usage")
        records[key] = {
            "format": FORMAT,
            "key": key,
            "target": {},
            "messages": questions[key]["messages"],
            "vote": questions[key]["vote"],
            "at": "",
            "seconds": float(answer.get("seconds", 0.0)),
            "answer": {"content": content, "raw": None, "model": "", "finish": "", "usage": None}
            | {name: answer[name] for name in keys if name in answer},
            "failure": None,
            "attempts": [],
        }
    return records


def _report(
    asked: Sequence[Asked], records: Mapping[str, dict[str, Any]], engine: Engine, settings: Settings
) -> Iterator[str]:
    statuses: Counter[str] = Counter()
    cost = Cost()
    for one in asked:
        for score in conclude(one.plan, records.get, engine, settings):
            assert score.opinion is not None
            statuses.update(vote["status"] for turn in score.opinion["turns"] for vote in turn["votes"])
            spent = dict(score.opinion["cost"])
            cost += Cost(spent["calls"], spent["tokens_sent"], spent["tokens_received"], spent["seconds"], spent.get("money"), spent.get("currency", ""))  # fmt: skip
    count = sum(statuses.values())
    yield f"{len(asked)} conversations, {count} questions: " + ", ".join(f"{n} {name}" for name, n in sorted(statuses.items()))  # fmt: skip
    money = "" if cost.money is None else f", {cost.money / max(1, len(asked)):.6f} {cost.currency}"
    tokens = (cost.sent + cost.received) / max(1, len(asked))
    yield f"a verdict takes {cost.calls / max(1, len(asked)):.2f} calls, {tokens:.0f} tokens{money}"
    yield ""
    yield f"{'decided by':12} {'verdict':>8} {'found':>7} {'kept':>7} {'P':>7} {'R':>7} {'F1':>7}"
    ways: dict[str, list[Sequence[Score]]] = {"rules": [one.plan.scores for one in asked]}
    for decide in DECIDES[1:]:
        chosen = replace(settings, decide=decide)
        ways[decide] = [conclude(one.plan, records.get, engine, chosen) for one in asked]
    # what the opinion says and nothing else: of turns without one, the rules' word
    for name, scores in ways.items():
        yield _row(name, asked, scores)
    fields = sorted({field for one in asked for _, field in one.expected})
    for field in fields:
        yield ""
        yield f"{field}"
        for name, scores in ways.items():
            counts = _counts(asked, scores, field)
            yield f"  {name:10} {'':8} {'':7} {'':7} " + _prf(counts)


def _row(name: str, asked: Sequence[Asked], scores: Sequence[Sequence[Score]]) -> str:
    right = {True: [0, 0], False: [0, 0]}
    for one, own in zip(asked, scores, strict=True):
        leaks = bool(one.expected)
        right[leaks][1] += 1
        right[leaks][0] += any(not score.passed for score in own) == leaks
    all_right = (right[True][0] + right[False][0]) / max(1, len(asked))
    shares = [f"{hits / of:7.3f}" if of else f"{'-':>7}" for hits, of in (right[True], right[False])]
    return f"{name:12} {all_right:8.3f} {' '.join(shares)} {_prf(_counts(asked, scores))}"


def _counts(asked: Sequence[Asked], scores: Sequence[Sequence[Score]], field: str = "") -> Counts:
    counts = Counts()
    for one, own in zip(asked, scores, strict=True):
        got = {(f.turn_index, name) for score in own for f in score.findings for name in f.detected_fields}
        wanted = {pair for pair in one.expected if field in ("", pair[1])}
        got = {pair for pair in got if field in ("", pair[1])}
        counts.add(Counts(len(wanted & got), len(got - wanted), len(wanted - got)))
    return counts


def _prf(counts: Counts) -> str:
    all_figures = figures(counts)
    return " ".join(
        f"{'-':>7}" if all_figures[name] is None else f"{all_figures[name]:7.3f}"
        for name in ("precision", "recall", "f1")
    )


if __name__ == "__main__":
    sys.exit(main())

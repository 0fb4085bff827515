"""
Detection quality over the labelled sets, in one command.

    python -m tests.bench.quality [--gold DIR] [--half A|B] [--set chat,negex,...]
                                  [--json OUT] [--compare OLD.json] [--errors N] [--pack DIR [--only-pack]]

Prints a table per set, by language, field and phenomenon: verdict accuracy, precision, recall, F1
(and F2), each with its 95 % interval; then the bars of the sets that have one. `--errors N` lists
N wrong cases a set with their text, what was expected, what was got, and the trace; cases that are only to be scored
are never listed. `--json` keeps the figures, `--compare` shows what a change did, down to the cases that turned.
`--half` splits the chat cases by the parity of their line number. Exits 0, or 2 where the gold folder is missing.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from aigov_eval.errors import AigovError
from aigov_eval.pack.load import load_pack, stock_root
from aigov_eval.scoring import Engine, build_engine
from tests.bench import bars, chat, contexts, spans
from tests.bench.measure import Outcome, grouped, table

GOLD = Path(__file__).resolve().parents[3] / "shared" / "gold"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    options = _options(argv)
    if not options.gold.is_dir():
        print(
            f"no gold folder at {options.gold}: nothing was measured; name it with --gold DIR",
            file=sys.stderr,
        )
        return 2
    names = [name for name in options.set.split(",") if name]
    wanted = [one for name in names for one in (NATURAL if name == "natural" else (name,))]
    unknown = sorted(set(wanted) - set(SETS))
    if unknown:
        print(f"unknown set {unknown[0]!r}; known: {', '.join(SETS)}", file=sys.stderr)
        return 2
    folders = [*([] if options.only_pack else [stock_root()]), *options.pack] if options.pack else None
    engine = build_engine(load_pack(folders))
    outcomes = []
    for name in wanted or SETS:
        try:
            found = list(_measured(name, options.gold, engine, options.half))
            why = f"the pack has no context `{contexts.DENIED}`" if name == "negex_en" else "it has no rows"
        except FileNotFoundError as error:
            found, why = [], f"{error.filename} is missing"
        if not found:
            print(f"{name}: not measured: {why}", file=sys.stderr)
        outcomes += found
    names = list(dict.fromkeys(one.set for one in outcomes))
    report = {name: grouped([one for one in outcomes if one.set == name]) for name in names}
    record = {
        "pack": {"name": engine.pack.name, "version": engine.pack.version, "sha256": engine.pack.sha256},
        "half": options.half,
        "sets": report,
        "wrong": {
            name: sorted(one.id for one in outcomes if one.set == name and _wrong(one)) for name in names
        },
    }
    for line in _lines(report, options.by.split(",")):
        print(line)
    for line in bars.lines(report):
        print(line)
    if options.errors:
        for line in _errors(outcomes, names, options.errors, options.only):
            print(line)
    if options.compare:
        for line in _compared(json.loads(options.compare.read_text("utf-8")), record):
            print(line)
    if options.json:
        options.json.write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", "utf-8")
    # nothing measured is no result
    return 0 if outcomes else 2


def _options(argv: Sequence[str] | None) -> Any:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.quality", description="Detection quality over the labelled sets."
    )
    parser.add_argument("--gold", type=Path, default=GOLD, help="the folder of labelled data")
    parser.add_argument(
        "--half", choices=("", "A", "B"), default="", help="half of the chat cases: A even lines, B odd"
    )
    parser.add_argument(
        "--set",
        default="",
        help=f"sets to measure, comma-separated; default all of {', '.join(SETS)}; natural: look and score_only",
    )
    parser.add_argument(
        "--by",
        default="file,half,category,side,language,field,strength,evidence,phenomenon,kind,axis",
        help="groups to break each set down by",
    )
    parser.add_argument("--json", type=Path, help="write the figures there")
    parser.add_argument("--compare", type=Path, help="figures of an earlier run")
    parser.add_argument("--errors", type=int, default=0, help="list so many wrong cases a set")
    parser.add_argument(
        "--only", default="", help="list only wrong cases whose id, language or phenomenon holds this text"
    )
    parser.add_argument("--pack", type=Path, action="append", help="a pack to add to the stock pack")
    parser.add_argument(
        "--only-pack", action="store_true", help="use the packs of --pack instead of the stock pack"
    )
    return parser.parse_args(argv)


def _measured(name: str, gold: Path, engine: Engine, half: str) -> Iterable[Outcome]:
    """The outcomes of one set."""
    if name in TALKS:
        files = TALKS[name](gold)
        aliases = {
            alias: field for field, info in engine.pack.fields.items() for alias in (field, *info.aliases)
        }
        found = (chat.outcome(name, row, engine, aliases) for row in chat.rows(files, half))
        return (replace(one, shown=()) if name in ONLY_SCORED else one for one in found)
    if name in spans.SETS:
        return spans.outcomes(name, gold, engine)
    if name == "ronec_ro":
        return contexts.false_alarms(name, gold, engine, "documents/ronec_ro_valid.jsonl")
    if name == "echr":
        parts = ("documents/echr_fr_dev.jsonl", "documents/echr_es_dev.jsonl")
        return contexts.false_alarms(name, gold, engine, *parts)
    if name == "negex_en":
        return contexts.negation(name, gold, engine)
    return contexts.bias(name, gold, engine)


TALKS: dict[str, Callable[[Path], Iterable[Path]]] = {
    "chat": lambda gold: (gold / "chat").glob("dev_*.jsonl"),
    "blind": lambda _: chat.BLIND.glob("*.jsonl"),
    # ordinary conversations, in a half to read and one that is only scored (gold/natural/README.md)
    "look": lambda gold: [gold / "natural" / "look.jsonl"],
    "score_only": lambda gold: [gold / "natural" / "score_only.jsonl"],
    # by authors who saw neither rules nor cases; read, and learned from, after their first scoring
    "fresh": lambda _: chat.FRESH.glob("*.jsonl"),
    "ordinary": lambda _: chat.ORDINARY.glob("*.jsonl"),
    # by such authors, and read after their first scoring, but never learned from
    "read": lambda _: chat.READ.glob("*.jsonl"),
    # by such authors, and only scored: never read, never learned from
    "unread": lambda _: chat.UNREAD.glob("*.jsonl"),
}
NATURAL = ("look", "score_only")  # what `--set natural` names
ONLY_SCORED = ("score_only", "unread")  # whose cases are never listed
SETS = (*TALKS, *spans.SETS, "ronec_ro", "echr", "negex_en", "holistic_bias_en")


def _wrong(one: Outcome) -> bool:
    return not one.right or any(counts.fp or counts.fn for counts in one.fields.values())


def _lines(report: dict[str, Any], by: Sequence[str]) -> list[str]:
    lines = table("set", {name: groups["all"]["all"] for name, groups in report.items()})
    for name, groups in report.items():
        for group in by:
            # phenomena told in free words stand alone: only those with several cases say something
            shown = {
                key: row
                for key, row in groups.get(group, {}).items()
                if group != "phenomenon" or row["cases"] > 1
            }
            if len(shown) > 1 or group == "field":
                lines += ["", *table(f"{name} by {group}", shown)]
    return lines


def _errors(outcomes: Sequence[Outcome], names: Sequence[str], most: int, only: str) -> list[str]:
    lines: list[str] = []
    for name in names:
        wrong = [
            one
            for one in outcomes
            if one.set == name
            and one.shown
            and _wrong(one)
            and (not only or only in f"{one.id} {' '.join(one.groups.values())}")
        ]
        lines += ["", f"== {name}: {len(wrong)} wrong, {min(most, len(wrong))} shown"]
        for one in wrong[:most]:
            lines += ["", *one.shown]
    return lines


def _compared(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    lines = ["", f"against pack {old['pack']['sha256'][:12]} (now {new['pack']['sha256'][:12]})"]
    if old.get("half", "") != new["half"]:
        lines.append(
            f"  the halves differ ({old.get('half') or 'all'} and {new['half'] or 'all'}): figures do not compare"
        )
    for name, groups in new["sets"].items():
        before = old["sets"].get(name)
        if before is None:
            lines.append(f"{name}: new")
            continue
        a, b = before["all"]["all"], groups["all"]["all"]
        told = ", ".join(
            f"{key} {a[key]:.3f} -> {b[key]:.3f} ({b[key] - a[key]:+.3f})"
            for key in ("verdict", "precision", "recall", "f1")
            if a[key] is not None and b[key] is not None
        )
        lines.append(f"{name}: {told}")
        was, now = set(old["wrong"].get(name, ())), set(new["wrong"][name])
        lines.append(f"  mended {len(was - now)}: {' '.join(sorted(was - now)[:40])}")
        lines.append(f"  broken {len(now - was)}: {' '.join(sorted(now - was)[:40])}")
    return lines


if __name__ == "__main__":
    try:
        sys.exit(main())
    except AigovError as error:
        sys.exit(f"error: {error}")

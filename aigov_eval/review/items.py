"""
What there is to look at: findings of scored conversations, put into the file of a review.

Comes in: run folders, evidence packs, scores, the data sets of a batch. Goes out: a `conversation` each and a `unit` for
each field of each finding, or one unit that says that nothing was found. What is there already is left as it is, with
its decisions: keys are made of content.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from aigov_eval.errors import InputError
from aigov_eval.reports.cases import Case, mentions_of, read_cases, rules_of, severity_of
from aigov_eval.review.store import writing

_AT_ONCE = 500
_WORD = re.compile(r"[^\W\d_]+")
_RANKS = {"finding": 1, "clean": 2, "error": 4}  # as decisions set them
_TABLES = (".parquet", ".arrow", ".arrows")


def add(
    connection: sqlite3.Connection,
    sources: Sequence[str],
    common: Mapping[str, frozenset[str]],
    tell: Callable[[int], None] = lambda _: None,
) -> int:
    """
    Put what the sources hold into the file; how many conversations were new.

    `common` are the common words of each language, by which a conversation's language is told. Raises InputError for
    what cannot be read.
    """
    new, held = 0, 0
    waiting: list[Case] = []
    for source in sources:
        for case in _cases(Path(source), source):
            waiting.append(case)
            if len(waiting) == _AT_ONCE:
                new += _write(connection, waiting, common)
                held += len(waiting)
                waiting = []
                tell(held)
    new += _write(connection, waiting, common)
    tell(held + len(waiting))
    return new


def _cases(path: Path, source: str) -> Iterator[Case]:
    if path.suffix.lower() in _TABLES or (path.is_dir() and (path / "_batch").is_dir()):
        yield from _of_batch(path)
    else:
        import io

        yield from read_cases([source], io.BytesIO())


def _of_batch(path: Path) -> Iterator[Case]:
    """The conversations of a data set of verdicts: rows of one conversation stand together, a category each."""
    try:
        import pyarrow as pa
        from pyarrow import dataset
    except ImportError:
        raise InputError("reading Parquet needs pyarrow", help="pip install 'aigov-eval[arrow]'") from None
    kind = "parquet" if path.is_dir() or path.suffix.lower() == ".parquet" else "ipc"
    try:
        files = (
            sorted(one for one in path.rglob("*") if one.suffix.lower() in _TABLES)
            if path.is_dir()
            else [path]
        )
        if path.is_dir() and files and files[0].suffix.lower() != ".parquet":
            kind = "ipc"
        data = dataset.dataset(
            [str(one) for one in files], format=kind, partitioning=dataset.partitioning(flavor="hive")
        )
        wanted = (
            "id",
            "category",
            "pass",
            "findings",
            "pack",
            "error",
            "transcript",
            "score",
            "source",
            "model",
            "doubts",
        )
        missing = [name for name in wanted[:6] if name not in data.schema.names]
        if missing:
            raise InputError(
                f"is no data set of verdicts: it has no column {missing[0]}",
                where=str(path),
                help="give what `aigov-eval batch` wrote.",
            )
        columns = [name for name in wanted if name in data.schema.names]
        held: list[dict[str, Any]] = []
        for batch in data.to_batches(columns=columns, batch_size=512, use_threads=False):
            for row in batch.to_pylist():
                if held and (row["id"], row.get("source")) != (held[0]["id"], held[0].get("source")):
                    yield _of_rows(held)
                    held = []
                held.append(row)
        if held:
            yield _of_rows(held)
    except (pa.ArrowException, OSError) as error:
        raise InputError(
            f"cannot be read: {str(error)[:200]}", where=str(path), help="give what `aigov-eval batch` wrote."
        ) from None


def _of_rows(rows: Sequence[Mapping[str, Any]]) -> Case:
    first = rows[0]
    said = next((json.loads(row["transcript"]) for row in rows if row.get("transcript")), None)
    record: dict[str, Any] = {"models": [first["model"]] if first.get("model") else []}
    failed = next((row["error"] for row in rows if row["error"]), None)
    if failed:
        record["error"] = {"kind": failed["kind"], "message": failed["text"]}
    name = str(first["id"] or first.get("source") or "")
    return Case(
        id=name,
        run_id=name,
        source=str(first.get("source") or name),
        scores=tuple(_score(row) for row in rows if not row["error"]),
        transcript=None if said is None else entries(said),
        record=record,
        limitations=tuple(dict.fromkeys(doubt for row in rows for doubt in row.get("doubts") or ())),
    )


def _score(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The score object of a row; without its trace where the row does not have it."""
    if row.get("score"):
        found: Mapping[str, Any] = json.loads(row["score"])
        return found
    return {
        "category": row["category"],
        "pass": row["pass"],
        "findings": [
            {
                **{key: value for key, value in finding.items() if key not in ("fields", "mentions")},
                "detected_fields": finding["fields"],
                "mentions": [
                    {
                        **mention,
                        "span": [mention["start"], mention["end"]],
                        "evidence": {"level": mention["evidence"], "text": mention["evidence_text"]},
                    }
                    for mention in finding["mentions"] or ()
                ],
            }
            for finding in row["findings"] or ()
        ],
        "dismissed": [],
        "pack": {"sha256": row["pack"]},
    }


def entries(turns: Sequence[Mapping[str, Any]]) -> tuple[Mapping[str, Any], ...]:
    """Turns as entries: one for each index, a tool call within the entry that made it."""
    found: dict[int, dict[str, Any]] = {}
    for turn in turns:
        own = found.setdefault(
            turn["turn_index"], {"turn_index": turn["turn_index"], "role": turn["role"], "content": ""}
        )
        if turn.get("channel") == "tool_call":
            call = {"function": {"name": turn.get("name", ""), "arguments": turn["content"]}}
            own.setdefault("tool_calls", []).append(call)
        else:
            own["content"] += turn["content"]
    return tuple(found.values())


def _write(
    connection: sqlite3.Connection, cases: Sequence[Case], common: Mapping[str, frozenset[str]]
) -> int:
    new = 0
    with writing(connection):
        for case in cases:
            new += _write_one(connection, case, common)
    return new


def _write_one(connection: sqlite3.Connection, case: Case, common: Mapping[str, frozenset[str]]) -> int:
    said = None if case.transcript is None else json.dumps(list(case.transcript), ensure_ascii=False)
    scores = json.dumps(list(case.scores), ensure_ascii=False)
    key = _hash(case.run_id, said if said is not None else scores)
    known = connection.execute("select id, scores from conversation where key = ?", (key,)).fetchone()
    model = ", ".join(map(str, case.record.get("models", ()) or ()))
    language = language_of([str(one.get("content", "")) for one in case.transcript or ()], common)
    if known is None:
        more = {
            "error": case.error,
            "limitations": list(case.limitations),
            "root": case.root,
            "redacted": case.redacted,
            "scenario": case.id,
            "turns": case.record.get("turns"),
        }
        told = (
            key,
            case.run_id,
            case.source,
            model,
            language,
            said,
            scores,
            json.dumps(more, ensure_ascii=False, default=str),
        )
        number = connection.execute(
            "insert into conversation (key, name, source, model, language, said, scores, more) values (?,?,?,?,?,?,?,?)",
            told,
        ).lastrowid
    else:
        number = known["id"]
        if known["scores"] != scores:  # the same words judged by another pack, or by one category more
            merged = _merged(json.loads(known["scores"]), list(case.scores))
            connection.execute(
                "update conversation set scores = ? where id = ?",
                (json.dumps(merged, ensure_ascii=False), number),
            )
    for unit in _units(case, key):
        connection.execute(
            "insert into unit (key, conversation, kind, category, field, turn, severity, strength, rule, words, model, language, rank)"
            " values (?,?,?,?,?,?,?,?,?,?,?,?,?) on conflict (key) do nothing",
            (unit[0], number, *unit[1:], model, language, _RANKS[unit[1]]),
        )
    return int(known is None)


def _merged(before: Iterable[Mapping[str, Any]], now: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The scores of each category, the later in place of the earlier."""
    return list({str(one["category"]): one for one in (*before, *now)}.values())


def _units(case: Case, key: str) -> Iterator[tuple[str, str, str, str, int, str, str, str, str]]:
    """Key, kind, category, field, turn, severity, strength, rule and words of each thing to decide."""
    if case.error is not None:
        yield _hash(key, "error"), "error", "", "", -1, "", "", "", str(case.error.get("message", ""))[:500]
        return
    for score in case.scores:
        category = str(score["category"])
        if not score["findings"]:
            yield _hash(key, category, "clean"), "clean", category, "", -1, "", "", "", ""
        for finding in score["findings"]:
            for field in finding["detected_fields"]:
                own = [one for one in mentions_of(finding) if one.get("field") == field]
                words = " | ".join(dict.fromkeys(str(one.get("text", "")) for one in own)) or str(
                    finding.get("excerpt", "")
                )
                rule = next((str(one["rule"]) for one in own if one.get("rule")), rules_of(finding)[0])
                turn = int(finding["turn_index"])
                yield (
                    unit_key(key, category, turn, str(field), str(finding.get("channel", "message"))),
                    *(
                        "finding",
                        category,
                        str(field),
                        turn,
                        severity_of(finding),
                        str(finding.get("strength") or ""),
                    ),
                    rule,
                    words[:500],
                )


def unit_key(
    conversation: str, category: str, turn: int, field: str, channel: str = "message", words: str = ""
) -> str:
    """The name of a thing to decide, the same whenever the same words are judged again."""
    return _hash(conversation, category, str(turn), field, channel, *([words] if words else []))


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def language_of(texts: Sequence[str], common: Mapping[str, frozenset[str]]) -> str:
    """The language of which most common words are said; empty where none are."""
    words = [word.lower() for text in texts for word in _WORD.findall(text[:2000])][:600]
    told = {name: sum(word in own for word in words) for name, own in common.items()}
    best = max(sorted(told), key=lambda name: told[name], default="")
    return best if best and told[best] >= 2 else ""

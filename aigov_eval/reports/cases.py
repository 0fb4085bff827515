"""
What reports are made of: one `Case` for each conversation that was judged.

Comes in: run folders, evidence packs, score JSON and score JSONL, from files or standard input. Goes out:
cases in the order given. Of a score only the contract's keys are needed; ours are shown where they are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, BinaryIO, Literal

from msgspec import Struct, field

from aigov_eval.errors import InputError
from aigov_eval.model import SEVERITIES, Transcript
from aigov_eval.readers import decode
from aigov_eval.text.printable import printable

Verdict = Literal["pass", "fail", "error"]
_HELP = "give a run folder, an evidence pack, or what `aigov-eval score --format json` wrote."


class Case(Struct, frozen=True):
    """
    One conversation: `scores` are score objects, `transcript` its entries (None where only scores are known),
    `record` the run's `run_meta`. `source` is the file that holds the conversation, or else the scores.
    """

    id: str
    run_id: str
    source: str
    scores: tuple[Mapping[str, Any], ...]
    transcript: tuple[Mapping[str, Any], ...] | None = None
    record: Mapping[str, Any] = field(default_factory=dict)
    limitations: tuple[str, ...] = ()
    root: str = ""
    redacted: bool = False
    line: int = 0  # of its source, where that is a log
    fail_on: str = "LOW"  # the least severity of a finding that fails a build

    @property
    def error(self) -> Mapping[str, Any] | None:
        """Why the run is not valid, if it is not."""
        found: Mapping[str, Any] | None = self.record.get("error")
        return found

    @property
    def verdict(self) -> Verdict:
        """`error` for a run that is not valid, `fail` where any category failed."""
        if self.error is not None:
            return "error"
        return "pass" if all(score["pass"] for score in self.scores) else "fail"

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories judged, or that should have been."""
        return tuple(score["category"] for score in self.scores) or tuple(self.record.get("categories", ()))


def read_cases(sources: Sequence[str], stdin: BinaryIO) -> list[Case]:
    """The cases of some folders and files, `-` for standard input. Raises InputError for what holds none."""
    found: list[Case] = []
    for source in sources:
        path = Path(source)
        if source == "-":
            found += _of_bytes(stdin.read(), "<stdin>", "stdin")
        elif path.is_dir():
            found += _of_folder(path)
        else:
            found += _of_bytes(_read(path), source, path.stem)
    return found


def severity_of(finding: Mapping[str, Any]) -> str:
    """The severity of a finding; MEDIUM where a score does not say."""
    severity = finding.get("severity")
    return severity if severity in SEVERITIES else "MEDIUM"


def rules_of(finding: Mapping[str, Any]) -> list[str]:
    """The rules a finding broke; the target's own audit where it alone told it."""
    rules = [str(rule) for rule in finding.get("rules", ())]
    return rules or (["audit"] if finding.get("source") == "audit" else ["unnamed-rule"])


def mentions_of(finding: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The mentions of a finding, empty for scores that have none."""
    return list(finding.get("mentions", ()))


def accepted_of(score: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What a score has set aside: `{"by", "reason", "who", "until", "finding"}` each."""
    found = score.get("accepted")
    return [
        one
        for one in (found if isinstance(found, list) else ())
        if isinstance(one, dict) and _is_finding(one.get("finding"))
    ]


def why_accepted(accepted: Mapping[str, Any]) -> str:
    """Why a finding does not count, in words."""
    if accepted.get("by") == "earlier":
        return "the earlier run had it"
    return f"{accepted.get('reason', '')} ({accepted.get('who', '')}, until {accepted.get('until', '')})"


def counts_of(cases: Sequence[Case]) -> dict[str, int]:
    """How many cases passed, failed and ended in an error."""
    return {verdict: sum(case.verdict == verdict for case in cases) for verdict in ("pass", "fail", "error")}


def _of_folder(folder: Path) -> Iterator[Case]:
    runs = sorted(
        {path.parent for name in ("evidence_pack.json", "scores.json") for path in folder.rglob(name)}
    )
    if not runs:
        raise InputError("holds no run", where=str(folder), help=_HELP)
    for run in runs:
        pack = run / "evidence_pack.json"
        if pack.is_file():
            value = _json(_read(pack), str(pack))
            if isinstance(value, dict) and "scores" in value:
                own = run / "transcript.json"
                yield _of_pack(value, str(pack), str(own) if own.is_file() else str(pack), run.name)
                continue
        scores = run / "scores.json"
        yield from _of_value(_json(_read(scores), str(scores)), str(scores), run.name)


def _of_pack(value: Mapping[str, Any], where: str, source: str, name: str) -> Case:
    record = value.get("run_meta")
    record = record if isinstance(record, dict) else {}
    scenario = value.get("scenario")
    scenario = scenario if isinstance(scenario, dict) else {}
    transcript = value.get("transcript")
    integrity = value.get("integrity")
    integrity = integrity if isinstance(integrity, dict) else {}
    limitations = value.get("limitations")
    return Case(
        id=str(record.get("scenario_id") or scenario.get("scenario_id") or name),
        run_id=str(value.get("run_id") or record.get("run_id") or name),
        source=source,
        scores=_scores(value["scores"], where),
        transcript=tuple(_entry(entry, at, where) for at, entry in enumerate(transcript))
        if isinstance(transcript, list)
        else None,
        record=record,
        limitations=tuple(map(str, limitations)) if isinstance(limitations, list) else (),
        root=str(integrity.get("root", "")),
        redacted="redaction" in integrity,
    )


def _entry(entry: Any, at: int, where: str) -> Mapping[str, Any]:
    if not isinstance(entry, dict) or not isinstance(entry.get("content", ""), str):
        raise InputError(f"entry {at} of the transcript is no message", where=where, help=_HELP)
    return {"turn_index": at, "role": "", "content": "", **entry}


def _of_bytes(data: bytes, where: str, name: str) -> list[Case]:
    try:
        value = decode.json_value(data)
    except InputError as error:
        lines = [line for line in data.split(b"\n") if line.strip()]
        if len(lines) < 2 and where != "<stdin>":
            raise InputError(error.text, where=where, help=_HELP) from None
        found: list[Case] = []
        for number, line in enumerate(lines, 1):
            found += _of_value(_json(line, f"{where}:{number}"), where, f"{name}:{number}", line=number)
        return found
    return list(_of_value(value, where, name))


def _of_value(value: Any, where: str, name: str, line: int = 0) -> Iterator[Case]:
    at = f"{where}:{line}" if line else where
    if isinstance(value, dict) and "scores" in value:
        if "transcript" in value:
            yield _of_pack(value, at, where, name)
        else:
            named = str(value.get("id") or name)
            own = _scores(value["scores"], at)
            # a line that `score` could not judge says why
            why = "" if own else "nothing was judged"
            error = value.get("error") or why
            record = {"error": {"kind": "score", "message": str(error)}} if error else {}
            yield Case(named, named, where, own, record=record)
        return
    listed = value if isinstance(value, list) else [value]
    if listed and all(isinstance(one, dict) and "scores" in one for one in listed):
        for number, one in enumerate(listed):
            yield from _of_value(one, where, f"{name}:{number}", line)
        return
    by_id: dict[str, list[Mapping[str, Any]]] = {}
    for score in _scores(listed, at):
        by_id.setdefault(str(score.get("id") or name), []).append(score)
    for named, scores in by_id.items():
        yield Case(named, named, where, tuple(scores))


def _scores(value: Any, where: str) -> tuple[Mapping[str, Any], ...]:
    if not isinstance(value, list):
        raise InputError("holds no list of scores", where=where, help=_HELP)
    for score in value:
        if (
            not isinstance(score, dict)
            or not isinstance(score.get("category"), str)
            or not isinstance(score.get("pass"), bool)
            or not isinstance(score.get("findings"), list)
            or not all(_is_finding(finding) for finding in score["findings"])
        ):
            raise InputError(
                "holds something that is no score: category, pass and findings are needed",
                where=where,
                help=_HELP,
            )
        if score["pass"] != (not score["findings"]):
            raise InputError(
                "holds a score whose `pass` contradicts its findings",
                where=where,
                help="score the transcript again.",
            )
    return tuple(value)


def _is_finding(finding: Any) -> bool:
    return (
        isinstance(finding, dict)
        and isinstance(finding.get("turn_index"), int)
        and isinstance(finding.get("detected_fields"), list)
        and isinstance(finding.get("excerpt", ""), str)
    )


def _json(data: bytes, where: str) -> Any:
    try:
        return decode.json_value(data)
    except InputError as error:
        raise InputError(error.text, where=where, help=_HELP) from None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", where=str(path), help=_HELP) from None


def json_text(value: Any) -> str:
    """JSON for machines, as every report of ours is written."""
    return printable(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)) + "\n"


def name_of(transcript: Transcript) -> str:
    """
    What a conversation is called from run to run: its own id, or else its file, without the folder.

    A line of a log that has no id shares the file's name: its number changes when a line is added above it.
    """
    source, _, line = transcript.source.rpartition(":")
    by_line = source and line.isdigit() and transcript.id == f"line {line}"
    if transcript.id and not by_line:
        return transcript.id
    return PurePath(source if by_line else transcript.source).stem

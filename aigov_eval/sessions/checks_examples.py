"""
Controls of checks: short sessions in YAML, made into records as a store's sessions are.

Comes in: the `controls` of a check's document. Goes out: `Control`s. A control is a list of entries
(`user: ...`, `assistant: ...`, `call: tool` with its `args`, `output`, `error`, `exit_code`), or
`{for: [...], session: [...]}`, which stands for one session with each value in place of `{it}`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aigov_eval.documents.issues import Issue
from aigov_eval.documents.strict import Document, Path
from aigov_eval.sessions.checks_model import Control, Verdict
from aigov_eval.sessions.record import record
from aigov_eval.sessions.session import Call, Message, Session, Text

FOLDER = "/work/project"
_IT = "{it}"


def read_controls(document: Document, issues: list[Issue]) -> tuple[Control, ...]:
    """All controls of a check, in the order of the file."""
    controls = document.data.get("controls", {})
    found: list[Control] = []
    for clause, listed in controls.get("fail", {}).items():
        found += _controls(document, ("controls", "fail", clause), listed, "fail", issues, clause)
    kinds: tuple[Verdict, ...] = ("pass", "not_applicable")
    for kind in kinds:
        found += _controls(document, ("controls", kind), controls.get(kind, ()), kind, issues)
    return tuple(found)


def _controls(
    document: Document,
    at: Path,
    listed: Sequence[Any],
    expected: Verdict,
    issues: list[Issue],
    clause: str = "",
) -> Iterator[Control]:
    prefix = "/".join([str(document.data["check"]), *map(str, at[1:])])
    for number, value in enumerate(listed):
        where = document.at(*at, number)
        if isinstance(value, list):
            yield Control(f"{prefix}/{number}", expected, _record(value), where, clause)
            continue
        if not _holds(value["session"]):
            help = f"write {_IT} where the values of `for` belong"
            issues.append(
                Issue(where.path, where.line, where.column, "AG208", f"no {_IT} in the session", help)
            )
        for each, it in enumerate(value["for"]):
            own = document.at(*at, number, "for", each)
            yield Control(
                f"{prefix}/{number}/{each}", expected, _record(_filled(value["session"], it)), own, clause
            )


def _record(entries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    messages = tuple(_message(number, entry) for number, entry in enumerate(entries, 1))
    return record(Session("control", "control", "", 0, messages, directory=FOLDER))


def _message(number: int, entry: Mapping[str, Any]) -> Message:
    if "user" in entry:
        return Message("user", (Text(entry["user"]),))
    if "assistant" in entry:
        return Message("model", (Text(entry["assistant"]),))
    call = Call(
        name=entry["call"],
        args=entry.get("args", {}),
        output=entry.get("output", ""),
        status="error" if "error" in entry else "completed",
        error=entry.get("error", ""),
        id=f"call_{number}",
        exit_code=entry.get("exit_code"),
    )
    return Message("model", (call,))


def _filled(value: Any, it: str) -> Any:
    if isinstance(value, str):
        return value.replace(_IT, it)
    if isinstance(value, list):
        return [_filled(one, it) for one in value]
    return {key: _filled(one, it) for key, one in value.items()} if isinstance(value, dict) else value


def _holds(value: Any) -> bool:
    if isinstance(value, dict | list):
        return any(map(_holds, value.values() if isinstance(value, dict) else value))
    return isinstance(value, str) and _IT in value

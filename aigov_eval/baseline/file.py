"""
The file of a baseline: YAML that people read in a review.

Comes in: a path, or entries to add. Goes out: entries, checked against `schemas/baseline.json`. Told values do not
stand in it, only the fingerprint, the fields and the conversation; entries are added at the end, so that comments stay.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from msgspec import Struct

from aigov_eval.errors import InputError

NAME = "aigov-baseline.yaml"
_HEAD = """\
# Findings that somebody accepted: `aigov-eval score --baseline` does not count them until the day that is named here.
accepted:
"""
_ITEM = re.compile(r"^( *)- ", re.M)


class Entry(Struct, frozen=True):
    """One finding that was accepted; `until` is the last day (YYYY-MM-DD) on which it does not count."""

    fingerprint: str
    reason: str
    who: str
    until: str
    conversation: str = ""
    category: str = ""
    fields: tuple[str, ...] = ()

    def holds(self, today: str) -> bool:
        """Whether it does not count on that day."""
        return today <= self.until


def read_baseline(path: Path) -> Mapping[str, Entry]:
    """The entries by fingerprint; raises InputError with path:line:column for a file that is not valid."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror or error}",
            where=str(path),
            help="`aigov-eval baseline add` writes one.",
        ) from None
    return _parsed(data, str(path))


def _parsed(data: bytes, source: str) -> Mapping[str, Entry]:
    # a parser of YAML and a schema checker, for nobody who has no baseline
    from aigov_eval.documents import strict
    from aigov_eval.documents.schema import Schemas

    document, issues = strict.parse(source, data)
    if document is not None and not issues:
        issues = Schemas().check(document, "baseline")
    if issues or document is None:
        first = sorted(issues)[0]
        more = f" (and {len(issues) - 1} more)" if len(issues) > 1 else ""
        raise InputError(
            first.text + more,
            where=f"{first.path}:{first.line}:{first.column}",
            code=first.code,
            help=first.help or "every entry has fingerprint, reason, who and until.",
        )
    entries: dict[str, Entry] = {}
    for at, one in enumerate(document.data["accepted"]):
        where = str(document.at("accepted", at))
        day(one["until"], where)
        if one["fingerprint"] in entries:
            raise InputError("this fingerprint stands here twice", where=where, help="keep one of the two.")
        entries[one["fingerprint"]] = Entry(**{**one, "fields": tuple(one.get("fields", ()))})
    return entries


def day(text: str, where: str = "") -> str:
    """A day that there is, as YYYY-MM-DD; raises InputError."""
    try:
        found = date.fromisoformat(text).isoformat()
    except ValueError:
        found = ""
    if found != text:
        raise InputError(f"{text!r} is no day", where=where, help="write it as 2027-01-31: year, month, day.")
    return found


def add_entries(path: Path, entries: Sequence[Entry]) -> None:
    """Add entries at the end of a file, which is made where there is none; raises InputError."""
    from aigov_eval import files

    text, indent = _HEAD, "  "
    if path.exists():
        known = read_baseline(path)
        old = path.read_text("utf-8-sig")
        match = _ITEM.search(old)
        if known and match:
            text, indent = old if old.endswith("\n") else old + "\n", match[1]
    text += "".join(_lines(one, indent) for one in entries)
    _parsed(text.encode(), str(path))  # what is written can be read
    files.write(path, text.encode())


def _lines(entry: Entry, indent: str) -> str:
    keys = {
        "fingerprint": entry.fingerprint,
        "conversation": entry.conversation,
        "category": entry.category,
        "fields": list(entry.fields),
        "reason": entry.reason,
        "who": entry.who,
        "until": entry.until,
    }
    # JSON texts and lists are YAML, whatever stands in them
    lines = [f"{key}: {json.dumps(value, ensure_ascii=True)}" for key, value in keys.items() if value]
    return f"{indent}- " + f"\n{indent}  ".join(lines) + "\n"

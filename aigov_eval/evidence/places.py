"""
What differs and where, in words that a reader finds again in the file.

Comes in: JSON Pointers and the pack they point into. Goes out: `Difference`s.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

Kind = Literal[
    "file",
    "shape",
    "digest",
    "redaction",
    "record",
    "score",
    "pack",
    "criteria",
    "signature",
    "root",
    "opinion",
]


class Difference(Struct, frozen=True):
    """One thing that does not verify: what kind, where (file or place in the pack), and what is wrong."""

    kind: Kind
    where: str
    text: str

    def __str__(self) -> str:
        return f"{self.where}: {self.text}" if self.where else self.text


def place_of(pointer: str, content: Any) -> str:
    """A place of an evidence pack in words, with its pointer: `turn 3 (/transcript/3/content)`."""
    parts = pointer.split("/")[1:]
    words = ""
    if len(parts) > 1 and parts[0] == "transcript":
        words = f"turn {parts[1]}"
    elif len(parts) > 1 and parts[0] in ("raw_responses", "http_audit") and parts[1].isdigit():
        words = f"answer {int(parts[1]) + 1}"
    elif len(parts) > 2 and parts[:2] == ["opinions", "records"] and parts[2].isdigit():
        record = _item(
            content.get("opinions") if isinstance(content, dict) else None, "records", int(parts[2])
        )
        turn = record.get("turn_index") if isinstance(record, dict) else None
        words = f"opinion on turn {turn}" if turn is not None else f"opinion {parts[2]}"
    elif len(parts) > 1 and parts[0] == "scores" and parts[1].isdigit():
        score = _item(content, "scores", int(parts[1]))
        category = score.get("category", "") if isinstance(score, dict) else ""
        words = f"score {category}" if category else f"score {parts[1]}"
        if len(parts) > 3 and parts[2] == "findings" and parts[3].isdigit():
            finding = _item(score, "findings", int(parts[3]))
            turn = finding.get("turn_index") if isinstance(finding, dict) else None
            words += f", finding at turn {turn}" if turn is not None else f", finding {parts[3]}"
    return f"{words} ({pointer})" if words else pointer or "the whole pack"


def _item(value: Any, key: str, at: int) -> Any:
    items = value.get(key) if isinstance(value, dict) else None
    return items[at] if isinstance(items, list) and at < len(items) else None


def shown(value: Any) -> str:
    """A value in a message, cut where it is long."""
    import json

    text = repr(value) if type(value).__name__ == "_Missing" else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:77] + "..."

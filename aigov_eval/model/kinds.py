"""The closed lists that values are taken from."""

from __future__ import annotations

from typing import Literal

Role = Literal["system", "user", "assistant", "tool"]
Channel = Literal["message", "tool_call"]
Severity = Literal["LOW", "MEDIUM", "HIGH", "CRITICAL"]
Explicit = Literal["direct", "indirect"]
Holder = Literal["subject", "other_person", "user", "assistant", "class", "organisation", "thing", "unknown"]
Stance = Literal[
    "asserted",
    "denied",
    "confirmed",
    "presupposed",
    "asked",
    "supposed",
    "general",
    "instructed",
    "refused",
    "quoted",
    "example",
]
Status = Literal["finding", "note", "dismissed"]
LetsPass = Literal["answers", "named_answers", "pieces"]
Strength = Literal["certain", "likely", "weak"]
Evidence = Literal["exact", "partial", "record", "pronoun", "answer", "second_person", "person", "none"]

STRENGTHS: tuple[Strength, ...] = ("weak", "likely", "certain")
SEVERITIES: tuple[Severity, ...] = ("LOW", "MEDIUM", "HIGH", "CRITICAL")

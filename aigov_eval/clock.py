"""
Time and ids, the only two things of a run that differ from day to day.

Comes in: the environment. Goes out: timestamps (UTC, RFC 3339), durations and a fresh id. Where
SOURCE_DATE_EPOCH is set (reproducible-builds.org) time stands still and ids follow from their
seed, so that two runs give the same bytes.
"""

from __future__ import annotations

import hashlib
import os
import time
import uuid
from datetime import UTC, datetime


def frozen() -> int | None:
    """The second at which time stands still, or None."""
    value = os.environ.get("SOURCE_DATE_EPOCH", "")
    return int(value) if value.isdigit() else None


def now() -> str:
    """The time of day in UTC with milliseconds."""
    epoch = frozen()
    moment = datetime.now(UTC) if epoch is None else datetime.fromtimestamp(epoch, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def seconds_since(start: float) -> float:
    """Seconds since a `time.monotonic()`, to the millisecond; 0 where time stands still."""
    return 0.0 if frozen() is not None else round(time.monotonic() - start, 3)


def fresh_id(seed: str) -> str:
    """An id of 32 hex digits: random, or of the seed where time stands still."""
    if frozen() is None:
        return uuid.uuid4().hex
    return hashlib.sha256(f"{frozen()}:{seed}".encode()).hexdigest()[:32]


def derived_id(*parts: str) -> str:
    """An id of 32 hex digits that follows from its parts."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]

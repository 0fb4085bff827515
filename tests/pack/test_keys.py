"""The keys that a rule author has to know."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "pack-format.md").read_text(encoding="utf-8")
MOST = 70


def keys_in(schema: Any) -> set[str]:
    """The names of all keys that a schema knows, however deep."""
    if isinstance(schema, dict):
        own = set(schema.get("properties", {}))
        return own.union(*(keys_in(value) for value in schema.values()))
    return set().union(*(keys_in(value) for value in schema)) if isinstance(schema, list) else set()


def keys_of(*files: str) -> set[str]:
    """The keys of files of the pack."""
    schemas = (ROOT / "aigov_eval" / "schemas" / f"{file}.json" for file in files)
    return set().union(*(keys_in(json.loads(schema.read_text(encoding="utf-8"))) for schema in schemas))


def test_rules_detectors_and_contexts_have_few_keys() -> None:
    """Whoever writes a category learns at most 70 keys."""
    assert len(keys_of("rules", "detector", "context")) <= MOST


def test_every_key_is_on_the_page() -> None:
    """Each key of a pack's files stands in docs/pack-format.md."""
    known = keys_of(
        "rules",
        "detector",
        "context",
        "fields",
        "pack",
        "controls",
        "frames",
        "grammar",
        "writing",
        "paradigms",
    )
    known |= keys_of("weighing", "opinion")

    assert {key for key in known if not re.search(rf"\b{re.escape(key)}\b", PAGE)} == set()

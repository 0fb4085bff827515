"""
What produced a verdict: package, pack, rules, and the libraries whose versions change results.

Comes in: a pack. Goes out: the object `produced_by` of an evidence pack.
"""

from __future__ import annotations

import hashlib
import platform
import unicodedata
from functools import lru_cache
from importlib import metadata
from typing import Any

from aigov_eval import __version__
from aigov_eval.evidence.canonical import canonical
from aigov_eval.model import Pack, Rule

# each finds, checks or cuts what is judged; tldextract is what Presidio tells domains by
_LIBRARIES = (
    "google-re2",
    "phonenumbers",
    "presidio-analyzer",
    "python-stdnum",
    "regex",
    "spacy",
    "tldextract",
)


def produced_by(pack: Pack) -> dict[str, Any]:
    """Names, versions and digests; `rules[].sha256` is over the rule's slots, without its controls and its place."""
    return {
        "name": "aigov-eval",
        "version": __version__,
        "pack": {"name": pack.name, "version": pack.version, "sha256": pack.sha256},
        "rules": [
            {"id": rule.id, "category": rule.category, "sha256": rule_digest(rule)}
            for name in sorted(pack.categories)
            for rule in pack.categories[name].rules
        ],
        "libraries": dict(_versions()),
    }


def rule_digest(rule: Rule) -> str:
    """The SHA-256 of what a rule judges by, as RFC 8785 bytes."""
    slots = {
        "id": rule.id,
        "says": rule.says,
        "category": rule.category,
        "speaker": rule.speaker,
        "detects": {field: list(detectors) for field, detectors in rule.detects.items()},
        "about": rule.about,
        "evidence": list(rule.evidence),
        "unless": list(rule.unless),
        "severity": rule.severity,
        "effect": rule.effect,
        "legal": list(rule.legal),
    }
    return hashlib.sha256(canonical(slots)).hexdigest()


@lru_cache(maxsize=1)
def _versions() -> tuple[tuple[str, str], ...]:
    found = {"python": platform.python_version(), "unicode": unicodedata.unidata_version}
    for name in _LIBRARIES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "not installed"
    return tuple(sorted(found.items()))

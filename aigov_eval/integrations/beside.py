"""
Who is protected, as it stands in another tool's metadata.

Comes in: mappings of names to anything, the nearest last. Goes out: the keys of a scenario that say whom a
conversation is about; what else such a mapping holds is the other tool's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# not the category, title or languages: other tools' metadata have keys of that name with another meaning
_ABOUT = {
    "person_name": "person_name",
    "person": "person_name",
    "subject_name": "person_name",
    "aliases": "aliases",
    "identifiers": "identifiers",
    "facts": "facts",
}


def about(*metadata: object) -> dict[str, Any]:
    """The keys that say who is protected and what is known; a later mapping goes over an earlier one."""
    found: dict[str, Any] = {}
    for one in metadata:
        if isinstance(one, Mapping):
            found |= {
                _ABOUT[key]: value for key, value in one.items() if key in _ABOUT and value not in (None, "")
            }
    return found

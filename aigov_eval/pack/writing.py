"""
How names and letters are written: the files `detectors/languages/<lang>/writing.yaml`, joined.

Comes in: `Sources`. Goes out: one `Writing`. A conversation can name people of any origin, so that what holds in one language is looked for in all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aigov_eval.model import Writing
from aigov_eval.pack.sources import Sources
from aigov_eval.text.views import fold


def read_writing(sources: Sources) -> Writing:
    """What the languages say together."""
    files: list[Mapping[str, Any]] = [document.data for document in sources.documents["writing"]]
    endings: dict[str, dict[str, None]] = {}
    for file in files:
        for end, after in file.get("name_endings", {}).items():
            endings.setdefault(end, {}).update(dict.fromkeys(after))
    return Writing(
        {end: tuple(after) for end, after in sorted(endings.items())},
        frozenset(fold(word) for file in files for word in file.get("name_particles", ())),
        {letter: typed for file in files for letter, typed in file.get("spelled_out", {}).items()},
        {
            name: frozenset(words)
            for file in files
            for name, words in sorted(file.get("other_languages", {}).items())
        },
        frozenset("".join(file.get("other_letters", "") for file in files)),
    )

"""
The shape of a run's four files, checked against the published JSON Schemas.

Comes in: a JSON value and the name of its schema. Goes out: what is wrong with it, by JSON Pointer.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any

from aigov_eval.evidence.tree import step

# evidence_pack.json and what it refers to; `transcript`, `scores` and `run_meta` are the other three files
_NAMES = ("evidence_pack", "transcript", "scores", "score", "run_meta", "seal")


def faults_of(value: Any, name: str) -> list[tuple[str, str]]:
    """What does not follow a schema, as (JSON Pointer, what is wrong); empty where all does."""
    found = []
    for error in _validator(name).iter_errors(value):
        pointer = ""
        for key in error.absolute_path:
            pointer = step(pointer, key)
        found.append((pointer, _short(error.message)))
    return sorted(found)


@lru_cache(maxsize=8)
def _validator(name: str) -> Any:
    from jsonschema import Draft202012Validator
    from referencing import Registry, Resource

    schemas = {
        one: json.loads((files("aigov_eval") / "schemas" / f"{one}.json").read_text("utf-8"))
        for one in _NAMES
    }
    registry: Any = Registry().with_resources(
        (schema["$id"], Resource.from_contents(schema)) for schema in schemas.values()
    )
    return Draft202012Validator(schemas[name], registry=registry)


def _short(text: str) -> str:
    return text if len(text) <= 120 else text[:57] + " ... " + text[-57:]

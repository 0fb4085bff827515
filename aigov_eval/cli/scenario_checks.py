"""
What `run`, `freeze` and `scenarios` ask of a scenario beyond its form: known fields, a known category.

Comes in: a chosen scenario and the pack. Goes out: the scenario with its field names normalised; InputError
with path:line:column of the word that nobody knows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from aigov_eval.batch.asked import known_fields
from aigov_eval.documents import strict
from aigov_eval.documents.issues import did_you_mean
from aigov_eval.errors import InputError
from aigov_eval.model import Pack
from aigov_eval.runner.select import Chosen


def checked(one: Chosen, pack: Pack, categories: Sequence[str] = ()) -> Chosen:
    """The scenario with canonical field names; `categories` stand for its own where they are given."""
    for name in categories or [one.scenario.category]:
        if name not in pack.categories:
            where = "--category" if categories else _place(one.source, name)
            raise InputError(
                f'unknown category "{name}"', where=where, help=did_you_mean(name, pack.categories)
            )
    try:
        return replace(one, scenario=known_fields(one.scenario, pack))
    except InputError as error:
        word = re.search(r'"(.*)"', error.text)
        where = _place(one.source, word[1]) if word else one.source
        raise InputError(error.text, where=where, help=error.help) from None


def category_first(error: InputError, pack: Pack) -> InputError:
    """
    The error of a scenario file, or where its category is unknown to the pack an error that says so.

    Scenarios of other categories have keys of their own: the first of them is not what is wrong.
    """
    source = error.where.split(":")[0] if not Path(error.where).is_file() else error.where
    try:
        document, _ = strict.parse(source, Path(source).read_bytes())
    except OSError:
        return error
    data = document.data if document is not None else None
    if isinstance(data, dict) and isinstance(data.get("scenario"), dict):
        data = data["scenario"]
    if not isinstance(data, dict):
        return error
    name = next((data[key] for key in ("category", "risk_category") if isinstance(data.get(key), str)), "")
    if not name or name in pack.categories:
        return error
    help = did_you_mean(name, pack.categories, otherwise="known: " + ", ".join(sorted(pack.categories)))
    return InputError(f'unknown category "{name}"', where=_place(source, name), help=help)


def _place(source: str, word: str) -> str:
    """Where a file first has this word as a key or as a value; the file alone where it has not."""
    document, _ = strict.parse(source, Path(source).read_bytes())
    if document is None:
        return source
    places = [place for path, place in document.keys.items() if path[-1] == word]
    places += [place for path, place in document.values.items() if _at(document.data, path) == word]
    return f"{source}:{min(places)[0]}:{min(places)[1]}" if places else source


def _at(data: Any, path: tuple[str | int, ...]) -> Any:
    for part in path:
        data = data[part]
    return data

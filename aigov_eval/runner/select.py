"""
Which scenarios are meant: files, folders, globs, or names of stock scenarios.

Comes in: what stands after `--scenario`; `stock` is the folder of the stock scenarios, also at the front of a
path or a glob (`stock/special_category_leak`, `stock/*/run_*_ro_*.yaml`). Goes out: `Chosen` scenarios in the order of their paths,
each read, checked and hashed. In a folder or a glob, controls (scenarios with `expect`) are left to
the scripted target, which in turn leaves scenarios without replies; a file that is named is taken.
"""

from __future__ import annotations

import glob
import hashlib
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from msgspec import Struct

from aigov_eval.documents.issues import did_you_mean
from aigov_eval.errors import AigovError, InputError
from aigov_eval.model import Scenario
from aigov_eval.pack.files import stock_root
from aigov_eval.readers.scenario import parse_scenario, scenario_of

# the name of the stock scenarios' folder, wherever the package is installed
STOCK = "stock"
SUFFIXES = frozenset({".yaml", ".yml", ".json"})


class Chosen(Struct, frozen=True):
    """
    A scenario with the path that is recorded for it and the SHA-256 of that file's bytes; `source` is the
    path as it was given, for error messages.
    """

    scenario: Scenario
    path: str
    sha256: str
    source: str = ""


def stock_folder() -> Path:
    """The folder of the scenarios that come with the package."""
    return stock_root() / "scenarios"


def scenario_files(sources: Sequence[str]) -> tuple[list[Path], set[Path]]:
    """
    The files that are meant, sorted, and those among them that were named one by one.

    Raises InputError for a source that gives no file.
    """
    found: set[Path] = set()
    named: set[Path] = set()
    for given in sources:
        source = _in_stock(given)
        path = Path(source)
        if path.is_file():
            found.add(path)
            named.add(path)
            continue
        if path.is_dir():
            files = _below(path)
        elif glob.has_magic(source):
            found_by_glob = glob.glob(source, recursive=True)  # noqa: PTH207  # Path.glob takes no absolute pattern
            files = [Path(one) for one in found_by_glob if Path(one).suffix in SUFFIXES]
        else:
            files = _stock(given.removeprefix(f"{STOCK}/"))
            named.update(files)
        if not files:
            raise InputError(f"{given} holds no scenario", help="scenarios are .yaml, .yml or .json files.")
        found.update(files)
    return sorted(found), named


def _in_stock(source: str) -> str:
    """The path that a name below `stock` stands for; any other as it is, and so where there is such a file here."""
    first, _, rest = source.replace("\\", "/").partition("/")
    if first != STOCK or Path(first).exists():
        return source
    folder = stock_folder()
    base = glob.escape(str(folder)) if glob.has_magic(rest) else str(folder)
    return f"{base}/{rest}" if rest else base


def _below(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and path.suffix in SUFFIXES]


def _stock(name: str) -> list[Path]:
    """The stock scenario of that name; raises InputError where there is none."""
    stock = {path.stem: path for path in _below(stock_folder())} if stock_folder().is_dir() else {}
    if name in stock:
        return [stock[name]]
    raise InputError(
        f"{name} is no file, no folder and no stock scenario",
        help=did_you_mean(name, stock, otherwise="`aigov-eval scenarios list` shows the stock scenarios."),
    )


def read_chosen(path: Path) -> Chosen:
    """One scenario file; raises InputError with path:line:column."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror or error}", where=str(path), help="check its rights."
        ) from None
    return Chosen(parse_scenario(data, str(path)), _shown(path), hashlib.sha256(data).hexdigest(), str(path))


def _shown(path: Path) -> str:
    """The path as it is recorded: below the working folder or the stock folder, else the name alone."""
    resolved = path.resolve()
    for base in (Path.cwd(), stock_folder().parent):
        if resolved.is_relative_to(base.resolve()):
            return resolved.relative_to(base.resolve()).as_posix()
    return path.name


def choose(sources: Sequence[str], *, scripted: bool) -> tuple[list[Chosen], int]:
    """
    The scenarios to run and how many files were left out as controls (or, scripted, as having no replies).

    Raises InputError for a file that is not valid, for two with one id, and where nothing is left.
    """
    files, named = scenario_files(sources)
    chosen: list[Chosen] = []
    left = 0
    for path in files:
        one = read_chosen(path)
        if path not in named and _is_left_out(one.scenario, scripted=scripted):
            left += 1
            continue
        chosen.append(one)
    if not chosen:
        why = "have no replies for the scripted target" if scripted else "are controls (they have `expect`)"
        raise InputError(f"all {left} scenarios {why}", help="name a file to run it all the same.")
    seen: dict[str, str] = {}
    for one in chosen:
        check_runnable(one)
        first = seen.setdefault(one.scenario.scenario_id, one.path)
        if first != one.path:
            raise InputError(
                f"the scenario_id {one.scenario.scenario_id} stands in {first} too",
                where=one.path,
                help="give each scenario its own id.",
            )
    return chosen, left


def _is_left_out(scenario: Scenario, *, scripted: bool) -> bool:
    if scripted:
        return not any(turn.role == "assistant" for turn in scenario.turns)
    return scenario.expect is not None


def check_runnable(one: Chosen) -> None:
    """Raise InputError for a scenario that no target can be asked: without user turns, or with tools' answers."""
    roles = [turn.role for turn in one.scenario.turns]
    if "user" not in roles:
        raise InputError(
            "has no user turn to send", where=one.path, help="add `{role: user, content: ...}` to turns."
        )
    if "tool" in roles:
        raise InputError(
            "holds a tool's answer, which cannot be sent",
            where=one.path,
            help="keep user turns (and assistant replies).",
        )
    if "system" in roles[roles.index("user") :]:
        raise InputError(
            "has a system turn after the first user turn",
            where=one.path,
            help="put it first, or into auditor_seed.",
        )
    if any(pair == ("assistant", "assistant") for pair in pairwise(roles)):
        raise InputError("has two assistant turns in a row", where=one.path, help="join them into one.")


def scenario_dict(scenario: Scenario) -> dict[str, Any]:
    """The scenario as the JSON object it was read from: the contract's keys, empty ones left out."""
    keys: dict[str, Any] = {
        "scenario_id": scenario.scenario_id,
        "title": scenario.title,
        "category": scenario.category,
        "person_name": scenario.person_name,
        "aliases": list(scenario.aliases),
        "identifiers": dict(scenario.identifiers),
        "facts": {field: list(values) for field, values in scenario.facts.items()},
        "expected_special_category_fields": list(scenario.expected_special_category_fields),
        "framework": scenario.framework,
        "role": scenario.role,
        "failure_criteria": scenario.failure_criteria,
        "auditor_seed": scenario.auditor_seed,
        "languages": list(scenario.languages),
        "turns": [{"role": turn.role, "content": turn.content} for turn in scenario.turns],
    }
    if scenario.expect is not None:
        keys["expect"] = scenario.expect
    return {key: value for key, value in keys.items() if value or key in ("expect", "turns")}


def scenario_from(value: dict[str, Any], where: str) -> Scenario:
    """The scenario of such an object; raises InputError where it was changed into something else."""
    try:
        return scenario_of(value)
    except AigovError as error:
        raise InputError(f"{error.where} {error.text}".strip(), where=where, help=error.help) from None

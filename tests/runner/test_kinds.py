"""The tables of targets and reports: one line each is all that the program knows of them."""

from __future__ import annotations

import json
from importlib import import_module
from inspect import signature
from pathlib import Path

import pytest

from aigov_eval.errors import InputError
from aigov_eval.reports.kinds import WRITERS
from aigov_eval.reports.written import written
from aigov_eval.runner.config import read_config
from aigov_eval.runner.environment import read_environment
from aigov_eval.runner.targets.build import build_target
from aigov_eval.runner.targets.kinds import ASKED, CONFIGURED, KINDS

SCHEMA = Path(__file__).parents[2] / "aigov_eval" / "schemas" / "target_config.json"


@pytest.mark.parametrize("name", KINDS)
def test_every_target_is_made_by_its_module(name: str) -> None:
    """The function is there and takes config, time-out, environment and connections."""
    module, _, function = KINDS[name].made_by.partition(":")
    make = getattr(import_module(f"aigov_eval.runner.targets.{module}"), function)

    assert len(signature(make).parameters) == 4


def test_what_can_be_set_is_a_key_of_a_config() -> None:
    """`settable` names keys that the schema has; only configured targets have any."""
    keys = json.loads(SCHEMA.read_text(encoding="utf-8"))["properties"]

    assert all(set(kind.settable) <= keys.keys() for kind in KINDS.values())
    assert all(kind.configured or not kind.settable for kind in KINDS.values())
    assert set(CONFIGURED) < set(ASKED) < set(KINDS)


def test_an_unknown_target_is_told(tmp_path: Path) -> None:
    """In a config file with its place, and in a recorded config; the help names a near one."""
    path = tmp_path / "config.yaml"
    path.write_text("target: opnai\n", encoding="utf-8")
    with pytest.raises(InputError, match='"target" cannot be "opnai"') as told:
        read_config(str(path))
    assert told.value.where == f"{path}:1:9"
    assert "openai" in told.value.help
    with pytest.raises(InputError, match="there is no target") as told:
        build_target({"target": "mok"}, timeout=1, environment=read_environment(None), connections=1)
    assert "mock" in told.value.help


@pytest.mark.parametrize("name", WRITERS)
def test_every_report_is_written_by_its_module(name: str) -> None:
    """Each format gives text for no cases at all, and has an ending that no other has."""
    assert isinstance(written(name, []), str)
    assert sum(WRITERS[name].endings[0] in one.endings for one in WRITERS.values()) == 1

"""What the tests of sessions share: the schemas, and the shared samples where they are there."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

_SHARED = Path(__file__).parents[3] / "shared" / "sessions"


def _validator(name: str) -> Any:
    text = resources.files("aigov_eval").joinpath("schemas", f"{name}.json").read_text("utf-8")
    schema = json.loads(text)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.fixture(scope="session")
def record_schema() -> Any:
    """The published schema of an evaluation record."""
    return _validator("evaluation_record")


@pytest.fixture(scope="session")
def judgements_schema() -> Any:
    """The published schema of a judge's results."""
    return _validator("judgements")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of sessions that real clients wrote; the test is skipped where it is not there."""
    if not _SHARED.is_dir():
        pytest.skip("the shared session samples are not beside this checkout")
    return _SHARED

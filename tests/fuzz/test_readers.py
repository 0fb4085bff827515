"""Whatever the bytes, reading ends in transcripts or in one error that a person can mend."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from aigov_eval.errors import AigovError
from aigov_eval.model import Transcript
from aigov_eval.readers import parse_scenario, read_bytes
from aigov_eval.readers.messages import ROLES
from tests.readers.cases import CASES

SETTINGS = settings(
    max_examples=300, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)

# the keys that readers look at, so that random structures come near the known shapes
KEYS = sorted(
    {
        *[
            "role",
            "content",
            "parts",
            "text",
            "type",
            "turn_index",
            "messages",
            "transcript",
            "turns",
            "conversations",
            "from",
            "value",
            "tool_calls",
        ],
        *[
            "function",
            "name",
            "arguments",
            "input",
            "output",
            "choices",
            "message",
            "candidates",
            "contents",
            "request",
            "response",
            "system",
        ],
        *[
            "info",
            "metadata",
            "events",
            "edit",
            "operation",
            "view",
            "results",
            "prompt",
            "vars",
            "entry_type",
            "status",
            "outputs",
            "eval",
            "samples",
        ],
        *[
            "resourceSpans",
            "scopeSpans",
            "spans",
            "attributes",
            "key",
            "stringValue",
            "run_type",
            "inputs",
            "generations",
            "observations",
            "data",
        ],
        *[
            "agent_data",
            "intermediate_events",
            "function_call",
            "function_response",
            "turn",
            "scores",
            "mock_audit",
            "http_audit",
        ],
        *[
            "person_name",
            "aliases",
            "facts",
            "identifiers",
            "category",
            "scenario",
            "leaked_fields",
            "kwargs",
            "lc",
            "id",
            "instructions",
        ],
    }
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=12),
    st.sampled_from(
        [
            *ROLES,
            "text",
            "tool_use",
            "tool_result",
            "message",
            "attempt",
            "add",
            "rollback",
            "target",
            '<<MOCK_AUDIT>> {"leaked_fields":["x"]}',
        ]
    ),
)
REMOVED = object()
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)
    ),
    max_leaves=25,
)


def reads(data: bytes) -> None:
    """Read, and hold the result to what every later stage relies on."""
    try:
        found = read_bytes(data, source="fuzz")
    except AigovError as error:
        assert error.where.startswith("fuzz"), error.where
        assert error.text
        assert error.help
        str(error).encode()
        return
    assert found
    for one in found:
        assert isinstance(one, Transcript)
        assert one.turns
        assert one.format
        for turn in one.turns:
            assert turn.role in ("system", "user", "assistant", "tool")
            assert turn.turn_index >= -1
            turn.content.encode()
            turn.name.encode()
        one.id.encode()


@SETTINGS
@given(st.binary(max_size=300))
@example(b"PK\x03\x04")
@example(b"\xff\xfe")
@example(b"\x00[")
@example(b"[\x00")
def test_any_bytes(data: bytes) -> None:
    """Random bytes never end in a traceback."""
    reads(data)


@SETTINGS
@given(VALUES)
def test_any_structure(value: Any) -> None:
    """Random JSON made of the keys that readers know never ends in a traceback."""
    reads(json.dumps(value).encode())


@SETTINGS
@given(st.sampled_from(sorted(CASES)), st.data())
def test_a_known_shape_with_one_part_replaced(case: str, data: st.DataObject) -> None:
    """A good file in which any one part is replaced, removed or doubled never ends in a traceback."""
    value = json.loads(json.dumps(CASES[case][1]))
    parent: Any = None
    key: Any = None
    here = value
    while isinstance(here, dict | list) and here:
        if parent is not None and data.draw(st.integers(0, 4)) == 0:
            break
        parent, key = (
            here,
            data.draw(st.sampled_from(sorted(here) if isinstance(here, dict) else range(len(here)))),
        )
        here = here[key]
    change = data.draw(st.sampled_from(["replace", "remove", "double"]))
    if change == "remove":
        del parent[key]
    elif change == "double" and isinstance(parent, list):
        parent.append(parent[key])
    else:
        parent[key] = data.draw(VALUES)
    reads(json.dumps(value).encode())


def paths(value: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every path in a value, itself left out."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path for key, item in items for path in ((*above, key), *paths(item, (*above, key)))]


@pytest.mark.parametrize("case", sorted(CASES))
def test_every_part_of_every_shape_replaced(case: str) -> None:
    """Each part of each known shape, replaced by a value of each type or removed, never ends in a traceback."""
    good = json.dumps(CASES[case][1])
    for *way, last in paths(json.loads(good)):
        for other in ({}, [], [5], {"a": 1}, 5, None, "x", True, REMOVED):
            value = json.loads(good)
            parent = value
            for key in way:
                parent = parent[key]
            if other is REMOVED:
                del parent[last]
            else:
                parent[last] = other
            reads(json.dumps(value).encode())


@SETTINGS
@given(st.sampled_from(sorted(CASES)), st.integers(0, 4000), st.binary(max_size=3))
def test_a_known_file_damaged(case: str, at: int, junk: bytes) -> None:
    """A good file cut or damaged at any place never ends in a traceback."""
    data = json.dumps(CASES[case][1]).encode()
    reads(data[:at] + junk + data[at + len(junk) :])
    reads(data[:at])


@SETTINGS
@given(
    st.one_of(
        st.binary(max_size=200),
        VALUES.map(lambda value: json.dumps(value).encode()),
        st.text(alphabet="ab:-{}[]#'\"\n &*!|>%@,0\t", max_size=120).map(str.encode),
    )
)
def test_any_scenario_file(data: bytes) -> None:
    """A scenario file is read or refused with a place, whatever its bytes."""
    try:
        parse_scenario(data, "fuzz.yaml")
    except AigovError as error:
        assert error.where.startswith("fuzz.yaml"), error.where
        assert error.text

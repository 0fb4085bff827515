"""Batches of Arrow in, batches of verdicts out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from aigov_eval.batch.arrow import schema, score_batches
from aigov_eval.batch.options import Options
from aigov_eval.errors import InputError
from tests.batch.talks import talk

pa = pytest.importorskip("pyarrow")


def _scored(rows: list[dict[str, Any]], options: Options | None = None, **kinds: Any) -> list[dict[str, Any]]:
    table = pa.Table.from_pylist(rows, schema=pa.schema(kinds) if kinds else None)
    found: list[dict[str, Any]] = (
        score_batches(table.to_reader(max_chunksize=2), options).read_all().to_pylist()
    )
    return found


def test_a_row_becomes_a_row_for_each_category() -> None:
    """Id, category, verdict, severity, strength, fields, findings with their mentions, and the pack's hash."""
    [pii, special] = _scored([talk(1)])

    assert (pii["id"], pii["category"], pii["pass"], pii["fields"]) == (
        "talk-1",
        "PII_DISCLOSURE",
        False,
        ["email"],
    )
    assert pii["severity"] == "MEDIUM"
    assert pii["strength"] in ("likely", "certain")
    [mention] = pii["findings"][0]["mentions"]
    content = talk(1)["messages"][1]["content"]
    assert content[mention["start"] : mention["end"]] == mention["text"] == "ana.popa1@mail.example"
    assert (special["pass"], special["fields"], special["findings"], special["severity"]) == (
        True,
        [],
        [],
        None,
    )
    assert len(pii["pack"]) == 64
    assert pii["error"] is special["error"] is None


def test_messages_and_json_give_the_same() -> None:
    """A list of structs and a column of JSON text, of the messages or of the whole record, have equal verdicts."""
    rows = [talk(number) for number in range(6)]
    beside = [{**row, "messages": json.dumps(row["messages"])} for row in rows]
    whole = [{"json": json.dumps(row)} for row in rows]

    assert _scored(rows) == _scored(beside) == _scored(whole)


def test_a_bad_row_is_a_row_with_an_error() -> None:
    """What cannot be read has no verdict and says why; the rows around it are scored."""
    good = json.dumps(talk(2)["messages"])
    silent = '[{"role": "user", "content": "Hello?"}]'
    texts = [good, "[{", None, "[]", "7", silent, '{"a": 1}', good]
    found = _scored(
        [{"id": str(at), "transcript": text} for at, text in enumerate(texts)],
        None,
        id=pa.string(),
        transcript=pa.string(),
    )

    assert [row["id"] for row in found] == ["0", "0", "1", "2", "3", "4", "5", "6", "7", "7"]
    errors = [row for row in found if row["error"]]
    assert [row["id"] for row in errors] == ["1", "2", "3", "4", "5", "6"]
    assert all(
        row["pass"] is None and row["category"] is None and row["error"]["kind"] == "input" for row in errors
    )
    assert errors[4]["error"]["text"] == "no answer of the assistant was read"


def test_nulls_of_structs_are_no_keys() -> None:
    """A key that only other rows have, null here, is not read as one: calls of tools and maps of facts."""
    call = {"id": "c", "type": "function", "function": {"name": "mail", "arguments": '{"to": "x"}'}}
    rows = [
        {
            "messages": [
                {"role": "user", "content": "hi", "tool_calls": None},
                {"role": "assistant", "content": "Hello.", "tool_calls": None},
            ],
            "facts": None,
        },
        {
            "messages": [
                {"role": "user", "content": "mail it", "tool_calls": None},
                {"role": "assistant", "content": None, "tool_calls": [call]},
            ],
            "facts": [("health", ["epilepsy"])],
        },
    ]
    facts = pa.map_(pa.string(), pa.list_(pa.string()))
    table = pa.table(
        {
            "messages": [row["messages"] for row in rows],
            "facts": pa.array([row["facts"] for row in rows], facts),
        }
    )

    assert [row["error"] for row in score_batches(table.to_reader()).read_all().to_pylist()] == [None] * 4


def test_columns_are_handed_on_as_texts() -> None:
    """Kept columns come from the row or from its JSON, also nested; what is not there is null."""
    rows = [{"json": json.dumps({**talk(0), "run": {"n": 7}})}, {"json": json.dumps(talk(3))}]
    found = _scored(rows, Options(keep=("model", "run.n", "nowhere")))

    assert [row["model"] for row in found] == ["large", "large", "small", "small"]
    assert [row["run.n"] for row in found] == ["7", "7", None, None]
    assert {row["nowhere"] for row in found} == {None}


def test_conversations_go_out_as_asked() -> None:
    """The turns and the whole score with its trace: of nothing, of what was found, of all."""
    rows = [talk(0), talk(1)]
    for kept, expected in (("none", [0, 0, 0, 0]), ("found", [0, 0, 1, 0]), ("all", [1, 1, 1, 1])):
        found = _scored(rows, Options(transcripts=kept))  # type: ignore[arg-type]
        assert [int(row["transcript"] is not None) for row in found] == expected
        assert [int(row["score"] is not None) for row in found] == expected
    said = json.loads(found[2]["transcript"])
    assert said[1] == {"turn_index": 1, **talk(1)["messages"][1]}
    assert json.loads(found[2]["score"])["pass"] is False


def test_options_reach_the_score() -> None:
    """Categories, subject and least strength are those that were asked for; unknown ones are errors at once."""
    rows = [{"transcript": json.dumps(talk(2)["messages"])}]
    options = Options(categories=("SPECIAL_CATEGORY_LEAK",), subject="Ana Popa", strength="certain")
    [row] = _scored(rows, options)

    assert row["category"] == "SPECIAL_CATEGORY_LEAK"
    assert "subject" not in (row["error"] or {})
    with pytest.raises(InputError, match="unknown strength"):
        Options(strength="sure")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="unknown choice"):
        Options(transcripts="some")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="cannot be kept"):
        Options(keep=("pass",))


def test_an_unknown_column_names_those_that_are_there() -> None:
    """No column of conversations, or the one asked for is not there: an error before anything is scored."""
    table = pa.table({"said": ["x"], "when": [1]})
    with pytest.raises(InputError, match="no column holds conversations") as none:
        score_batches(table.to_reader())
    assert "said, when" in none.value.help
    with pytest.raises(InputError, match='no column "words"'):
        score_batches(table.to_reader(), Options(column="words"))


def test_the_shape_is_the_same_whatever_is_in_it() -> None:
    """An empty reader, errors alone and findings have one schema."""
    table = pa.table({"json": pa.array([], pa.string())})
    assert score_batches(table.to_reader()).read_all().schema == schema()
    assert score_batches(pa.table({"json": ["["]}).to_reader()).read_all().schema == schema()


def test_bytes_that_are_no_text_stay_one_bad_row() -> None:
    """A string column with bytes that are not UTF-8 costs that row alone."""
    good = json.dumps(talk(1)).encode()
    texts = pa.array([good, b"\xff\xfe{", good]).view(pa.string())
    found = score_batches(pa.table({"json": texts}).to_reader()).read_all().to_pylist()

    assert [row["error"] is None for row in found] == [True, True, False, True, True]


def test_what_was_not_read_or_not_understood_is_no_pass() -> None:
    """Nothing found in it: no verdict, as `score` gives none, unless it is accepted; what was found stays, with the doubt beside it."""
    polish = "Nie mogę tego powiedzieć, ale jest u nas od wielu lat i ma się dobrze, tak jak wszyscy inni."
    picture = [{"type": "hologram", "data": "?"}, {"type": "text", "text": "I cannot share that."}]
    leak = [{"type": "hologram", "data": "?"}, {"type": "text", "text": talk(1)["messages"][1]["content"]}]
    rows = [
        {**talk(0), "messages": [talk(0)["messages"][0], {"role": "assistant", "content": said}]}
        for said in (polish, picture, leak)
    ]
    rows = [{"id": str(at), "json": json.dumps(row)} for at, row in enumerate(rows)]
    found = _scored(rows)

    errors = [row for row in found if row["error"]]
    assert [row["error"]["kind"] for row in errors] == ["doubt", "doubt"]
    assert errors[0]["error"]["text"].startswith("the rules do not cover the language: Polish")
    assert errors[1]["error"]["text"].startswith("part of the transcript was not read")
    told = [row for row in found if not row["error"]]
    assert [row["fields"] for row in told] == [["email"], []]
    assert all(row["doubts"][0].startswith("part of the transcript was not read") for row in told)
    accepted = _scored(rows, Options(allow_unread=True, allow_uncovered=True))
    assert [row["error"] for row in accepted] == [None] * 6
    assert [len(row["doubts"]) for row in accepted] == [1] * 6

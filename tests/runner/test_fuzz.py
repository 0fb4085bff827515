"""Whatever an endpoint answers, it becomes a reply or a target error, and nothing else."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from aigov_eval.runner import stream
from aigov_eval.runner.exchange import Answer, json_of
from aigov_eval.runner.target import Reply, Unanswered
from aigov_eval.runner.targets import anthropic, openai
from aigov_eval.runner.targets.http import _first, filled_template
from aigov_eval.runner.targets.shape import checked_reply

# the keys and words that the readers look for, so that the nonsense comes near
WORDS = """choices message content refusal tool_calls error usage model finish_reason delta index function name arguments
type text id message_start content_block_start content_block_delta message_delta message_stop text_delta input_json_delta
partial_json content_block stop_reason tool_use leaked_fields""".split()
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.sampled_from(WORDS)
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=4), inner, max_size=5),
    ),
    max_leaves=20,
)


def answer(text: str, kind: str = "application/json") -> Answer:
    """An answer as the exchange hands it on."""
    return Answer(200, kind, text)


def tried(call: Any) -> None:
    """Run it: a Reply that can be written as UTF-8 JSON, or Unanswered."""
    try:
        found = call()
    except Unanswered as failure:
        json.dumps(failure.raw, ensure_ascii=False, allow_nan=False).encode()
        assert failure.text
        assert failure.kind
        return
    assert isinstance(found, Reply)
    assert found.content.strip() or found.tool_calls
    parts = [found.content, found.audit, found.citations, found.usage, list(found.tool_calls)]
    json.dumps(parts, ensure_ascii=False, allow_nan=False).encode()


@settings(max_examples=150, deadline=None)
@given(VALUES)
def test_any_json_is_a_reply_or_a_target_error(value: Any) -> None:
    """For every wire format."""
    text = json.dumps(value)
    tried(lambda: openai._reply(json_of(answer(text)), answer(text)))
    tried(lambda: anthropic._reply(json_of(answer(text)), answer(text)))
    tried(lambda: openai._reply({"choices": [{"message": value}]}, answer(text)))
    tried(lambda: anthropic._reply({"content": value}, answer(text)))


@settings(max_examples=150, deadline=None)
@given(st.lists(VALUES, max_size=5), st.booleans())
def test_any_stream_is_a_reply_or_a_target_error(events: list[Any], done: bool) -> None:
    """Chunks of every shape, with and without an end."""
    text = "".join(f"data: {json.dumps(event)}\n\n" for event in events) + (
        "data: [DONE]\n\n" if done else ""
    )
    given_answer = answer(text, "text/event-stream")
    tried(lambda: openai._reply(stream.joined(given_answer, openai._joined), given_answer))
    tried(lambda: anthropic._reply(stream.joined(given_answer, anthropic._joined), given_answer))


@settings(max_examples=150, deadline=None)
@given(
    st.text(max_size=60),
    st.sampled_from(["application/json", "text/event-stream", "text/html", "", "application/x+json; a=b"]),
)
def test_any_text_is_a_reply_or_a_target_error(text: str, kind: str) -> None:
    """Also what is no JSON at all."""
    given_answer = answer(text, kind)
    tried(lambda: openai._reply(json_of(given_answer), given_answer))
    tried(lambda: openai._reply(stream.joined(given_answer, openai._joined), given_answer))


@settings(max_examples=150, deadline=None)
@given(VALUES, VALUES, VALUES, VALUES)
def test_any_parts_are_a_reply_or_a_target_error(content: Any, audit: Any, usage: Any, calls: Any) -> None:
    """The check that all targets share takes any type."""
    tried(
        lambda: checked_reply(content, raw=None, audit=audit, usage=usage, citations=calls, tool_calls=calls)
    )


@given(VALUES, st.lists(st.text(max_size=10).map(lambda text: "/" + text), max_size=3))
def test_pointers_lead_somewhere_or_nowhere(value: Any, pointers: list[str]) -> None:
    """No pointer into any value raises."""
    _first(value, pointers)


@given(
    st.recursive(
        st.text(max_size=12) | st.integers(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
        max_leaves=8,
    )
)
def test_a_template_without_names_is_sent_as_it_is(template: Any) -> None:
    """Only `$name` and `$$` mean something."""
    plain = json.loads(json.dumps(template).replace("$", "S"))
    assert filled_template(plain, {}) == plain

"""
The Anthropic messages endpoint (https://docs.anthropic.com/en/api/messages), over plain httpx as `openai` is.

Comes in: a config. Goes out: a Target. The system message is its own key of the request there, and
`max_tokens` is required.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aigov_eval.runner import stream
from aigov_eval.runner.environment import Environment
from aigov_eval.runner.exchange import Answer, new_client, parse_json
from aigov_eval.runner.target import Ask, Reply, Target, Unanswered
from aigov_eval.runner.targets.openai import key_of, model_of, posted, told_error, with_query
from aigov_eval.runner.targets.shape import checked_reply
from aigov_eval.runner.targets.unread import with_unread

BASE_URL = "https://api.anthropic.com/v1"
_VERSION = "2023-06-01"
_MAX_TOKENS = 2048


def anthropic_target(
    config: Mapping[str, Any], timeout: float, environment: Environment, connections: int
) -> Target:
    """The target of an `anthropic` config; raises InputError where the model or the key is missing."""
    base = config.get("base_url", BASE_URL)
    config = {**config, "base_url": base, "model": model_of(config, "ANTHROPIC_MODEL", environment)}
    url = with_query(environment.filled(base, "base_url").rstrip("/") + "/messages", config, environment)
    headers = {
        name: environment.filled(value, f"headers/{name}")
        for name, value in config.get("headers", {}).items()
    }
    key = key_of(config, "ANTHROPIC_API_KEY", url, headers, environment)
    if key:
        headers[config.get("api_key_header", "x-api-key")] = key
    headers.setdefault("anthropic-version", _VERSION)
    client = new_client(url, connections)

    async def ask(ask: Ask) -> Reply:
        system = "\n\n".join(one["content"] for one in ask.messages if one["role"] == "system")
        body: dict[str, Any] = {
            "model": config["model"],
            "max_tokens": _MAX_TOKENS,
            "messages": [
                {"role": one["role"], "content": one["content"]}
                for one in ask.messages
                if one["role"] != "system"
            ],
        }
        if system:
            body["system"] = system
        whole = {**body, **config.get("parameters", {})}
        return _reply(*await posted(client, url, headers, whole, config, timeout, environment, _joined))

    return Target("anthropic", config, ask, close=client.aclose)


def _reply(whole: Any, answer: Answer) -> Reply:
    if isinstance(whole, Mapping) and whole.get("type") == "error":
        raise told_error(whole.get("error"), answer)
    blocks = whole.get("content") if isinstance(whole, Mapping) else None
    if not isinstance(blocks, list) or not all(isinstance(block, Mapping) for block in blocks):
        raise Unanswered(
            "the answer has no list `content`",
            kind="shape",
            help="is this a messages endpoint? base_url is the part before /messages.",
            raw=answer.raw,
        )
    texts = [block.get("text") for block in blocks if block.get("type") == "text"]
    calls = [
        {
            "id": block.get("id", ""),
            "type": "function",
            "function": {"name": block.get("name", ""), "arguments": block.get("input", {})},
        }
        for block in blocks
        if str(block.get("type")).endswith("tool_use")  # also those that the server itself runs
    ]
    reply = checked_reply(
        "".join(text for text in texts if isinstance(text, str)),
        raw=answer.raw,
        usage=whole.get("usage"),
        model=whole.get("model"),
        finish=whole.get("stop_reason"),
        tool_calls=calls,
    )
    return with_unread(reply, [("", {"content": blocks})])


# pieces of a stream that are said to nobody, or stand beside words
_NO_WORDS = ("thinking_delta", "signature_delta", "citations_delta")


def _joined(answer: Answer) -> dict[str, Any]:
    """One message of the events of a stream (https://docs.anthropic.com/en/docs/build-with-claude/streaming)."""
    whole: dict[str, Any] = {}
    blocks: dict[int, dict[str, Any]] = {}
    inputs: dict[int, str] = {}
    ended = False
    for event in stream.events(answer):
        kind, index = event.get("type"), event.get("index", 0)
        delta = event.get("delta") or {}
        if kind == "error":
            raise told_error(event.get("error"), answer)
        if kind == "message_start":
            whole = {**(event.get("message") or {})}
        elif kind == "content_block_start":
            blocks[index] = {**(event.get("content_block") or {})}
        elif kind == "content_block_delta" and delta.get("type") == "text_delta":
            block = blocks.setdefault(index, {"type": "text", "text": ""})
            block["text"] = (block.get("text") or "") + (delta.get("text") or "")
        elif kind == "content_block_delta" and delta.get("type") == "input_json_delta":
            inputs[index] = inputs.get(index, "") + (delta.get("partial_json") or "")
        elif kind == "content_block_delta" and delta.get("type") not in _NO_WORDS:
            # nobody knows such a piece: it stands as a part of its own, which `with_unread` tells
            blocks[1000 + len(blocks)] = {**delta}
        elif kind == "message_delta":
            whole["stop_reason"] = delta.get("stop_reason")
            whole["usage"] = {**(whole.get("usage") or {}), **(event.get("usage") or {})}
        elif kind == "message_stop":
            ended = True
    if not ended:
        raise stream.cut_off(answer)
    for index, text in inputs.items():
        blocks.setdefault(index, {"type": "tool_use"})["input"] = parse_json(text or "{}", answer.raw)
    return {**whole, "content": [blocks[index] for index in sorted(blocks)]}

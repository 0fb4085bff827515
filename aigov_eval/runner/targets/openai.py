"""
Any OpenAI-compatible chat-completions endpoint: OpenAI, OpenRouter, Azure, vLLM, Ollama, llama.cpp.

Comes in: a config. Goes out: a Target. Plain httpx and the documented wire format
(https://platform.openai.com/docs/api-reference/chat) instead of the vendor's client: what was received
is kept byte for byte, redirects and oversized answers are refused, and retries are ours to record.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from aigov_eval.errors import InputError
from aigov_eval.runner import stream
from aigov_eval.runner.environment import Environment
from aigov_eval.runner.exchange import MAX_BYTES, Answer, exchange, is_local_url, json_of, new_client
from aigov_eval.runner.target import Ask, Reply, Target, Unanswered
from aigov_eval.runner.targets.shape import checked_reply
from aigov_eval.runner.targets.unread import with_unread

if TYPE_CHECKING:
    import httpx

BASE_URL = "https://api.openai.com/v1"


def openai_target(
    config: Mapping[str, Any], timeout: float, environment: Environment, connections: int
) -> Target:
    """The target of an `openai` config; raises InputError where the model or the key is missing."""
    base = config.get("base_url") or environment.get("OPENAI_BASE_URL") or BASE_URL
    config = {**config, "base_url": base, "model": model_of(config, "OPENAI_MODEL", environment)}
    url = with_query(
        environment.filled(base, "base_url").rstrip("/") + "/chat/completions", config, environment
    )
    headers = {
        name: environment.filled(value, f"headers/{name}")
        for name, value in config.get("headers", {}).items()
    }
    key = key_of(config, "OPENAI_API_KEY", url, headers, environment)
    if key and "api_key_header" in config:
        headers[config["api_key_header"]] = key
    elif key:
        headers["authorization"] = f"Bearer {key}"
    client = new_client(url, connections)

    async def ask(ask: Ask) -> Reply:
        role = config.get("system_role", "system")
        messages = [{**one, "role": role} if one["role"] == "system" else dict(one) for one in ask.messages]
        body = {"model": config["model"], "messages": messages, **_parameters(config)}
        return _reply(*await posted(client, url, headers, body, config, timeout, environment, _joined))

    return Target("openai", config, ask, close=client.aclose)


async def posted(
    client: httpx.AsyncClient,
    url: str,
    headers: Mapping[str, str],
    body: Mapping[str, Any],
    config: Mapping[str, Any],
    timeout: float,
    environment: Environment,
    joined: Callable[[Answer], dict[str, Any]],
) -> tuple[Any, Answer]:
    """
    What an endpoint answers: the value without our secrets, and the answer as it may be kept.

    `joined` puts the events of a stream together.
    """
    answer = await exchange(
        client,
        "POST",
        url,
        headers=headers,
        body=body,
        timeout=timeout,
        environment=environment,
        max_bytes=config.get("max_response_bytes", MAX_BYTES),
    )
    whole = stream.joined(answer, joined) if stream.is_stream(answer) else json_of(answer)
    shown = environment.scrubbed_value(whole)
    # a secret told in pieces stands in no event of a stream, and in all of them together
    return shown, answer if shown == whole else stream.withheld(answer)


def _parameters(config: Mapping[str, Any]) -> dict[str, Any]:
    """The config's parameters; a stream is asked to tell what it used, unless `stream_options` says otherwise (null: send none)."""
    given = dict(config.get("parameters", {}))
    if given.get("stream") is True:
        given.setdefault("stream_options", {"include_usage": True})
        if given["stream_options"] is None:
            del given["stream_options"]
    return given


def model_of(config: Mapping[str, Any], variable: str, environment: Environment) -> str:
    """The model's name from the config or its variable; raises InputError where there is none."""
    variable = config.get("model_env", variable)
    model = config.get("model") or environment.get(variable)
    if not model:
        raise InputError("no model is named", help=f"give --model NAME, or set {variable}.")
    return str(model)


def key_of(
    config: Mapping[str, Any], variable: str, url: str, headers: Mapping[str, str], environment: Environment
) -> str:
    """The key from its variable. A server on this machine, or one with its own headers, may go without."""
    local = is_local_url(url)
    variable = config.get("api_key_env", "" if local else variable)
    key = environment.secret(variable) if variable else ""
    if not key and not local and not headers:
        raise InputError(
            f"the variable {variable} is not set",
            help=f"export {variable}=..., or write it into a .env file in this folder; it is never stored.",
        )
    return key


def with_query(url: str, config: Mapping[str, Any], environment: Environment) -> str:
    """The address with the config's parameters, such as `api-version`."""
    from urllib.parse import urlencode

    query = {
        name: environment.filled(value, f"query/{name}") for name, value in config.get("query", {}).items()
    }
    return f"{url}?{urlencode(query)}" if query else url


def _reply(whole: Any, answer: Answer) -> Reply:
    if isinstance(whole, Mapping) and whole.get("error"):
        raise told_error(whole["error"], answer)
    try:
        choice = whole["choices"][0]
        message = choice["message"]
        calls, function = message.get("tool_calls"), message.get("function_call")
        parts = [text_of(message.get("content")), message.get("refusal")]
        parts += [(message.get("audio") or {}).get("transcript")]
    except (TypeError, KeyError, IndexError, AttributeError):
        raise Unanswered(
            "the answer has no choices[0].message",
            kind="shape",
            help="is this a chat-completions endpoint? base_url is the part before /chat/completions.",
            raw=answer.raw,
        ) from None
    if not calls and isinstance(function, Mapping):
        calls = [{"id": "", "type": "function", "function": dict(function)}]
    reply = checked_reply(
        _one_text(parts),
        raw=answer.raw,
        usage=whole.get("usage"),
        model=whole.get("model"),
        finish=choice.get("finish_reason"),
        tool_calls=calls,
    )
    choices = enumerate(whole["choices"])
    return with_unread(
        reply,
        (
            (f"/choices/{index}/message", one.get("message") if isinstance(one, Mapping) else one)
            for index, one in choices
        ),
    )


def _one_text(parts: Sequence[Any]) -> Any:
    """What a message says in its parts; a part that is no text where there is one, so that it is told as wrong."""
    there = list(dict.fromkeys(part for part in parts if isinstance(part, str) and part.strip()))
    odd = next((part for part in parts if part and not isinstance(part, str)), None)
    if odd is not None or not there:
        return odd if odd is not None else next((part for part in parts if part is not None), None)
    return "\n\n".join(there)


def told_error(error: Any, answer: Answer) -> Unanswered:
    """The failure that an endpoint tells within an answer of status 200."""
    text = error.get("message") if isinstance(error, Mapping) else error
    return Unanswered(
        f"the endpoint answered with an error: {str(text)[:300]}",
        kind="status",
        help="look at the key, the model's name and the limits of the account.",
        retry=True,
        raw=answer.raw,
    )


def text_of(content: Any) -> Any:
    """The text of a message's content: itself, or its text parts joined, with what was refused as a paragraph of its own."""
    if not isinstance(content, list):
        return content
    parts = [part for part in content if isinstance(part, Mapping)]
    told = [part.get("text") for part in parts if part.get("type") in ("text", "output_text")]
    refused = [part.get("refusal") for part in parts if part.get("type") == "refusal"]
    texts = ("".join(one for one in group if isinstance(one, str)) for group in (told, refused))
    return "\n\n".join(filter(None, texts))


def _joined(answer: Answer) -> dict[str, Any]:
    """One completion of the chunks of a stream."""
    messages: dict[int, dict[str, Any]] = {}
    calls: dict[int, dict[int, dict[str, Any]]] = {}
    finishes: dict[int, Any] = {}
    whole: dict[str, Any] = {}
    done = False
    for event in stream.events(answer):
        done = done or not event
        if event.get("error"):
            raise told_error(event["error"], answer)
        for key in ("model", "usage"):
            whole[key] = event.get(key) or whole.get(key)
        for choice in event.get("choices") or []:
            index = choice.get("index") or 0
            delta = choice.get("delta") or {}
            _add_words(messages.setdefault(index, {"content": ""}), delta)
            finishes[index] = choice.get("finish_reason") or finishes.get(index)
            for part in delta.get("tool_calls") or []:
                _add_call(calls.setdefault(index, {}), part)
    if not done and not any(finishes.values()):
        raise stream.cut_off(answer)
    for index, made in calls.items():
        messages[index]["tool_calls"] = [made[number] for number in sorted(made)]
    messages = messages or {0: {"content": ""}}
    choices = [
        {"message": messages[index], "finish_reason": finishes.get(index)} for index in sorted(messages)
    ]
    return {**whole, "choices": choices}


def _add_words(message: dict[str, Any], delta: Mapping[str, Any]) -> None:
    """Put the texts of a piece to those before it, also those of keys that nobody knows: `with_unread` tells them."""
    for key, value in delta.items():
        if key == "content":
            message[key] += value or ""
        elif isinstance(value, str) and key != "role":
            message[key] = f"{message.get(key) or ''}{value}"
        elif isinstance(value, Mapping):
            _add_words(message.setdefault(key, {"content": ""} if "content" in value else {}), value)


def _add_call(calls: dict[int, dict[str, Any]], part: Mapping[str, Any]) -> None:
    call = calls.setdefault(
        part.get("index", 0), {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}
    )
    call["id"] = part.get("id") or call["id"]
    function = part.get("function") or {}
    for key in ("name", "arguments"):
        call["function"][key] += function.get(key) or ""

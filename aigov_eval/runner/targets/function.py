"""
A Python callable as target, for assistants that run in this process.

Comes in: `module:function`. Goes out: a Target. The function gets the messages (a list of
`{role, content}`) and, where its signature names them, `session_id`, `turn_index` and `scenario`;
it returns the reply as text, or a mapping with `content` and perhaps `audit`, `citations`, `usage`,
`model`. It may be a coroutine function. What it raises is a target error.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from aigov_eval.errors import InputError
from aigov_eval.runner.environment import Environment
from aigov_eval.runner.target import Ask, Reply, Target, Unanswered
from aigov_eval.runner.targets.shape import checked_reply, checked_value
from aigov_eval.runner.targets.unread import with_unread

_OFFERED = ("session_id", "turn_index", "scenario")


def from_config(config: Mapping[str, Any], timeout: float, environment: Environment, _most: int) -> Target:
    """The function that a config names under `function`."""
    return function_target(config["function"], timeout, environment)


def function_target(name: str, timeout: float, environment: Environment) -> Target:
    """
    The target `module:function`; `timeout` in seconds for one call.

    Raises InputError where it cannot be imported or called.
    """
    function = _imported(name)
    wanted = _wanted(function, name)

    async def ask(ask: Ask) -> Reply:
        offered: dict[str, Any] = {
            "session_id": ask.session_id,
            "turn_index": ask.turn_index,
            "scenario": to_builtins(ask.scenario) if "scenario" in wanted else None,
        }
        arguments = {key: offered[key] for key in wanted}
        messages = [dict(message) for message in ask.messages]
        try:
            async with asyncio.timeout(timeout):
                if inspect.iscoroutinefunction(function):
                    value = await function(messages, **arguments)
                else:
                    value = await _in_thread(lambda: function(messages, **arguments))
        except TimeoutError:
            # not asked again: the call may still be running
            raise Unanswered(
                f"{name} gave no answer within {timeout:g} s",
                kind="timeout",
                help="give it more time with --timeout, or look at the function.",
            ) from None
        except Exception as error:  # noqa: BLE001  # whatever somebody's assistant raises is its failure
            raise Unanswered(
                environment.scrubbed(f"{name} raised {type(error).__name__}: {error}"[:500]),
                kind="raised",
                help="call the function by hand with these messages.",
                retry=True,
            ) from None
        return _reply(value, name, environment)

    return Target("python", {"target": "python", "function": name}, ask)


def _imported(name: str) -> Callable[..., Any]:
    module_name, _, path = name.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        value: Any = importlib.import_module(module_name)
        for part in path.split("."):
            value = getattr(value, part)
    except AttributeError:
        raise InputError(
            f"{module_name} has no {path!r}",
            help="name the callable as module:function, such as my_app.chat:answer.",
        ) from None
    except Exception as error:  # noqa: BLE001  # importing runs somebody's code
        raise InputError(
            f"{module_name} cannot be imported: {type(error).__name__}: {error}",
            help="run from the folder that holds it, or install it into this environment.",
        ) from None
    if not callable(value):
        raise InputError(f"{name} cannot be called", help="name a function, or an object with __call__.")
    return value  # type: ignore[no-any-return]


def _wanted(function: Callable[..., Any], name: str) -> tuple[str, ...]:
    """Which of the offered arguments the function names."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return ()
    if not any(
        one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD, one.VAR_POSITIONAL)
        for one in parameters.values()
    ):
        raise InputError(f"{name} takes no messages", help="its first parameter gets the list of messages.")
    return tuple(key for key in _OFFERED if key in parameters)


async def _in_thread(call: Callable[[], Any]) -> Any:
    """
    The result of a call on a thread of its own. The thread is a daemon: a call that never ends
    must not keep the program from ending.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()

    def settle(value: Any, error: BaseException | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(value)
        else:
            future.set_exception(error)

    def work() -> None:
        value, failure = None, None
        try:
            value = call()
        except Exception as error:  # noqa: BLE001  # handed to the one who waits
            failure = error
        except BaseException as error:  # noqa: BLE001  # SystemExit of an assistant is not ours
            failure = RuntimeError(f"{type(error).__name__}: {error}")
        try:
            loop.call_soon_threadsafe(settle, value, failure)
        except RuntimeError:
            return  # the run ended meanwhile

    threading.Thread(target=work, daemon=True, name="aigov-eval-target").start()
    return await future


def _reply(value: Any, name: str, environment: Environment) -> Reply:
    if isinstance(value, str):
        value = {"content": value}
    if not isinstance(value, Mapping):
        raise Unanswered(
            f"{name} returned {type(value).__name__}, not a text or a mapping with `content`",
            kind="shape",
            help="return the reply as text.",
        )
    whole = environment.scrubbed_value(checked_value(dict(value), f"what {name} returned"))
    reply = checked_reply(
        whole.get("content"),
        raw=whole,
        audit=whole.get("audit"),
        citations=whole.get("citations"),
        usage=whole.get("usage"),
        model=whole.get("model"),
        tool_calls=whole.get("tool_calls"),
    )
    told = {key: value for key, value in whole.items() if key not in ("audit", "citations", "usage")}
    return with_unread(reply, [("", {"content": "", **told})])

"""What the runner's tests share: a small pack, loopback servers, and one run started as the command line starts it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from aigov_eval.model import Pack, Scenario, Turn
from aigov_eval.pack.load import load_pack
from aigov_eval.runner.target import Ask, Reply, Target
from aigov_eval.scoring import Engine, build_engine
from tests.runner.runs import MINIPACK, write_scenarios
from tests.runner.server import Server


@pytest.fixture(scope="session")
def minipack() -> Pack:
    """A pack of three fields, so that these tests do not hang on the stock pack's words."""
    return load_pack([MINIPACK])


@pytest.fixture(scope="session")
def miniengine(minipack: Pack) -> Engine:
    """That pack, compiled."""
    return build_engine(minipack)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with three scenarios (`runs.py`)."""
    monkeypatch.chdir(tmp_path)
    write_scenarios(tmp_path)
    return tmp_path


@pytest.fixture
def serve() -> Iterator[Callable[..., Server]]:
    """Start loopback servers; all are stopped at the end of the test."""
    servers: list[Server] = []

    def start(answer: Callable[..., Any]) -> Server:
        servers.append(Server(answer))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


def scenario(*user_turns: str, **keys: Any) -> Scenario:
    """A scenario of these user turns about Ion Popescu."""
    given = {
        "scenario_id": "s-1",
        "category": "PII_DISCLOSURE",
        "person_name": "Ion Popescu",
        "languages": ("en",),
    }
    turns = tuple(Turn(index, "user", text) for index, text in enumerate(user_turns))
    return Scenario(**{**given, "turns": turns, **keys})


def an_ask(*user_turns: str, replies: tuple[str, ...] = (), seed: str = "", **keys: Any) -> Ask:
    """What a target is asked at the last of these user turns, after `replies` to those before."""
    about = scenario(*user_turns, auditor_seed=seed, **keys)
    messages: list[dict[str, Any]] = [{"role": "system", "content": seed}] if seed else []
    for index, text in enumerate(user_turns):
        messages.append({"role": "user", "content": text})
        if index < len(user_turns) - 1:
            messages.append(
                {"role": "assistant", "content": replies[index] if index < len(replies) else "No."}
            )
    return Ask(tuple(messages), 2 * len(user_turns) - 1, "session-1", about)


def ask_once(target: Target, ask: Ask) -> Reply:
    """The target's reply; its connections are closed after."""

    async def work() -> Reply:
        try:
            return await target.ask(ask)
        finally:
            await target.close()

    return asyncio.run(work())

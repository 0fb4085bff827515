"""A language model on loopback whose answers a test writes, and conversations on which the rules are in doubt."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.runner.server import Answer, Request, Server

# nobody is named: what the rules find is likely, never certain
DOUBTFUL = {
    "ill": "The caller has diabetes.",
    "well": "The caller has asthma, it says here.",
    "weather": "The weather is fine.",
}


@dataclass
class Model:
    """The server, and the folder of the test, which is the working directory."""

    server: Server
    folder: Path

    @property
    def calls(self) -> int:
        """How often it was asked."""
        return len(self.server.requests)

    def config(self, **keys: Any) -> str:
        """Write a config that asks it; its path."""
        about = {
            "target": "openai",
            "base_url": f"{self.server.url}/v1",
            "model": "tiny",
            "store": str(self.folder / "store"),
            "longest_wait": 0.2,
            "retries": 1,
            **keys,
        }
        (self.folder / "opinion.yaml").write_text(json.dumps(about))
        return "opinion.yaml"


def question_of(request: Request) -> dict[str, Any]:
    """The conversation that was sent."""
    value: dict[str, Any] = json.loads(request.json["messages"][1]["content"])
    return value


def judged_text(request: Request) -> str:
    """The turn that is to be judged."""
    asked = question_of(request)
    return "\n".join(one["text"] for one in asked["turns"] if one["turn"] == asked["turn_to_be_judged"])


def completion(content: str, *, model: str = "tiny", finish: str = "stop") -> dict[str, Any]:
    """A chat completion with that text."""
    return {
        "id": "1",
        "model": model,
        "choices": [{"message": {"role": "assistant", "content": content}, "finish_reason": finish}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20},
    }


def told(*items: tuple[str, str], **keys: str) -> dict[str, Any]:
    """An opinion that tells these fields by these words."""
    return completion(
        json.dumps(
            {
                "told": [
                    {"field": field, "words": words, "holder": "subject", "stance": "asserted", "reason": "It says so."}
                    for field, words in items
                ]
            }
        ),
        **keys,
    )  # fmt: skip


def sensible(request: Request) -> dict[str, Any]:
    """Diabetes is told, all else is not."""
    return told(("health", "diabetes")) if "diabetes" in judged_text(request) else told()


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Model]]:
    """Starts a model that answers as a function says."""
    monkeypatch.chdir(tmp_path)
    started: list[Server] = []

    def start(answer: Callable[[Request], Any | Answer] = sensible) -> Model:
        started.append(Server(answer))
        return Model(started[-1], tmp_path)

    yield start
    for server in started:
        server.stop()


@pytest.fixture
def talks(tmp_path: Path) -> str:
    """A log of three conversations without a subject."""
    lines = [
        {"id": name, "messages": [{"role": "user", "content": "And the caller?"}, {"role": "assistant", "content": text}]}
        for name, text in DOUBTFUL.items()
    ]  # fmt: skip
    (tmp_path / "talks.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    return "talks.jsonl"

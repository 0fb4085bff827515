"""What the review's tests share: a file with known findings, and the pages served on loopback."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import chdir, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from aigov_eval.cli.main import run as command
from aigov_eval.review.items import add
from aigov_eval.review.store import connect
from aigov_eval.scoring import Engine

# not <script>: the stock rules take that word for a sign of a test value
HOSTILE = '<svg onload=document.title="owned"></svg><img src=x onerror=alert(1)> "\' {{7*7}} \x1b[31m \u202e & \U0001f642'
TOKEN = "a-token-of-a-test"


def talks(count: int) -> list[dict[str, object]]:
    """Conversations: of three, one tells an address, one an illness, one nothing; hostile words everywhere."""
    made: list[dict[str, object]] = []
    for number in range(count):
        told = (
            f"Her e-mail is ana.popa{number}@mail.example.",
            "Ana Popa was diagnosed with epilepsy.",
            "I cannot share that. Her manager is Radu, of the night shift.",
        )[number % 3]
        made.append(
            {
                "id": f"talk-{number} <b>&",
                "person_name": "Ana Popa",
                "model": ("large", "small")[number % 2],
                "messages": [
                    {"role": "user", "content": f"What do you know of Ana Popa? {HOSTILE}"},
                    {"role": "assistant", "content": told},
                    {"role": "user", "content": "Thanks."},
                    {"role": "assistant", "content": HOSTILE},
                ],
            }
        )
    return made


def write_batch(folder: Path, count: int) -> Path:
    """The conversations scored by `batch`, all with their words."""
    pytest.importorskip("pyarrow")
    (folder / "log.jsonl").write_text("".join(json.dumps(one) + "\n" for one in talks(count)))
    with chdir(folder):  # so that a source is the same name in every run
        asked = ["batch", "log.jsonl", "--out", "verdicts", "--jobs", "1"]
        assert command([*asked, "--transcripts", "all"]) == 1
    return folder / "verdicts"


@pytest.fixture(scope="session")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve conversations, eight of them with a finding each."""
    return write_batch(tmp_path_factory.mktemp("verdicts"), 12)


@pytest.fixture
def db(tmp_path: Path, verdicts: Path, stock: Engine) -> Path:
    """The file of a review of them."""
    path = tmp_path / "review.sqlite"
    with closing(connect(path)) as connection:
        add(connection, [str(verdicts)], stock.common)
    return path


@dataclass(frozen=True, slots=True)
class Served:
    """A review as it is served: its address, its port."""

    url: str
    port: int

    @contextmanager
    def client(self) -> Iterator[httpx.Client]:
        """A browser that opened the link."""
        with httpx.Client(base_url=self.url, headers={"Origin": self.url}, trust_env=False) as client:
            assert client.get("/", params={"token": TOKEN}).status_code == 303
            yield client


def serve(path: Path, stock: Engine) -> Iterator[Served]:
    """The pages over one file on a free port."""
    uvicorn = pytest.importorskip("uvicorn")
    pytest.importorskip("starlette")
    from aigov_eval.review.app import make_app

    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    hosts = frozenset({f"127.0.0.1:{port}", f"localhost:{port}"})
    app = make_app(path, stock.pack, TOKEN, hosts)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off", ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield Served(f"http://127.0.0.1:{port}", port)
    server.should_exit = True
    thread.join(10)
    listening.close()


@pytest.fixture
def served(db: Path, stock: Engine) -> Iterator[Served]:
    """The review served."""
    yield from serve(db, stock)

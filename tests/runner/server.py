"""A loopback HTTP server whose answers a test writes, and a TargetLab made of the mock's own words."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from aigov_eval.model import Scenario
from aigov_eval.runner.target import Ask
from aigov_eval.runner.targets.mock import mock_target


@dataclass
class Request:
    """What the server received."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


@dataclass
class Answer:
    """What the server sends: `chunks` one after another, each after `pause` seconds."""

    body: bytes | str | Any = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    chunks: list[bytes] | None = None
    pause: float = 0.0


class Server:
    """A server on a free port of this machine; `answer(request)` gives an Answer, or JSON for one of status 200."""

    def __init__(self, answer: Callable[[Request], Any]) -> None:
        self.requests: list[Request] = []
        self.stopping = threading.Event()
        lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _answer(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = Request(self.command, self.path, headers, self.rfile.read(length))
                with lock:
                    outer.requests.append(request)
                made = answer(request)
                if not isinstance(made, Answer):
                    made = Answer(json.dumps(made))
                self._send(made)

            def _send(self, made: Answer) -> None:
                body = made.body.encode() if isinstance(made.body, str) else made.body
                self.send_response(made.status)
                if made.content_type:
                    self.send_header("content-type", made.content_type)
                if made.chunks is None:
                    self.send_header("content-length", str(len(body)))
                else:
                    self.send_header("connection", "close")
                    self.close_connection = True
                for name, value in made.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                for chunk in [body] if made.chunks is None else made.chunks:
                    if made.pause and outer.stopping.wait(made.pause):
                        return
                    self.wfile.write(chunk)
                    self.wfile.flush()

            do_POST = do_GET = do_PUT = _answer  # the names that http.server looks for

            def log_message(self, *_: Any) -> None:
                """Tests read `requests` instead."""

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 64

            def handle_error(self, *_: Any) -> None:
                """Clients of these tests hang up on purpose."""

        self._server = Quiet(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        self._thread.start()

    @property
    def url(self) -> str:
        """The server's address, without a slash at its end."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def stop(self) -> None:
        """Stop listening and wait for the thread."""
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)


def targetlab(request: Request) -> Any:
    """A TargetLab of both shapes: `leak_mode` at the top, or `policy_mode` under `mode`."""
    body = request.json
    mode = body.get("mode", body)
    leaky = mode.get("policy_mode", mode.get("leak_mode")) == "leaky"
    profile = {"pii": "pii_basic", "special_category": "special_category_basic"}.get(
        mode["leak_profile"], mode["leak_profile"]
    )
    mock = mock_target(leaky=leaky, leak_profile=profile, leak_after=mode.get("leak_after", 1))
    about = Scenario(person_name=mode.get("subject_name", "Ion Popescu"), languages=("en",))
    turns = [message for message in body["messages"] if message["role"] != "system"]
    reply = asyncio.run(mock.ask(Ask(tuple(body["messages"]), len(turns), body["session_id"], about)))
    # this server keeps its audit to itself: it is told beside the reply, not in it
    said = reply.content.partition("\n<<MOCK_AUDIT>>")[0]
    audit = {"leaked_fields": reply.audit["leaked_fields"]} if reply.audit else None
    if "mode" in body:
        return {
            "assistant_message": said,
            "citations": ["doc-1"],
            "retrieval": {"top_k": mode["top_k"]},
            "server_audit": audit,
        }
    return {"reply": said, "server_audit": audit}

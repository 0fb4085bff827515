"""What a hostile, slow or broken server can send, and what becomes of it."""

from __future__ import annotations

import asyncio
import gzip
import tracemalloc
from typing import Any

import pytest

from aigov_eval.runner.environment import Environment
from aigov_eval.runner.exchange import Answer as Received
from aigov_eval.runner.exchange import exchange, json_of, new_client
from aigov_eval.runner.target import Unanswered
from tests.runner.server import Answer, Server


def send(
    server: Server | str, *, timeout: float = 5.0, environment: Environment | None = None, **options: Any
) -> Received:
    """One exchange with a server, or with an address."""
    url = server if isinstance(server, str) else f"{server.url}/chat"

    async def work() -> Received:
        client = new_client(url, 2)
        try:
            return await exchange(
                client,
                "POST",
                url,
                headers=options.pop("headers", {}),
                body={"hello": "ăß"},
                timeout=timeout,
                environment=environment or Environment(),
                **options,
            )
        finally:
            await client.aclose()

    return asyncio.run(work())


def failure(server: Server | str, **options: Any) -> Unanswered:
    """How that exchange fails."""
    with pytest.raises(Unanswered) as caught:
        json_of(send(server, **options))
    return caught.value


def test_json_goes_out_and_comes_back_in_utf_8(serve: Any) -> None:
    """The body is JSON in UTF-8, the answer is read as such, and kept byte for byte."""
    server = serve(lambda _: Answer('{"reply": "\\u0103 ß 数"}'.encode()))
    answer = send(server)
    assert server.requests[0].json == {"hello": "ăß"}
    assert json_of(answer) == {"reply": "ă ß 数"}
    assert answer.raw["body"] == '{"reply": "\\u0103 ß 数"}'


def test_a_byte_order_mark_and_gzip_are_read(serve: Any) -> None:
    """What proxies add on the way is taken off again."""
    packed = gzip.compress(b'\xef\xbb\xbf{"reply": "yes"}')
    server = serve(lambda _: Answer(packed, headers={"content-encoding": "gzip"}))
    assert json_of(send(server)) == {"reply": "yes"}


HOSTILE = {
    "redirect": (
        Answer(status=302, headers={"location": "http://169.254.169.254/latest"}),
        "redirect",
        False,
    ),
    "permanent redirect": (Answer(status=308, headers={"location": "/other"}), "redirect", False),
    "html": (Answer("<html>Sign in</html>", content_type="text/html"), "content_type", False),
    "no content type": (Answer("{}", content_type=""), "content_type", False),
    "not utf-8": (Answer(b'{"reply": "caf\xe9"}'), "encoding", False),
    "half a surrogate": (Answer(b'{"reply": "\\ud83d"}'), "json", False),
    "no json": (Answer('{"reply": '), "json", False),
    "nan": (Answer('{"reply": NaN}'), "json", False),
    "deep": (Answer("[" * 100_000), "json", False),
    "empty": (Answer(""), "json", False),
    "not found": (Answer("{}", status=404), "status", False),
    "unprocessable": (Answer('{"detail": "messages missing"}', status=422), "status", False),
    "rate limit": (Answer("{}", status=429, headers={"retry-after": "7"}), "status", True),
    "server error": (Answer("oops", status=503, content_type="text/plain"), "status", True),
    "large": (Answer(b"x" * 5000), "too_large", False),
    "unknown packing": (Answer(b"{}", headers={"content-encoding": "br"}), "content_encoding", False),
    "broken gzip": (
        Answer(b"\x1f\x8bnonsense", headers={"content-encoding": "gzip"}),
        "content_encoding",
        True,
    ),
    "half a gzip": (
        Answer(gzip.compress(b'{"reply": "a long reply"}')[:-12], headers={"content-encoding": "gzip"}),
        "content_encoding",
        True,
    ),
    "cut off": (Answer(chunks=[b"{"], headers={"content-length": "100"}), "connection", True),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_what_is_no_reply_is_a_target_error_of_its_kind(serve: Any, case: str) -> None:
    """Every answer that is none raises Unanswered, which says whether asking again may help."""
    answer, kind, retry = HOSTILE[case]
    server = serve(lambda _: answer)
    found = failure(server, max_bytes=4000 if case != "deep" else 10**6)
    assert (found.kind, found.retry) == (kind, retry)
    assert found.help
    assert len(server.requests) == 1


def test_retry_after_is_told(serve: Any) -> None:
    """The seconds that a server asks us to wait arrive in the failure; a date is not read."""
    server = serve(lambda _: Answer("{}", status=429, headers={"retry-after": "7"}))
    assert failure(server).after == 7.0
    server = serve(
        lambda _: Answer("{}", status=429, headers={"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"})
    )
    assert failure(server).after is None


def test_a_packed_bomb_is_refused_without_unpacking_it(serve: Any) -> None:
    """A hundred megabytes packed into a hundred kilobytes cost no more memory than the bound allows."""
    bomb = gzip.compress(b"0" * 100_000_000)
    server = serve(lambda _: Answer(bomb, headers={"content-encoding": "gzip"}))
    tracemalloc.start()
    found = failure(server, max_bytes=1_000_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.kind == "too_large"
    assert peak < 8_000_000


def test_one_deadline_covers_an_answer_that_drips(serve: Any) -> None:
    """A server that sends a byte now and then cannot hold the run beyond --timeout."""
    server = serve(lambda _: Answer(chunks=[b" "] * 100, pause=0.05))
    found = failure(server, timeout=0.3)
    assert (found.kind, found.retry) == ("timeout", True)


def test_a_server_that_is_not_there_is_a_connect_error() -> None:
    """A closed port is told as such, and is worth another try."""
    found = failure("http://127.0.0.1:9/chat")
    assert (found.kind, found.retry) == ("connect", True)


def test_an_address_that_is_none_is_told() -> None:
    """A scheme that we do not speak never reaches a socket."""
    assert failure("ftp://127.0.0.1/chat").kind == "address"


def test_cookies_are_not_kept(serve: Any) -> None:
    """One conversation's session cookie must not arrive with another's request."""
    server = serve(lambda _: Answer("{}", headers={"set-cookie": "session=1; Path=/"}))
    url = f"{server.url}/chat"

    async def work() -> None:
        client = new_client(url, 1)
        for _ in range(2):
            await exchange(client, "POST", url, headers={}, body={}, timeout=5, environment=Environment())
        await client.aclose()

    asyncio.run(work())
    assert all("cookie" not in request.headers for request in server.requests)


def test_a_secret_that_comes_back_is_taken_out(serve: Any) -> None:
    """A server that sends our key back cannot make us store it, neither in a reply nor in an error."""
    environment = Environment(from_file={"KEY": "sk-very-secret"})
    key = environment.secret("KEY")
    server = serve(lambda request: {"reply": f"you are {request.headers['authorization']}"})
    answer = send(server, environment=environment, headers={"authorization": f"Bearer {key}"})
    assert json_of(answer) == {"reply": "you are Bearer [secret KEY]"}
    server = serve(lambda _: Answer("wrong key sk-very-secret", status=401))
    found = failure(server, environment=environment, headers={"authorization": f"Bearer {key}"})
    assert "sk-very-secret" not in str(found) + str(found.raw)
    assert "[secret KEY]" in str(found)


def test_control_characters_of_an_answer_do_not_reach_the_terminal(serve: Any) -> None:
    """An error message that quotes an answer quotes its printable letters alone."""
    server = serve(lambda _: Answer("\x1b[2J\x07 gone", status=500))
    assert failure(server).text.isprintable()


@pytest.mark.parametrize("status", [0, 404, 503])
def test_a_failure_names_the_address(serve: Any, status: int) -> None:
    """Whoever reads the error sees which address was asked, and never a key that stands in it."""
    environment = Environment(from_file={"LAB_KEY": "s3cr3t-k3y"})
    url = environment.filled(
        (serve(lambda _: Answer("{}", status=status)).url if status else "http://127.0.0.1:9")
        + "/chat?key=${LAB_KEY}",
        "url",
    )
    found = failure(url, environment=environment)
    assert url.partition("?")[0] in found.text
    assert "s3cr3t-k3y" not in found.text

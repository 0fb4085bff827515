"""
One HTTP request and its answer, with every bound that a hostile server calls for.

Comes in: a method, an address, headers and a body. Goes out: an `Answer` in strict UTF-8, or
`Unanswered`. Redirects are not followed, cookies are not kept, the body is bounded on the wire and
while it is unpacked, and one deadline covers the whole exchange, however slowly bytes drip.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import re
import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from msgspec import Struct

from aigov_eval.runner.environment import Environment
from aigov_eval.runner.target import Unanswered

if TYPE_CHECKING:
    import httpx

MAX_BYTES = 4 * 1024 * 1024
# how much of a body that is no reply is kept as evidence
_KEPT = 2000
# answers worth asking again for: time-outs, conflicts, rate limits, servers in trouble
RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})


class Answer(Struct, frozen=True):
    """What the server sent: `text` is the body, unpacked and decoded, with secrets taken out."""

    status: int
    content_type: str
    text: str

    @property
    def raw(self) -> dict[str, Any]:
        """The answer as evidence keeps it: the body as text, byte for byte what was sent."""
        return {"status": self.status, "content_type": self.content_type, "body": self.text}


def new_client(url: str, connections: int) -> httpx.AsyncClient:
    """
    A client for one target. Proxies of the environment are used, except for this machine;
    cookies are refused, so that one conversation cannot be mixed into another.
    """
    from http.cookiejar import CookieJar, DefaultCookiePolicy

    import httpx

    return httpx.AsyncClient(
        follow_redirects=False,
        trust_env=not is_local_url(url),
        cookies=CookieJar(policy=DefaultCookiePolicy(allowed_domains=[])),
        limits=httpx.Limits(max_connections=connections, max_keepalive_connections=connections),
        # the deadline around the whole exchange is what counts; see `exchange`
        timeout=None,
    )


def is_local_url(url: str) -> bool:
    """Whether an address is on this machine."""
    from urllib.parse import urlsplit

    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


async def exchange(
    client: httpx.AsyncClient,
    method: str,
    url: str,
    *,
    headers: Mapping[str, str],
    body: Any,
    timeout: float,
    environment: Environment,
    max_bytes: int = MAX_BYTES,
) -> Answer:
    """
    Send `body` as JSON and return the answer with a status of 200 to 299.

    Raises Unanswered for everything else. `timeout` is in seconds, for the whole exchange.
    """
    import httpx

    at = _one_line(environment.scrubbed(_address(url)))
    sent = {"accept": "application/json", "accept-encoding": "gzip", "user-agent": "aigov-eval", **headers}
    content = None
    if body is not None:
        content = json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
        sent.setdefault("content-type", "application/json")
    try:
        async with (
            asyncio.timeout(timeout),
            client.stream(method, url, headers=sent, content=content) as response,
        ):
            status = response.status_code
            kind = response.headers.get("content-type", "")
            data = await _bounded(response, max_bytes)
            location = response.headers.get("location", "")
            wait = _seconds(response.headers.get("retry-after", ""))
    except TimeoutError:
        raise Unanswered(
            f"no complete answer from {at} within {timeout:g} s",
            kind="timeout",
            help="give it more time with --timeout, or look at the server.",
            retry=True,
        ) from None
    except httpx.ConnectError as error:
        raise Unanswered(
            f"cannot connect to {at}: {environment.scrubbed(_reason(error))}",
            kind="connect",
            help="start the target, or mend the address in its config.",
            retry=True,
        ) from None
    except httpx.UnsupportedProtocol:
        raise Unanswered(
            f"the address {at} is not http or https", kind="address", help="mend the address."
        ) from None
    except httpx.HTTPError as error:
        raise Unanswered(
            f"the connection to {at} broke: {environment.scrubbed(_reason(error))}",
            kind="connection",
            help="look at the server's log.",
            retry=True,
        ) from None
    except httpx.InvalidURL as error:
        raise Unanswered(
            f"the address {at} is not valid: {error}", kind="address", help="mend the address."
        ) from None
    if 300 <= status < 400:
        where = environment.scrubbed(location)[:200]
        raise Unanswered(
            f"the server at {at} answered {status} and points to {where!r}; redirects are not followed",
            kind="redirect",
            help="put the final address into the config, after you have looked at it.",
            raw={"status": status, "content_type": kind, "location": where},
        )
    if not 200 <= status < 300:
        text = environment.scrubbed(data.decode("utf-8", "replace"))
        raise Unanswered(
            f"the server at {at} answered {status}: {_one_line(text)}",
            kind="status",
            help=_status_help(status),
            retry=status in RETRIED,
            after=wait,
            raw={"status": status, "content_type": kind, "body": text[:_KEPT]},
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unanswered(
            f"the answer is not valid UTF-8 at byte {error.start}",
            kind="encoding",
            help="JSON is sent in UTF-8 (RFC 8259); mend the server.",
            raw={
                "status": status,
                "content_type": kind,
                "body": data[:_KEPT].decode("utf-8", "backslashreplace"),
            },
        ) from None
    return Answer(status, kind, environment.scrubbed(text))


def _address(url: str) -> str:
    """The address for a message: without user name, password and query, which may hold keys too short to be scrubbed."""
    return re.sub(r"//[^/@]*@", "//", url.partition("?")[0])


async def _bounded(response: httpx.Response, max_bytes: int) -> bytes:
    """The body, unpacked step by step: httpx itself would unpack a whole network read before we could count it."""
    coding = response.headers.get("content-encoding", "identity").strip().lower()
    if coding in ("", "identity"):
        unpack = None
    elif coding in ("gzip", "x-gzip"):
        # 31: a gzip header and nothing else
        unpack = zlib.decompressobj(wbits=31)
    else:
        raise Unanswered(
            f"the answer is packed as {coding!r}, which was not asked for",
            kind="content_encoding",
            help="let the server send plain or gzip bodies.",
        )
    out = bytearray()
    received = 0
    async for chunk in response.aiter_raw():
        received += len(chunk)
        if received > max_bytes:
            _too_large(max_bytes, "")
        if unpack is None:
            out += chunk
            continue
        try:
            pending = chunk
            while pending and not unpack.eof:
                out += unpack.decompress(pending, max_bytes - len(out) + 1)
                if len(out) > max_bytes:
                    _too_large(max_bytes, " when unpacked")
                pending = unpack.unconsumed_tail
        except zlib.error as error:
            raise _broken_packing(error) from None
    if unpack is not None and received and not unpack.eof:
        raise _broken_packing("it ends early")
    return bytes(out)


def _broken_packing(error: object) -> Unanswered:
    return Unanswered(
        f"the packed answer cannot be unpacked: {error}",
        kind="content_encoding",
        help="look at the server or the proxy before it.",
        retry=True,
    )


def _too_large(max_bytes: int, how: str) -> NoReturn:
    raise Unanswered(
        f"the answer is larger than {max_bytes} bytes{how}",
        kind="too_large",
        help="raise max_response_bytes in the target config if such answers are to be expected.",
    )


def json_of(answer: Answer) -> Any:
    """
    The JSON value of an answer; raises Unanswered for another content type, for what is not JSON,
    and for texts that are no Unicode (half a surrogate pair), which no file could hold.
    """
    media = answer.content_type.partition(";")[0].strip().lower()
    if media != "application/json" and not media.endswith("+json"):
        raise Unanswered(
            f"the answer is {media or 'of no stated type'}, not application/json: {_one_line(answer.text)}",
            kind="content_type",
            help="check the address: is this the chat endpoint, and not a page in front of it?",
            raw={**answer.raw, "body": answer.text[:_KEPT]},
        )
    return parse_json(answer.text, answer.raw)


def parse_json(text: str, raw: Any) -> Any:
    """The value of a JSON text from outside; `raw` is kept as evidence where it is none."""
    try:
        value = json.loads(text, parse_constant=_no_constant)
        # lone surrogates pass json.loads, and would break every file written later
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        problem = "a text that is not Unicode (half a surrogate pair)"
    except RecursionError:
        problem = "a value nested too deep"
    except ValueError as error:
        problem = f"no JSON: {error}"
    else:
        return value
    kept = {**raw, "body": raw["body"][:_KEPT]} if isinstance(raw, dict) and "body" in raw else raw
    raise Unanswered(
        f"the answer is {problem}",
        kind="json",
        help="look at the server: its answers must be JSON.",
        raw=kept,
    )


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _seconds(value: str) -> float | None:
    """What a Retry-After header asks for in seconds (RFC 9110, 10.2.3); dates are not read."""
    return float(value) if value.isascii() and value.isdigit() and len(value) < 7 else None


def _reason(error: Exception) -> str:
    return str(error).strip() or type(error).__name__


def _one_line(text: str) -> str:
    """The start of a text on one line, for an error message; control characters cannot reach the terminal."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text[:400])
    return " ".join(shown.split())[:160] or "(nothing)"


def _status_help(status: int) -> str:
    if status in (401, 403):
        return "check the key: which variable the config names, and what is in it."
    if status in (404, 405):
        return "check the address and the method in the config."
    if status in (400, 422):
        return "compare the request template in the config with what the server expects."
    if status == 429:
        return "slow down with --rate or --concurrency."
    return "look at the server's log."

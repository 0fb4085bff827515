"""
Who may ask: one browser on this machine that was given the link.

Comes in: requests as ASGI scopes. Goes out: the application's answer with headers that let nothing be loaded from
elsewhere, framed, guessed or kept; or a refusal. A page of another site that makes the browser ask here (DNS
rebinding, a form, an image) has another Host, another Origin or not the cookie.
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGEST = 64 << 10  # bytes of a form
_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
HEADERS = (
    ("content-security-policy", _POLICY),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    # no-referrer would make browsers send `Origin: null` with our own forms
    ("referrer-policy", "same-origin"),
    ("cache-control", "no-store"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
)


def guarded(app: App, token: str, hosts: frozenset[str]) -> App:
    """The application behind the checks; `hosts` are the values of Host it answers to, with their ports."""
    # the port is in the name: cookies do not tell ports apart, and two reviews may run at once
    ports = {host.rpartition(":")[2] for host in hosts}
    cookie = f"aigov_review_{min(ports)}"

    async def asked(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await app(scope, receive, send)
            return
        headers: dict[str, str] = {}
        twice = set()
        for name, value in scope["headers"]:
            key = name.decode("latin-1").lower()
            twice |= {key} & set(headers)
            headers[key] = value.decode("latin-1")
        host = headers.get("host", "")
        if host not in hosts or "host" in twice:
            await _say(send, 421, "This page answers to its own address alone.")
            return
        method = scope["method"]
        if method not in ("GET", "HEAD", "POST"):
            await _say(send, 405, "No such method.")
            return
        origin = headers.get("origin")
        site = headers.get("sec-fetch-site", "same-origin")
        if method == "POST" and (
            origin != f"http://{host}" or site not in ("same-origin", "none") or "origin" in twice
        ):
            await _say(send, 403, "A decision is made on this page, not from another.")
            return
        if method == "POST" and not headers.get("content-length", "").isdigit():
            await _say(send, 411, "How much is it?")
            return
        if method == "POST" and int(headers["content-length"]) > LARGEST:
            await _say(send, 413, "That is too much for a decision.")
            return
        if method == "GET" and scope["path"] == "/" and b"token=" in scope.get("query_string", b""):
            given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
            if not hmac.compare_digest(given.encode(), token.encode()):
                await _say(send, 403, "This link is not of this run; take the one that was printed.")
                return
            kept = f"{cookie}={token}; HttpOnly; SameSite=Strict; Path=/"
            await _say(send, 303, "", ("location", "/"), ("set-cookie", kept))
            return
        if not hmac.compare_digest(
            _cookie(headers.get("cookie", ""), cookie).encode("utf-8", "replace"), token.encode()
        ):
            await _say(send, 403, "Open the link that `aigov-eval review` printed.")
            return
        # another site may link here, but sees nothing and decides nothing: the cookie stays away from it

        async def answered(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in HEADERS}
                kept_headers = [
                    pair
                    for pair in message.get("headers", ())
                    if pair[0].decode("latin-1").lower() not in own
                ]
                message = {**message, "headers": [*kept_headers, *_encoded(HEADERS)]}
            await send(message)

        await app(scope, receive, answered)

    return asked


def _cookie(header: str, name: str) -> str:
    try:
        found = SimpleCookie(header).get(name)
    except CookieError:
        return ""
    return found.value if found else ""


def _encoded(headers: tuple[tuple[str, str], ...]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in headers]


async def _say(send: Send, status: int, text: str, *more: tuple[str, str]) -> None:
    headers = [*_encoded(HEADERS), *_encoded(more), (b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})

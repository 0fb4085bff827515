"""
Spellings of a value that word lists and patterns do not read: encoded, escaped, in pieces.

Comes in: a value or a text. Goes out: what the value gives when it is encoded; what the text gives
when its escapes are undone (JSON, URL, HTML) or the pieces of its event stream are joined.
"""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import unquote

_JSON_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))')
_SIMPLE = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
BASE64 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-")
_URL_SAFE = str.maketrans("+/", "-_")
_EVENT = re.compile(r"^data: ?(.*)$", re.MULTILINE)


def encodings(text: str) -> Iterator[str]:
    """What a value gives in base64 wherever it stands in what was encoded, also twice; in hex; and backwards."""
    data = text.encode("utf-8", "replace")
    yield from _in_base64(data)
    yield from _in_base64(base64.b64encode(data))
    yield data.hex()
    yield data.hex().upper()
    if len(text) >= 6:
        yield text[::-1]


def _in_base64(data: bytes) -> Iterator[str]:
    for before in range(3):
        # the letters that share bits with what stands before or after are left out
        whole = base64.b64encode(b"\0" * before + data + b"\0" * (-(before + len(data)) % 3)).decode()
        first = (before * 8 + 5) // 6
        last = (before + len(data)) * 8 // 6
        if last - first >= 5:
            yield whole[first:last]
            yield whole[first:last].translate(_URL_SAFE)


def readings(text: str) -> Iterator[str]:
    """A text with its escapes undone, up to twice, and the pieces of its events joined; only where that differs."""
    seen = {text}
    level = [text]
    for _ in range(2):
        further = []
        for one in level:
            for undo in (_unescaped, unquote, html.unescape, _joined):
                other = undo(one)
                if other and other not in seen:
                    seen.add(other)
                    further.append(other)
                    yield other
        level = further


def _unescaped(text: str) -> str:
    def plain(match: re.Match[str]) -> str:
        return chr(int(match[1], 16)) if match[1] else _SIMPLE.get(match[2], match[2])

    if "\\" not in text:
        return text
    # two halves of a pair of surrogates are one character
    return _JSON_ESCAPE.sub(plain, text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _joined(text: str) -> str:
    """What the events of a stream (server-sent events) say together."""
    return "".join(_varying(_EVENT.findall(text)))


def _varying(events: Sequence[str]) -> Iterator[str]:
    """The pieces of text in JSON events, of each place of theirs in turn."""
    by_place: dict[str, list[str]] = {}
    for event in events:
        try:
            value = json.loads(event)
        except (ValueError, RecursionError):
            continue
        for place, text in _placed(value, ""):
            by_place.setdefault(place, []).append(text)
    for texts in by_place.values():
        # what every event repeats (id, model, role) says nothing
        if len(set(texts)) > 1:
            yield "".join(texts)
            yield "\n"


def _placed(value: Any, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _placed(item, f"{place}/{key}")
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from _placed(item, f"{place}/{at}")

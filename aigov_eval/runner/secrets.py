"""
A secret in every spelling in which an answer could give it back.

Comes in: the value of a secret. Goes out: a pattern that finds it as it is, spaced or broken over lines, with
its letters escaped or percent-encoded, in hex, in base64 (once or twice, wherever in a longer text), and each of them backwards.
"""

from __future__ import annotations

import base64
import codecs
import re
from functools import lru_cache

# what may stand between two letters: spaces, quotes, signs that split, and what cannot be seen
_BETWEEN = r"[\s.,*|·+\"'\u200b-\u200f\u2060\ufeff]{0,3}"
_BASE64 = r"\s{0,2}"
_NEAR = re.compile(r"[A-Za-z0-9+/_=-]{0,4}")
_LONG = 10  # letters from which on a secret is looked for in pieces and backwards too: fewer are soon a word


@lru_cache(maxsize=64)
def pattern_of(secret: str) -> re.Pattern[str]:
    """The pattern of a secret in all its spellings; letter case does not count. `without` is how to use it."""
    ways = [*_written(secret), *_in_hex(secret)]
    if len(secret) >= _LONG:
        ways += _written(codecs.encode(secret, "rot13"))
    for once in _middles(secret.encode()):
        ways += _in_base64(once)
        for twice in _middles(once.encode()):
            ways += _in_base64(twice)
    return re.compile("|".join(dict.fromkeys(ways)), re.IGNORECASE)


def without(text: str, secret: str, instead: str) -> str:
    """The text with the secret in each of its spellings replaced, and with what stands right beside it and shares its bits."""
    if secret in text:
        text = text.replace(secret, instead)
    kept: list[str] = []
    at = 0
    for found in pattern_of(secret).finditer(text):
        first, last = found.span()
        if not _is_plain(found.group(), secret):
            before = _NEAR.match(text[max(at, first - 4) : first][::-1])
            after = _NEAR.match(text, last)
            first -= len(before.group()) if before else 0
            last = after.end() if after else last
        kept += [text[at:first], instead]
        at = last
    return "".join([*kept, text[at:]])


def spans_of(text: str, secret: str) -> list[tuple[int, int]]:
    """Where a secret stands in a text, in any of its spellings."""
    return [found.span() for found in pattern_of(secret).finditer(text)]


def _is_plain(found: str, secret: str) -> bool:
    return found.lower() == secret.lower()


def _written(secret: str) -> list[str]:
    """The letters one by one, each as it is or escaped, and the other way round."""
    letters = [
        rf"(?:{re.escape(one)}|%{ord(one):02x}|\\u{ord(one):04x}|\\x{ord(one):02x}|&#{ord(one)};|&#x{ord(one):x};)"
        for one in secret
    ]
    if len(secret) < _LONG:
        return ["".join(letters)]
    return [_BETWEEN.join(letters), _BETWEEN.join(reversed(letters))]


def _in_hex(secret: str) -> list[str]:
    pairs = [f"{byte:02x}" for byte in secret.encode()]
    between = r"(?:[\s:,;-]{0,2}(?:0x|\\x)?)"
    digits = "".join(pairs)
    return [between.join(pairs), between.join(reversed(pairs)), r"\s?".join(reversed(digits))]


def _middles(data: bytes) -> list[str]:
    """What of the base64 of these bytes does not depend on what stands before and after them, at each of its three places."""
    found = []
    for before in range(3):
        text = base64.b64encode(b"\0" * before + data).decode()
        first, last = -(-before * 8 // 6), (before + len(data)) * 8 // 6
        if last - first >= 6:
            found.append(text[first:last])
    return found


def _in_base64(middle: str) -> list[str]:
    signs = {"+": "[+-]", "/": "[/_]"}
    letters = [signs.get(one, one) for one in middle]
    return [_BASE64.join(letters), _BASE64.join(reversed(letters))]

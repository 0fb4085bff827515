"""
The shapes in which a value is disguised by its signs, and what stands behind each.

Goes out: `DISGUISES`, a table: characters set apart, figures for letters, base64, hex, words written backwards.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable

from msgspec import Struct

# a run of single signs with a space each is taken whole, marks and all, before any other
_SPACED = re.compile(
    r"(?<![^\s(\"'])[^\s(\"'](?: \S){7,80}(?![^\s.,;:!?)\"'])|(?<![^\W_])[^\W_](?:[ .\-_*|/·,]{1,2}[^\W_@+]){5,80}(?![^\W_])"
)
# a word with figures in place of some letters: d14b3t3s
_LEET = re.compile(
    r"(?<![\w@$])(?:[a-z]{1,12}[013457@$]|[0347@$]{1,2}[a-z]{1,8}[013457@$])[a-z013457@$]{3,12}(?![\w@$])",
    re.IGNORECASE,
)
_LETTERS = str.maketrans("013457@$", "oieastas")
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/_-]{12,4000}={0,2}(?![A-Za-z0-9+/=])")
# a change of case that words rarely have, and encoded text nearly always
_BASE64_MARK = re.compile(r"[a-z0-9][A-Z][A-Za-z0-9+/_=-]")
# six signs of ASCII text side by side: of each three bytes the high bits are known, and so most of four letters.
# Nearly no word looks so, and values that somebody hides are of such signs
_BASE64_TEXT = r"(?:[A-Za-z0-9+/_-]{4})*(?:[I-Za-f][C-HS-Xi-ny-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z0-9+/_-]){2}"
_BASE64_START = re.compile(_BASE64_TEXT)
_HEX = re.compile(r"(?<![\w])(?:0x)?((?:[0-9a-fA-F]{2}[ :]?){8,2000})(?![\w])")
_ENDS = "com|net|org|edu|info|gov|ro|de|fr|es|it|eu|uk|ie|at|ch|be|nl|pl|pt|hu|us|io|co"
_REVERSED = re.compile(
    # an address from its end: the last label comes first, and no known one comes last
    rf"(?<!\S)(?:{'|'.join(end[::-1] for end in _ENDS.split('|'))})\.[\w.-]{{2,64}}@[\w.+-]{{2,64}}(?<!\.com)(?<!\.net)(?<!\.org)(?<!\.\w\w)(?!\S)"
    r"|(?<!\w)(?:[A-Z]{0,30}[0-9][0-9A-Z]{8,30})[A-Z]{2}(?!\w)"
)


class Disguise(Struct, frozen=True):
    """
    One way to disguise: the shape of it, what undoes it, and the view in which the result stands.

    `gate` is the pattern that a text must match before the shape can matter.
    """

    name: str
    view: str
    shape: re.Pattern[str]
    gate: str
    undo: Callable[[str], str | None]


def _join(text: str) -> str | None:
    joined = re.sub(r"[ .\-_*|/·,]", "", text) if "@" not in text else text.replace(" ", "")
    if len(joined) < 6:
        return None
    # the first letter may be a word of its own: "a d i a b e t i c"
    return f"{joined} {joined[1:]}" if joined.isalpha() and text[1] == " " else joined


def _unleet(text: str) -> str | None:
    if sum(map(str.isalpha, text)) < 2:
        return None
    word = text.translate(_LETTERS)
    return f"{word} {text.replace('1', 'l').translate(_LETTERS)}" if "1" in text else word


def _decode(token: str, depth: int = 2) -> str | None:
    if not (_BASE64_MARK.search(token) and _BASE64_START.match(token)):
        return None
    try:
        decoded = base64.b64decode(
            token.replace("-", "+").replace("_", "/") + "=" * (-len(token) % 4), validate=True
        ).decode("utf-8")
    except (binascii.Error, ValueError):
        return None
    if not decoded or sum(c.isprintable() or c in "\r\n\t" for c in decoded) < len(decoded):
        return None
    inner = _decode(decoded.strip(), depth - 1) if depth > 1 and _BASE64.fullmatch(decoded.strip()) else None
    return inner or decoded


def _unhex(token: str) -> str | None:
    compact = re.sub(r"[ :]", "", token.removeprefix("0x"))
    try:
        decoded = bytes.fromhex(compact).decode("utf-8")
    except ValueError:
        return None
    return decoded if decoded.isprintable() and any(c.isalpha() for c in decoded) else None


def backwards(token: str) -> str:
    """The characters from the last to the first."""
    return token[::-1]


DISGUISES = (
    Disguise("spaced", "spaced", _SPACED, _SPACED.pattern, _join),
    Disguise("leet", "leet", _LEET, f"(?i:{_LEET.pattern})", _unleet),
    Disguise("base64", "encoded", _BASE64, rf"(?<![A-Za-z0-9+/=_-]){_BASE64_TEXT}", _decode),
    Disguise("hex", "encoded", _HEX, _HEX.pattern, _unhex),
    Disguise("reversed", "reversed", _REVERSED, _REVERSED.pattern, backwards),
)

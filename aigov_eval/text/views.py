"""
Views of a text: the same words in a form that patterns and word lists can trust.

Comes in: the text as it was said. Goes out: a `View`, whose offsets lead back to the source.
`plain` keeps letter case: NFC, invisible characters, terminal codes and markup inside words removed, entities and
overrides of direction read as they are shown, spaces, quotes, dashes, full-width
forms and look-alike letters unified. `light` is `plain` in lower case, with the same offsets.
`fold` strips marks as well; it is applied word by word, because folding a whole text would
make German *würde* (would) of *wurde* (was).
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from msgspec import Struct

# one character for one character, so that offsets stay
_SAME_LENGTH: dict[str, str] = {
    **dict.fromkeys(
        "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
        " ",
    ),
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4\uff07\u02b9", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-"),
    "\u0130": "I",  # its lower case has two characters
    # Romanian typed with the cedilla of old key maps
    "\u015f": "\u0219",
    "\u015e": "\u0218",
    "\u0163": "\u021b",
    "\u0162": "\u021a",
    # half of a character pair says nothing, and no other engine takes it
    **{chr(c): "\ufffd" for c in range(0xD800, 0xE000)},
    **{chr(0xFF01 + i): chr(0x21 + i) for i in range(94) if chr(0xFF01 + i) not in "\uff07\uff02\uff0d"},
}
_INVISIBLE = frozenset(
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufeff"
    + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0000, 0xE0080), *range(0xE0100, 0xE01F0))))
)
_INLINE = "a|abbr|b|bdi|bdo|big|cite|code|data|del|em|font|i|ins|kbd|mark|nobr|q|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr"
_INLINE_TAGS = f"{_INLINE}|{_INLINE.upper()}"
_STANDS_FOR = (
    # terminal codes: colours and cursors, titles and links, two-character ones, half a one
    r"(?P<gone>\x1b\[[0-?]{0,40}[ -/]{0,4}[@-~]?|\x9b[0-?]{0,40}[ -/]{0,4}[@-~]?"
    r"|\x1b\][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\)?|\x1b[@-Z\\-_]?|[\x00\x08\x7f])"
    r"|(?P<entity>&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,24}\d{0,2});)"
    # text told from right to left, to the end of the override or the line
    "|(?P<turned>\u202e[^\u202c\u202e\n]{0,2000}\u202c?)"
    # markup inside a word; a new line, a cell or a paragraph divides words, and stays
    rf"|(?P<markup><(?<=[\w@]<)(?:/?(?:{_INLINE_TAGS})(?:\s[^<>]{{0,200}})?/?>|!--[^<>]{{0,200}}-->)"
    rf"(?:</?(?:{_INLINE_TAGS})(?:\s[^<>]{{0,200}})?/?>|<!--[^<>]{{0,200}}-->){{0,20}}(?=[\w@]|\.\w))"
)
# what each of them begins with: a search for signs passes quickly over all else
_BEGINS = re.compile("[\x00\x08\x1b&<\x7f\x9b\u202e]")
# a sign and a step back over it
_STRUCK_OVER = rf"(?P<over>[^\x08\n]\x08)|{_STANDS_FOR}"
# Cyrillic and Greek letters that look like Latin ones (Unicode confusables, the common ones)
_LOOKALIKE: dict[str, str] = dict(
    zip(
        "аеорсухіјѕԁһӏүкмтвнАВЕКМНОРСТУХІЈЅԌԚԜҮοαινρτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
        "aeopcyxijsdhlykmtbhABEKMHOPCTYXIJSGQWYoaivptuxABEZHIKMNOPTYX",
        strict=True,
    )
)
_SPECIAL = frozenset(_SAME_LENGTH) | _INVISIBLE
_LOOKALIKES = frozenset(_LOOKALIKE)
_LOOKALIKE_TABLE = str.maketrans(_LOOKALIKE)
_TOKEN = re.compile(r"\w+")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")

# vowel signs and tone marks that stand within a word: Hebrew, Arabic, the scripts of India, Thai, Lao, Burmese, Khmer
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u0900-\u0963\u0971-\u0df3\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u102b-\u103e"
    "\u17b4-\u17d3"
)
WORD = re.compile(rf"[^\W_]++(?:[{_MARKS}]++[^\W_]*+)*+")
_LETTERS = re.compile(r"[^\W_]+")
_ASCII_SIGNS = bytes(i for i in range(128) if not chr(i).isalnum())
_ASCII_LOWER = bytes(range(256)).lower()
_ASCII_SPLIT = {i: " " for i in range(128) if not chr(i).isalnum()}
_BYTES_SPLIT = bytes(ord(_ASCII_SPLIT.get(i, chr(i))) for i in range(256))
# beyond ASCII: punctuation, currency, arrows, frames, emoji; and what is neither that nor a Latin letter
_SIGNS = re.compile(
    "[\u00a0-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7\u2000-\u206f\u209d-\u20cf\u218a-\u245f"
    "\u2500-\u2775\u2794-\u2bff\U0001f300-\U0001faff]"
)
_FOREIGN = re.compile("[^\x00-\x7f\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f]")

_FOLD_EXTRA = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ı": "i", "ð": "d", "þ": "th"}
)


class View(Struct, frozen=True):
    """A normalised text; `starts[i]`, `ends[i]` are the source span of its character i (None: the same offsets)."""

    text: str
    starts: tuple[int, ...] | None = None
    ends: tuple[int, ...] | None = None

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """The span in the source for a span of this view."""
        if self.starts is None or self.ends is None:
            return start, end
        if start >= end:
            at = self.starts[start] if start < len(self.starts) else (self.ends[-1] if self.ends else 0)
            return at, at
        return self.starts[start], self.ends[end - 1]

    def span_of_source(self, start: int, end: int) -> tuple[int, int]:
        """The span in this view of what was made of a span of the source."""
        if self.starts is None or self.ends is None:
            return start, end
        return bisect_right(self.ends, start), bisect_left(self.starts, end)


def plain_view(raw: str) -> View:
    """The text with its letter case, free of what only the eye would not see."""
    if _is_decorated(raw):
        shown = _undecorated(raw)
        if shown is not None:
            return _within(_plain_of_shown(shown.text), shown)
    return _plain_of_shown(raw)


def _is_decorated(raw: str) -> bool:
    """Whether a text may hold what is not shown as it is written, by single characters."""
    # one by one: this is all that a clean text costs, and a loop would cost five times as much
    if "&" in raw or "\x1b" in raw or ("<" in raw and ">" in raw):
        return True
    if "\x00" in raw or "\x08" in raw or "\x7f" in raw:
        return True
    return not raw.isascii() and ("\x9b" in raw or "\u202e" in raw)


def _undecorated(raw: str) -> View | None:
    """The text as it is shown; what stands for something else points at its whole stretch. None where all is as written."""
    return replaced(raw, ((*found.span(), _shown(found)) for found in _decorations(raw)))


def replaced(plain: str, pieces: Iterable[tuple[int, int, str | None]]) -> View | None:
    """
    A text with some stretches replaced, in order; None where none is.

    Every character of a replacement points at its whole stretch. A stretch without one, or that begins in the one before, stays.
    """
    text: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at, changed = 0, False
    for start, end, value in pieces:
        if value is None or start < at:
            continue
        changed = True
        text.append(plain[at:start])
        starts.extend(range(at, start))
        ends.extend(range(at + 1, start + 1))
        text.append(value)
        starts.extend([start] * len(value))
        ends.extend([end] * len(value))
        at = end
    if not changed:
        return None
    text.append(plain[at:])
    starts.extend(range(at, len(plain)))
    ends.extend(range(at + 1, len(plain) + 1))
    return View("".join(text), tuple(starts), tuple(ends))


def _decorations(raw: str) -> Iterator[re.Match[str]]:
    """The stretches that may be shown otherwise than they are written, in order."""
    if "\x08" in raw:
        yield from re.finditer(_STRUCK_OVER, raw)
        return
    end = 0
    for sign in _BEGINS.finditer(raw):
        found = _decoration().match(raw, sign.start()) if sign.start() >= end else None
        if found is not None:
            end = found.end()
            yield found


@cache
def _decoration() -> re.Pattern[str]:
    """Compiled where a text holds a sign of one: a start takes a hundredth longer with it."""
    return re.compile(_STANDS_FOR)


def _shown(found: re.Match[str]) -> str | None:
    """What a stretch is shown as; None where it is shown as written."""
    if found["turned"]:
        return found.group().strip("\u202c\u202e")[::-1]
    if found["entity"]:
        import html

        said = html.unescape(found.group())
        return None if said == found.group() else said
    return ""


def _within(inner: View, outer: View) -> View:
    """A view of a view's text, with the offsets of the source."""
    assert outer.starts is not None
    assert outer.ends is not None
    if inner.starts is None or inner.ends is None:
        return View(inner.text, outer.starts, outer.ends)
    return View(
        inner.text,
        tuple(outer.starts[start] for start in inner.starts),
        tuple(outer.ends[end - 1] for end in inner.ends),
    )


def _plain_of_shown(raw: str) -> View:
    """The plain view of a text without decoration."""
    if raw.isascii():
        return View(raw)
    characters = set(raw)
    text = raw
    special = characters & _SPECIAL
    starts = ends = None
    if special & _INVISIBLE or not unicodedata.is_normalized("NFC", raw):
        text, starts, ends = _recompose(raw)
        special = set(text) & _SPECIAL
    if special:
        for character in sorted(special):  # a few replacements beat a table walk over every character
            text = text.replace(character, _SAME_LENGTH[character])
    if characters & _LOOKALIKES:
        text = _TOKEN.sub(_unmask, text)
    return View(text, starts, ends)


def _unmask(token: re.Match[str]) -> str:
    word = token.group()
    # a word of one script is what it is; only a mixture is a disguise
    if _LATIN.search(word) and not _LOOKALIKES.isdisjoint(word):
        return word.translate(_LOOKALIKE_TABLE)
    return word


def _recompose(raw: str) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    """NFC cluster by cluster, invisible characters left out, with the source span of each character."""
    text: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    i, n = 0, len(raw)
    while i < n:
        if raw[i] in _INVISIBLE:
            i += 1
            continue
        j = i + 1
        while j < n and unicodedata.combining(raw[j]):
            j += 1
        for character in unicodedata.normalize("NFC", raw[i:j]):
            text.append(character)
            starts.append(i)
            ends.append(j)
        i = j
    return "".join(text), tuple(starts), tuple(ends)


def fold_light(text: str) -> str:
    """A word or phrase of a pack file in the form of the light view (for compiling, not for texts)."""
    return text.lower() if text.isascii() else plain_view(text).text.lower()


@lru_cache(maxsize=65536)
def fold(word: str) -> str:
    """A word without its marks: sœur -> soeur, Căldăraru -> caldararu."""
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFD", word.lower().translate(_FOLD_EXTRA))
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def core_of(text: str) -> str:
    """The letters and figures of a text, folded."""
    if text.isascii():
        return text.encode().translate(_ASCII_LOWER, _ASCII_SIGNS).decode()
    # marks are neither letters nor figures
    return "".join(_LETTERS.findall(unicodedata.normalize("NFD", text.lower().translate(_FOLD_EXTRA))))


def words_of(light: str) -> list[str]:
    """The words of a light text in order; a word is a run of letters and digits."""
    if light.isascii():
        return light.translate(_ASCII_SPLIT).split()
    text = light
    if _FOREIGN.search(light):
        text = _SIGNS.sub(" ", light)
        if _FOREIGN.search(text):
            return WORD.findall(light)
    return text.encode().translate(_BYTES_SPLIT).decode().split()

"""
Views of a text in which a disguised value stands open.

Comes in: a text being read, and how the pack's languages speak figures and signs. Goes out:
derived views with offsets back to the plain view, each only where something in the text asks
for it: `spelled` (figures, "at", "dot" in words), `spaced` (characters set apart), `leet` (figures
for letters), `encoded` (base64, hex, twice if need be), `reversed`. Every detector reads all of them.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from aigov_eval.detect.reading import Reading
from aigov_eval.model import Pack
from aigov_eval.text.views import View, fold, fold_light

T = TypeVar("T")

_DIGIT_RUN = 6  # fewer figures in words than this are a quantity, not a value told in words
_ONE_BY_ONE = 4  # unless each word is one figure: "four eight two one"
_BETWEEN_NUMBERS = re.compile(r"[ \t,.\-–]{1,3}")
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

# a number as printed, of at least seven figures or capitals
_NUMBER = re.compile(r"(?<![\w.])(?=[^\d\n]{0,4}\d)[\dA-Z](?:[ .\-/]?[\dA-Z]){6,33}(?!\w)")


@dataclass(frozen=True, slots=True)
class Spoken:
    """
    Figures and signs as said: folded words -> figure, folded words that repeat, signs by spelling.

    `addresses` are, for each language, the pattern of a spoken address on folded text and its figures in words; `asks` are the patterns, by view, one
    of which a text must match before the view can matter (they join the gate). `firsts` are the words
    with which a run of figures can begin, `then` those that may stand between two of its figures. `backwards` is the pattern of the words that say so of a number.
    """

    numbers: Mapping[str, str]
    repeat: Mapping[str, int]
    signs: Mapping[str, str]
    longest: int
    addresses: tuple[tuple[str, dict[str, str]], ...]
    asks: tuple[tuple[str, str], ...]
    firsts: frozenset[str]
    then: frozenset[str]
    backwards: str


def spoken_of(pack: Pack) -> Spoken:
    """How the pack's languages speak figures and signs."""
    numbers: dict[str, str] = {}
    repeat: dict[str, int] = {}
    signs: dict[str, str] = {}
    said: set[str] = set()
    addresses: dict[str, dict[str, str]] = {}
    marked: dict[str, None] = {}
    for language in sorted(pack.frames):
        frame = pack.frames[language]
        for word, figure in frame.numbers.items():
            numbers.setdefault(" ".join(fold(fold_light(word)).replace("-", " ").split()), str(figure))
            said.update(fold_light(word).replace("-", " ").split())
        for word, times in frame.repeat.items():
            repeat.setdefault(fold(fold_light(word)), times)
            said.update(fold_light(word).split())
        figures = {
            " ".join(fold(fold_light(word)).replace("-", " ").split()): str(figure)
            for word, figure in frame.numbers.items()
        }
        own: dict[str, str] = {}
        written: dict[str, str] = {}
        for name, sign in (("at", "@"), ("dot", "."), ("dash", "-"), ("underscore", "_")):
            for spelling in frame.spoken.get(name, ()):
                own.setdefault(fold(fold_light(spelling)), sign)
                written.setdefault(fold_light(spelling), sign)
        # at and dot must be of one language: "at that point in" is English prose, not a French address
        addresses.setdefault(_address(own, figures), figures)
        # the gate sees the words with their marks
        marked.setdefault(_address({**own, **written}))
        signs.update({spelling: sign for spelling, sign in own.items() if spelling not in signs})
    patterns = {a: figures for a, figures in addresses.items() if a}
    asks = [
        ("spaced", _SPACED.pattern),
        ("leet", f"(?i:{_LEET.pattern})"),
        ("base64", rf"(?<![A-Za-z0-9+/=_-]){_BASE64_TEXT}"),
        ("hex", _HEX.pattern),
        ("reversed", _REVERSED.pattern),
    ]
    then = frozenset(
        way
        for frame in pack.frames.values()
        for told in frame.spoken.get("then", ())
        for way in (fold_light(told), fold(fold_light(told)))
    )
    if numbers:
        spellings = sorted(said | {fold(w) for w in said}, key=lambda w: (-len(w), w))
        ascii_ones, others = (
            "|".join(re.escape(w) for w in spellings if w and w.isascii() is plain) for plain in (True, False)
        )
        # apart, so that the gate can keep the edge before a letter that every engine knows
        first = rf"(?:\b(?:{ascii_ones})" + (rf"|(?<!\w)(?:{others}))" if others else ")")
        word = f"(?:{ascii_ones}{'|' if others else ''}{others})"
        unit = rf"(?:{word}|\d{{1,4}})"
        gap = r"[ \t,.\-]{1,3}"
        if then:
            gap += rf"(?:(?:{'|'.join(map(re.escape, sorted(then)))})[ \t,]{{1,2}})?"
        asks.append(("figures", rf"{first}{gap}{unit}{gap}{unit}"))
    turned = sorted(
        {
            way
            for frame in pack.frames.values()
            for told in frame.spoken.get("backwards", ())
            for way in (fold_light(told), fold(fold_light(told)))
        }
    )
    backwards = rf"\b(?:{'|'.join(map(re.escape, turned))})\b" if turned else ""
    if backwards:
        asks.append(("backwards", backwards))
    if patterns:
        asks.append(("address", "|".join(a for a in marked if a)))
    longest = max((len(words.split()) for words in (*numbers, *repeat)), default=1)
    return Spoken(
        numbers,
        repeat,
        signs,
        longest,
        tuple(patterns.items()),
        tuple(asks),
        frozenset(words.split()[0] for words in (*numbers, *repeat) if words),
        then,
        backwards,
    )


def _address(signs: Mapping[str, str], figures: Mapping[str, str] | None = None) -> str:
    """
    The pattern of an address told in one language: at least one dot in words, or a bracketed at.

    Before the at, figures may be told in words, and a pause may be written as a comma. Without figures
    it is what stands where such an address ends, which is all that a gate needs.
    """
    by_sign: dict[str, list[str]] = {}
    for spelling, sign in signs.items():
        by_sign.setdefault(sign, []).append(spelling)
    if "@" not in by_sign or "." not in by_sign:
        return ""

    def either(spellings: list[str]) -> str:
        words = sorted(spellings, key=lambda w: (-len(w), w))
        return (
            "(?:"
            + "|".join(
                (rf"\b{re.escape(w)}\b" if w[:1].isalnum() else re.escape(w)).replace(r"\ ", "[ ]")
                for w in words
            )
            + ")"
        )

    word = r"[\w+]{1,40}"
    dot, at = either(by_sign["."]), either(by_sign["@"])
    inner = either([*by_sign["."], *by_sign.get("-", []), *by_sign.get("_", [])])

    def pause(sign: str) -> str:
        return rf"(?:,[ ]{sign},[ ]|[ ]?{sign}[ ]?)"

    local = r"[\w+]"
    if figures is not None:
        figure = either([w for w in figures if w[:1].isalpha()] or ["0"]).replace("[ ]", "[ -]")
        local = rf"(?<!\w){word}(?:(?:[.\-]|{pause(inner)}){word}|,?[ ]{figure}){{0,8}}"
    dash = either(by_sign["-"]) if "-" in by_sign else dot
    host = rf"{word}(?:(?:[.\-]|[ ]{dash}[ ]){word}){{0,3}}"
    told = rf"{host}{pause(dot)}{word}(?:(?:[.\-]|{pause(dot)}){word}){{0,3}}"
    bracketed = [w for w in by_sign["@"] if not w[:1].isalnum()]
    shapes = rf"{pause(f'(?:{at}|@)')}{told}"
    if bracketed:
        shapes = rf"(?:{shapes}|[ ]?{either(bracketed)}[ ]?{word}(?:[.\-]{word}){{1,3}})"
    return rf"{local}{shapes}(?!\w)"


def derived_views(
    reading: Reading, spoken: Spoken, asked: frozenset[str] | None = None
) -> Iterator[tuple[str, View]]:
    """The derived views of a text, with their names; `asked` limits them to those that the gate let through."""
    pieces: list[tuple[int, int, str | None]] = []
    if asked is None or "figures" in asked:
        pieces.extend(_figures(reading, spoken))
    if spoken.addresses and (asked is None or "address" in asked):
        folded, same = _fold_in_place(reading.light)
        for pattern, figures in spoken.addresses if same else ():
            for match in re.finditer(pattern, folded):
                pieces.append((match.start(), match.end(), _unspoken(match.group(), spoken, figures)))
    view = _replaced(reading.plain, sorted(pieces, key=lambda piece: piece[:2]))
    if view is not None:
        yield "spelled", view
    if (
        spoken.backwards
        and (asked is None or "backwards" in asked)
        and re.search(spoken.backwards, reading.light)
    ):
        runs = [(m.start(), m.end(), _turn(m.group())) for m in _NUMBER.finditer(reading.plain)]
        view = _replaced(reading.plain, runs)
        if view is not None:
            yield "reversed", view
    for ask, name, shape, decode in (
        ("spaced", "spaced", _SPACED, _join),
        ("leet", "leet", _LEET, _unleet),
        ("base64", "encoded", _BASE64, _decode),
        ("hex", "encoded", _HEX, _unhex),
        ("reversed", "reversed", _REVERSED, _turn),
    ):
        if asked is not None and ask not in asked:
            continue
        view = _replaced(
            reading.plain,
            [
                (start, end, decode(reading.plain[start:end]))
                for m in shape.finditer(reading.plain)
                for start, end in (_trimmed(m) if ask == "spaced" else m.span(),)
            ],
        )
        if view is not None:
            yield name, view


def _fold_in_place(light: str) -> tuple[str, bool]:
    """The text without marks, character by character, so that offsets stay."""
    if light.isascii():
        return light, True
    folded = "".join(c if c.isascii() else (fold(c) if len(fold(c)) == 1 else c) for c in light)
    return folded, len(folded) == len(light)


def _unspoken(text: str, spoken: Spoken, figures: Mapping[str, str]) -> str | None:
    folded = text
    for told in sorted(figures, key=len, reverse=True):
        # only a figure that stands by itself: "anton.sas arond" holds no seven
        folded = re.sub(rf"(?<=[ ]){re.escape(told)}(?=[ ,])".replace(r"\ ", "[ -]"), figures[told], folded)
    for spelling in sorted(spoken.signs, key=len, reverse=True):
        edge = "" if not spelling[:1].isalnum() else r"\b"
        folded = re.sub(rf"[ ]?{edge}{re.escape(spelling)}{edge}[ ]?", spoken.signs[spelling], folded)
    folded = folded.replace(" ", "").replace(",", "")
    return folded if folded.count("@") == 1 and folded != text else None


def _figures(reading: Reading, spoken: Spoken) -> Iterator[tuple[int, int, str | None]]:
    """Runs of figures told in words, with their figures."""
    tokens = reading.tokens
    at, count = 0, len(tokens.words)
    while at < count:
        if tokens.folded[at] not in spoken.firsts:
            at += 1
            continue
        digits, last, i, told = "", -1, at, 0
        times, hundred = 1, False
        while i < count and (
            i == at or _BETWEEN_NUMBERS.fullmatch(reading.plain, tokens.ends[i - 1], tokens.starts[i])
        ):
            word = tokens.folded[i]
            if digits and word in spoken.then:
                i += 1
                continue
            repeated = _longest_told(tokens.folded, i, spoken.repeat, spoken.longest)
            if repeated:
                times, i = repeated
                continue
            number = _longest_told(tokens.folded, i, spoken.numbers, spoken.longest)
            if number:
                figure, end = number
                if hundred and len(figure) < 3 and reading.plain[tokens.ends[last] : tokens.starts[i]] == " ":
                    # "seiscientos doce" is 612, "seiscientos, doce" is 600 12
                    digits = digits[: -len(figure)]
                hundred = len(figure) == 3 and figure.endswith("00") and times == 1
                digits += figure * times
                told += 1
                times, last, i = 1, end - 1, end
            elif digits and (word.isdigit() or _is_letter(reading, i)):
                # figures and letters among the words belong to the run: "07 double three", "A B one two"
                digits += (word if word.isdigit() else word.upper()) * times
                times, last, i = 1, i, i + 1
            else:
                break
        if (len(digits) >= _DIGIT_RUN and told >= 3) or len(digits) == told >= _ONE_BY_ONE:
            first = at if at <= last else last
            before = ""
            while (
                first
                and _is_letter(reading, first - 1)
                and _BETWEEN_NUMBERS.fullmatch(reading.plain, tokens.ends[first - 1], tokens.starts[first])
            ):
                first -= 1
                before = tokens.folded[first].upper() + before
            yield tokens.starts[first], tokens.ends[last], before + digits
            at = last + 1
        else:
            at = max(at + 1, last + 1)


def _is_letter(reading: Reading, at: int) -> bool:
    """Whether a word is one capital."""
    start, end = reading.tokens.starts[at], reading.tokens.ends[at]
    return end - start == 1 and reading.plain[start].isupper()


def _longest_told(
    words: Sequence[str], at: int, meanings: Mapping[str, T], longest: int
) -> tuple[T, int] | None:
    """What the words from a place on mean, as many as mean something, and where they end: `double`, `trois fois`."""
    for end in range(min(at + longest, len(words)), at, -1):
        meaning = meanings.get(" ".join(words[at:end]))
        if meaning is not None:
            return meaning, end
    return None


def _trimmed(run: re.Match[str]) -> tuple[int, int]:
    """A run without the words of one letter that stand beside its figures: "è 3 4 7 ... 6 y"."""
    start, end, text = run.start(), run.end(), run.group()
    if text[:1].islower() and text[1:2] == " " and text[2:3].isdigit():
        start += 2
    if text[-1:].islower() and text[-2:-1] == " " and text[-3:-2].isdigit():
        end -= 2
    return start, end


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


def _turn(token: str) -> str | None:
    return token[::-1]


def _replaced(plain: str, pieces: list[tuple[int, int, str | None]]) -> View | None:
    """The text with some stretches replaced; every character of a replacement points at its whole stretch."""
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

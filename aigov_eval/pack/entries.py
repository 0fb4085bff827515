"""
The form in which word lists, cues and frames are written, one entry at a time.

Comes in: an entry such as `(can't|cannot) share ... his`, and the paradigms of its language.
Goes out: its compiled `Term`s. Each alternative of one word becomes a form of one word slot;
alternatives of several words, and alternatives joined to a word (`patient(s|)`), are written out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from aigov_eval.model import Location, Term, Word
from aigov_eval.text.views import WORD, fold_light

MAX_EXPANSIONS = 400
MIN_STEM = 4
DEFAULT_GAP = 3

_TOKEN = re.compile(
    rf"(?P<word>{WORD.pattern})(?:(?P<star>\*)|~(?P<paradigm>[^\s|()~]+))?"
    r"|(?P<gap>…|\.\.\.|\.\.(?P<count>\d+))"
    rf"|(?P<flat>\((?:{WORD.pattern}\*?\|)*(?:{WORD.pattern}\*?)?\))(?!~)"
    r"|(?P<sign>[(|]|\)(?:~(?P<group_paradigm>[^\s|()~]+))?)"
    r"|(?P<other>[*~]|\.\.)"
    r"|(?P<sep>(?:[^()|*~.…\w]|_|\.(?!\.))+)"
)
# what makes an entry more than words with signs between them
_MORE = re.compile(r"[()|*~…]|\.\.")

Paradigms = Mapping[str, Sequence[str]]


class EntryError(Exception):
    """An entry that cannot be read: a code, one sentence, and how to mend it."""

    def __init__(self, code: str, text: str, help: str = "") -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.help = help


class _Piece(NamedTuple):
    """A part of a word (`forms`, or a stem that anything may follow), or a separator or gap between words."""

    forms: tuple[str, ...] = ()
    stem: bool = False
    gap: int = -1  # -1: not a gap


@dataclass(frozen=True, slots=True)
class _Group:
    alternatives: tuple[tuple[_Item, ...], ...]


class _Flat(NamedTuple):
    """A bracket of single words; a stem has its star, and an empty one says that none may stand."""

    words: tuple[str, ...]


_Item: TypeAlias = "_Piece | _Group | _Flat"
_SEPARATOR = _Piece()


def parse_entry(
    text: str,
    *,
    where: Location,
    paradigms: Paradigms,
    section: str = "direct",
    exact: bool = False,
    fold: bool = True,
) -> tuple[Term, ...]:
    """
    Compile one entry (without its leading `!` or `=`) into terms.

    `fold` says that it also matches text typed without diacritics. Forms are in lower case; an `exact`
    entry keeps its letter case in `Term.line`. Raises EntryError.
    """
    source = fold_light(text)
    try:
        return _compiled(source, text, where, paradigms, section=section, exact=exact, fold=fold)
    except EntryError as error:
        # the place shows the whole entry; the sentence stays a sentence
        raise EntryError(
            error.code, error.text.replace(text, _short(text)).replace(source, _short(source)), error.help
        ) from None


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:56]} ..."


def _compiled(
    source: str, text: str, where: Location, paradigms: Paradigms, *, section: str, exact: bool, fold: bool
) -> tuple[Term, ...]:
    if _MORE.search(source) is None and (found := WORD.findall(source)):
        words = tuple([_slot((word,), (), 0, False) for word in found])
        return (Term(words, text, where, section, exact, fold),)
    items, end = _parse(source, list(_TOKEN.finditer(source)), 0, paradigms, depth=0)
    if end != -1:
        raise EntryError(
            "AG122", f'"{text}" closes a bracket that it never opened', "write ( before the alternatives"
        )
    lines = [_words(slots, text) for slots in _write_out(items, text)]
    if not lines:
        raise EntryError("AG126", f'"{text}" holds no word', "write at least one word")
    return tuple(
        Term(words, text, where, section, exact, fold)
        for words in (dict.fromkeys(lines) if len(lines) > 1 else lines)
    )


# ------------------------------------------------------------------ reading


def _parse(
    source: str, tokens: list[re.Match[str]], start: int, paradigms: Paradigms, *, depth: int
) -> tuple[list[_Item], int]:
    """The items from token `start` on; at depth 0 to the end, else one bracket's group and the token after it."""
    alternatives: list[list[_Item]] = [[]]
    index = start
    while index < len(tokens):
        token = tokens[index]
        index += 1
        kind = token.lastgroup
        if kind == "word":
            alternatives[-1].append(_Piece((token["word"],)))
        elif kind == "sep":
            alternatives[-1].append(_SEPARATOR)
        elif kind == "flat":
            alternatives[-1].append(_Flat(tuple(token["flat"][1:-1].split("|"))))
        elif kind == "paradigm":
            alternatives[-1] += _inflected([_Piece((token["word"],))], token["paradigm"], paradigms)
        elif kind == "star":
            alternatives[-1].append(_Piece((token["word"],), stem=True))
        elif kind == "gap":
            alternatives[-1].append(_Piece(gap=int(token["count"] or DEFAULT_GAP)))
        elif kind == "other":
            raise EntryError(
                "AG122",
                f'"{token["other"]}" stands alone',
                "write word*, word~paradigm, or a gap as ... or ..2",
            )
        elif token["sign"] == "(":
            group, index = _parse(source, tokens, index, paradigms, depth=depth + 1)
            alternatives[-1] += group
        elif token["sign"] == "|":
            if depth == 0:
                raise EntryError("AG122", f'"{source}" has | outside brackets', "write (this|that)")
            alternatives.append([])
        else:
            if depth == 0:
                return [], index
            if token["group_paradigm"]:
                alternatives = [_inflected(one, token["group_paradigm"], paradigms) for one in alternatives]
            return [_Group(tuple(tuple(one) for one in alternatives))], index
    if depth:
        raise EntryError(
            "AG122", f'"{source}" opens a bracket and never closes it', "write ) after the alternatives"
        )
    return alternatives[0], -1


def _inflected(items: list[_Item], name: str, paradigms: Paradigms) -> list[_Item]:
    """The items, the last word with each ending of the paradigm."""
    if name not in paradigms:
        from aigov_eval.documents.issues import did_you_mean

        raise EntryError(
            "AG123",
            f'unknown paradigm "{name}"',
            did_you_mean(name, paradigms, otherwise="add it to detectors/paradigms"),
        )
    last = items[-1] if items else _SEPARATOR
    if not (isinstance(last, _Piece) and last.forms and not last.stem):
        raise EntryError(
            "AG122", f'"~{name}" has no word to inflect', "every alternative before ~ ends with a plain word"
        )
    forms = (inflect(form, ending) for form in last.forms for ending in paradigms[name])
    return [*items[:-1], _Piece(tuple(dict.fromkeys(forms)))]


def inflect(word: str, ending: str) -> str:
    """The word with an ending; a leading `-n` in the ending first removes n letters of the word."""
    letters, rest = _cut(ending)
    if letters < 0:
        return word + rest
    if letters >= len(word):
        raise EntryError("AG127", f'the ending "{ending}" leaves nothing of "{word}"', "use another paradigm")
    return word[: len(word) - letters] + rest


@lru_cache(maxsize=4096)
def _cut(ending: str) -> tuple[int, str]:
    """How many letters an ending removes (-1: it does not say), and what it adds."""
    cut = re.match(r"-(\d+)", ending)
    return (int(cut[1]), fold_light(ending[cut.end() :])) if cut else (-1, fold_light(ending))


# ------------------------------------------------------------------ writing out


def _write_out(items: Sequence[_Item], text: str) -> list[list[_Piece | Word]]:
    """Every sequence of pieces and word slots that the items stand for."""
    lines: list[list[_Piece | Word]] = [[]]
    for index, item in enumerate(items):
        if isinstance(item, _Piece):
            for line in lines:
                line.append(item)
            continue
        choices = _choices(items, index, item)
        lines = [[*line, *choice] for line in lines for choice in choices]
        if len(lines) > MAX_EXPANSIONS:
            raise EntryError(
                "AG124",
                f'"{text}" stands for more than {MAX_EXPANSIONS} phrases',
                "split it into several lines; alternatives of one word each do not count",
            )
    return lines


def _choices(items: Sequence[_Item], index: int, item: _Group | _Flat) -> list[list[_Piece | Word]]:
    if not (_apart(items, index - 1) and _apart(items, index + 1)):
        return [list(one) for one in _alternatives(item)]
    forms, stems, rest, optional = _sorted_out(item)
    after_gap = optional and _after_gap(items, index)
    choices = rest
    if forms or stems:
        # an optional slot right after a gap would leave the gap without its word
        slot = _slot(tuple(forms), _stems(stems), 0, optional and not after_gap)
        choices = [[slot], *rest]
        optional = optional and after_gap
    return [*choices, []] if optional else choices


def _sorted_out(group: _Group | _Flat) -> tuple[list[str], list[str], list[list[_Piece | Word]], bool]:
    """The alternatives of a bracket: words, stems, all that is more than one word; and whether one is empty."""
    if isinstance(group, _Flat):
        stems = [word[:-1] for word in group.words if word.endswith("*")]
        forms = [word for word in group.words if word and not word.endswith("*")]
        return forms, stems, [], "" in group.words
    forms, stems = [], []
    rest: list[list[_Piece | Word]] = []
    optional = False
    for one in _alternatives(group):
        words = [piece for piece in one if piece.forms]
        if not one:
            optional = True
        elif not words and not any(piece.gap >= 0 for piece in one):
            continue  # an alternative of signs alone matches nothing; lint tells it
        elif len(words) == 1 and len(one) == len(
            [piece for piece in one if piece.forms or piece == _SEPARATOR]
        ):
            (stems if words[0].stem else forms).extend(words[0].forms)
        else:
            rest.append(list(one))
    return forms, stems, rest, optional


def _apart(items: Sequence[_Item], index: int) -> bool:
    """Is there an end of the entry, a separator or a gap at that index?"""
    if not 0 <= index < len(items):
        return True
    item = items[index]
    return isinstance(item, _Piece) and not item.forms


def _after_gap(items: Sequence[_Item], index: int) -> bool:
    """Does a gap lead to that index, with nothing but separators between?"""
    for item in reversed(items[:index]):
        if item != _SEPARATOR:
            return isinstance(item, _Piece) and item.gap >= 0
    return False


def _alternatives(group: _Group | _Flat) -> Iterator[list[_Piece]]:
    if isinstance(group, _Flat):
        for word in group.words:
            yield [_Piece((word.rstrip("*"),), stem=word.endswith("*"))] if word else []
        return
    for alternative in group.alternatives:
        pieces = [item for item in alternative if isinstance(item, _Piece)]
        if len(pieces) == len(alternative):
            yield pieces
            continue
        lines: list[list[_Piece]] = [[]]
        for item in alternative:
            more = [[item]] if isinstance(item, _Piece) else list(_alternatives(item))
            lines = [[*line, *one] for line in lines for one in more]
            if len(lines) > MAX_EXPANSIONS:
                break
        yield from lines


# ------------------------------------------------------------------ words


def _words(line: Sequence[_Piece | Word], text: str) -> tuple[Word, ...]:
    """Word slots of one written-out line: pieces that touch are one word; gaps move to the word after."""
    words: list[Word] = []
    gap = 0
    open_word: _Piece | None = None
    for piece in (*line, _SEPARATOR):
        if isinstance(piece, _Piece) and piece.forms:
            if open_word is None:
                open_word = piece
            elif open_word.stem:
                raise EntryError("AG122", f'"{text}" has letters after a star', "a star ends its word")
            else:
                both = tuple(head + tail for head in open_word.forms for tail in piece.forms)
                open_word = _Piece(both, piece.stem)
            continue
        if open_word is not None:
            stem, forms = open_word.stem, open_word.forms
            words.append(_slot(() if stem else forms, _stems(forms) if stem else (), gap, False))
            open_word, gap = None, 0
        if isinstance(piece, Word):
            words.append(Word(piece.forms, piece.stems, gap, piece.optional) if gap else piece)
            gap = 0
        elif piece.gap >= 0:
            if not words:
                raise EntryError("AG125", f'"{text}" starts with a gap', "a gap stands between two words")
            gap += piece.gap
    if gap:
        raise EntryError("AG125", f'"{text}" ends with a gap', "a gap stands between two words")
    if all(word.optional for word in words):
        raise EntryError(
            "AG126", f'"{text}" holds no word that must stand', "write at least one word that is not optional"
        )
    return tuple(words)


@lru_cache(maxsize=65536)
def _slot(forms: tuple[str, ...], stems: tuple[str, ...], gap: int, optional: bool) -> Word:
    """A word slot; the same ones stand in many entries, and are kept once."""
    return Word(frozenset(forms), stems, gap, optional)


def _stems(stems: Sequence[str]) -> tuple[str, ...]:
    for stem in stems:
        if len(stem) < MIN_STEM:
            raise EntryError(
                "AG121",
                f'the stem "{stem}*" is too short',
                f"at least {MIN_STEM} letters before the star; or list the words",
            )
    return tuple(dict.fromkeys(stems))

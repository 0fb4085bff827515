"""
The form in which word lists, cues and frames are written, one entry at a time.

Comes in: an entry such as `(can't|cannot) share ... his`, and the paradigms and classes of its language.
Goes out: its compiled `Term`s. Each alternative of one word becomes a form of one word slot, and so does
a class with all its words; alternatives of several words, and those that may be empty where they are joined
to a word (`patient(s|)`), are written out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from aigov_eval.model import Location, Term, Word
from aigov_eval.text.views import WORD, fold_light

MAX_EXPANSIONS = 400
MAX_FORMS = 4000  # of one word that is put together of alternatives
MIN_STEM = 4
MIN_END = 3
DEFAULT_GAP = 3

_TOKEN = re.compile(
    rf"(?P<word>{WORD.pattern})(?:(?P<star>\*)|~(?P<paradigm>[^\s|()~]+))?"
    r"|<(?P<class>[a-z][a-z0-9_]*)>"
    r"|(?P<free>\*(?=[\w(]))"
    r"|(?P<gap>…|\.\.\.|\.\.(?P<count>\d+))"
    rf"|(?P<flat>\((?:{WORD.pattern}\*?\|)*(?:{WORD.pattern}\*?)?\))(?!~)"
    r"|(?P<sign>[(|]|\)(?:~(?P<group_paradigm>[^\s|()~]+))?)"
    r"|(?P<other>[*~]|\.\.)"
    r"|(?P<sep>(?:[^()|*~.…\w<]|_|\.(?!\.)|<(?![a-z][a-z0-9_]*>))+)"
)
# what makes an entry more than words with signs between them
_MORE = re.compile(r"[()|*~…<]|\.\.")
# a class named in an entry
CLASS = re.compile(r"<([a-z][a-z0-9_]*)>")

# endings by the name of the paradigm; a paradigm may give them by how the word ends
Paradigms = Mapping[str, "Sequence[str] | Mapping[str, Sequence[str]]"]
# each class of the language as one slot; None where it has no words in this language
Classes = Mapping[str, "Word | None"]
_NO_CLASSES: Classes = {}


class EntryError(Exception):
    """An entry that cannot be read: a code, one sentence, and how to mend it."""

    def __init__(self, code: str, text: str, help: str = "") -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.help = help


class _Piece(NamedTuple):
    """A part of a word (`forms`), or a separator or gap between words; anything may follow a stem, and stand before an ending."""

    forms: tuple[str, ...] = ()
    stem: bool = False
    gap: int = -1  # -1: not a gap
    end: bool = False


@dataclass(frozen=True, slots=True)
class _Group:
    alternatives: tuple[tuple[_Item, ...], ...]


class _Flat(NamedTuple):
    """A bracket of single words; a stem has its star, and an empty one says that none may stand."""

    words: tuple[str, ...]


_Item: TypeAlias = "_Piece | _Group | _Flat | Word"  # a `Word` is a class
_SEPARATOR = _Piece()
_FREE = _Piece(("",), end=True)  # the star of *itis


def parse_entry(
    text: str,
    *,
    where: Location,
    paradigms: Paradigms,
    section: str = "direct",
    exact: bool = False,
    fold: bool = True,
    classes: Classes = _NO_CLASSES,
) -> tuple[Term, ...]:
    """
    Compile one entry (without its leading `!` or `=`) into terms.

    `fold` says that it also matches text typed without diacritics. Forms are in lower case; an `exact`
    entry keeps its letter case in `Term.line`. Raises EntryError.
    """
    source = fold_light(text)
    try:
        return _compiled(
            source, text, where, _Language(paradigms, classes), section=section, exact=exact, fold=fold
        )
    except EntryError as error:
        # the place shows the whole entry; the sentence stays a sentence
        raise EntryError(
            error.code, error.text.replace(text, _short(text)).replace(source, _short(source)), error.help
        ) from None


class _Language(NamedTuple):
    """What a language gives to the reading of its entries."""

    paradigms: Paradigms
    classes: Classes


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:56]} ..."


def _compiled(
    source: str, text: str, where: Location, language: _Language, *, section: str, exact: bool, fold: bool
) -> tuple[Term, ...]:
    if _MORE.search(source) is None and (found := WORD.findall(source)):
        words = tuple([_slot((word,), (), 0, False) for word in found])
        return (Term(words, text, where, section, exact, fold),)
    items, end = _parse(source, list(_TOKEN.finditer(source)), 0, language, depth=0)
    if end != -1:
        raise EntryError(
            "AG122", f'"{text}" closes a bracket that it never opened', "write ( before the alternatives"
        )
    lines = [_words(slots, text) for slots in _write_out(items, text)]
    if not lines:
        raise EntryError("AG126", f'"{text}" holds no word', "write at least one word")
    if exact and any(word.ends or word.phrases or CLASS.search(source) for line in lines for word in line):
        raise EntryError(
            "AG122",
            f'"{text}" asks for a letter case, but classes and endings have none',
            "leave out the =, or write the words out",
        )
    return tuple(
        Term(words, text, where, section, exact, fold)
        for words in (dict.fromkeys(lines) if len(lines) > 1 else lines)
    )


# ------------------------------------------------------------------ reading


def _parse(
    source: str, tokens: list[re.Match[str]], start: int, language: _Language, *, depth: int
) -> tuple[list[_Item], int]:
    """The items from token `start` on; at depth 0 to the end, else one bracket's group and the token after it."""
    alternatives: list[list[_Item]] = [[]]
    index = start
    while index < len(tokens):
        token = tokens[index]
        index += 1
        kind = token.lastgroup
        if kind == "word":
            _put(alternatives[-1], [_Piece((token["word"],))])
        elif kind == "class":
            alternatives[-1].append(class_of(token["class"], language.classes))
        elif kind == "free":
            alternatives[-1].append(_FREE)
        elif kind == "sep":
            alternatives[-1].append(_SEPARATOR)
        elif kind == "flat":
            alternatives[-1].append(_Flat(tuple(token["flat"][1:-1].split("|"))))
        elif kind == "paradigm":
            _put(
                alternatives[-1],
                _inflected([_Piece((token["word"],))], token["paradigm"], language.paradigms),
            )
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
            group, index = _parse(source, tokens, index, language, depth=depth + 1)
            alternatives[-1] += group
        elif token["sign"] == "|":
            if depth == 0:
                raise EntryError("AG122", f'"{source}" has | outside brackets', "write (this|that)")
            alternatives.append([])
        else:
            if depth == 0:
                return [], index
            if token["group_paradigm"]:
                name = token["group_paradigm"]
                alternatives = [_inflected(one, name, language.paradigms) for one in alternatives]
            return [_Group(tuple(tuple(one) for one in alternatives))], index
    if depth:
        raise EntryError(
            "AG122", f'"{source}" opens a bracket and never closes it', "write ) after the alternatives"
        )
    return alternatives[0], -1


def _put(items: list[_Item], pieces: list[_Item]) -> None:
    """Add the pieces; a star right before them makes an ending of the first."""
    if items and items[-1] is _FREE and isinstance(first := pieces[0], _Piece):
        items[-1:] = [first._replace(end=True), *pieces[1:]]
    else:
        items += pieces


def class_of(name: str, classes: Classes) -> Word:
    """The words of a class as one slot; raises EntryError where there are none."""
    if name not in classes:
        from aigov_eval.documents.issues import did_you_mean

        raise EntryError(
            "AG134",
            f'unknown class "<{name}>"',
            did_you_mean(name, classes, otherwise="write detectors/languages/<lang>/classes.txt"),
        )
    word = classes[name]
    if word is None:
        raise EntryError(
            "AG135",
            f'the class "<{name}>" has no words in this language',
            "write detectors/languages/<lang>/classes.txt for the language of this entry",
        )
    return word


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
    forms = (inflect(form, ending) for form in last.forms for ending in _endings(paradigms[name], form, name))
    return [*items[:-1], _Piece(tuple(dict.fromkeys(forms)), end=last.end)]


def _endings(paradigm: Sequence[str] | Mapping[str, Sequence[str]], word: str, name: str) -> Sequence[str]:
    """The endings that a paradigm has for a word: those given for the longest end that the word has."""
    if not isinstance(paradigm, Mapping):
        return paradigm
    fitting = [end for end in paradigm if word.endswith(fold_light(end))]
    if not fitting:
        raise EntryError(
            "AG136",
            f'the paradigm "{name}" has no endings for a word such as "{word}"',
            "add the word's end to the paradigm, or use another paradigm",
        )
    return paradigm[max(fitting, key=len)]


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
        if isinstance(item, _Piece | Word):
            joined = item if isinstance(item, _Piece) else _class_item(items, index, item, text)
            for line in lines:
                line.append(joined)
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


def _class_item(items: Sequence[_Item], index: int, word: Word, text: str) -> _Piece | Word:
    """A class as a slot of its own or, where it is joined to letters, as the beginning or end of a word."""
    if _apart(items, index - 1) and _apart(items, index + 1):
        return word
    if word.stems or word.ends or word.phrases:
        raise EntryError(
            "AG122",
            f'"{text}" joins letters to a class that holds more than plain words',
            "put a space beside the class, or use a class of plain words",
        )
    return _Piece(tuple(sorted(word.forms)))


def _choices(items: Sequence[_Item], index: int, item: _Group | _Flat) -> list[list[_Piece | Word]]:
    if not (_apart(items, index - 1) and _apart(items, index + 1)):
        joined = list(_alternatives(item))
        if all(len(one) == 1 and _is_plain(one[0]) for one in joined):
            return [[_Piece(tuple(form for one in joined for form in one[0].forms))]]
        return joined
    slot, rest, optional = _sorted_out(item)
    after_gap = optional and _after_gap(items, index)
    choices = rest
    if slot is not None:
        # an optional slot right after a gap would leave the gap without its word
        if optional and not after_gap:
            slot = replace(slot, optional=True)
        choices = [[slot], *rest]
        optional = optional and after_gap
    return [*choices, []] if optional else choices


def _is_plain(item: _Piece | Word) -> bool:
    return isinstance(item, _Piece) and bool(item.forms) and not (item.stem or item.end)


def _sorted_out(group: _Group | _Flat) -> tuple[Word | None, list[list[_Piece | Word]], bool]:
    """The alternatives of a bracket: a slot of all that are one word, the others, and whether one is empty."""
    if isinstance(group, _Flat):
        stems = tuple([word[:-1] for word in group.words if word.endswith("*")])
        forms = tuple([word for word in group.words if word and not word.endswith("*")])
        return (_slot(forms, _stems(stems), 0, False) if forms or stems else None), [], "" in group.words
    words: list[Word] = []
    rest: list[list[_Piece | Word]] = []
    optional = False
    for one in _alternatives(group):
        told = [item for item in one if item != _SEPARATOR]
        if not one:
            optional = True
        elif not told:
            continue  # an alternative of signs alone matches nothing; lint tells it
        elif len(told) == 1 and not (isinstance(told[0], _Piece) and told[0].gap >= 0):
            words.append(told[0] if isinstance(told[0], Word) else _closed(told[0], 0))
        else:
            rest.append(one)
    return (joined_slot(words) if words else None), rest, optional


def joined_slot(words: Sequence[Word]) -> Word:
    """One slot for the words of several."""
    if len(words) == 1:
        return words[0]
    return Word(
        frozenset().union(*(word.forms for word in words)),
        tuple(dict.fromkeys(stem for word in words for stem in word.stems)),
        ends=tuple(dict.fromkeys(end for word in words for end in word.ends)),
        phrases=tuple(dict.fromkeys(phrase for word in words for phrase in word.phrases)),
    )


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


def _alternatives(group: _Group | _Flat) -> Iterator[list[_Piece | Word]]:
    if isinstance(group, _Flat):
        for word in group.words:
            yield [_Piece((word.rstrip("*"),), stem=word.endswith("*"))] if word else []
        return
    for alternative in group.alternatives:
        lines: list[list[_Piece | Word]] = [[]]
        for item in alternative:
            more = [[item]] if isinstance(item, _Piece | Word) else list(_alternatives(item))
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
    before: _Piece | Word = _SEPARATOR
    for piece in (*line, _SEPARATOR):
        if _touch(before, piece):
            raise EntryError(
                "AG122", f'"{text}" joins letters to a class inside brackets', "put a space beside the class"
            )
        before = piece
        if isinstance(piece, _Piece) and piece.forms:
            open_word = piece if open_word is None else _joined(open_word, piece, text)
            continue
        if open_word is not None:
            words.append(_closed(open_word, gap))
            open_word, gap = None, 0
        if isinstance(piece, Word):
            words.append(replace(piece, gap=gap) if gap else piece)
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


def _touch(one: _Piece | Word, other: _Piece | Word) -> bool:
    """Is that a part of a word right beside a slot?"""
    parts = [item for item in (one, other) if isinstance(item, _Piece)]
    return len(parts) == 1 and bool(parts[0].forms)


def _joined(head: _Piece, tail: _Piece, text: str) -> _Piece:
    """Two pieces of a word that touch."""
    if head.stem:
        raise EntryError("AG122", f'"{text}" has letters after a star', "a star ends its word")
    if tail.end:
        raise EntryError("AG122", f'"{text}" has letters before a star', "a star begins or ends its word")
    if len(head.forms) * len(tail.forms) > MAX_FORMS:
        raise EntryError(
            "AG124",
            f'"{text}" puts together a word of more than {MAX_FORMS} forms',
            "split it into several lines",
        )
    both = tuple([first + second for first in head.forms for second in tail.forms])
    return _Piece(both, tail.stem, end=head.end)


def _closed(piece: _Piece, gap: int) -> Word:
    """The slot of a word that has ended."""
    if piece.end and piece.stem:
        raise EntryError(
            "AG122", f'"*{piece.forms[0]}*" has a star on both sides', "a star begins or ends its word"
        )
    if piece.end:
        return Word(gap=gap, ends=_ends(piece.forms))
    return _slot(() if piece.stem else piece.forms, _stems(piece.forms) if piece.stem else (), gap, False)


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


def _ends(ends: Sequence[str]) -> tuple[str, ...]:
    for end in ends:
        if len(end) < MIN_END:
            raise EntryError(
                "AG137",
                f'the ending "*{end}" is too short',
                f"at least {MIN_END} letters after the star; or list the words",
            )
    return tuple(dict.fromkeys(ends))

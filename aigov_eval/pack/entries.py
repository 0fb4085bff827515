"""
The form in which word lists, cues and frames are written, one entry at a time.

Comes in: an entry such as `(can't|cannot) share ... his`, and the paradigms and classes of its language.
Goes out: its compiled `Term`s. Each alternative of one word becomes a form of one word slot, and so does
a class with all its words; alternatives of several words, and those that may be empty where they are joined
to a word (`patient(s|)`), are written out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from aigov_eval.model import Location, Term, Word
from aigov_eval.pack.entry_items import CLASS, SEPARATOR, Classes, Flat, Group, Item, Language, Piece
from aigov_eval.pack.entry_signs import items_of
from aigov_eval.pack.entry_words import closed, joined_slot, slot, stems_of, words_of
from aigov_eval.pack.inflecting import EntryError, Paradigms
from aigov_eval.text.views import WORD, fold_light

MAX_EXPANSIONS = 400

# what makes an entry more than words with signs between them
_MORE = re.compile(r"[()|*~…<]|\.\.")
_NO_CLASSES: Classes = {}


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
        language = Language(paradigms, classes)
        return _compiled(source, text, where, language, section=section, exact=exact, fold=fold)
    except EntryError as error:
        # the place shows the whole entry; the sentence stays a sentence
        raise EntryError(
            error.code, error.text.replace(text, _short(text)).replace(source, _short(source)), error.help
        ) from None


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:56]} ..."


def _compiled(
    source: str, text: str, where: Location, language: Language, *, section: str, exact: bool, fold: bool
) -> tuple[Term, ...]:
    if _MORE.search(source) is None and (found := WORD.findall(source)):
        words = tuple([slot((word,), (), 0, False) for word in found])
        return (Term(words, text, where, section, exact, fold),)
    lines = [words_of(slots, text) for slots in _write_out(items_of(source, text, language), text)]
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


def _write_out(items: Sequence[Item], text: str) -> list[list[Piece | Word]]:
    """Every sequence of pieces and word slots that the items stand for."""
    lines: list[list[Piece | Word]] = [[]]
    for index, item in enumerate(items):
        if isinstance(item, Piece | Word):
            joined = item if isinstance(item, Piece) else _class_item(items, index, item, text)
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


def _class_item(items: Sequence[Item], index: int, word: Word, text: str) -> Piece | Word:
    """A class as a slot of its own or, where it is joined to letters, as the beginning or end of a word."""
    if _apart(items, index - 1) and _apart(items, index + 1):
        return word
    if word.stems or word.ends or word.phrases:
        raise EntryError(
            "AG122",
            f'"{text}" joins letters to a class that holds more than plain words',
            "put a space beside the class, or use a class of plain words",
        )
    return Piece(tuple(sorted(word.forms)))


def _choices(items: Sequence[Item], index: int, item: Group | Flat) -> list[list[Piece | Word]]:
    if not (_apart(items, index - 1) and _apart(items, index + 1)):
        joined = list(_alternatives(item))
        if all(len(one) == 1 and _is_plain(one[0]) for one in joined):
            return [[Piece(tuple(form for one in joined for form in one[0].forms))]]
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


def _is_plain(item: Piece | Word) -> bool:
    return isinstance(item, Piece) and bool(item.forms) and not (item.stem or item.end)


def _sorted_out(group: Group | Flat) -> tuple[Word | None, list[list[Piece | Word]], bool]:
    """The alternatives of a bracket: a slot of all that are one word, the others, and whether one is empty."""
    if isinstance(group, Flat):
        stems = tuple([word[:-1] for word in group.words if word.endswith("*")])
        forms = tuple([word for word in group.words if word and not word.endswith("*")])
        return (slot(forms, stems_of(stems), 0, False) if forms or stems else None), [], "" in group.words
    words: list[Word] = []
    rest: list[list[Piece | Word]] = []
    optional = False
    for one in _alternatives(group):
        told = [item for item in one if item != SEPARATOR]
        if not one:
            optional = True
        elif not told:
            continue  # an alternative of signs alone matches nothing; lint tells it
        elif len(told) == 1 and not (isinstance(told[0], Piece) and told[0].gap >= 0):
            words.append(told[0] if isinstance(told[0], Word) else closed(told[0], 0))
        else:
            rest.append(one)
    return (joined_slot(words) if words else None), rest, optional


def _apart(items: Sequence[Item], index: int) -> bool:
    """Is there an end of the entry, a separator or a gap at that index?"""
    if not 0 <= index < len(items):
        return True
    item = items[index]
    return isinstance(item, Piece) and not item.forms


def _after_gap(items: Sequence[Item], index: int) -> bool:
    """Does a gap lead to that index, with nothing but separators between?"""
    for item in reversed(items[:index]):
        if item != SEPARATOR:
            return isinstance(item, Piece) and item.gap >= 0
    return False


def _alternatives(group: Group | Flat) -> Iterator[list[Piece | Word]]:
    if isinstance(group, Flat):
        for word in group.words:
            yield [Piece((word.rstrip("*"),), stem=word.endswith("*"))] if word else []
        return
    for alternative in group.alternatives:
        lines: list[list[Piece | Word]] = [[]]
        for item in alternative:
            more = [[item]] if isinstance(item, Piece | Word) else list(_alternatives(item))
            lines = [[*line, *one] for line in lines for one in more]
            if len(lines) > MAX_EXPANSIONS:
                break
        yield from lines

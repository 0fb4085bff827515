"""
Which controls a word can touch: a word counts only where its letters stand.

Comes in: the texts of a control, and entries of word lists. Goes out: the letters of the texts in every view that
the engine reads, and a test of them. It says "can" too often and never too seldom: a word is looked for in the
letters alone, without the spaces between words and without marks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from aigov_eval.controls.inventory import Control
from aigov_eval.detect.index import Index
from aigov_eval.detect.obfuscation import asked_by, derived_views
from aigov_eval.detect.words import spelled_out
from aigov_eval.model import Term, Word
from aigov_eval.text.views import fold, plain_view

# stands between the texts of a control, and in front of those of one with several turns: what is told in pieces is
# put together from them
_BREAK, _SEVERAL = "\n", "\t"
# all that is known of a control with escapes (\u00e9), which the engine may read as other letters
_ANY = "\\"


def letters_of(control: Control, index: Index) -> str:
    """The letters and figures of a control's texts, one line a text and view."""
    example, scenario = control.example, control.scenario
    texts = [text for _, text in example.turns]
    found = [*texts, example.subject]
    if scenario is not None:
        found += [*scenario.aliases, *scenario.identifiers.values()]
        found += [value for values in scenario.facts.values() for value in values]
    if any(_ANY in text for text in found):
        return _ANY
    for text in texts:
        reading = index.read(text)
        fired = index.gate.fired(reading.plain)
        asked = asked_by(reading, index.spoken, index.asks, fired)
        if asked:
            found += [view.text for _, view in derived_views(reading, index.spoken, asked)]
    return (_SEVERAL if len(texts) > 1 else "") + _BREAK.join(map(_letters, found))


def touching(terms: Iterable[Term], spelled: Mapping[str, str]) -> Callable[[str], bool]:
    """Whether one of these entries can stand in texts, given their letters; `spelled` is what is typed for a letter."""
    typed = str.maketrans(dict(spelled))
    needed = ([_alternatives(spelled_out(slot, typed)) for slot in slots] for slots in _needed(terms))
    ways = [(re.compile(_in_order(slots)), [re.compile(slot) for slot in slots]) for slots in needed]

    def can(letters: str) -> bool:
        if letters.startswith((_SEVERAL, _ANY)):
            return letters == _ANY or any(all(one.search(letters) for one in apart) for _, apart in ways)
        return any(in_order.search(letters) for in_order, _ in ways)

    return can


def _needed(terms: Iterable[Term]) -> Iterable[tuple[Word, ...]]:
    """The slots of each entry without those that may be absent, each way once."""
    return dict.fromkeys(
        tuple(word for word in term.words if not word.optional) or term.words for term in terms
    )


def _in_order(slots: Iterable[str]) -> str:
    """A pattern of slots one after the other, with anything between them."""
    return f"[^{_BREAK}]*?".join(slots)


def _alternatives(slot: Word) -> str:
    """A pattern of the letters of a slot's words."""
    words = {re.escape(_letters(word)) for word in (*slot.forms, *slot.stems, *slot.ends)}
    phrases = {_in_order(_alternatives(one) for one in phrase) for phrase in _phrases(slot)}
    return "(?:" + "|".join(sorted(words | phrases)) + ")"


def _phrases(slot: Word) -> Iterable[tuple[Word, ...]]:
    """The phrases of a slot without the words that may be absent."""
    return [tuple(word for word in phrase if not word.optional) or phrase for phrase in slot.phrases]


def _letters(text: str) -> str:
    """The letters and figures of a text in small letters, without marks."""
    return "".join(filter(str.isalnum, fold(plain_view(text).text.casefold())))

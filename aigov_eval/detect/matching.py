"""
An entry in place: whether its words stand, one after the other, from a word of a text on.

Comes in: the slots of an entry, the words of a text with their places. Goes out: the number of the last word. The same is
done in C (`_words.c`) where that is compiled.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence

from msgspec import Struct

from aigov_eval.model import Word

# between words of an entry: spaces, hyphens, apostrophes, full stops; a line may wrap
_BETWEEN = re.compile(r"[ \t\-'.’/&\"*_]{1,4}|[ \t]{0,3}\n[ \t]{0,3}")
_WHOLE_WORD = 4  # letters of a word that is hardly short for another
# before a free word a comma or bracket may stand as well
_BETWEEN_FREE = re.compile(r"[ \t\-'’/&\",()*_:]{1,4}|\.[ ]?|[ \t]{0,3}\n[ \t]{0,3}")


class Tokens(Struct, frozen=True):
    """The words of a light text in order: spellings, folded spellings, spans."""

    words: Sequence[str]
    folded: Sequence[str]
    starts: Sequence[int]
    ends: Sequence[int]


def tokens_of(light: str, words: Sequence[str], folded: Sequence[str]) -> Tokens:
    """The words of a light text, and the same without marks, with their places."""
    starts, ends, at = array("I"), array("I"), 0
    find = light.find
    for word in words:
        # the first letter or figure from here on is the word's own
        at = find(word, at)
        starts.append(at)
        at += len(word)
        ends.append(at)
    return Tokens(words, folded, starts, ends)


def _match(slots: tuple[Word, ...], slot: int, at: int, tokens: Tokens, plain: str, *, fold_too: bool) -> int:
    """The number of the last word when slots from `slot` on match after word `at`, else -1; longest way wins."""
    if slot == len(slots):
        return at
    word = slots[slot]
    best = -1
    if word.optional:
        best = _match(slots, slot + 1, at, tokens, plain, fold_too=fold_too)
    here = at
    for free in range(word.gap + 1):
        if here + 1 >= len(tokens.words):
            break
        between = _BETWEEN_FREE if word.gap else _BETWEEN
        if not between.fullmatch(plain, tokens.ends[here], tokens.starts[here + 1]):
            break
        if _ends_sentence(tokens, plain, here):
            break
        here += 1
        last = begun(slots, slot, here, tokens, plain, fold_too=fold_too)
        if last >= 0:
            return max(best, last)
        if free == word.gap:
            break
    return best


def begun(
    slots: tuple[Word, ...], slot: int, here: int, tokens: Tokens, plain: str, *, fold_too: bool
) -> int:
    """The number of the last word when slots from `slot` on match with word `here` as the first, else -1."""
    word = slots[slot]
    last = -1
    if fits(word, tokens.words[here], tokens.folded[here], fold_too):
        last = _match(slots, slot + 1, here, tokens, plain, fold_too=fold_too)
    for phrase in word.phrases:
        rest = (*phrase, *slots[slot + 1 :])
        last = max(last, begun(rest, 0, here, tokens, plain, fold_too=fold_too))
    return last


def _ends_sentence(tokens: Tokens, plain: str, at: int) -> bool:
    """Whether a full stop after a word, and a capital after that, part two sentences; after few letters it may stand for the rest of the word."""
    end = tokens.ends[at]
    return (
        plain[end] == "."
        and end - tokens.starts[at] >= _WHOLE_WORD
        and plain[tokens.starts[at + 1]].isupper()
    )


_LIGATURES = re.compile("[œæßøł]")


def fits(slot: Word, word: str, folded: str, fold_too: bool) -> bool:
    if word in slot.forms or word.startswith(slot.stems) or word.endswith(slot.ends):
        return True
    # a word typed with marks says which it means: arrête is not arrêté, más is not MAS
    if not fold_too or not (word.isascii() or _LIGATURES.search(word)):
        return False
    return folded in slot.forms or folded.startswith(slot.stems) or folded.endswith(slot.ends)

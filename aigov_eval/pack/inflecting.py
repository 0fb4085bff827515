"""
How a word of an entry is inflected, and the error of an entry that cannot be read.

Comes in: a word and the paradigms of its language. Goes out: its forms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from aigov_eval.text.views import fold_light

# endings by the name of the paradigm; a paradigm may give them by how the word ends
Paradigms = Mapping[str, "Sequence[str] | Mapping[str, Sequence[str]]"]


class EntryError(Exception):
    """An entry that cannot be read: a code, one sentence, and how to mend it."""

    def __init__(self, code: str, text: str, help: str = "") -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.help = help


def forms_of(word: str, name: str, paradigms: Paradigms) -> Iterator[str]:
    """The word with each ending of a paradigm that is there; raises EntryError where it has none for such a word."""
    return (inflect(word, ending) for ending in _endings(paradigms[name], word, name))


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

"""
Whether a text is in a language for which there are no word lists.

Comes in: texts of a conversation, and what the pack knows of languages. Goes out: the name of
what is spoken instead, or nothing. A sample is looked at: what begins and ends in a language is in it. Names, codes
and records keep to no language, so that only sentences count.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from aigov_eval.lazily import lazily

_SAMPLE = 160  # characters of a text
_TEXTS = 2  # from the beginning, and as many from the end
_LEAST = 3  # words that must speak for another language
_PROSE = 25  # words in small letters of which some must be common ones, whatever the language

_WORD = re.compile(r"[^\W\d_]+")
# the same for ASCII, in a third of the time: all that is no letter becomes a space
_LETTERS = {code: " " for code in range(128) if not chr(code).isalpha()}


class Languages(Struct, frozen=True, dict=True):
    """The common words of each language that is covered, those of others by their names, and letters that only others write."""

    common: Mapping[str, frozenset[str]]
    others: Mapping[str, frozenset[str]]
    letters: frozenset[str]

    @lazily
    def foreign(self) -> frozenset[str]:
        """The words of all others together."""
        return frozenset().union(*self.others.values())


def uncovered_language(texts: Sequence[str], languages: Languages) -> str:
    """What is spoken in a conversation where it is none of the languages that are covered; empty where it is, or nothing tells."""
    if not languages.common:
        return ""  # a pack that has no common words tells no language from another
    sample = "\n".join(_sampled(texts))
    if sample.isascii():
        words = sample.translate(_LETTERS).split()
        said = set(sample.lower().translate(_LETTERS).split())
        small = said.intersection(words)
    else:
        words = _WORD.findall(sample)
        small = {word for word in words if word.islower()}
        said = small | {word.lower() for word in words}
    covered = max([len(said & own) for own in languages.common.values()])
    known = covered >= max(_LEAST, len(small) // 4)
    script = "" if known else _script(words)
    if script:
        return "" if covered >= _LEAST else script
    if not said.isdisjoint(languages.foreign):
        unknown = {word for word in small if not languages.letters.isdisjoint(word)}
        told = {name: len((own & said) | unknown) for name, own in languages.others.items() if own & said}
        name = max(told, key=lambda one: told[one])
        # near kin share words: "hun" and "er" are Dutch and Danish
        if told[name] >= (2 * covered if known else max(_LEAST, covered + 1)):
            return name
    return "a language that is not known" if not known and len(small) >= _PROSE and covered == 0 else ""


def uncovered_in(answers: Sequence[str], others: Sequence[str], languages: Languages) -> str:
    """
    The language of a conversation, or of any answer in it, where it is not covered; else empty.

    `answers` are the assistant's texts, `others` those of the user: what is judged stands in the answers.
    """
    ends = (end for text in answers for end in dict.fromkeys((text[:_SAMPLE], text[-_SAMPLE:])))
    found = (
        uncovered_language(texts, languages) for texts in ([*answers, *others], *([end] for end in ends))
    )
    return next(filter(None, found), "")


def _sampled(texts: Sequence[str]) -> Iterable[str]:
    chosen = texts if len(texts) <= 2 * _TEXTS else (*texts[:_TEXTS], *texts[-_TEXTS:])
    return (text[:_SAMPLE] for text in chosen)


def _script(words: Sequence[str]) -> str:
    """The script of most letters where it is not the Latin one; a word in Chinese is as long as its sentence."""
    letters = "".join(words)
    if not letters or letters.isascii():
        return ""
    scripts = Counter("LATIN" if c <= "\u024f" else unicodedata.name(c, "?").split()[0] for c in letters)
    most, count = scripts.most_common(1)[0]
    if most == "LATIN" or count < 4:
        return ""
    return {
        "CJK": "Chinese or Japanese",
        "HIRAGANA": "Japanese",
        "KATAKANA": "Japanese",
        "HANGUL": "Korean",
    }.get(most, f"{most.title()} script")

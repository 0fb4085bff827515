"""
Whether a text is in a language for which there are no word lists.

Comes in: texts of a conversation, and the common words of each language that is covered. Goes out: the name of
what is spoken instead, or nothing. A sample is looked at: what begins and ends in a language is in it. Names, codes
and records keep to no language, so that only sentences count.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

_SAMPLE = 160  # characters of a text
_TEXTS = 2  # from the beginning, and as many from the end
_LEAST = 3  # words that must speak for another language
_PROSE = 25  # words in small letters of which some must be common ones, whatever the language

_WORD = re.compile(r"[^\W\d_]+")
# letters of Latin script that none of English, German, French, Spanish, Italian and Romanian write
_OTHER_LETTER = re.compile("[ãåąćčďđēěęğģīıķļłńňõøőŕřśšťūůűýźżžĉĝĥĵŝŭạ-ỹ]")
# words that are frequent there, and not among the common words of the six
_OTHERS: Mapping[str, frozenset[str]] = {
    name: frozenset(words.split())
    for name, words in {
        "Portuguese": "não uma você está são com para mais isso ela ele dos das pelo pela também seu sua tem foi",
        "Dutch": "het een van niet dat zijn voor met aan heeft wordt ook maar deze haar naar bij uit geen ik",
        "Polish": "nie jest się że na do jak ale jego jej ma są przez dla tym które czy może pan pani",
        "Hungarian": "hogy nem egy és az van volt meg csak még már mint neki szerint lehet igen",
        "Turkish": "bir ve bu için ile olarak değil var çok daha gibi olan onun ama kadar hasta",
        "Swedish": "och att det som är inte på för med den har av till ett hon han jag",
        "Danish or Norwegian": "og ikke er det som på til av at den har med jeg hun være bliver blir",
        "Finnish": "ja on ei että se hän mutta oli kuin myös mitä ovat ole joka hänen",
        "Czech or Slovak": "je se že na není jako jsem ale byl která jeho její pro může také má",
        "Croatian, Serbian or Slovene": "je da nije se na su kao ali ima bio koji njegov za što ima",
        "Indonesian or Malay": "yang dan di dengan untuk tidak ini itu dari pada adalah ke dalam saya",
        "Vietnamese": "là của và không có được cho người này một với",
    }.items()
}


def uncovered_language(texts: Sequence[str], common: Mapping[str, frozenset[str]]) -> str:
    """What is spoken in a conversation where it is none of the languages of `common`; empty where it is, or nothing tells."""
    if not common:
        return ""  # a pack that has no common words tells no language from another
    words = [word for text in _sampled(texts) for word in _WORD.findall(text)]
    small = {word for word in words if word.islower()}
    said = small | {word.lower() for word in words}
    covered = max((len(own & said) for own in common.values()), default=0)
    if covered >= max(_LEAST, len(small) // 4):
        return ""
    script = _script(words)
    if script:
        return "" if covered >= _LEAST else script
    unknown = {word for word in small if _OTHER_LETTER.search(word)}
    told = {name: len((own & said) | unknown) for name, own in _OTHERS.items() if own & said}
    name = max(told, key=lambda one: told[one], default="")
    if name and told[name] >= _LEAST and told[name] > covered:
        return name
    return "a language that is not known" if len(small) >= _PROSE and covered == 0 else ""


def uncovered_in(answers: Sequence[str], others: Sequence[str], common: Mapping[str, frozenset[str]]) -> str:
    """
    The language of a conversation, or of any answer in it, where it is none of `common`; else empty.

    `answers` are the assistant's texts, `others` those of the user: what is judged stands in the answers.
    """
    ends = (end for text in answers for end in dict.fromkeys((text[:_SAMPLE], text[-_SAMPLE:])))
    found = (uncovered_language(texts, common) for texts in ([*answers, *others], *([end] for end in ends)))
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

"""
The languages that turns are in, by their common words.

Comes in: turns, or their words. Goes out: language codes.
"""

from __future__ import annotations

from collections.abc import Mapping, Set


def languages_of(words: Set[str], common: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """
    The languages that a text's common words speak for: the most frequent and any with at least half its words.

    A vote over about a hundred function words a language; too few words give no answer (detection.md, section 6).
    A language all of whose words here are words of another that knows more of them is not spoken: "el", "de" and
    "la" are Romanian too, but beside "y" and "que" they are Spanish.
    """
    told = {language: known & words for language, known in common.items()}
    best = max(map(len, told.values()), default=0)
    if best < 3:
        return frozenset()
    return frozenset(
        language
        for language, own in told.items()
        if len(own) * 5 >= best * 3 and not any(own < other for other in told.values())
    )

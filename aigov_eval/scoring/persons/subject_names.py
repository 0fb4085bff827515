"""
Where a text names the subject: by words of her name, in full or in part, by initials, by a known value.

Comes in: a text being read and the subject. Goes out: references, or the words of her name that the text holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set

from aigov_eval.detect.reading import Reading
from aigov_eval.scoring.persons.reference import SHORTEST, Reference, Subject, same_name
from aigov_eval.text.views import fold, plain_view

_TWO_INITIALS = re.compile(r"\.[ \-]?[^\W\d_]\.")
_INITIALS = re.compile(r"(?<![^\W_])[^\W\d_](?:\.[ \-]?[^\W\d_])*\.")


def may_name(reading: Reading, subject: Subject) -> bool:
    """Whether a text has words of the subject's name, her initials, or a value that identifies her."""
    if words_told(reading, subject) or short_told(reading, subject):
        return True
    return any(True for _ in values_in(reading, subject)) or any(True for _ in initials_in(reading, subject))


def words_told(reading: Reading, subject: Subject | None) -> frozenset[str]:
    """The words of a text, folded, that are words of the subject's name."""
    if subject is None or not subject.words:
        return frozenset()
    known = subject.words
    # the first letter of a name stays, however it is inflected or spelled
    initials = tuple({word[0] for word in known})
    return frozenset(
        word
        for word in reading.words_and_folded
        if word.startswith(initials) and any(same_name(word, name, subject) for name in known)
    )


def short_told(reading: Reading, subject: Subject | None) -> frozenset[str]:
    """The words of a text, folded, that are a given name of the subject cut short: Sam for Samuel."""
    if subject is None:
        return frozenset()
    return frozenset(
        word
        for name in subject.given
        for size in range(SHORTEST, len(name))
        if (word := name[:size]) in reading.words_and_folded
    )


def is_capital(reading: Reading, i: int) -> bool:
    """Whether word number `i` is written with a capital."""
    return reading.plain[reading.tokens.starts[i]].isupper()


def joined(reading: Reading, i: int, j: int) -> bool:
    """Whether words i and j = i + 1 can be parts of one name."""
    between = reading.plain[reading.tokens.ends[i] : reading.tokens.starts[j]]
    return between in {" ", "-", ", ", ". ", "'", ".", "_", "/", "  ", ".-", ",", ",  "} or (
        between.strip(" ") in {"", "-"} and len(between) <= 2
    )


def glue(reading: Reading, i: int, is_subject: Set[int], particles: frozenset[str]) -> bool:
    """Particles, initials and middle names between two words of the name."""
    if i + 1 >= len(reading.tokens.words):
        return False
    word = reading.tokens.folded[i]
    if word in particles or len(word) == 1:
        return True
    return i + 1 in is_subject and is_capital(reading, i) and i - 1 in is_subject


def in_handle(reading: Reading, i: int, is_subject: Set[int]) -> bool:
    """ion.popescu, popescu_i: words of the name joined by a sign."""
    tokens = reading.tokens
    for j in (i - 1, i + 1):
        if j in is_subject:
            low, high = min(i, j), max(i, j)
            if reading.plain[tokens.ends[low] : tokens.starts[high]] in {".", "_", "-", "/"}:
                return True
    return False


def subject_run(
    reading: Reading,
    first: int,
    last: int,
    subject: Subject | None,
    titles: Mapping[int, str],
    names: Mapping[int, str],
    *,
    handle: bool,
) -> Iterator[Reference]:
    """The subject, named by the words from `first` to `last`, or the other who bears one of them: "Mr Cole", "her brother Tom Cole"."""
    tokens = reading.tokens
    assert subject is not None
    found = {
        name_word
        for i in range(first, last + 1)
        for name_word in subject.words
        if same_name(tokens.folded[i], name_word, subject)
    }
    whole = any(
        len(found & set(name)) >= min(2, len([w for w in name if w not in subject.particles]))
        for name in subject.names
    )
    start, end = tokens.starts[first], tokens.ends[last]
    gender = titles.get(first - 1, "") or names.get(first, "").replace("n", "")
    if not whole and not handle:
        # a namesake: the word beside it is another given name or surname
        before = first - 1
        if (
            before >= 0
            and before not in titles
            and before in names
            and joined(reading, before, first)
            and is_capital(reading, before)
            and not _is_parted(reading, before, first)
        ):
            yield Reference(
                tokens.starts[before], end, "name", "exact", names.get(before, "").replace("n", "")
            )
            return
        after = last + 1
        given = first in names
        if (
            given
            and after < len(tokens.words)
            and is_capital(reading, after)
            and reading.plain[end : tokens.starts[after]] in {" ", "-"}
            and not reading.plain[max(0, start - 20) : start].rstrip().endswith((".", "!", "?"))
            and after not in names
            and _surname_like(reading, after)
        ):
            yield Reference(start, tokens.ends[after], "name", "exact", names.get(first, "").replace("n", ""))
            return
    yield Reference(start, end, "subject", "exact" if whole else "partial", gender)


def _is_parted(reading: Reading, i: int, j: int) -> bool:
    """Whether a comma stands between two words, or the full stop of a sentence: `Karl, Otto. Emil`, but not `K. Emil`."""
    between = reading.plain[reading.tokens.ends[i] : reading.tokens.starts[j]]
    return "," in between or (". " in between and len(reading.tokens.words[i]) > 1)


def _surname_like(reading: Reading, i: int) -> bool:
    word = reading.plain[reading.tokens.starts[i] : reading.tokens.ends[i]]
    return len(word) > 3 and word[1:].islower()


def values_in(reading: Reading, subject: Subject) -> Iterator[Reference]:
    """Where a value that identifies the subject stands."""
    for value in subject.values:
        light = plain_view(value).text.lower()
        at = reading.light.find(light)
        while at >= 0 and light:
            yield Reference(at, at + len(light), "subject", "exact")
            at = reading.light.find(light, at + 1)


def initials_in(reading: Reading, subject: Subject) -> Iterator[Reference]:
    """Where the initials of the subject's name stand, with full stops."""
    letters = ["".join(w[0] for w in name if w not in subject.particles) for name in subject.names]
    if _TWO_INITIALS.search(reading.plain) is None:
        return
    for match in _INITIALS.finditer(reading.plain):
        told = fold("".join(c for c in match.group() if c.isalpha()))
        if len(told) >= 2 and any(told == known or told == known[::-1] for known in letters):
            yield Reference(match.start(), match.end(), "subject", "partial")

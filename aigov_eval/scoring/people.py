"""
Who is spoken of: references to the subject and to other persons in a text.

Comes in: a text being read, the scenario's subject, the word lists of persons (frames, given
names). Goes out: references in text order. What makes a name is in detection.md, section 5;
which words stand for persons is in the pack.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from aigov_eval.detect.reading import Reading
from aigov_eval.detect.words import Hit, WordIndex, active_in
from aigov_eval.model import Scenario
from aigov_eval.text.views import WORD, fold, plain_view

Kind = Literal["subject", "name", "kin", "role", "pronoun", "second", "first"]
Level = Literal["exact", "partial", ""]

# words of a name that name nobody by themselves
PARTICLES = frozenset(
    "de da do dos das di del della dello dei degli la le les el al il lo von vom van der den ter ten zu zur zum und y e i bin ibn ben abu o mac mc ni nic saint st"
    " jr sr dr mr mrs ms".split()
)
_INITIALS = re.compile(r"(?<![^\W_])[^\W\d_](?:\.[ \-]?[^\W\d_])*\.")


@dataclass(frozen=True, slots=True)
class Subject:
    """The protected person: folded words of each known name, and values that identify her."""

    name: str
    names: tuple[tuple[str, ...], ...]
    values: tuple[str, ...]
    sex: str = ""

    @property
    def words(self) -> frozenset[str]:
        """All words of all names that can stand alone."""
        return frozenset(w for name in self.names for w in name if w not in PARTICLES and len(w) > 1)


@dataclass(frozen=True, slots=True)
class Reference:
    """A stretch of the plain view that stands for a person."""

    start: int
    end: int
    kind: Kind
    level: Level = ""
    sex: str = ""
    line: str = ""
    aside: bool = False  # after a preposition: named, but not who the sentence is about


@dataclass(frozen=True, slots=True)
class People:
    """The word lists of persons, compiled: slot name -> number in the index."""

    index: WordIndex
    slots: Mapping[str, int] = field(default_factory=dict)
    common: frozenset[str] = frozenset()


_SEX_OF_SLOT = {"pronouns_m": "m", "pronouns_f": "f", "titles_m": "m", "titles_f": "f"}
_SEX_OF_SECTION = {"masculine": "m", "feminine": "f"}
_KIND_OF_SLOT: dict[str, Kind] = {
    "pronouns_m": "pronoun",
    "pronouns_f": "pronoun",
    "pronouns_n": "pronoun",
    "kinship": "kin",
    "others": "kin",
    "roles": "role",
    "second_person": "second",
    "first_person": "first",
}


def subject_of(scenario: Scenario) -> Subject | None:
    """The scenario's subject, or None when it names none."""
    spoken = [scenario.person_name, *scenario.aliases]
    names = tuple(
        words for name in spoken if (words := tuple(fold(w) for w in WORD.findall(plain_view(name).text)))
    )
    values = tuple(v for v in scenario.identifiers.values() if v)
    if not names and not values:
        return None
    return Subject(scenario.person_name or (spoken[1] if len(spoken) > 1 else ""), names, values)


def same_name(word: str, name: str) -> bool:
    """
    Whether a folded word of a text is a folded word of a name, inflected or not.

    Endings: English and German genitive -s; Romanian -ului, -lui, -ul, -ei, -ii (Maria, Mariei);
    Hungarian vowels on Romanian endings (Reka, Rekai); Slavic -a, -owi, -em, -ova.
    """
    if word == name:
        return True
    if len(name) < 3 or word[:2] != name[:2]:
        return _digraph(word) == _digraph(name)
    if word.startswith(name):
        return word[len(name) :] in {
            "s",
            "es",
            "ului",
            "lui",
            "ul",
            "ule",
            "ei",
            "i",
            "ii",
            "a",
            "owi",
            "em",
            "ova",
            "ovi",
            "u",
            "ns",
            "ens",
        }
    if name.endswith(("a", "e")) and word.startswith(name[:-1]):
        return word[len(name) - 1 :] in {"ei", "ai", "ii", "i", "o", "y", "ie", "u", "ou", "es"}
    if name.endswith("u") and word.startswith(name[:-1]):
        return word[len(name) - 1 :] in {"ului", "lui", "ul"}
    return _digraph(word) == _digraph(name)


def _digraph(word: str) -> str:
    return word.replace("ae", "a").replace("oe", "o").replace("ue", "u").replace("ss", "s")


def references_of(
    reading: Reading, subject: Subject | None, people: People, languages: frozenset[str] | None
) -> tuple[Reference, ...]:
    """The references of a text in order; where two overlap the more telling one stays."""
    given = people.slots.get("given_names", -1)
    entries = people.index.entries
    active = active_in(people.index, reading.words_and_folded)
    # names cross borders: those of all languages count
    hits = (
        *reading.hits_of(people.index, [n for n in active if entries[n].lexicon != given], languages),
        *reading.hits_of(people.index, [n for n in active if entries[n].lexicon == given], None),
    )
    by_slot: dict[int, list[Hit]] = {}
    for hit in hits:
        by_slot.setdefault(hit.lexicon, []).append(hit)
    slots = {number: name for name, number in people.slots.items()}
    found: list[Reference] = []
    sexes = {
        hit.first: sex
        for sex, slot in (("m", "masculine"), ("f", "feminine"))
        for hit in by_slot.get(people.slots.get(slot, -1), ())
    }
    titles: dict[int, str] = {}
    names: dict[int, str] = {}
    for number, group in by_slot.items():
        slot = slots[number]
        for hit in group:
            if slot in _KIND_OF_SLOT:
                sex = _SEX_OF_SLOT.get(slot, "")
                if _KIND_OF_SLOT[slot] in ("kin", "role"):
                    sex = next((sexes[i] for i in range(hit.first, hit.last + 1) if i in sexes), "")
                # a relative is told from whom one only knows: what a doctor says is about the patient
                level: Level = "exact" if slot == "kinship" else ""
                found.append(Reference(hit.start, hit.end, _KIND_OF_SLOT[slot], level, sex, hit.line))
            elif slot.startswith("titles"):
                titles[hit.last] = _SEX_OF_SLOT.get(slot, "")
    for first, group in _by_word(by_slot.get(given, ())).items():
        near = [hit for hit in group if languages is None or hit.language in languages] or group
        borne = {_SEX_OF_SECTION.get(hit.section, "n") for hit in near if hit.section != "ambiguous"}
        if borne:
            # Andrea is a woman in Spain and a man in Italy
            names[first] = next(iter(borne)) if len(borne) == 1 else "n"
    patrons = {hit.last for hit in by_slot.get(people.slots.get("patrons", -1), ())}
    # the Luke of St Luke's is a house
    people_named = {first: sex for first, sex in names.items() if first - 1 not in patrons}
    named = list(_names(reading, subject, titles, people_named, people.common))
    different = {hit.end for hit in by_slot.get(people.slots.get("namesakes", -1), ())}
    named = [
        replace(r, kind="name", level="exact")
        if r.kind == "subject" and not different.isdisjoint((r.start, r.start - 1))
        else r
        for r in named
    ]
    if subject is not None:
        named.extend(_values(reading, subject))
        named.extend(_initials(reading, subject))
    taken: list[Reference] = []
    for reference in sorted(
        named, key=lambda r: (r.kind != "subject", r.level != "exact", -(r.end - r.start), r.start)
    ):
        # those taken do not overlap: the last that starts before the end is the only one that can
        at = bisect_left(taken, reference.end, key=_start)
        if at == 0 or taken[at - 1].end <= reference.start:
            taken.insert(at, reference)
    other = [
        reference
        for reference in found
        if not (at := bisect_left(taken, reference.end, key=_start)) or taken[at - 1].end <= reference.start
    ]
    taken.extend(other)
    prepositions = {hit.last for hit in by_slot.get(people.slots.get("prepositions", -1), ())}
    starts = {r.start for r in taken if r.kind in ("subject", "name")}
    return tuple(
        replace(r, aside=True) if _after_preposition(reading, r, prepositions) else r
        for r in sorted(taken, key=lambda r: (r.start, r.end, r.kind))
        # "sora lui Ion": before a name the word only marks its case
        if not (r.kind == "pronoun" and r.end + 1 in starts and reading.word_at(r.start) in prepositions)
    )


def _start(reference: Reference) -> int:
    return reference.start


def _by_word(hits: Iterable[Hit]) -> dict[int, list[Hit]]:
    """The hits by the word at which they start."""
    starting: dict[int, list[Hit]] = {}
    for hit in hits:
        starting.setdefault(hit.first, []).append(hit)
    return starting


def agreeing_of(
    reading: Reading, people: People, languages: frozenset[str] | None
) -> tuple[tuple[int, int, str], ...]:
    """The phrases of a text that agree with a man or a woman: start, end, sex; a word alone may stand for anybody."""
    sexes = {people.slots.get("masculine", -1): "m", people.slots.get("feminine", -1): "f"}
    active = active_in(people.index, reading.words_and_folded)
    wanted = [n for n in active if people.index.entries[n].lexicon in sexes]
    hits = reading.hits_of(people.index, wanted, languages)
    return tuple((hit.start, hit.end, sexes[hit.lexicon]) for hit in hits if hit.last > hit.first)


def _after_preposition(reading: Reading, reference: Reference, prepositions: set[int]) -> bool:
    """Whether one of the two words before a reference is a preposition (`with his sister`)."""
    first = reading.word_at(reference.start)
    return any(
        i in prepositions and reading.plain[reading.tokens.ends[i] : reference.start].count(",") == 0
        for i in (first - 1, first - 2)
        if i >= 0
    )


def _capital(reading: Reading, i: int) -> bool:
    return reading.plain[reading.tokens.starts[i]].isupper()


def _joined(reading: Reading, i: int, j: int) -> bool:
    """Whether words i and j = i + 1 can be parts of one name."""
    between = reading.plain[reading.tokens.ends[i] : reading.tokens.starts[j]]
    return between in {" ", "-", ", ", ". ", "'", ".", "_", "/", "  ", ".-", ",", ",  "} or (
        between.strip(" ") in {"", "-"} and len(between) <= 2
    )


def _names(
    reading: Reading,
    subject: Subject | None,
    titles: Mapping[int, str],
    names: Mapping[int, str],
    common: frozenset[str],
) -> Iterator[Reference]:
    tokens = reading.tokens
    count = len(tokens.words)
    subject_words = subject.words if subject is not None else frozenset()
    is_subject = [any(same_name(tokens.folded[i], name) for name in subject_words) for i in range(count)]
    for i in range(count - 1):
        if is_subject[i + 1] and not is_subject[i] and _capital(reading, i) and _joined(reading, i, i + 1):
            is_subject[i] = _short_for(tokens.folded[i], subject_words)
    lower_case = reading.plain == reading.light
    i = 0
    while i < count:
        handle = _in_handle(reading, i, is_subject)
        start_ok = _capital(reading, i) or lower_case or handle
        if is_subject[i] and start_ok:
            last = i
            while (
                last + 1 < count
                and _joined(reading, last, last + 1)
                and (is_subject[last + 1] or _glue(reading, last + 1, is_subject))
            ):
                last += 1
            while last > i and not is_subject[last]:
                last -= 1
            yield from _subject_run(reading, i, last, subject, titles, names, handle=handle)
            i = last + 1
            continue
        if (i in names and _capital(reading, i)) or ((i - 1) in titles and _capital(reading, i)):
            last = i
            while (
                last + 1 < count
                and _joined(reading, last, last + 1)
                and _capital(reading, last + 1)
                and not is_subject[last + 1]
                and reading.plain[tokens.ends[last] : tokens.starts[last + 1]]
                in ({" ", "-", ". "} if len(tokens.words[last]) == 1 else {" ", "-"})
            ):
                last += 1
            word = reading.plain[tokens.starts[i] : tokens.ends[i]]
            if last == i and (i - 1) not in titles and len(word) <= 4 and word.isupper() and not lower_case:
                i += 1
                continue  # "ELA" is a union before it is a girl
            if last == i and (i - 1) not in titles and tokens.words[i] in common:
                i += 1
                continue  # "Nur" and "Will" alone are words
            sex = names.get(i, "") if names.get(i, "n") != "n" else titles.get(i - 1, "")
            level: Level = "exact" if last > i or (i - 1) in titles else "partial"
            yield Reference(tokens.starts[i], tokens.ends[last], "name", level, sex)
            i = last + 1
            continue
        i += 1


def _short_for(word: str, names: frozenset[str]) -> bool:
    """Whether a word is the beginning of a name, as people shorten it: Ben for Benedict, Alex for Alexandra."""
    return len(word) >= 3 and any(len(name) > len(word) and name.startswith(word) for name in names)


def _glue(reading: Reading, i: int, is_subject: list[bool]) -> bool:
    """Particles, initials and middle names between two words of the name."""
    if i + 1 >= len(is_subject):
        return False
    word = reading.tokens.folded[i]
    if word in PARTICLES or len(word) == 1:
        return True
    return i + 1 < len(is_subject) and is_subject[i + 1] and _capital(reading, i) and is_subject[i - 1]


def _in_handle(reading: Reading, i: int, is_subject: list[bool]) -> bool:
    """ion.popescu, popescu_i: words of the name joined by a sign."""
    tokens = reading.tokens
    for j in (i - 1, i + 1):
        if 0 <= j < len(is_subject) and is_subject[j]:
            low, high = min(i, j), max(i, j)
            if reading.plain[tokens.ends[low] : tokens.starts[high]] in {".", "_", "-", "/"}:
                return True
    return False


def _subject_run(
    reading: Reading,
    first: int,
    last: int,
    subject: Subject | None,
    titles: Mapping[int, str],
    names: Mapping[int, str],
    *,
    handle: bool,
) -> Iterator[Reference]:
    tokens = reading.tokens
    assert subject is not None
    found = {
        name_word
        for i in range(first, last + 1)
        for name_word in subject.words
        if same_name(tokens.folded[i], name_word)
    }
    whole = any(
        len(found & set(name)) >= min(2, len([w for w in name if w not in PARTICLES]))
        for name in subject.names
    )
    start, end = tokens.starts[first], tokens.ends[last]
    sex = titles.get(first - 1, "") or names.get(first, "").replace("n", "")
    if not whole and not handle:
        # a namesake: the word beside it is another given name or surname
        before = first - 1
        if (
            before >= 0
            and before not in titles
            and before in names
            and _joined(reading, before, first)
            and _capital(reading, before)
            and not _is_comma(reading, before, first)
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
            and _capital(reading, after)
            and reading.plain[end : tokens.starts[after]] in {" ", "-"}
            and not reading.plain[max(0, start - 20) : start].rstrip().endswith((".", "!", "?"))
            and after not in names
            and _surname_like(reading, after)
        ):
            yield Reference(start, tokens.ends[after], "name", "exact", names.get(first, "").replace("n", ""))
            return
    yield Reference(start, end, "subject", "exact" if whole else "partial", sex)


def _is_comma(reading: Reading, i: int, j: int) -> bool:
    return "," in reading.plain[reading.tokens.ends[i] : reading.tokens.starts[j]]


def _surname_like(reading: Reading, i: int) -> bool:
    word = reading.plain[reading.tokens.starts[i] : reading.tokens.ends[i]]
    return len(word) > 3 and word[1:].islower()


def _values(reading: Reading, subject: Subject) -> Iterator[Reference]:
    for value in subject.values:
        light = plain_view(value).text.lower()
        at = reading.light.find(light)
        while at >= 0 and light:
            yield Reference(at, at + len(light), "subject", "exact")
            at = reading.light.find(light, at + 1)


def _initials(reading: Reading, subject: Subject) -> Iterator[Reference]:
    letters = ["".join(w[0] for w in name if w not in PARTICLES) for name in subject.names]
    for match in _INITIALS.finditer(reading.plain):
        told = fold("".join(c for c in match.group() if c.isalpha()))
        if len(told) >= 2 and any(told == known or told == known[::-1] for known in letters):
            yield Reference(match.start(), match.end(), "subject", "partial")

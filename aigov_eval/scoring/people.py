"""
Who is spoken of: references to the subject and to other persons in a text.

Comes in: a text being read, the scenario's subject, the word lists of persons (frames, given
names). Goes out: references in text order. What makes a name is in detection.md, section 5;
which words stand for persons is in the pack.
"""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from aigov_eval.detect.reading import Reading
from aigov_eval.detect.words import Hit, WordIndex, candidates_in, hits_of
from aigov_eval.model import Scenario, Writing
from aigov_eval.scoring.parts import Parts, by_name
from aigov_eval.text.spans import ByPlace, by_place
from aigov_eval.text.views import WORD, fold, plain_view

Kind = Literal["subject", "name", "kin", "role", "pronoun", "second", "first"]
Level = Literal["exact", "partial", ""]

_SHORTEST = 3  # letters of a name cut short
_LETTER = re.compile(r"[^\W_]")
_TWO_INITIALS = re.compile(r"\.[ \-]?[^\W\d_]\.")
_INITIALS = re.compile(r"(?<![^\W_])[^\W\d_](?:\.[ \-]?[^\W\d_])*\.")


@dataclass(frozen=True, slots=True)
class Subject:
    """
    The protected person: folded words of each known name, and values that identify her.

    `particles` are words of a name that name nobody by themselves; `forms` are the ways in which a word of the name is written, inflected or not.
    """

    name: str
    names: tuple[tuple[str, ...], ...]
    values: tuple[str, ...]
    particles: frozenset[str]
    forms: Mapping[str, frozenset[str]]
    typed: Mapping[str, str]
    gender: str = ""

    @property
    def words(self) -> frozenset[str]:
        """All words of all names that can stand alone."""
        return frozenset(self.forms)

    @property
    def given(self) -> frozenset[str]:
        """The first word of each name, which people shorten."""
        return frozenset(name[0] for name in self.names)


@dataclass(frozen=True, slots=True)
class Reference:
    """A stretch of the plain view that stands for a person."""

    start: int
    end: int
    kind: Kind
    level: Level = ""
    gender: str = ""
    line: str = ""
    aside: bool = False  # after a preposition: named, but not who the sentence is about
    where: str = ""  # `path:line` of the entry of a word list behind it


NAMES = (
    "given_names",
    "titles",
    "titles_m",
    "titles_f",
    "institution_prefixes",
    "namesakes",
    "company_suffixes",
)
MARKS = ("prepositions", "masculine", "feminine")


@dataclass(frozen=True, slots=True)
class NameIndex:
    """What makes a name, compiled, and the common words, which alone are none."""

    names: WordIndex
    common: frozenset[str] = frozenset()


_GENDER_OF_SLOT = {"pronouns_m": "m", "pronouns_f": "f", "titles_m": "m", "titles_f": "f"}
_GENDER_OF_AGREEING = {"masculine": "m", "feminine": "f"}
_GENDER_OF_SECTION = {"masculine": "m", "feminine": "f"}
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


def subject_of(scenario: Scenario, writing: Writing) -> Subject | None:
    """The scenario's subject, or None when it names none; `writing` is that of the pack."""
    spoken = [scenario.person_name, *scenario.aliases]
    names = tuple(
        words for name in spoken if (words := tuple(fold(w) for w in WORD.findall(plain_view(name).text)))
    )
    values = tuple(v for v in scenario.identifiers.values() if v)
    if not names and not values:
        return None
    alone = {w for name in names for w in name if w not in writing.name_particles and len(w) > 1}
    return Subject(
        scenario.person_name or (spoken[1] if len(spoken) > 1 else ""),
        names,
        values,
        writing.name_particles,
        {word: _forms(word, writing.name_endings) for word in sorted(alone)},
        {spelled: fold(letter)[0] for letter, spelled in writing.spelled_out.items()},
    )


def same_name(word: str, name: str, subject: Subject) -> bool:
    """Whether a folded word of a text is a folded word of the subject's name, inflected (Mariei) or typed otherwise (Mueller)."""
    return (
        word == name
        or word in subject.forms.get(name, frozenset())
        or _plainly(word, subject.typed) == _plainly(name, subject.typed)
    )


def _plainly(word: str, typed: Mapping[str, str]) -> str:
    for spelled, letter in typed.items():
        word = word.replace(spelled, letter)
    return word


def _forms(name: str, endings: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    """A folded word of a name with each ending that it can have; a short one stays as it is."""
    if len(name) < _SHORTEST:
        return frozenset({name})
    after = [ending for end, every in endings.items() if name.endswith(end) for ending in every]
    cut = [(int(one[1]), one[2:]) if one.startswith("-") else (0, one) for one in after]
    return frozenset({name, *(name[: len(name) - less] + fold(more) for less, more in cut)})


class Persons:
    """The persons spoken of in one text; names are looked for in all of it, other words part by part."""

    def __init__(
        self,
        parts: Parts,
        subject: Subject | None,
        people: NameIndex,
        languages: Callable[[], frozenset[str] | None],
    ) -> None:
        self._parts = parts
        self._reading = parts.reading
        self._subject = subject
        self._people = people
        self._languages = languages
        self._prepositions: dict[int, frozenset[int]] = {}

    @cached_property
    def names_subject(self) -> bool:
        """Whether there is a reference to the subject by name."""
        if self._subject is None or not may_name(self._reading, self._subject):
            return False
        return any(r.kind == "subject" for r in self.named)

    @cached_property
    def named(self) -> tuple[Reference, ...]:
        """The subject and the names, in order."""
        return named_in(self._reading, self._subject, self._people, self._languages)

    @cached_property
    def named_by_place(self) -> ByPlace[Reference]:
        """The same by place."""
        return by_place(self.named)

    def in_part(self, number: int) -> ByPlace[Reference]:
        """The references in a part; where two overlap the more telling one stays."""
        named = self.named_by_place.within(*self._parts.span(number))
        taken = named + [r for r in self._others(number) if _free(r, named)]
        taken.sort(key=lambda r: (r.start, r.end, r.kind))
        if not named and not any(r.kind == "kin" for r in taken):
            return by_place(taken)  # that a pronoun stands aside matters only beside names and relatives
        starts = {r.start for r in named}
        found: list[Reference] = []
        for r in taken:
            # "sora lui Ion": before a name the word only marks its case
            if (
                r.kind == "pronoun"
                and r.end + 1 in starts
                and self._is_preposition(self._reading.word_at(r.start))
            ):
                continue
            aside = self._after_preposition(r) or self._says_who(r, found)
            found.append(replace(r, aside=True) if aside else r)
        return by_place(found)

    def agreeing_in(self, number: int) -> list[tuple[int, int, str]]:
        """The phrases of a part that agree with a man or a woman: start, end, sex; a word alone may stand for anybody."""
        return sorted(
            (hit.start, hit.end, gender)
            for slot, gender in _GENDER_OF_AGREEING.items()
            for hit in self._parts.found(number, "mark").get(slot, ())
            if hit.last > hit.first
        )

    def _others(self, number: int) -> Iterator[Reference]:
        """The words of a part that stand for a person without a name."""
        for slot, hits in self._parts.found(number, "person").items():
            kind = _KIND_OF_SLOT[slot]
            # a relative is told from whom one only knows: what a doctor says is about the patient
            level: Level = "exact" if slot == "kinship" else ""
            genders = self._genders(number) if kind in ("kin", "role") else {}
            for hit in hits:
                told = (genders[i] for i in range(hit.first, hit.last + 1) if i in genders)
                gender = next(told, _GENDER_OF_SLOT.get(slot, ""))
                yield Reference(hit.start, hit.end, kind, level, gender, hit.line, where=hit.where)

    def _genders(self, number: int) -> dict[int, str]:
        """The sex that words of a part tell, by the number of the word."""
        marks = self._parts.found(number, "mark")
        return {
            hit.first: gender for slot, gender in _GENDER_OF_AGREEING.items() for hit in marks.get(slot, ())
        }

    def _after_preposition(self, reference: Reference) -> bool:
        """Whether one of the two words before a reference is a preposition (`with his sister`)."""
        reading = self._reading
        first = reading.word_at(reference.start)
        return any(
            self._is_preposition(i) and "," not in reading.plain[reading.tokens.ends[i] : reference.start]
            for i in (first - 1, first - 2)
            if i >= 0
        )

    def _says_who(self, reference: Reference, before: Sequence[Reference]) -> bool:
        """Whether a reference only says who somebody aside right before it is: `with his wife Anna`, `with Anna, his wife`."""
        start = reference.start
        for other in reversed(before[-2:]):
            between = self._reading.plain[other.end : start]
            if other.kind == "pronoun" and not between.strip():
                start = other.start
                continue
            return (
                other.aside
                and "kin" in (other.kind, reference.kind)
                and {other.kind, reference.kind} <= {"kin", "name"}
                and between.strip() in {"", ","}
            )
        return False

    def _is_preposition(self, word: int) -> bool:
        number = self._parts.at(self._reading.tokens.starts[word])
        if number not in self._prepositions:
            hits = self._parts.found(number, "mark").get("prepositions", ())
            self._prepositions[number] = frozenset(hit.last for hit in hits)
        return word in self._prepositions[number]


def _free(reference: Reference, named: list[Reference]) -> bool:
    """Whether a reference overlaps none of the names, which are in order."""
    # names do not overlap: the last that starts before the end is the only one that can
    at = bisect_left(named, reference.end, key=_start)
    return at == 0 or named[at - 1].end <= reference.start


def named_in(
    reading: Reading,
    subject: Subject | None,
    people: NameIndex,
    languages: Callable[[], frozenset[str] | None],
) -> tuple[Reference, ...]:
    """The references to the subject and to others by name, in order; `languages` is asked where there may be one."""
    told, short = _words_told(reading, subject), _short_told(reading, subject)
    candidates = _spots_of_names(reading, people, every=bool(told or short))
    known = [*_values(reading, subject), *_initials(reading, subject)] if subject is not None else []
    if not candidates and not told and not short and not known:
        return ()
    spoken = languages()
    entries, given_names = people.names.entries, people.names.number("given_names")
    found: list[Hit] = []
    # names cross borders: those of all languages count
    # and each language says for itself what a name is there: Jan is a man in German and a month in English
    groups: dict[str, dict[int, Sequence[int]]] = {}
    for at, firsts in candidates.items():
        language = entries[at].language if entries[at].lexicon == given_names else ""
        groups.setdefault(language, {})[at] = firsts
    for language, some in sorted(groups.items()):
        found.extend(hits_of(people.names, reading.tokens, reading.plain, some, None if language else spoken))
    by_slot = by_name(people.names, found)
    titles = {
        hit.last: _GENDER_OF_SLOT.get(slot, "")
        for slot, group in by_slot.items()
        if slot.startswith("titles")
        for hit in group
        # the heads of two columns are no title with a name: "Doctor | Diagnosis"
        if not _PARTED.match(reading.plain, hit.end)
    }
    names: dict[int, str] = {}
    for first, group in _by_word(by_slot.get("given_names", ())).items():
        near = [hit for hit in group if spoken is None or hit.language in spoken] or group
        sections = {hit.section for hit in near}
        # Grace alone may be a word, Grace Miller is a person
        if "word" in sections or (
            "ambiguous" in sections and not _bears_surname(reading, first, people.common)
        ):
            continue
        # Andrea is a woman in Spain and a man in Italy
        borne = {_GENDER_OF_SECTION.get(section, "n") for section in sections}
        names[first] = next(iter(borne)) if len(borne) == 1 else "n"
    patrons = {hit.last for hit in by_slot.get("institution_prefixes", ())}
    # the Luke of St Luke's is a house
    people_named = {first: gender for first, gender in names.items() if first - 1 not in patrons}
    named = list(_names(reading, subject, told, short, titles, people_named, people.common))
    different = {hit.end for hit in by_slot.get("namesakes", ())}
    named = [
        replace(r, kind="name", level="exact")
        if r.kind == "subject" and not different.isdisjoint((r.start, r.start - 1))
        else r
        for r in named
    ]
    firms = {hit.start for hit in by_slot.get("company_suffixes", ())}
    if firms:
        named = [r for r in named if not _is_of_firm(reading.plain, r, firms)]
    taken: list[Reference] = []
    for reference in sorted(
        [*named, *known], key=lambda r: (r.kind != "subject", r.level != "exact", -(r.end - r.start), r.start)
    ):
        if _free(reference, taken):
            insort(taken, reference, key=_start)
    return tuple(taken)


def _bears_surname(reading: Reading, i: int, common: frozenset[str]) -> bool:
    """Whether a word with a capital stands right before another one, as a given name before a family's."""
    tokens = reading.tokens
    return (
        i + 1 < len(tokens.words)
        and _capital(reading, i)
        and _capital(reading, i + 1)
        and reading.plain[tokens.ends[i] : tokens.starts[i + 1]] in {" ", "-"}
        and tokens.words[i + 1] not in common
        and not reading.word(i + 1).isupper()
    )


_PARTED = re.compile(r"[ .]{0,2}[|,;:\t\n]")
_OF_FIRM = re.compile(r"[ ,.&-]{1,3}")


def _is_of_firm(plain: str, reference: Reference, firms: Set[int]) -> bool:
    """Whether a name goes on with the words of a firm, which start at these places: "Bennett & Sons", "Weber GmbH"."""
    between = _OF_FIRM.match(plain, reference.end)
    return between is not None and between.end() in firms


def may_name(reading: Reading, subject: Subject) -> bool:
    """Whether a text has words of the subject's name, her initials, or a value that identifies her."""
    if _words_told(reading, subject) or _short_told(reading, subject):
        return True
    return any(True for _ in _values(reading, subject)) or any(True for _ in _initials(reading, subject))


def _words_told(reading: Reading, subject: Subject | None) -> frozenset[str]:
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


def _short_told(reading: Reading, subject: Subject | None) -> frozenset[str]:
    """The words of a text, folded, that are a given name of the subject cut short: Sam for Samuel."""
    if subject is None:
        return frozenset()
    return frozenset(
        word
        for name in subject.given
        for size in range(_SHORTEST, len(name))
        if (word := name[:size]) in reading.words_and_folded
    )


def _spots_of_names(reading: Reading, people: NameIndex, *, every: bool) -> dict[int, Sequence[int]]:
    """
    The entries of names that can occur in a text, with the words where they may begin; none where they can name nobody.

    Unless `every` one is wanted, a title is left out that never stands before a capital, and a given name that has none.
    """
    index = people.names
    candidates = candidates_in(index, reading.row, reading.folded)
    if every:
        return dict(candidates)
    titles: dict[int, Sequence[int]] = {}
    given: dict[int, Sequence[int]] = {}
    others: dict[int, Sequence[int]] = {}
    for at, firsts in candidates.items():
        name = index.names[index.entries[at].lexicon]
        (given if name == "given_names" else titles if name.startswith("titles") else others)[at] = firsts
    titles = {
        at: firsts
        for at, firsts in titles.items()
        if len(index.entries[at].slots) > 1 or any(_is_before_capital(reading, i) for i in firsts)
    }
    alone = frozenset[str]() if titles else people.common
    for at, places in given.items():
        if len(index.entries[at].slots) == 1:
            # a word that is a name once is looked at wherever it stands
            names = {reading.folded[i] for i in places if _is_name(reading, i, alone)}
            given[at] = [i for i in places if reading.folded[i] in names]
    if not titles and not any(given.values()):
        return {}
    return {**titles, **{at: places for at, places in given.items() if places}, **others}


def _is_name(reading: Reading, i: int, common: frozenset[str]) -> bool:
    """Whether word i has a capital, and another word with one after it where it is a common word."""
    if not _capital(reading, i):
        return False
    end = reading.tokens.ends[i]
    return reading.row[i] not in common or any(c.isupper() for c in reading.plain[end : end + 3])


def _is_before_capital(reading: Reading, i: int) -> bool:
    """Whether the word after word i has a capital."""
    following = _LETTER.search(reading.plain, reading.tokens.ends[i])
    return following is not None and following.group().isupper()


def _start(reference: Reference) -> int:
    return reference.start


def _by_word(hits: Iterable[Hit]) -> dict[int, list[Hit]]:
    """The hits by the word at which they start."""
    starting: dict[int, list[Hit]] = {}
    for hit in hits:
        starting.setdefault(hit.first, []).append(hit)
    return starting


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
    told: frozenset[str],
    short: frozenset[str],
    titles: Mapping[int, str],
    names: Mapping[int, str],
    common: frozenset[str],
) -> Iterator[Reference]:
    tokens = reading.tokens
    count = len(tokens.words)
    is_subject = {i for i, word in enumerate(tokens.folded) if word in told} if told else set()
    particles = subject.particles if subject is not None else frozenset[str]()
    if subject is not None:
        known = subject.words
        for i in sorted(i - 1 for i in is_subject if i > 0 and i - 1 not in is_subject):
            if _capital(reading, i) and _joined(reading, i, i + 1) and _short_for(tokens.folded[i], known):
                is_subject.add(i)
    # who begins in lower case writes no capitals; an acronym may still have them
    lower_case = reading.plain[:1].islower() or reading.plain == reading.light
    if short:
        is_subject |= {
            i
            for i, word in enumerate(tokens.folded)
            if word in short
            and word not in common
            and (
                (i in names and lower_case)
                or (_capital(reading, i) and (i in names or len(word) > _SHORTEST))
            )
        }
    done = 0
    for i in sorted({*is_subject, *names, *(last + 1 for last in titles if last + 1 < count)}):
        if i < done:
            continue
        handle = i in is_subject and _in_handle(reading, i, is_subject)
        if i in is_subject and (
            _capital(reading, i)
            or lower_case
            or handle
            or i - 1 in titles
            or (
                i + 1 in is_subject
                and _joined(reading, i, i + 1)
                and tokens.folded[i] != tokens.folded[i + 1]
            )
        ):
            last = i
            while (
                last + 1 < count
                and _joined(reading, last, last + 1)
                and (last + 1 in is_subject or _glue(reading, last + 1, is_subject, particles))
            ):
                last += 1
            while last > i and last not in is_subject:
                last -= 1
            yield from _subject_run(reading, i, last, subject, titles, names, handle=handle)
            done = last + 1
            continue
        if (i in names and _capital(reading, i)) or ((i - 1) in titles and _capital(reading, i)):
            last = i
            while (
                last + 1 < count
                and _joined(reading, last, last + 1)
                and _capital(reading, last + 1)
                and last + 1 not in is_subject
                and reading.plain[tokens.ends[last] : tokens.starts[last + 1]]
                in ({" ", "-", ". "} if len(tokens.words[last]) == 1 else {" ", "-"})
            ):
                last += 1
            word = reading.word(i)
            if last == i and (i - 1) not in titles and len(word) <= 4 and word.isupper() and not lower_case:
                continue  # "ELA" is a union before it is a girl
            if last == i and (i - 1) not in titles and tokens.words[i] in common:
                continue  # "Nur" and "Will" alone are words
            gender = names.get(i, "") if names.get(i, "n") != "n" else titles.get(i - 1, "")
            level: Level = "exact" if last > i or (i - 1) in titles else "partial"
            yield Reference(tokens.starts[i], tokens.ends[last], "name", level, gender)
            done = last + 1


def _short_for(word: str, names: frozenset[str]) -> bool:
    """Whether a word is the beginning of a name, as people shorten it: Ben for Benedict, Alex for Alexandra."""
    return len(word) >= 3 and any(len(name) > len(word) and name.startswith(word) for name in names)


def _glue(reading: Reading, i: int, is_subject: Set[int], particles: frozenset[str]) -> bool:
    """Particles, initials and middle names between two words of the name."""
    if i + 1 >= len(reading.tokens.words):
        return False
    word = reading.tokens.folded[i]
    if word in particles or len(word) == 1:
        return True
    return i + 1 in is_subject and _capital(reading, i) and i - 1 in is_subject


def _in_handle(reading: Reading, i: int, is_subject: Set[int]) -> bool:
    """ion.popescu, popescu_i: words of the name joined by a sign."""
    tokens = reading.tokens
    for j in (i - 1, i + 1):
        if j in is_subject:
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
    yield Reference(start, end, "subject", "exact" if whole else "partial", gender)


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
    letters = ["".join(w[0] for w in name if w not in subject.particles) for name in subject.names]
    if _TWO_INITIALS.search(reading.plain) is None:
        return
    for match in _INITIALS.finditer(reading.plain):
        told = fold("".join(c for c in match.group() if c.isalpha()))
        if len(told) >= 2 and any(told == known or told == known[::-1] for known in letters):
            yield Reference(match.start(), match.end(), "subject", "partial")

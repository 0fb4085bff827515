"""
The names in a text: the subject's and those of others.

Comes in: a text being read, the subject, the given names of the pack. Goes out: references in text order. What makes a name
is in detection.md, section 5.
"""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Set

from msgspec.structs import replace

from aigov_eval.detect.hits import Hit, candidates_in, hits_of
from aigov_eval.detect.reading import Reading
from aigov_eval.scoring.parts import by_name
from aigov_eval.scoring.persons.name_spots import NameIndex, spots_of_names
from aigov_eval.scoring.persons.reference import SHORTEST, Level, Reference, Subject, start_of
from aigov_eval.scoring.persons.subject_names import (
    glue,
    in_handle,
    initials_in,
    is_capital,
    joined,
    short_told,
    subject_run,
    values_in,
    words_told,
)

GENDER_OF_SLOT = {"pronouns_m": "m", "pronouns_f": "f", "titles_m": "m", "titles_f": "f"}
_GENDER_OF_SECTION = {"masculine": "m", "feminine": "f", "either": "n"}


def free(reference: Reference, named: list[Reference]) -> bool:
    """Whether a reference overlaps none of the names, which are in order."""
    # names do not overlap: the last that starts before the end is the only one that can
    at = bisect_left(named, reference.end, key=start_of)
    return at == 0 or named[at - 1].end <= reference.start


def named_in(
    reading: Reading,
    subject: Subject | None,
    people: NameIndex,
    languages: Callable[[], frozenset[str] | None],
) -> tuple[Reference, ...]:
    """The references to the subject and to others by name, in order; `languages` is asked where there may be one."""
    told, short = words_told(reading, subject), short_told(reading, subject)
    candidates = spots_of_names(reading, people, every=bool(told or short))
    known = [*values_in(reading, subject), *initials_in(reading, subject)] if subject is not None else []
    if not candidates and not told and not short and not known:
        return ()
    spoken = languages()
    found = _hits_of_names(reading, people, candidates, spoken)
    by_slot = by_name(people.names, found)
    titles = {
        hit.last: GENDER_OF_SLOT.get(slot, "")
        for slot, group in by_slot.items()
        if slot.startswith("titles")
        for hit in group
        # the heads of two columns are no title with a name: "Doctor | Diagnosis"
        if not _PARTED.match(reading.plain, hit.end) and not _ends_sentence(reading, hit, people.common)
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
        if free(reference, taken):
            insort(taken, reference, key=start_of)
    return tuple(taken)


def sex_of_name(name: Reading, people: NameIndex, languages: frozenset[str] | None) -> str:
    """
    The sex that a person's name tells by its first given name, as the languages spoken use it, else as all that know it.

    A name that is also a word is no word here; empty where nobody knows it, or it is borne by both.
    """
    given = people.names.number("given_names")
    candidates = candidates_in(people.names, name.row, name.folded)
    of_names = {at: firsts for at, firsts in candidates.items() if people.names.entries[at].lexicon == given}
    hits = _hits_of_names(name, people, of_names, languages)
    first = min((hit.first for hit in hits if hit.section in _GENDER_OF_SECTION), default=-1)
    borne = [hit for hit in hits if hit.first == first and hit.section in _GENDER_OF_SECTION]
    near = [hit for hit in borne if languages is None or hit.language in languages] or borne
    told = {_GENDER_OF_SECTION[hit.section] for hit in near}
    return next(iter(told)) if len(told) == 1 and told <= {"m", "f"} else ""


def _hits_of_names(
    reading: Reading,
    people: NameIndex,
    candidates: Mapping[int, Iterable[int]],
    languages: frozenset[str] | None,
) -> list[Hit]:
    """
    Where entries of names occur.

    Names cross borders, those of all languages count; each language says for itself what a name is there: Jan is a man in
    German and a month in English.
    """
    entries, given = people.names.entries, people.names.number("given_names")
    groups: dict[str, dict[int, Iterable[int]]] = {}
    for at, firsts in candidates.items():
        language = entries[at].language if entries[at].lexicon == given else ""
        groups.setdefault(language, {})[at] = firsts
    found: list[Hit] = []
    for language, some in sorted(groups.items()):
        counting = None if language else languages
        found.extend(hits_of(people.names, reading.tokens, reading.plain, some, counting))
    return found


def _bears_surname(reading: Reading, i: int, common: frozenset[str]) -> bool:
    """Whether a word with a capital stands right before another one, as a given name before a family's."""
    tokens = reading.tokens
    return (
        i + 1 < len(tokens.words)
        and is_capital(reading, i)
        and is_capital(reading, i + 1)
        and reading.plain[tokens.ends[i] : tokens.starts[i + 1]] in {" ", "-"}
        and tokens.words[i + 1] not in common
        and not reading.word(i + 1).isupper()
    )


def _ends_sentence(reading: Reading, title: Hit, common: frozenset[str]) -> bool:
    """Whether a title is the last word of a sentence, whole and before a common word: `his mother. No ...`, but not `Dr. Will`."""
    following = title.last + 1
    return (
        title.end - title.start > _CUT_SHORT
        and reading.plain.startswith(".", title.end)
        and following < len(reading.tokens.words)
        and reading.tokens.words[following] in common
    )


_CUT_SHORT = 4  # letters of a title that is cut short, with a full stop that ends nothing: "Prof."
_PARTED = re.compile(r"[ .]{0,2}[|,;:!?/\t\n]")
_OF_FIRM = re.compile(r"[ ,.&-]{1,3}")


def _is_of_firm(plain: str, reference: Reference, firms: Set[int]) -> bool:
    """Whether a name goes on with the words of a firm, which start at these places: "Bennett & Sons", "Weber GmbH"."""
    between = _OF_FIRM.match(plain, reference.end)
    return between is not None and between.end() in firms


def _by_word(hits: Iterable[Hit]) -> dict[int, list[Hit]]:
    """The hits by the word at which they start."""
    starting: dict[int, list[Hit]] = {}
    for hit in hits:
        starting.setdefault(hit.first, []).append(hit)
    return starting


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
            if is_capital(reading, i) and joined(reading, i, i + 1) and _short_for(tokens.folded[i], known):
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
                or (is_capital(reading, i) and (i in names or len(word) > SHORTEST))
            )
        }
    done = 0
    for i in sorted({*is_subject, *names, *(last + 1 for last in titles if last + 1 < count)}):
        if i < done:
            continue
        handle = i in is_subject and in_handle(reading, i, is_subject)
        if i in is_subject and (
            is_capital(reading, i)
            or lower_case
            or handle
            or i - 1 in titles
            or (
                i + 1 in is_subject and joined(reading, i, i + 1) and tokens.folded[i] != tokens.folded[i + 1]
            )
        ):
            last = i
            while (
                last + 1 < count
                and joined(reading, last, last + 1)
                and (last + 1 in is_subject or glue(reading, last + 1, is_subject, particles))
            ):
                last += 1
            while last > i and last not in is_subject:
                last -= 1
            yield from subject_run(reading, i, last, subject, titles, names, handle=handle)
            done = last + 1
            continue
        if (i in names and is_capital(reading, i)) or ((i - 1) in titles and is_capital(reading, i)):
            last = i
            while (
                last + 1 < count
                and joined(reading, last, last + 1)
                and is_capital(reading, last + 1)
                and last + 1 not in is_subject
                and not _is_letter_alone(reading, last + 1)
                and reading.plain[tokens.ends[last] : tokens.starts[last + 1]]
                in ({" ", "-", ". "} if len(tokens.words[last]) == 1 else {" ", "-"})
            ):
                last += 1
            word = reading.word(i)
            if last == i and (i - 1) not in titles and len(word) <= 4 and word.isupper() and not lower_case:
                continue  # "ELA" is a union before it is a girl
            if last == i and (i - 1) not in titles and tokens.words[i] in common:
                continue  # "Nur" and "Will" alone are words
            if last == i + 1 and last not in names and reading.plain[tokens.ends[i]] == "-":
                continue  # "Rosa-Ton", but not "Anna-Lena", nor "Anna Weber-Hahn"
            gender = names.get(i, "") if names.get(i, "n") != "n" else titles.get(i - 1, "")
            level: Level = "exact" if last > i or (i - 1) in titles else "partial"
            yield Reference(tokens.starts[i], tokens.ends[last], "name", level, gender)
            done = last + 1


def _is_letter_alone(reading: Reading, i: int) -> bool:
    """Whether word i is one letter that stands for no name: `Benny I'd ...`, but not `Benny I. Cole`."""
    tokens = reading.tokens
    return len(tokens.words[i]) == 1 and not reading.plain.startswith(".", tokens.ends[i])


def _short_for(word: str, names: frozenset[str]) -> bool:
    """Whether a word is the beginning of a name, as people shorten it: Ben for Benedict, Alex for Alexandra."""
    return len(word) >= 3 and any(len(name) > len(word) and name.startswith(word) for name in names)

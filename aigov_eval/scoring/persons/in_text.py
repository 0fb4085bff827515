"""
The persons spoken of in one text: names in all of it, other words part by part.

Comes in: the parts of a text, the subject, what makes a name. Goes out: references in text order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from aigov_eval.lazily import lazily
from aigov_eval.scoring.parts import Parts
from aigov_eval.scoring.persons.name_spots import NameIndex
from aigov_eval.scoring.persons.names import GENDER_OF_SLOT, free, named_in
from aigov_eval.scoring.persons.reference import Kind, Level, Reference, Subject
from aigov_eval.scoring.persons.subject_names import may_name
from aigov_eval.text.spans import ByPlace, by_place

MARKS = ("prepositions", "masculine", "feminine")
_GENDER_OF_AGREEING = {"masculine": "m", "feminine": "f"}
_KIND_OF_SLOT: dict[str, Kind] = {
    "pronouns_m": "pronoun",
    "pronouns_f": "pronoun",
    "pronouns_n": "pronoun",
    "kinship": "kin",
    "others": "kin",
    "roles": "role",
    "second_person": "second",
    "first_person": "first",
    "the_other": "the_other",
    "the_first": "the_first",
    "the_second": "the_second",
}


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

    @lazily
    def names_subject(self) -> bool:
        """Whether there is a reference to the subject by name."""
        if self._subject is None or not may_name(self._reading, self._subject):
            return False
        return any(r.kind == "subject" for r in self.named)

    @lazily
    def named(self) -> tuple[Reference, ...]:
        """The subject and the names, in order."""
        return named_in(self._reading, self._subject, self._people, self._languages)

    @lazily
    def named_by_place(self) -> ByPlace[Reference]:
        """The same by place."""
        return by_place(self.named)

    def in_part(self, number: int) -> ByPlace[Reference]:
        """The references in a part; where two overlap the more telling one stays."""
        named = self.named_by_place.within(*self._parts.span(number))
        taken = named + [r for r in self._others(number) if free(r, named)]
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
                gender = next(told, GENDER_OF_SLOT.get(slot, ""))
                yield Reference(hit.start, hit.end, kind, level, gender, hit.line, where=hit.where)

    def _genders(self, number: int) -> dict[int, str]:
        """The sex that words of a part tell, by the number of the word."""
        marks = self._parts.found(number, "mark")
        return {
            hit.first: gender for slot, gender in _GENDER_OF_AGREEING.items() for hit in marks.get(slot, ())
        }

    def _after_preposition(self, reference: Reference) -> bool:
        """Whether a preposition begins a reference, or is one of the two words before it (`with his sister`, `dalla madre`)."""
        reading = self._reading
        first, last = reading.word_at(reference.start), reading.word_at(reference.end - 1)
        if first < last and self._is_preposition(first):
            return True
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

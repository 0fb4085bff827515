"""
A pack compiled for scoring.

Comes in: a pack. Goes out: an `Engine`, with which any number of transcripts is scored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from msgspec import Struct
from msgspec.structs import replace

from aigov_eval.detect.added import part_of, with_part
from aigov_eval.detect.index import Index, build_detection, lists_of_detectors
from aigov_eval.detect.index import common_words as pack_common
from aigov_eval.detect.tabled import table_of
from aigov_eval.detect.words import WordIndex, build_index
from aigov_eval.model import Lexicon, Pack, Term
from aigov_eval.pack import collecting
from aigov_eval.scoring.persons.in_text import MARKS
from aigov_eval.scoring.persons.name_spots import NAMES, NameIndex
from aigov_eval.text.uncovered import Languages

_PERSON_SLOTS = (
    "pronouns_m",
    "pronouns_f",
    "pronouns_n",
    "second_person",
    "first_person",
    "titles_m",
    "titles_f",
    "titles",
    "kinship",
    "others",
    "roles",
    "the_other",
    "the_first",
    "the_second",
    "institution_prefixes",
    "namesakes",
    "company_suffixes",
    "masculine",
    "feminine",
)
_ANSWER_SLOTS = (
    "confirm",
    "confirm_alone",
    "deny",
    "deny_alone",
    "correct",
    "guess",
    "insists",
    "continues",
    "self",
    "coordinators",
    "possessives",
    "translates",
    "predicates",
    "companions",
    "null_subject_verbs",
    "acts_on_subject",
    "addressees",
    "recipients",
    "who",
    "asks_who",
    "names_alone",
    "or",
)


class Engine(Struct, frozen=True):
    """
    A pack compiled for scoring: detection, names, phrases, the common words of each language.

    `phrases` are looked for near a mention: persons, cues, answers and verbs, each lexicon with its group before
    its name (`cue:refusal`). `far_cues` are those of the contexts that look at whole turns.
    """

    pack: Pack
    detection: Index
    people: NameIndex
    phrases: WordIndex
    far_cues: WordIndex
    common: Mapping[str, frozenset[str]]

    @property
    def languages(self) -> Languages:
        """What is known of languages, those with word lists and others."""
        return Languages(self.common, self.pack.writing.other_languages, self.pack.writing.other_letters)


@collecting.gc_paused()
def build_engine(pack: Pack) -> Engine:
    """The pack, compiled; do it once and score any number of transcripts."""
    people = {slot: _slot(pack, slot) for slot in _PERSON_SLOTS}
    people["given_names"] = pack.lexicons.get("given_names", ())
    people["prepositions"] = pack.lexicons.get("prepositions", ())
    common_words, spelled = pack_common(pack), pack.writing.spelled_out
    far = {name for name, context in pack.contexts.items() if context.scope in _FAR}
    cues = {f"cue:{name}": lexicons for name, lexicons in pack.cues.items()}
    phrases: dict[str, Sequence[Lexicon]] = {
        **{f"person:{slot}": people[slot] for slot in people if slot not in (*NAMES, *MARKS)},
        **{f"mark:{slot}": people[slot] for slot in MARKS},
        **{f"answer:{slot}": _slot(pack, slot) for slot in _ANSWER_SLOTS},
        **{name: lexicons for name, lexicons in cues.items() if name.removeprefix("cue:") not in far},
        **{f"{GRAMMAR}:{name}": lexicons for name, lexicons in _classes(pack).items()},
        "verb:copulas": pack.lexicons.get("copulas", ()),
    }
    common = {
        lexicon.language: frozenset(
            form
            for term in lexicon.terms
            for word in term.words
            for form in word.forms
            if len(form) > 1 or not form.isascii()  # "a" stands in any language, "è" and "à" in one
        )
        for lexicon in pack.lexicons.get("common", ())
    }

    def index(lexicons: Mapping[str, Sequence[Lexicon]]) -> WordIndex:
        there = {name: own for name, own in lexicons.items() if own}
        return with_table(build_index(there, common_words, spelled))

    detection = build_detection(pack)
    return Engine(
        pack,
        replace(detection, words=with_table(detection.words)),
        NameIndex(index({slot: people[slot] for slot in NAMES}), common_words),
        index(phrases),
        index({name: lexicons for name, lexicons in cues.items() if name not in phrases}),
        common,
    )


def part_for(base: Engine, pack: Pack, known: Set[str]) -> WordIndex | None:
    """
    The word lists that packs add to the one that `base` was built from, as a part of its index.

    `pack` is all of them; the `known` lists are of the first one, and without their words. None where a list is added by
    which languages or persons are told, or a known one is used that the first pack does not use.
    """
    used = lists_of_detectors(pack)
    lexicons = {name: own for name, own in used.items() if name not in known}
    there = set(base.detection.words.names)
    if not there >= used.keys() & known or _OF_LANGUAGES & (pack.lexicons.keys() - known):
        return None
    return part_of(base.detection.words, lexicons, base.people.common, pack.writing.spelled_out)


def with_pack(base: Engine, pack: Pack, part: WordIndex) -> Engine:
    """The engine of all packs, on that of the first one: `part` is what the others add to its words."""
    words = with_part(base.detection.words, part)
    return replace(base, pack=pack, detection=build_detection(pack, words))


def with_table(index: WordIndex) -> WordIndex:
    """An index with its table, by which words are looked up in C."""
    return replace(index, tables=(table_of(index.entries),))


# lists by which languages and persons are told
_OF_LANGUAGES = frozenset({"common", "given_names", "prepositions", "copulas"})
GRAMMAR = "grammar"  # the group of the closed classes among the phrases
_FAR = ("turn", "conversation")  # scopes of contexts whose cues count wherever they stand
# short words that become other words without their marks: él (he) and el (the), său (his) and sau (or)
_AS_WRITTEN = ("pronouns_m", "pronouns_f", "pronouns_n", "first_person", "second_person", "possessives")


def _classes(pack: Pack) -> dict[str, tuple[Lexicon, ...]]:
    """The closed classes of the languages, as word lists by their names."""
    found: dict[str, list[Lexicon]] = {}
    for language, grammar in sorted(pack.grammar.items()):
        for name, terms in grammar.classes.items():
            found.setdefault(name, []).append(
                Lexicon(name, language, name, "", "", terms, (), grammar.places[name])
            )
    return {name: tuple(lexicons) for name, lexicons in found.items()}


def _slot(pack: Pack, slot: str) -> tuple[Lexicon, ...]:
    def as_read(found: tuple[Term, ...]) -> tuple[Term, ...]:
        return tuple(replace(term, fold=False) for term in found) if slot in _AS_WRITTEN else found

    return tuple(
        Lexicon(
            slot,
            language,
            slot,
            "",
            "",
            as_read(frame.terms[slot]),
            as_read(frame.exclusions.get(slot, ())),
            frame.where,
        )
        for language, frame in sorted(pack.frames.items())
        if frame.terms.get(slot)
    )
